/// Reads a batch: one document `{"ops":[…]}`, or one operation a line (SPEC 11).
///
/// Unknown and repeated names are errors. Without `mode`, operations that use only paths make a
/// transition, ones that use only ids and anchors a sequence; a mixture is an error.
struct BatchFile {
  private let columns: [ColumnInfo]
  private var sawPaths = false
  private var sawNames = false

  private init(columns: [ColumnInfo]) { self.columns = columns }

  /// The text of a batch, read but not yet understood.
  struct Text {
    fileprivate var document: [(String, JSON)]?
    fileprivate var operations: [(line: Int?, value: JSON)] = []

    /// The table that the document names.
    let table: String?

    /// Reads the JSON of a batch.
    ///
    /// - Parameter bytes: The file's content.
    /// - Throws: BAD_INPUT with the line.
    init(_ bytes: [UInt8]) throws(Fault) {
      if let line = JSON.lineOfInexactNumber(bytes) {
        var fault = Fault.badInput(
          "a number has more than 15 digits and a fraction", hint: "write it as a string")
        fault.line = line
        throw fault
      }
      var index = 0
      var line = 1
      func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) {
          if bytes[index] == 0x0a { line += 1 }
          index += 1
        }
      }
      skipSpace()
      guard index < bytes.count else { throw .badInput("there is no operation in the file") }
      var document: [(String, JSON)]?
      while index < bytes.count {
        let (value, end) = try JSON.read(bytes, in: index..<bytes.count, firstLine: line)
        let startLine = line
        line += bytes[index..<end].count { $0 == 0x0a }
        index = end
        skipSpace()
        if operations.isEmpty, case .object(let fields) = value,
          fields.contains(where: { $0.0 == "ops" })
        {
          guard index == bytes.count else {
            var fault = Fault.badInput("something follows the batch document")
            fault.line = line
            throw fault
          }
          document = fields
        } else {
          operations.append((startLine, value))
        }
      }
      self.document = document
      switch document?.first(where: { $0.0 == "table" })?.1 {
      case .string(let name): self.table = name
      case nil: self.table = nil
      default: throw .badInput("\"table\" has to be a string")
      }
    }
  }

  /// Reads what a batch says, by the columns of its table.
  ///
  /// - Throws: BAD_INPUT, NO_SUCH_COLUMN, BAD_VALUE or WRONG_KIND with the operation and the line.
  static func request(_ text: Text, columns: [ColumnInfo]) throws(Fault) -> BatchRequest {
    var file = BatchFile(columns: columns)
    var request = BatchRequest()
    var mode: BatchMode?
    var operations = text.operations
    for (name, value) in text.document ?? [] {
      switch (name, value) {
      case ("ops", .array(let elements)): operations = elements.map { (nil, $0) }
      case ("table", .string(let table)): request.table = table
      case ("mode", .string("sequence")): mode = .sequence
      case ("mode", .string("transition")): mode = .transition
      case ("key", .string(let key)): request.key = key
      case ("dry_run", .boolean(let flag)): request.isDryRun = flag
      case ("rebase", .boolean(let flag)): request.isRebased = flag
      case ("expect", .string(let cursor)):
        guard let cursor = PartialCursor(cursor) else {
          throw .badInput("\"expect\" has to be EPOCH:REV or a revision")
        }
        request.expect = cursor
      case ("expect", .number(let revision)) where revision >= 0:
        request.expect = PartialCursor(epoch: nil, revision: UInt64(revision))
      case ("counts", .array(let counts)):
        request.counts = try counts.map { count throws(Fault) -> UInt64 in
          guard case .number(let rows) = count, rows >= 0 else {
            throw Fault.badInput("\"counts\" has to be a list of numbers of rows")
          }
          return UInt64(rows)
        }
      case ("ops", _), ("table", _), ("mode", _), ("key", _), ("dry_run", _), ("rebase", _),
        ("expect", _), ("counts", _):
        throw .badInput("\"\(name)\" can't be \(value.kindName)\(value.quotedText)")
      default:
        throw .badInput(
          "unknown name \"\(TerminalSafety.shown(name))\" in the batch document",
          hint: "it has ops, table, mode, expect, rebase, key, counts, dry_run")
      }
    }
    for (index, operation) in operations.enumerated() {
      do throws(Fault) {
        request.operations.append(try file.operation(operation.value))
      } catch {
        var fault = error
        fault.operation = UInt64(index)
        fault.line = operation.line ?? fault.line
        throw fault
      }
    }
    guard !request.operations.isEmpty else { throw .badInput("there is no operation in the file") }
    request.mode = if let mode { mode } else { try file.inferredMode() }
    if request.isRebased && request.expect == nil {
      throw .badInput("\"rebase\" needs \"expect\": the point at which the paths were read")
    }
    return request
  }

  private func inferredMode() throws(Fault) -> BatchMode {
    guard !(sawPaths && sawNames) else {
      throw .badInput(
        "some operations use paths, others ids or anchors",
        hint: "use one kind, or say what is meant: \"mode\":\"sequence\" or \"transition\"")
    }
    return sawPaths ? .transition : .sequence
  }
}

