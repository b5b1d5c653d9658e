/// Changing the row that has a value in a column, or making one.
extension Table {
  /// Updates or makes a row.
  ///
  /// By a unique column it is O(1) (contract E15). By another one there is no index: the first
  /// upsert of a batch scans the table once and the following ones look up what it found.
  ///
  /// - Parameters:
  ///   - name: The column's name, in the batch's `text`.
  ///   - row: The row; its cell in that column names it.
  ///   - place: Where a new row goes.
  ///   - batch: The batch.
  ///   - context: Gives revision and time.
  /// - Throws: `ambiguous` where several rows have the value; what insert and update throw.
  func upsert(
    _ name: Range<Int>, _ row: Batch.Row, at place: Batch.Place, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    let index = try column(.name(name), of: batch)
    let id = schema.columns[index].id
    try collect(row.cells, of: batch)
    guard let cell = work.cells.first(where: { $0.column == id }),
      let key = value(cell, of: batch)
    else {
      throw TableFault(.required, column: schema.columns[index].name, expected: "a key")
    }
    if let slot = try slot(with: key, in: index) {
      do throws(TableFault) {
        try updateCollected(slot, in: batch, context)
      } catch {
        var fault = error
        fault.row = rows.id(slot)
        throw fault
      }
      if let handle = row.handle { try give(handle, .row(slot)) }
    } else {
      let spot = try spot(place, in: batch)
      let slot = try insertCollected(row, at: spot, in: batch, context)
      work.keys?.slots[key] = slot
    }
  }

  private func slot(with key: CellValue, in column: Int) throws(TableFault) -> UInt32? {
    if schema.columns[column].isUnique { return try slot(with: key, inUnique: column) }
    let id = schema.columns[column].id
    if work.keys?.column != id { scanKeys(of: id, fill: schema.columns[column].fill) }
    guard let slot = work.keys?.slots[key] else { return nil }
    if let other = work.keys?.ambiguous[key] {
      throw TableFault(
        .ambiguous, row: rows.id(slot), column: schema.columns[column].name,
        value: key.described, expected: "one row; \(rows.id(other)) has it too")
    }
    return slot
  }

  private func scanKeys(of column: UInt64, fill: CellValue?) {
    var keys = Work.KeyIndex(column: column, slots: [:], ambiguous: [:])
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        let value = rows.withImage(slot) { image in
          RowImage.cell(column, in: image)?.value(in: image) ?? fill
        }
        breathe()
        guard let value else { return true }
        if keys.slots[value] == nil {
          keys.slots[value] = slot
        } else {
          keys.ambiguous[value] = slot
        }
        return true
      }
    }
    work.keys = keys
  }
}
