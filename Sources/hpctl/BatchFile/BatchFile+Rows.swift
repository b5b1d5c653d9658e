/// Rows, their cells and titles.
extension BatchFile {
  /// A section's title: `title`, or `id` as in cases of batch updates.
  func title(_ fields: inout Fields) throws(Fault) -> String? {
    guard !(fields.has("title") && fields.has("id")) else {
      throw .badInput("\"id\" and \"title\" are both the title")
    }
    switch fields.take("title") ?? fields.take("id") ?? .null {
    case .null: return nil
    case .string(let title): return title
    default: throw .badInput("a section's title has to be a string")
    }
  }

  func rows(_ fields: inout Fields) throws(Fault) -> [NewRow]? {
    guard let value = fields.take("rows") else { return nil }
    guard case .array(let elements) = value else {
      throw .badInput("\"rows\" has to be a list of rows")
    }
    return try elements.map(newRow)
  }

  /// A row: an object of cells, or a string = the value of the first text column.
  func newRow(_ value: JSON) throws(Fault) -> NewRow { NewRow(cells: try cells(value)) }

  func cells(_ value: JSON) throws(Fault) -> [Assignment] {
    switch value {
    case .string(let text):
      guard let column = columns.first(where: { $0.kind == .text }) else {
        throw .badInput("a string stands for the first text column, and there is none")
      }
      return [
        Assignment(
          column: column.id, value: .text(text), name: column.id == 0 ? column.name : nil)
      ]
    case .object(let fields):
      return try fields.map { field throws(Fault) in
        let column = try column(field.0)
        return Assignment(
          column: column.id, value: try CellValue(json: field.1, column: column),
          name: column.id == 0 ? column.name : nil)
      }
    default: throw .badInput("a row is an object of cells or a string, not \(value.kindName)")
    }
  }

  func column(_ name: String) throws(Fault) -> ColumnInfo {
    try columns.named(name)
  }
}
