/// Reads a batch: one document `{"ops":[…]}`, or one operation a line (SPEC 11).
///
/// Unknown and repeated names are errors. Without `mode`, operations that use only paths make a
/// transition, ones that use only ids and anchors a sequence; a mixture is an error.
struct BatchFile {
  /// The columns as the operations so far leave them; the id of a new one is 0.
  var columns: [ColumnInfo]
  var sawPaths = false
  var sawNames = false
  /// What the operation at hand says of the rows that it has to take.
  var matched: UInt64?

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
        file.matched = nil
        request.operations.append(try file.operation(operation.value))
        request.matched[index] = file.matched
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