extension JSON {
  /// ` "text"` for a string, nothing for other values: for messages.
  fileprivate var quotedText: String {
    guard case .string(let text) = self else { return "" }
    return " \"\(TerminalSafety.shown(text))\""
  }
}

extension BatchFile {
  /// The fields of one operation, each taken once; what is left over is unknown.
  private struct Fields {
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

  private mutating func operation(_ value: JSON) throws(Fault) -> Operation {
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

  private mutating func operation(
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
      let known = CommandTable.operations
      throw .badInput(
        "unknown operation \"\(TerminalSafety.shown(name))\"",
        hint: Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" }
          ?? "known are " + known.joined(separator: ", "))
    }
  }

  // MARK: Names and places

  private mutating func row(_ fields: inout Fields, path: String) throws(Fault) -> RowName {
    if let value = fields.take(path) { return .path(try self.path(value, path)) }
    guard let value = fields.take("row_id") else {
      throw .badInput("\"\(path)\" or \"row_id\" is missing")
    }
    return try rowName(value, "row_id")
  }

  private mutating func rowName(_ value: JSON, _ name: String) throws(Fault) -> RowName {
    sawNames = true
    if let handle = handleReference(value) { return .handle(handle) }
    guard case .number(let id) = value, id > 0 else {
      throw .badInput("\"\(name)\" has to be a row's id or {\"as\":N}")
    }
    return .id(UInt64(id))
  }

  private mutating func place(_ fields: inout Fields, path: String) throws(Fault) -> Place? {
    var place: Place?
    func set(_ new: Place) throws(Fault) {
      guard place == nil else { throw .badInput("more than one place is given") }
      place = new
    }
    if let value = fields.take(path) { try set(.path(try self.path(value, path))) }
    if let value = fields.take("before") { try set(.before(try rowName(value, "before"))) }
    if let value = fields.take("after") { try set(.after(try rowName(value, "after"))) }
    if let value = fields.take("first_of") { try set(.first(try sectionName(value, "first_of"))) }
    if let value = fields.take("last_of") { try set(.last(try sectionName(value, "last_of"))) }
    return place
  }

  private mutating func section(_ fields: inout Fields, index: String) throws(Fault) -> SectionName
  {
    if let value = fields.take(index) {
      sawPaths = true
      return .index(try self.index(value, index))
    }
    guard let value = fields.take("section_id") else {
      throw .badInput("\"\(index)\" or \"section_id\" is missing")
    }
    return try sectionName(value, "section_id")
  }

  /// Number = id, string = title, `{"as":n}` = handle (contract K9).
  private mutating func sectionName(_ value: JSON, _ name: String) throws(Fault) -> SectionName {
    sawNames = true
    if let handle = handleReference(value) { return .handle(handle) }
    switch value {
    case .number(let id) where id > 0: return .id(UInt64(id))
    case .string(let title): return .title(title)
    default:
      throw .badInput("\"\(name)\" has to be a section's id, its title or {\"as\":N}")
    }
  }

