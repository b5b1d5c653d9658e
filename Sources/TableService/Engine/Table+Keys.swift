/// Unique columns (contract E15).
///
/// The index follows every change of an image, also within a batch and when one is taken back. Within
/// a batch a value may stand twice; what counts is the batch's result.
extension Table {
  /// Finds the row that has a value in a unique column.
  ///
  /// - Parameters:
  ///   - value: The value; text is compared byte by byte (contract S7).
  ///   - column: The column's id.
  /// - Returns: The row's id, or `nil` where there is none or the column is not unique.
  /// - Complexity: O(1) expected.
  public func row(with value: CellValue, inUnique column: UInt64) -> UInt64? {
    guard let keys = rows.keys.first(where: { $0.column == column }) else { return nil }
    guard past != nil else {
      return keys.slot(of: value, in: rows) { order.isLive($0) }.map { rows.id($0) }
    }
    // Readers are shown the rows before the open batch, and the index follows that.
    let still = keys.slot(of: value, in: rows) { slot in
      order.oldPosition(of: slot) != nil
        && work.rowIndex[slot].map { work.rows[$0].oldImage.isEmpty } ?? true
    }
    if let still { return rows.id(still) }
    let changed = work.rows.first { row in
      RowImage.cell(column, in: row.oldImage.span)?.value(in: row.oldImage.span) == value
    }
    return changed.map { rows.id($0.slot) }
  }

  /// Finds the row of an upsert by a unique column.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - column: The column's place in the schema.
  /// - Returns: The row's slot, or `nil`; or `nil` where the column is not unique.
  /// - Throws: `ambiguous` where an earlier operation of the batch gave the value to a second row.
  func slot(with value: CellValue, inUnique column: Int) throws(TableFault) -> UInt32? {
    let id = schema.columns[column].id
    guard let keys = rows.keys.first(where: { $0.column == id }),
      let found = keys.slot(of: value, in: rows, where: { order.isLive($0) })
    else { return nil }
    let other = keys.slot(of: value, in: rows) { $0 != found && order.isLive($0) }
    if let other {
      throw TableFault(
        .ambiguous, row: rows.id(found), column: schema.columns[column].name,
        value: value.described, expected: "one row; \(rows.id(other)) has it too")
    }
    return found
  }

  /// Notes a row whose new value in a unique column another row has, to be judged at the end.
  ///
  /// In a transition the other may stand nowhere at the moment, and be placed later.
  func suspect(_ slot: UInt32) {
    for keys in rows.keys {
      let value = rows.withImage(slot) { RowImage.cell(keys.column, in: $0)?.value(in: $0) }
      guard let value,
        keys.slot(
          of: value, in: rows,
          where: { $0 != slot && (work.placesLater || order.isLive($0)) }) != nil
      else { continue }
      work.suspects.append(
        Work.Suspect(slot: slot, column: keys.column, operation: work.operation))
    }
  }

  /// Judges unique columns by the batch's result.
  ///
  /// - Throws: `duplicateKey` with the operation that gave the value.
  func judgeKeys() throws(TableFault) {
    for suspect in work.suspects where order.isLive(suspect.slot) {
      breathe()
      guard let column = schema.column(suspect.column), column.isUnique,
        let keys = rows.keys.first(where: { $0.column == suspect.column }),
        let value = rows.withImage(
          suspect.slot, { RowImage.cell(suspect.column, in: $0)?.value(in: $0) }),
        let other = keys.slot(
          of: value, in: rows, where: { $0 != suspect.slot && order.isLive($0) })
      else { continue }
      let isNew = order.oldPosition(of: suspect.slot) == nil
      let holder =
        order.oldPosition(of: other) == nil
        ? "another row of the batch" : "row \(rows.id(other))"
      var fault = TableFault(
        .duplicateKey, row: isNew ? nil : rows.id(suspect.slot), column: column.name,
        value: value.described, expected: "a value of its own; \(holder) has it")
      let writes = work.suspects.last {
        $0.slot == suspect.slot && $0.column == suspect.column
      }
      fault.operation = writes?.operation
      throw fault
    }
  }

  /// Makes the index of a unique column from the rows that there are.
  func indexKeys(of column: UInt64) {
    let keys = KeyIndex(column: column)
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        keys.insert(slot, in: rows)
        return true
      }
    }
    rows.keys.append(keys)
  }

  /// Drops the indexes of columns that are not unique columns of the schema, once a batch that
  /// changed columns is closed.
  func dropKeys() {
    rows.keys.removeAll { schema.column($0.column)?.isUnique != true }
  }

  /// Checks the indexes; traps where one is wrong.
  func checkKeys() {
    precondition(rows.keys.count == schema.unique.count, "an index for each unique column")
    for keys in rows.keys {
      precondition(schema.column(keys.column)?.isUnique == true, "an index of a unique column")
      var valued = 0
      for index in 0..<sectionCount {
        let section = sectionOrder.element(sectionRoot, at: index)
        order.forEach(sections[Int(section)].root, from: 0) { slot in
          let value = rows.withImage(slot) { RowImage.cell(keys.column, in: $0)?.value(in: $0) }
          guard let value else { return true }
          valued += 1
          precondition(keys.slot(of: value, in: rows) { _ in true } == slot, "a row by its key")
          return true
        }
      }
      precondition(valued == keys.count, "rows with a value in the index")
    }
  }
}
