extension BatchFile {
  /// The fields of one operation, each taken once; what is left over is unknown.
  struct Fields {
    var values: [(String, JSON)]

    mutating func take(_ name: String) -> JSON? {
      guard let index = values.firstIndex(where: { $0.0 == name }) else { return nil }
      return values.remove(at: index).1
    }

    mutating func required(_ name: String) throws(Fault) -> JSON {
      guard let value = take(name) else { throw .badInput("\"\(name)\" is missing") }
      return value
    }

    func has(_ name: String) -> Bool { values.contains { $0.0 == name } }

    func finish(_ operation: String) throws(Fault) {
      guard let (name, _) = values.first else { return }
      throw .badInput("\(operation) takes no \"\(TerminalSafety.shown(name))\"")
    }
  }

  mutating func operation(_ value: JSON) throws(Fault) -> Operation {
    guard case .object(let values) = value else {
      throw .badInput(
        "an operation is an object, this is \(value.kindName)",
        hint: "for example {\"op\":\"delete_row\",\"row_id\":7}")
    }
    var fields = Fields(values: values)
    guard case .string(let name) = try fields.required("op") else {
      throw .badInput("\"op\" has to be a string")
    }
    let operation = try self.operation(name, &fields)
    try fields.finish(name)
    return operation
  }

  mutating func operation(
    _ name: String, _ fields: inout Fields
  ) throws(Fault) -> Operation {
    switch name {
    case "insert_row":
      let place = try place(&fields, path: "path") ?? .standard
      var row = try newRow(fields.take("row") ?? .object([]))
      if let handle = try handle(&fields) { row.handle = handle }
      return .insertRow(row, place)
    case "delete_row": return .deleteRow(try row(&fields, path: "path"))
    case "move_row":
      let row = try row(&fields, path: "from")
      guard let place = try place(&fields, path: "to") else {
        throw .badInput("\"to\" or an anchor is missing")
      }
      return .moveRow(row, place)
    case "update_row":
      return .updateRow(try row(&fields, path: "path"), try cells(fields.required("row")))
    case "reload_row":
      let row = try row(&fields, path: "path")
      return .reloadRow(row, try fields.take("row").map(cells) ?? [])
    case "insert_section":
      let title = try title(&fields)
      let place = try sectionPlace(&fields, index: "section")
      let rows = try rows(&fields)
      return .insertSection(
        title: title, rows: rows ?? [], handle: try handle(&fields) ?? 0, place ?? .standard)
    case "delete_section": return .deleteSection(try section(&fields, index: "section"))
    case "move_section":
      let section = try section(&fields, index: "from")
      guard let place = try sectionPlace(&fields, index: "to") else {
        throw .badInput("\"to\" or an anchor is missing")
      }
      return .moveSection(section, place)
    case "title_section":
      return .titleSection(try section(&fields, index: "section"), try title(&fields))
    case "reload_section":
      let section = try section(&fields, index: "section")
      return .reloadSection(section, rows: try rows(&fields))
    case "upsert":
      guard case .string(let column) = try fields.required("column") else {
        throw .badInput("\"column\" has to be a column's name")
      }
      _ = try self.column(column)
      let row = try newRow(fields.required("row"))
      return .upsert(column: column, row, try place(&fields, path: "path") ?? .standard)
    default:
      if let operation = try columnOperation(name, &fields) { return operation }
      if let operation = try manyOperation(name, &fields) { return operation }
      if let operation = try partOperation(name, &fields) { return operation }
      let known = CommandTable.operations
      throw .badInput(
        "unknown operation \"\(TerminalSafety.shown(name))\"",
        hint: Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" }
          ?? "known are " + known.joined(separator: ", "))
    }
  }
}

extension CommandTable {
  /// The operations that a batch file may hold.
  static let operations = [
    "insert_row", "delete_row", "move_row", "update_row", "reload_row", "insert_section",
    "delete_section", "move_section", "title_section", "reload_section", "upsert",
    "add_column", "rename_column", "move_column", "drop_column",
    "delete_where", "update_where", "move_many", "add_to_cell", "sort_section",
    "set_header", "set_footer", "set_sentinel", "set_policy",
  ]
}
