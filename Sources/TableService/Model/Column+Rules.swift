extension Column {
  /// Judges the columns of a new table and gives them ids in their order.
  ///
  /// - Parameter columns: The columns as asked for.
  /// - Returns: The same with ids 1, 2, …
  /// - Throws: `tooManyColumns`, `nameInUse`, `textTooLong`, and what `judge` throws.
  static func judged(_ columns: [Column]) throws(TableFault) -> [Column] {
    guard columns.count <= TableLimits.columns else {
      throw TableFault(
        .tooManyColumns, value: "\(columns.count)", expected: "at most \(TableLimits.columns)")
    }
    var names: Set<[UInt8]> = []
    var result = columns
    for index in columns.indices {
      try columns[index].judge()
      guard names.insert(Folding.fold(columns[index].name)).inserted else {
        throw TableFault(.nameInUse, column: columns[index].name, expected: "another name")
      }
      result[index].id = UInt64(index + 1)
    }
    try judgePresets(of: columns)
    return result
  }

  /// Judges the defaults and fills of all columns together.
  ///
  /// - Parameter columns: The columns.
  /// - Throws: `textTooLong`.
  static func judgePresets(of columns: [Column]) throws(TableFault) {
    var bytes = 0
    for column in columns {
      for value in [column.defaultValue, column.fill] {
        if case .text(let text) = value { bytes += text.count }
      }
    }
    guard bytes <= TableLimits.presets else {
      throw TableFault(
        .textTooLong, value: "\(bytes) bytes of defaults and fills",
        expected: "at most \(TableLimits.presets) bytes in a table")
    }
  }

  /// Judges a column by itself.
  ///
  /// - Throws: `badName`, `badValue`, `wrongKind`, `textTooLong`, `badText`.
  func judge() throws(TableFault) {
    if let fault = Name.faultOfColumn(name) {
      throw TableFault(.badName, column: name, value: name, expected: fault)
    }
    if isUnique, kind == .timestamp || kind == .boolean {
      throw TableFault(
        .wrongKind, column: name, value: "unique \(kind)",
        expected: "text, integer, decimal or date")
    }
    if fill != nil, !isRequired || isUnique {
      throw TableFault(
        .badValue, column: name, value: fill?.described,
        expected: "no fill, or a required column that is not unique")
    }
    if kind == .decimal {
      guard scale <= TableLimits.scale else {
        throw TableFault(
          .badValue, column: name, value: "scale \(scale)", expected: "0 to \(TableLimits.scale)")
      }
      guard currency?.utf8.count ?? 0 <= TableLimits.name else {
        throw TableFault(.textTooLong, column: name, expected: "a currency's code")
      }
    } else if scale != 0 || currency != nil {
      throw TableFault(.wrongKind, column: name, expected: "no scale and no currency")
    }
    if defaultsToNow, kind != .date, kind != .timestamp {
      throw TableFault(.wrongKind, column: name, expected: "a date or a timestamp")
    }
    for value in [defaultValue, fill] {
      if let value { try judge(value) }
    }
  }

  private func judge(_ value: CellValue) throws(TableFault) {
    guard value.kind == kind else {
      throw TableFault(.wrongKind, column: name, value: value.described, expected: "\(kind)")
    }
    switch value {
    case .text(let text):
      guard text.count <= TableLimits.text else {
        throw TableFault(.textTooLong, column: name, expected: "at most \(TableLimits.text) bytes")
      }
      guard TextRule.isText(text.span) else {
        throw TableFault(.badText, column: name, expected: "UTF-8 without NUL")
      }
    case .date(let number), .timestamp(let number):
      guard kind.admits(number) else {
        throw TableFault(
          .badValue, column: name, value: "\(number)", expected: "a year from 1 to 9999")
      }
    case .integer, .decimal, .boolean: break
    }
  }
}
