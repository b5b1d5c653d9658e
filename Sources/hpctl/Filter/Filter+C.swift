internal import hpclient

extension Filter {
  /// Lends the filter in the C library's form.
  ///
  /// - Parameters:
  ///   - text: Keeps the texts.
  ///   - body: Is given the filter for the call only.
  /// - Returns: What `body` returns.
  func with<Result>(_ text: CText, _ body: (UnsafePointer<hp_filter>) -> Result) -> Result {
    var cells: [hp_cell] = unsafe []
    for node in nodes {
      for value in node.values { unsafe cells.append(hp_cell(value, text)) }
    }
    // Safe: the lists and the struct that points at them live until `body` returns.
    return unsafe cells.withUnsafeBufferPointer { all in
      var made: [hp_filter_node] = unsafe []
      var start = 0
      for node in nodes {
        var next = unsafe hp_filter_node()
        unsafe next.op = hp_operator(rawValue: node.operation.rawValue)
        unsafe next.column = text(optional: node.column)
        unsafe next.cells = all.baseAddress?.advanced(by: start)
        unsafe next.cell_count = node.values.count
        unsafe next.folded = node.isFolded
        start += node.values.count
        unsafe made.append(next)
      }
      return unsafe made.withUnsafeBufferPointer { list in
        var filter = unsafe hp_filter(nodes: list.baseAddress, node_count: list.count)
        return unsafe body(&filter)
      }
    }
  }
}

extension [SortKey] {
  /// The keys in the C library's form; their texts live in `text`.
  func made(_ text: CText) -> [hp_sort] {
    unsafe map { key in
      unsafe hp_sort(
        column: text(key.column), descending: key.isDescending, folded: key.isFolded)
    }
  }
}

extension hp_cell {
  /// A value without a column.
  init(_ value: CellValue, _ text: CText) {
    unsafe self.init()
    switch value {
    case .null: unsafe kind = HP_NULL
    case .text(let value):
      unsafe kind = HP_TEXT
      unsafe self.text = text(value)
    case .integer(let value):
      unsafe kind = HP_INTEGER
      unsafe number = value
    case .decimal(let value):
      unsafe kind = HP_DECIMAL
      unsafe number = value
    case .date(let value):
      unsafe kind = HP_DATE
      unsafe number = value
    case .timestamp(let value):
      unsafe kind = HP_TIMESTAMP
      unsafe number = value
    case .boolean(let value):
      unsafe kind = HP_BOOLEAN
      unsafe number = value ? 1 : 0
    }
  }
}
