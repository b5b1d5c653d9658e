/// Reloading sections (contract E6).
extension Table {
  /// Reloads a section; with rows, these take the place of the old ones.
  ///
  /// - Parameters:
  ///   - slot: The section's slot.
  ///   - rows: The new rows, in the batch's `rows`; `nil` keeps the old ones.
  ///   - batch: The batch.
  ///   - context: Gives revision and time.
  /// - Throws: What cells and rows are refused for.
  func reload(
    _ slot: UInt32, rows: Range<Int>?, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    let index = touch(section: slot)
    work.sections[index].isReloaded = true
    guard let rows else { return }
    liftAll(of: slot)
    try insert(rows, into: slot, in: batch, context)
  }

  /// Puts new rows into an empty section.
  func insert(
    _ rows: Range<Int>, into section: UInt32, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    for (offset, row) in rows.enumerated() {
      try checkpoint()
      try insert(batch.rows[row], at: Spot(section: section, index: offset), in: batch, context)
    }
  }
}
