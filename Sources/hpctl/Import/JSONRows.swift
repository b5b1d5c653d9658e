/// Rows of a JSON file: an array of objects, or objects one after the other.
///
/// An object is a row as hpctl writes it (with `cells`), or a flat one whose names are those of
/// columns.
struct JSONRows {
  private(set) var header: [String] = []
  private(set) var records: [ImportRecord] = []
  private var positions: [String: Int] = [:]

  /// Reads a whole file.
  ///
  /// - Throws: BAD_INPUT with line and record: no JSON, names given twice, NUL, a number that a
  ///   double does not hold exactly, an element that is no object, a row with two values for a column.
  init(_ bytes: [UInt8]) throws(Fault) {
    if let line = JSON.lineOfInexactNumber(bytes) {
      var fault = Fault.badInput(
        "a number has more than 15 digits and a fraction", hint: "write it as a string")
      fault.line = line
      throw fault
    }
    var reader = Position(bytes: bytes)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.index = 3 }
    reader.skipSpace()
    let isArray = reader.take("[")
    reader.skipSpace()
    while reader.index < bytes.count {
      if isArray, reader.take("]") {
        try reader.end()
        break
      }
      let line = reader.line
      let start = reader.index
      let (value, end) = try JSON.read(bytes, in: start..<bytes.count, firstLine: line)
      guard case .object(let fields) = value else {
        throw reader.fault("a row is an object, this is \(value.kindName)", records.count + 1)
      }
      try add(fields, line: line, source: start..<end)
      reader.advance(to: end)
      reader.skipSpace()
      guard isArray else { continue }
      if reader.take(",") {
        reader.skipSpace()
        guard reader.index == bytes.count || bytes[reader.index] != UInt8(ascii: "]") else {
          throw reader.fault("a row is missing behind the comma", records.count)
        }
      } else if reader.index == bytes.count || bytes[reader.index] != UInt8(ascii: "]") {
        throw reader.fault("a comma or the end of the array is missing", records.count)
      }
    }
    guard !isArray || reader.hasEnded else {
      throw reader.fault("the array has no end", records.count)
    }
    for index in records.indices {
      while records[index].fields.count < header.count { records[index].fields.append(.absent) }
    }
  }

  private mutating func add(
    _ fields: [(String, JSON)], line: Int, source: Range<Int>
  ) throws(Fault) {
    var record = ImportRecord(
      number: records.count + 1, line: line,
      fields: [ImportField](repeating: .absent, count: header.count), source: source)
    func isObject(_ value: JSON) -> Bool { if case .object = value { true } else { false } }
    let isOwn = fields.contains { $0.0 == "cells" && isObject($0.1) }
    for (name, value) in fields {
      switch (name, value) {
      case ("cells", .object(let cells)) where isOwn:
        for (name, value) in cells { try set(name, value, &record) }
      case ("id", _) where isOwn: try set(ImportMapping.idName, value, &record)
      case ("revision", _) where isOwn: try set(ImportMapping.revisionName, value, &record)
      case ("path", _) where isOwn: break
      case ("section", .object(let parts)) where isOwn:
        for (name, value) in parts {
          if name == "title" { try set(ImportMapping.sectionName, value, &record) }
          if name == "index" { try set(ImportMapping.sectionIndexName, value, &record) }
        }
      case ("section", _) where isOwn: try set(ImportMapping.sectionName, value, &record)
      default: try set(name, value, &record)
      }
    }
    records.append(record)
  }

  private mutating func set(
    _ name: String, _ value: JSON, _ record: inout ImportRecord
  ) throws(Fault) {
    let field: ImportField
    switch value {
    case .null: field = .empty
    case .string(let text): field = .text(text)
    default: field = .value(value)
    }
    guard let index = positions[name] else {
      positions[name] = header.count
      header.append(name)
      record.fields.append(field)
      return
    }
    // In one object no name stands twice, but a row has several.
    guard case .absent = record.fields[index] else {
      var fault = Fault.badInput("the row has two values for it", hint: "one of them has to go")
      fault.line = record.line
      fault.record = record.number
      fault.column = TerminalSafety.shown(name)
      throw fault
    }
    record.fields[index] = field
  }
}

/// Where the reading of a JSON file is.
private struct Position {
  let bytes: [UInt8]
  var index = 0
  var line = 1
  var hasEnded = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) {
      if bytes[index] == 0x0a { line += 1 }
      index += 1
    }
  }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  mutating func advance(to end: Int) {
    line += bytes[index..<end].count { $0 == 0x0a }
    index = end
  }

  mutating func end() throws(Fault) {
    hasEnded = true
    skipSpace()
    guard index == bytes.count else { throw fault("something follows the array", nil) }
  }

  func fault(_ message: String, _ record: Int?) -> Fault {
    var fault = Fault.badInput(message)
    fault.line = line
    fault.record = record
    return fault
  }
}
