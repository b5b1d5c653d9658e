/// Adding to a cell (contract E15).
extension Table {
  /// Adds to an integer or decimal cell of a row.
  ///
  /// - Parameters:
  ///   - amount: The column and what is added to its cell, in the batch's `cells`.
  ///   - slot: The row's slot.
  ///   - floor: What the result may not be below.
  ///   - ceiling: What the result may not be above.
  ///   - batch: The batch.
  ///   - context: Gives the revision.
  /// - Throws: `wrongKind`, `required` where the cell or the amount is null, `overflow`,
  ///   `outOfBounds`, `readOnly`; what finding the column throws.
  func add(
    _ amount: Int, to slot: UInt32, floor: Int64?, ceiling: Int64?, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    do throws(TableFault) {
      var cell = try imageCell(batch.cells[amount], of: batch, admitsNull: true)
      let name = schema.column(cell.column)?.name
      guard cell.kind == .integer || cell.kind == .decimal else {
        throw TableFault(
          .wrongKind, column: name, value: "\(cell.kind)", expected: "integer or decimal")
      }
      guard cell.source == .number else {
        throw TableFault(.required, column: name, value: "null", expected: "an amount")
      }
      guard let column = schema.index(of: cell.column), let old = value(of: column, slot)?.number
      else {
        throw TableFault(.required, column: name, value: "null", expected: "a number to add to")
      }
      let (sum, overflows) = old.addingReportingOverflow(cell.number)
      guard !overflows else {
        throw TableFault(
          .overflow, column: name, value: "\(old)", expected: "a sum of 64 bits")
      }
      if let floor, sum < floor {
        throw TableFault(
          .outOfBounds, column: name, value: "\(sum)", expected: "at least \(floor)")
      }
      if let ceiling, sum > ceiling {
        throw TableFault(
          .outOfBounds, column: name, value: "\(sum)", expected: "at most \(ceiling)")
      }
      cell.number = sum
      work.cells.removeAll(keepingCapacity: true)
      work.spare.removeAll(keepingCapacity: true)
      work.cells.append(cell)
      try updateCollected(slot, in: batch, context)
    } catch {
      var fault = error
      fault.row = fault.row ?? rows.id(slot)
      throw fault
    }
  }
}

extension Batch.Action {
  /// Whether it takes the rows that it finds, so that they can be counted (contract E4).
  var matches: Bool {
    switch self {
    case .moveMany, .deleteWhere, .updateWhere: true
    default: false
    }
  }
}
