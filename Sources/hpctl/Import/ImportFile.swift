/// One field of a file, before the kind of its column is known.
enum ImportField {
  /// The record does not have it: JSON only.
  case absent
  /// Null: in separated files a field that is empty and has no quotes.
  case empty
  case text(String)
  /// A JSON value that is no string.
  case value(JSON)
}

/// One record of a file.
struct ImportRecord {
  /// From 1; the header counts as none.
  var number: Int
  /// Physical line where it begins, from 1.
  var line: Int
  var fields: [ImportField]
  /// Where it stands among the decoded bytes: JSON only.
  var source: Range<Int>?
}

/// A file of rows: names of columns, then records of fields.
struct ImportFile {
  /// How a file is written.
  enum Form: Equatable {
    case separated(UInt8)
    case json
  }

  private(set) var form: Form
  private(set) var header: [String] = []
  private(set) var headerLine: Int?
  private(set) var records: [ImportRecord] = []
  /// Records of empty fields without quotes; they are skipped.
  private(set) var blank = 0
  /// The file in UTF-8.
  private(set) var bytes: [UInt8]

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file in UTF-8.
  ///   - delimiter: What stands between fields; `nil` looks at the header.
  ///   - isJSON: What `--from` says of JSON; `nil` looks at the content.
  /// - Throws: BAD_INPUT with line and record.
  init(_ bytes: [UInt8], delimiter: UInt8?, isJSON: Bool?) throws(Fault) {
    self.bytes = bytes
    if isJSON ?? Self.looksLikeJSON(bytes) {
      form = .json
      let rows = try JSONRows(bytes)
      header = rows.header
      records = rows.records
      return
    }
    let file = try CSVReader(bytes, delimiter: delimiter, allowsRagged: true)
    form = .separated(file.delimiter)
    header = file.header.fields.map { $0 ?? "" }
    headerLine = file.header.line
    blank = file.blank
    records = file.records.map { record in
      ImportRecord(
        number: record.number, line: record.line,
        fields: record.fields.map { $0.map { .text($0) } ?? .empty })
    }
  }

  /// Whether the first sign of a file is that of a JSON array or object.
  static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
  }

  /// Whether it is JSON without a row.
  var isNothing: Bool { form == .json && records.isEmpty }

  /// A record as it is written to a file of rejected ones.
  func text(of record: ImportRecord) -> [UInt8] {
    if let source = record.source { return Array(bytes[source]) + [0x0a] }
    let fields = record.fields.map { field -> String? in
      if case .text(let text) = field { return text }
      return nil
    }
    return Array(Grid.separated(fields, by: separator).utf8)
  }

  /// The header as it is written to a file of rejected records; JSON has none.
  var headerText: [UInt8] {
    guard form != .json else { return [] }
    return Array(Grid.separated(header.map { $0.isEmpty ? nil : $0 }, by: separator).utf8)
  }

  private var separator: Unicode.Scalar {
    guard case .separated(let byte) = form else { return "," }
    return Unicode.Scalar(byte)
  }
}
