/// Rows as they are shown: without cells of dropped columns, with fills (contract E14).
///
/// Everything that leaves the table goes through here; with nothing to filter or to fill it is the
/// stored image itself.
extension Table {
  /// Shows a row.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - body: Takes the image; it must not change the table.
  /// - Returns: What `body` returns.
  @inline(__always)
  func withShown<Result>(_ slot: UInt32, _ body: (Span<UInt8>) -> Result) -> Result {
    schema.reshapes ? withReshaped(slot, body) : rows.withImage(slot, body)
  }

  @inline(never)
  private func withReshaped<Result>(
    _ slot: UInt32, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    var image = shown
    shown = []
    image.removeAll(keepingCapacity: true)
    rows.withImage(slot) { RowImage.appendShown($0, by: schema, to: &image) }
    defer { shown = image }
    return body(image.span)
  }

  /// The value of a row in a column.
  ///
  /// - Parameters:
  ///   - column: The column's place in the schema.
  ///   - slot: The row's slot.
  /// - Returns: The value, or `nil` for null.
  func value(of column: Int, _ slot: UInt32) -> CellValue? {
    let id = schema.columns[column].id
    let value = rows.withImage(slot) { RowImage.cell(id, in: $0)?.value(in: $0) }
    return value ?? schema.columns[column].fill
  }

  /// An image as the schema shows it.
  func shown(_ image: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    RowImage.appendShown(image.span, by: schema, to: &result)
    return result
  }

  /// An image to be stored: one that the schema shows, and what it hides of an older one.
  func stored(_ image: [UInt8], over old: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    RowImage.appendKeeping(hiddenOf: old.span, image.span, by: schema, to: &result)
    return result
  }

  /// Gives the rows that a batch wrote the form that its last columns ask for.
  ///
  /// Values that the batch gave to columns that it then dropped were never seen: such a cell is
  /// again what it was before the batch, as it is after a replay.
  ///
  /// - Throws: `rowTooLarge` where fills make a row too large.
  /// - Complexity: O(*k*) in the number of rows that the batch wrote.
  func reshapeWritten() throws(TableFault) {
    for slot in work.newRows where order.isLive(slot) {
      let image = shown(rows.image(slot))
      try reshape(slot, work.restored[slot].map { stored(image, over: $0) } ?? image)
    }
    for row in work.rows where !row.oldImage.isEmpty && order.isLive(row.slot) {
      try reshape(row.slot, stored(shown(rows.image(row.slot)), over: row.oldImage))
    }
  }

  private func reshape(_ slot: UInt32, _ image: [UInt8]) throws(TableFault) {
    guard image.count <= TableLimits.row else {
      throw TableFault(
        .rowTooLarge, row: rows.id(slot), value: "\(image.count) bytes",
        expected: "at most \(TableLimits.row) bytes")
    }
    rows.replace(slot, image: image)
  }
}
