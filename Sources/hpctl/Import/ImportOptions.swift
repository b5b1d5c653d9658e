/// What the command line says of a file to import.
struct ImportOptions {
  var encoding = TextEncoding.utf8
  /// `nil`: by the header.
  var delimiter: UInt8?
  /// `nil`: by the content.
  var isJSON: Bool?
  private var isLines = false
  var values = ImportValues()
  var map: [(file: String, column: String)] = []
  var keepsGoing = false
  var rejects: String?

  /// Reads the options.
  ///
  /// - Throws: Usage.
  init(_ invocation: Invocation) throws(Fault) {
    if let name = invocation[.encoding] {
      guard let encoding = TextEncoding(rawValue: name.lowercased()) else {
        throw Self.refused(.encoding, name, TextEncoding.allCases.map(\.rawValue))
      }
      self.encoding = encoding
    }
    switch invocation[.from] ?? "auto" {
    case "auto": break
    case "csv": isJSON = false
    case "tsv":
      isJSON = false
      delimiter = UInt8(ascii: "\t")
    case "json": isJSON = true
    case "ndjson":
      isJSON = true
      isLines = true
    case let name: throw Self.refused(.from, name, ["auto", "csv", "tsv", "json", "ndjson"])
    }
    switch invocation[.delimiter] ?? "auto" {
    case "auto": break
    case "tab", "\\t", "\t": delimiter = UInt8(ascii: "\t")
    case ",": delimiter = UInt8(ascii: ",")
    case ";": delimiter = UInt8(ascii: ";")
    case "|": delimiter = UInt8(ascii: "|")
    default: throw .usage("--delimiter is auto, tab or one of , ; |")
    }
    switch invocation[.decimal] {
    case nil: break
    case ".": values.notation.decimal = "."
    case ",": values.notation.decimal = ","
    case let name?: throw Self.refused(.decimal, name, [".", ","])
    }
    values.notation.rounds = invocation.has(.round)
    if let text = invocation[.dateFormat], text != "iso" { values.dates = try DateFormat(text) }
    switch invocation[.empty] ?? "clear" {
    case "clear": break
    case "keep": values.keepsEmpty = true
    case let name: throw Self.refused(.empty, name, ["keep", "clear"])
    }
    values.isSpreadsheetSafe = invocation.has(.spreadsheetSafe)
    for text in invocation.all(.map) {
      guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
        throw .usage(
          "--map takes FILE_COLUMN=COLUMN, not \"\(TerminalSafety.shown(text))\"",
          hint: "for example \"Item Name=name\"; nothing after = leaves the column out")
      }
      map.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
    }
    keepsGoing = invocation.has(.keepGoing)
    rejects = invocation[.rejects]
    guard rejects == nil || keepsGoing else { throw .usage("--rejects goes with --keep-going") }
  }

  /// Says how a file is read.
  ///
  /// - Parameters:
  ///   - bytes: The file in UTF-8.
  ///   - name: Its name; one of lines of JSON may have none of them.
  /// - Returns: Whether it is read as JSON; `nil`: by its first sign.
  /// - Throws: BAD_INPUT for nothing where there has to be JSON.
  func isJSON(_ bytes: [UInt8], of name: String?) throws(Fault) -> Bool? {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    guard bytes[start...].allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) }) else {
      return isJSON
    }
    let isNamed = [".ndjson", ".jsonl"].contains { name?.lowercased().hasSuffix($0) ?? false }
    if isLines || (isJSON == nil && isNamed) { return true }
    if isJSON == true {
      throw .badInput("the file is empty", hint: "no rows are []; no lines are --from ndjson")
    }
    return isJSON
  }

  private static func refused(_ option: OptionName, _ text: String, _ known: [String]) -> Fault {
    .usage(
      "--\(option.rawValue) cannot be \"\(TerminalSafety.shown(text))\"",
      hint: "it is " + known.joined(separator: ", "))
  }
}