  private mutating func sectionPlace(
    _ fields: inout Fields, index: String
  ) throws(Fault) -> SectionPlace? {
    var place: SectionPlace?
    func set(_ new: SectionPlace) throws(Fault) {
      guard place == nil else { throw .badInput("more than one place is given") }
      place = new
    }
    if let value = fields.take(index) {
      sawPaths = true
      try set(.index(try self.index(value, index)))
    }
    if let value = fields.take("before_section") {
      try set(.before(try sectionName(value, "before_section")))
    }
    if let value = fields.take("after_section") {
      try set(.after(try sectionName(value, "after_section")))
    }
    return place
  }

  private mutating func path(_ value: JSON, _ name: String) throws(Fault) -> IndexPath {
    sawPaths = true
    guard case .array(let parts) = value, parts.count == 2 else {
      throw .badInput("\"\(name)\" has to be [section, row]")
    }
    return IndexPath(section: try index(parts[0], name), row: try index(parts[1], name))
  }

  private func index(_ value: JSON, _ name: String) throws(Fault) -> UInt64 {
    guard case .number(let index) = value, index >= 0 else {
      throw .badInput("\"\(name)\" counts from 0")
    }
    return UInt64(index)
  }

  private func handleReference(_ value: JSON) -> UInt64? {
    guard case .object(let fields) = value, fields.count == 1, fields[0].0 == "as",
      case .number(let handle) = fields[0].1, handle > 0
    else { return nil }
    return UInt64(handle)
  }

  private func handle(_ fields: inout Fields) throws(Fault) -> UInt64? {
    guard let value = fields.take("as") else { return nil }
    guard case .number(let handle) = value, handle > 0 else {
      throw .badInput("\"as\" has to be a number from 1")
    }
    return UInt64(handle)
  }

  // MARK: Rows

  /// A section's title: `title`, or `id` as in cases of batch updates.
  private func title(_ fields: inout Fields) throws(Fault) -> String? {
    guard !(fields.has("title") && fields.has("id")) else {
      throw .badInput("\"id\" and \"title\" are both the title")
    }
    switch fields.take("title") ?? fields.take("id") ?? .null {
    case .null: return nil
    case .string(let title): return title
    default: throw .badInput("a section's title has to be a string")
    }
  }

  private func rows(_ fields: inout Fields) throws(Fault) -> [NewRow]? {
    guard let value = fields.take("rows") else { return nil }
    guard case .array(let elements) = value else {
      throw .badInput("\"rows\" has to be a list of rows")
    }
    return try elements.map(newRow)
  }

  /// A row: an object of cells, or a string = the value of the first text column.
  private func newRow(_ value: JSON) throws(Fault) -> NewRow { NewRow(cells: try cells(value)) }

  private func cells(_ value: JSON) throws(Fault) -> [Assignment] {
    switch value {
    case .string(let text):
      guard let column = columns.first(where: { $0.kind == .text }) else {
        throw .badInput("a string stands for the first text column, and there is none")
      }
      return [Assignment(column: column.id, value: .text(text))]
    case .object(let fields):
      return try fields.map { field throws(Fault) in
        let column = try column(field.0)
        return Assignment(column: column.id, value: try CellValue(json: field.1, column: column))
      }
    default: throw .badInput("a row is an object of cells or a string, not \(value.kindName)")
    }
  }

  private func column(_ name: String) throws(Fault) -> ColumnInfo {
    try columns.named(name)
  }
}

extension [ColumnInfo] {
  /// The column of a name.
  ///
  /// - Throws: NO_SUCH_COLUMN with the names that there are.
  func named(_ name: String) throws(Fault) -> ColumnInfo {
    if let column = first(where: { $0.name == name }) { return column }
    let names = map(\.name)
    var fault = Fault.coded(
      .noSuchColumn, "there is no column \"\(TerminalSafety.shown(name))\"",
      hint: Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
        ?? "the columns are " + names.joined(separator: ", "))
    fault.value = name
    throw fault
  }
}

extension CommandTable {
  /// The operations that a batch file may hold.
  static let operations = [
    "insert_row", "delete_row", "move_row", "update_row", "reload_row", "insert_section",
    "delete_section", "move_section", "title_section", "reload_section", "upsert",
  ]
}
