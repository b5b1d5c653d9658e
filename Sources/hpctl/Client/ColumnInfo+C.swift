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
      unsafe [hp_cell(column.defaultValue, text), hp_cell(column.fill, text)]
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

extension hp_cell {
  /// A value without a column; null where there is none.
  init(_ value: CellValue?, _ text: CText) {
    unsafe self.init()
    switch value {
    case .null, nil: unsafe kind = HP_NULL
    case .text(let value):
      unsafe kind = HP_TEXT
      unsafe self.text = text(value)
    case .integer(let value): unsafe self.init(HP_INTEGER, value)
    case .decimal(let value): unsafe self.init(HP_DECIMAL, value)
    case .date(let value): unsafe self.init(HP_DATE, value)
    case .timestamp(let value): unsafe self.init(HP_TIMESTAMP, value)
    case .boolean(let value): unsafe self.init(HP_BOOLEAN, value ? 1 : 0)
    }
  }

  private init(_ kind: hp_kind, _ number: Int64) {
    unsafe self.init()
    unsafe self.kind = kind
    unsafe self.number = number
  }
}
