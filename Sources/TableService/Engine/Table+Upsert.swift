/// Changing the row that has a value in a column, or making one.
extension Table {
  /// Updates or makes a row.
  ///
  /// Without a unique column there is no index: the first upsert of a batch scans the table
  /// once and the following ones look up what it found.
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
    if work.keys?.column != id { scanKeys(of: id) }
    if let slot = work.keys?.slots[key] {
      if let other = work.keys?.ambiguous[key] {
        throw TableFault(
          .ambiguous, row: rows.id(slot), column: schema.columns[index].name,
          value: key.described, expected: "one row; \(rows.id(other)) has it too")
      }
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

  private func scanKeys(of column: UInt64) {
    var keys = Work.KeyIndex(column: column, slots: [:], ambiguous: [:])
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        let value = rows.withImage(slot) { image in
          RowImage.cell(column, in: image)?.value(in: image)
        }
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
