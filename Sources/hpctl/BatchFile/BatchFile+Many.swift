/// Operations on many rows, and the one that adds to a cell. They make a sequence.
extension BatchFile {
  /// Reads one of them; `nil`: it is another operation.
  mutating func manyOperation(
    _ name: String, _ fields: inout Fields
  ) throws(Fault) -> Operation? {
    switch name {
    case "delete_where":
      matched = try count(&fields, "matched")
      return .deleteWhere(try filter(fields.required("where")))
    case "update_where":
      matched = try count(&fields, "matched")
      return .updateWhere(
        try filter(fields.required("where")), try cells(fields.required("row")))
    case "move_many":
      matched = try count(&fields, "matched")
      guard fields.has("where") != fields.has("row_ids") else {
        throw .badInput("move_many has \"where\" or \"row_ids\"")
      }
      var which: Filter?
      var ids: [UInt64] = []
      if let value = fields.take("where") {
        which = try filter(value)
      } else {
        ids = try rowIDs(fields.required("row_ids"))
      }
      guard let place = try place(&fields, path: "to") else {
        throw .badInput("\"to\" or an anchor is missing")
      }
      if let which { return .moveWhere(which, place) }
      return .moveRows(ids, place)
    case "add_to_cell":
      let row = try row(&fields, path: "path")
      guard case .string(let name) = try fields.required("column") else {
        throw .badInput("\"column\" has to be a column's name")
      }
      let column = try column(name)
      return .addToCell(
        row, Assignment(column: column.id, value: try amount(fields.required("amount"), column)),
        floor: try bound(fields.take("floor"), column),
        ceiling: try bound(fields.take("ceiling"), column))
    case "sort_section":
      let section = try section(&fields, index: "section")
      guard case .array(let parts) = try fields.required("by") else {
        throw .badInput("\"by\" has to be a list of columns, for example [\"value:desc\"]")
      }
      var keys: [SortKey] = []
      for part in parts {
        guard case .string(let text) = part else {
          throw .badInput("\"by\" has to be a list of columns, for example [\"value:desc\"]")
        }
        keys.append(try SortKey(text: text, columns: columns))
      }
      return .sortSection(section, keys)
    default: return nil
    }
  }

  private mutating func filter(_ value: JSON) throws(Fault) -> Filter {
    sawNames = true
    guard case .string(let text) = value else {
      throw .badInput(
        "\"where\" has to be a filter in a string", hint: "an empty one takes every row")
    }
    do throws(Fault) {
      return try FilterParser.read(text, columns: columns)
    } catch {
      guard error.status == .usage else { throw error }
      // Here it is the file that is wrong, not the command line.
      var fault = error
      fault.status = .badInput
      fault.code = "BAD_INPUT"
      throw fault
    }
  }

  private mutating func rowIDs(_ value: JSON) throws(Fault) -> [UInt64] {
    sawNames = true
    guard case .array(let elements) = value else {
      throw .badInput("\"row_ids\" has to be a list of ids")
    }
    return try elements.map { element throws(Fault) in
      guard case .number(let id) = element, id > 0 else {
        throw .badInput("\"row_ids\" has to be a list of ids")
      }
      return UInt64(id)
    }
  }

  private func amount(_ value: JSON, _ column: ColumnInfo) throws(Fault) -> CellValue {
    guard column.kind == .integer || column.kind == .decimal else {
      throw .coded(.wrongKind, "\(column.name) is no column to add to")
    }
    return try CellValue(json: value, column: column)
  }

  private func bound(_ value: JSON?, _ column: ColumnInfo) throws(Fault) -> Int64? {
    guard let value else { return nil }
    return try amount(value, column).number
  }

  private func count(_ fields: inout Fields, _ name: String) throws(Fault) -> UInt64? {
    guard let value = fields.take(name) else { return nil }
    guard case .number(let count) = value, count >= 0 else {
      throw .badInput("\"\(name)\" has to be a number of rows")
    }
    return UInt64(count)
  }
}

extension CellValue {
  /// The number of an integer or decimal value.
  fileprivate var number: Int64? {
    switch self {
    case .integer(let number), .decimal(let number): number
    default: nil
    }
  }
}
