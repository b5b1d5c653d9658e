internal import hpclient

extension [ColumnInfo] {
  /// Lends the C library's form of the columns.
  ///
  /// - Parameters:
  ///   - text: Owns the texts.
  ///   - body: Uses the columns during its call only.
  /// - Returns: What `body` returns.
  func withColumns<Result>(
    _ text: CText, _ body: (UnsafeBufferPointer<hp_column>) -> Result
  ) -> Result {
    // Safe: cells and columns live until `body` returns, the texts in `text`.
    let cells: [hp_cell] = unsafe flatMap { column in
      unsafe [hp_cell(column.defaultValue ?? .null, text), hp_cell(column.fill ?? .null, text)]
    }
    return unsafe cells.withUnsafeBufferPointer { cells in
      var columns: [hp_column] = unsafe []
      for (index, column) in enumerated() {
        var made = unsafe hp_column()
        unsafe made.name = text(column.name)
        unsafe made.kind = hp_kind(rawValue: column.kind.rawValue)
        unsafe made.required = column.required
        unsafe made.unique = column.unique
        unsafe made.read_only = column.readOnly
        unsafe made.default_now = column.defaultsToNow
        unsafe made.scale = UInt32(column.scale)
        unsafe made.currency = text(optional: column.currency)
        if column.defaultValue != nil {
          unsafe made.default_value = cells.baseAddress?.advanced(by: 2 * index)
        }
        if column.fill != nil {
          unsafe made.fill = cells.baseAddress?.advanced(by: 2 * index + 1)
        }
        unsafe columns.append(made)
      }
      return unsafe columns.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
