extension Assignment {
  /// Reads `COLUMN=VALUE` or `COLUMN!` (null) by the table's columns.
  ///
  /// - Throws: Usage, NO_SUCH_COLUMN, BAD_VALUE, or a column that is given twice.
  static func read(_ words: some Sequence<String>, columns: [ColumnInfo]) throws(Fault)
    -> [Assignment]
  {
    var read: [Assignment] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let column: ColumnInfo
      let value: CellValue
      if parts.count == 2 {
        column = try columns.named(String(parts[0]))
        value = try CellValue(text: String(parts[1]), column: column)
      } else if word.hasSuffix("!") {
        column = try columns.named(String(word.dropLast()))
        value = .null
      } else {
        throw .usage(
          "\"\(TerminalSafety.shown(word))\" is no COLUMN=VALUE",
          hint: "for example \(columns.first?.name ?? "name")=VALUE; COLUMN! is null")
      }
      guard !read.contains(where: { $0.column == column.id }) else {
        throw .usage("column \"\(column.name)\" is given twice")
      }
      read.append(Assignment(column: column.id, value: value))
    }
    return read
  }
}
