/// One record of a CSV file.
struct CSVRecord: Equatable {
  /// From 1, where the header is 0; lines without anything do not count.
  var number: Int
  /// Physical line where it begins, from 1.
  var line: Int
  /// `nil` for a field that is empty and has no quotes.
  var fields: [String?]
}

/// A CSV file, read by libcsv in its strict mode, one physical line after the other.
struct CSVReader {
  private(set) var header: CSVRecord
  private(set) var records: [CSVRecord] = []
  /// Records of empty fields without quotes; they are skipped.
  private(set) var blank = 0
  /// What stands between the fields.
  private(set) var delimiter: UInt8

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file; a UTF-8 byte order mark is dropped.
  ///   - delimiter: What stands between fields; `nil` decides by the header record.
  ///   - allowsRagged: Whether records with a wrong number of fields are handed out, too.
  /// - Throws: BAD_INPUT with line and record: bad UTF-8, NUL, stray quotes, a wrong number of
  ///   fields.
  init(_ bytes: [UInt8], delimiter: UInt8?, allowsRagged: Bool = false) throws(Fault) {
    let (start, firstLine, stated) = try Self.begin(bytes)
    try Self.check(bytes, from: start)
    let delimiter = delimiter ?? stated ?? Self.guess(bytes[start...])
    self.delimiter = delimiter
    let collector = try Collector(delimiter: delimiter)
    collector.line = firstLine
    try collector.read(bytes, from: start)
    guard let header = collector.records.first else {
      throw .badInput("the file is empty", hint: "its first record has to name the columns")
    }
    self.header = header
    for record in collector.records.dropFirst() {
      // A field with quotes says something, whatever it holds.
      if record.fields.allSatisfy({ $0 == nil }) {
        blank += 1
        continue
      }
      guard allowsRagged || record.fields.count == header.fields.count else {
        var fault = Self.raggedFault(record.fields.count, header.fields.count)
        fault.line = record.line
        fault.record = record.number
        throw fault
      }
      records.append(record)
    }
  }

  /// The fault of a record whose number of fields is not the header's.
  static func raggedFault(_ count: Int, _ expected: Int) -> Fault {
    .badInput(
      "\(counted(count, "field")) where the header has \(expected)",
      hint: "fields that hold the separator or a newline need quotes")
  }

  /// Looks at the marks before the header: byte order marks and Excel's `sep=;`.
  ///
  /// - Returns: Where the header begins, its line, and the delimiter that is stated.
  /// - Throws: BAD_INPUT for UTF-16.
  static func begin(
    _ bytes: [UInt8]
  ) throws(Fault) -> (start: Int, line: Int, delimiter: UInt8?) {
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      throw .badInput("the file is UTF-16", hint: "say --encoding utf-16")
    }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let rest = bytes[start...]
    guard rest.starts(with: "sep=".utf8), rest.count > 5 else { return (start, 1, nil) }
    let delimiter = bytes[start + 4]
    let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard ends.contains(bytes[start + 5]) else { return (start, 1, nil) }
    let isPair = bytes[start + 5] == ends[1] && rest.count > 6 && bytes[start + 6] == ends[0]
    return (start + (isPair ? 7 : 6), 2, delimiter)
  }

  /// Refuses bytes that are no UTF-8, and NUL.
  static func check(_ bytes: [UInt8], from start: Int) throws(Fault) {
    var offset: Int?
    var problem = ""
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      offset = bytes[start...].firstIndex(of: 0)
      problem = "a NUL byte"
    } catch {
      offset = error.byteOffsets.lowerBound
      problem = "bytes that are not UTF-8"
    }
    guard let offset else { return }
    var fault = Fault.badInput(
      "\(problem) at offset \(offset)",
      hint: problem.hasPrefix("a NUL")
        ? nil : "--encoding says how it is written, for example cp1252")
    fault.line = lineNumber(bytes, offset)
    throw fault
  }

  /// Where a physical line that begins at an index ends, its end included.
  static func endOfLine(_ bytes: [UInt8], _ start: Int) -> Int {
    var end = bytes[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
    if end < bytes.count {
      end += bytes[end] == 0x0d && end + 1 < bytes.count && bytes[end + 1] == 0x0a ? 2 : 1
    }
    return end
  }

  private static func lineNumber(_ bytes: [UInt8], _ offset: Int) -> Int {
    var line = 1
    for index in 0..<offset {
      if bytes[index] == 0x0a || (bytes[index] == 0x0d && bytes[index + 1] != 0x0a) { line += 1 }
    }
    return line
  }

  /// The most frequent of comma, semicolon and tab outside quotes in the header record.
  static func guess(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in bytes {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted {
        if byte == 0x0a || byte == 0x0d { break }
        counts[byte, default: 0] += 1
      }
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.reversed().max { counts[$0, default: 0] < counts[$1, default: 0] }
      ?? candidates[0]
  }
}

/// Gathers all records, with their lines.
private final class Collector: CSVSink {
  var records: [CSVRecord] = []
  var line = 1
  private var fields: [String?] = []
  private var recordLine = 1

  override func field(_ bytes: UnsafeRawBufferPointer?) {
    // Safe: libcsv's buffer lives for the length of the call; the text is a copy.
    fields.append(unsafe bytes.map { bytes in unsafe String(decoding: bytes, as: UTF8.self) })
  }

  override func endOfRecord() {
    records.append(CSVRecord(number: records.count, line: recordLine, fields: fields))
    fields = []
  }

  /// Feeds physical lines, so that every field knows its line.
  func read(_ bytes: [UInt8], from start: Int) throws(Fault) {
    var index = start
    while index < bytes.count {
      let end = CSVReader.endOfLine(bytes, index)
      if isBetweenRecords { recordLine = line }
      guard feed(bytes, index..<end) else { throw failure }
      line += 1
      index = end
    }
    guard finish() else { throw failure }
  }

  private var failure: Fault {
    if isOutOfMemory { return Fault(.refused, "OUT_OF_MEMORY", "out of memory") }
    var fault = Fault.badInput(
      "a quote where none may stand, or one that is never closed",
      hint: "a field with a quote is written \"like \"\"this\"\"\"")
    fault.line = recordLine
    fault.record = max(0, records.count)
    return fault
  }
}
