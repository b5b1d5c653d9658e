extension CellValue {
  /// Reads a cell of a batch document.
  ///
  /// A decimal is a string, or a number that fits the column's scale exactly.
  ///
  /// - Throws: BAD_VALUE or WRONG_KIND with column, value and what was expected.
  init(json: JSON, column: ColumnInfo) throws(Fault) {
    switch (json, column.kind) {
    case (.null, _): self = .null
    case (.string(let text), .text): self = .text(text)
    case (.string(let text), .decimal), (.string(let text), .date), (.string(let text), .timestamp),
      (.string(let text), .integer):
      guard !text.isEmpty else {
        throw Self.refused(text, column, hint: "null stands for no value")
      }
      try self.init(text: text, column: column)
    case (.number(let number), .integer): self = .integer(number)
    case (.number(let number), .decimal):
      try self.init(text: String(number), column: column)
    case (.real(let number), .decimal):
      // The reader refuses numbers of more than 15 digits, so this text is what was written.
      try self.init(text: Self.plain(number), column: column)
    case (.boolean(let flag), .boolean): self = .boolean(flag)
    default:
      var fault = Fault.coded(
        .wrongKind, "\(json.kindName) is not \(column.kind.article)",
        hint: "write \(column.expectation)"
          + (column.kind == .boolean || column.kind == .integer ? "" : ", in quotes"))
      fault.column = column.name
      throw fault
    }
  }

  /// A number with a fraction without an exponent and without zeros at its end: 39.950 is 39.95.
  private static func plain(_ number: Double) -> String {
    var text = "\(number)"
    if text.hasSuffix(".0") { text.removeLast(2) }
    return text
  }
}

extension JSON {
  /// What a message calls this kind of value.
  var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .real: "a number with a fraction"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
