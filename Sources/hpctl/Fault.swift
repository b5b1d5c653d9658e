internal import Glibc

/// Why a command failed: what the user reads, and how hpctl ends.
struct Fault: Error {
  /// A later step that stands in the way of an undo.
  struct Conflict {
    var revision: UInt64
    var uid: UInt64
    var actor: String
    var row: UInt64?
    var section: UInt64?
    var column: String?
    var isRemoved = false
  }

  var status: ExitStatus
  /// A code of hp.v1, or one of hpctl's own: `USAGE`, `UNREACHABLE`, `BAD_INPUT`, `INTERRUPTED`.
  var code: String
  var message: String
  var operation: UInt64?
  var path: IndexPath?
  var row: UInt64?
  var section: UInt64?
  var column: String?
  var value: String?
  var expected: String?
  var hint: String?
  var revision: UInt64?
  var otherPath: IndexPath?
  var conflicts: [Conflict] = []
  /// Character of a filter, from 0.
  var offset: Int?
  /// File of the bundle at fault.
  var file: String?
  /// Physical line of the file that was read, from 1.
  var line: Int?
  /// Record of the file that was read, from 1; the header counts as none.
  var record: Int?

  init(_ status: ExitStatus, _ code: String, _ message: String, hint: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  static func usage(_ message: String, hint: String? = nil) -> Fault {
    Fault(.usage, "USAGE", message, hint: hint)
  }

  static func badInput(_ message: String, hint: String? = nil) -> Fault {
    Fault(.badInput, "BAD_INPUT", message, hint: hint)
  }

  static func unreachable(_ message: String, hint: String? = nil) -> Fault {
    Fault(.unreachable, "UNREACHABLE", message, hint: hint)
  }

  /// A fault that is told by one of the daemon's codes, found before anything was sent.
  static func coded(_ code: ErrorCode, _ message: String, hint: String? = nil) -> Fault {
    Fault(ExitStatus(code: code), code.name, message, hint: hint)
  }
}

extension Fault.Conflict {
  /// Who did what, without an end; a name of another user is told with the user.
  var sentence: String {
    var sentence = "revision \(revision) by \(actor)"
    if uid != UInt64(getuid()) { sentence += " of uid \(uid)" }
    let done = isRemoved ? "removed" : "changed"
    if let row { sentence += " \(done) row \(row)" }
    if let section { sentence += " \(done) section \(section)" }
    if let column, row == nil { sentence += " \(done) column \"\(column)\"" }
    return sentence
  }
}

/// A row's place: section and row, both from 0.
struct IndexPath: Equatable {
  var section: UInt64
  var row: UInt64
}

extension Fault {
  /// The place and the message in one line, without the program's name.
  var sentence: String {
    var places: [String] = []
    if let file {
      places.append(line.map { "\(file), line \($0)" } ?? file)
    } else if let line {
      places.append(record.map { "line \(line) (record \($0))" } ?? "line \(line)")
    }
    if let operation { places.append("operation \(operation)") }
    if let row { places.append("row \(row)") }
    if let path { places.append("path [\(path.section), \(path.row)]") }
    if let otherPath { places.append("other path [\(otherPath.section), \(otherPath.row)]") }
    // The daemon's sentence does not repeat the name that it did not find.
    if [ErrorCode.noSuchTable.name, ErrorCode.noSuchSection.name].contains(code), let value,
      !message.contains(value)
    {
      places.append("\"\(value)\"")
    }
    if file != nil, let value, !message.contains(value) {
      places.append("\"\(TerminalSafety.shown(value))\"")
    }
    if let column { places.append("column \"\(column)\"") }
    var sentence = places.isEmpty ? message : places.joined(separator: ", ") + ": " + message
    if let expected, !message.contains(expected) { sentence += " (expected \(expected))" }
    for conflict in conflicts {
      sentence += "; \(conflict.sentence)"
    }
    return sentence
  }

  /// The error object of SPEC 11; what does not apply is left out.
  var json: JSON {
    var fields: [(String, JSON)] = [("code", .string(code)), ("message", .string(message))]
    func add(_ name: String, _ number: UInt64?) {
      if let number { fields.append((name, .integer(number))) }
    }
    func add(_ name: String, _ text: String?) {
      if let text { fields.append((name, .string(text))) }
    }
    add("file", file)
    add("line", line.map(UInt64.init))
    add("record", record.map(UInt64.init))
    add("offset", offset.map(UInt64.init))
    add("operation", operation)
    if let path { fields.append(("path", .path(path))) }
    add("row", row)
    add("section", section)
    add("column", column)
    add("value", value)
    add("expected", expected)
    add("hint", hint)
    add("revision", revision)
    if let otherPath { fields.append(("other_path", .path(otherPath))) }
    if !conflicts.isEmpty {
      let list = conflicts.map { conflict in
        var entry: [(String, JSON)] = [
          ("revision", .integer(conflict.revision)), ("uid", .integer(conflict.uid)),
          ("actor", .string(conflict.actor)),
        ]
        if let row = conflict.row { entry.append(("row", .integer(row))) }
        if let section = conflict.section { entry.append(("section", .integer(section))) }
        if let column = conflict.column { entry.append(("column", .string(column))) }
        if conflict.isRemoved { entry.append(("removed", .boolean(true))) }
        return JSON.object(entry)
      }
      fields.append(("conflicts", .array(list)))
    }
    return .object([("error", .object(fields))])
  }
}
