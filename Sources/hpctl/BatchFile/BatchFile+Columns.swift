/// Operations on columns; what follows them in the file sees the new columns.
extension BatchFile {
  mutating func columnOperation(
    _ name: String, _ fields: inout Fields
  ) throws(Fault) -> Operation? {
    switch name {
    case "add_column":
      let column = try newColumn(fields.required("column"))
      let before = try fields.take("before").map { value throws(Fault) in
        try self.column(text(value, "before"))
      }
      sawNames = true
      let index = before.flatMap { anchor in columns.firstIndex { $0.name == anchor.name } }
      columns.insert(column, at: index ?? columns.count)
      return .addColumn(column, before: before?.name)
    case "rename_column":
      let index = try columnIndex(&fields)
      let old = columns[index].name
      columns[index].name = try text(fields.required("name"), "name")
      return .renameColumn(old, columns[index].name)
    case "move_column":
      let column = columns[try columnIndex(&fields)]
      guard case .number(let index) = try fields.required("to"), index >= 0 else {
        throw .badInput("\"to\" has to be an index from 0")
      }
      return .moveColumn(column.name, UInt64(index))
    case "drop_column": return .dropColumn(columns.remove(at: try columnIndex(&fields)).name)
    default: return nil
    }
  }

  private mutating func columnIndex(_ fields: inout Fields) throws(Fault) -> Int {
    let column = try column(text(fields.required("column"), "column"))
    sawNames = true
    return columns.firstIndex { $0.name == column.name } ?? 0
  }

  private func text(_ value: JSON, _ name: String) throws(Fault) -> String {
    guard case .string(let text) = value else { throw .badInput("\"\(name)\" has to be a string") }
    return text
  }

  /// A column as `table columns` shows it, without its id.
  private func newColumn(_ value: JSON) throws(Fault) -> ColumnInfo {
    guard case .object(let values) = value else {
      throw .badInput("a column is an object with name and kind, not \(value.kindName)")
    }
    var fields = Fields(values: values)
    let name = try text(fields.required("name"), "name")
    let kind = try text(fields.required("kind"), "kind")
    guard let known = ColumnKind.allCases.first(where: { "\($0)" == kind }) else {
      throw .badInput(
        "\"\(TerminalSafety.shown(kind))\" is no kind of column",
        hint: "the kinds are " + ColumnKind.allCases.map { "\($0)" }.joined(separator: ", "))
    }
    var column = ColumnInfo(id: 0, name: name, kind: known, scale: known == .decimal ? 2 : 0)
    column.required = try flag(&fields, "required")
    column.unique = try flag(&fields, "unique")
    column.readOnly = try flag(&fields, "read_only")
    column.defaultsToNow = try flag(&fields, "default_now")
    if let value = fields.take("scale") {
      guard case .number(let scale) = value, 0...9 ~= scale else {
        throw .badInput("\"scale\" has to be 0 to 9")
      }
      column.scale = Int(scale)
    }
    if let value = fields.take("currency") { column.currency = try text(value, "currency") }
    if let value = fields.take("default") {
      column.defaultValue = try CellValue(json: value, column: column)
    }
    if let value = fields.take("fill") {
      column.fill = try CellValue(json: value, column: column)
    }
    try fields.finish("a column")
    try column.checkUnique()
    return column
  }

  private func flag(_ fields: inout Fields, _ name: String) throws(Fault) -> Bool {
    guard let value = fields.take(name) else { return false }
    guard case .boolean(let flag) = value else { throw .badInput("\"\(name)\" is true or false") }
    return flag
  }
}
