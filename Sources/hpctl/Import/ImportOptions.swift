/// What the command line says of a file to import.
struct ImportOptions {
  var encoding = TextEncoding.utf8
  /// `nil`: by the header.
  var delimiter: UInt8?
  /// `nil`: by the content.
  var isJSON: Bool?
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
    case "json", "ndjson": isJSON = true
    case let name: throw Self.refused(.from, name, ["auto", "csv", "tsv", "json", "ndjson"])
    }
    switch invocation[.delimiter] ?? "auto" {
    case "auto": break
    case "tab", "\\t", "\t": delimiter = UInt8(ascii: "\t")
    case let text where text.utf8.count == 1 && !["\"", "\n", "\r", "\0"].contains(text):
      delimiter = text.utf8.first
    default: throw .usage("--delimiter is auto, tab or one character")
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

  private static func refused(_ option: OptionName, _ text: String, _ known: [String]) -> Fault {
    .usage(
      "--\(option.rawValue) cannot be \"\(TerminalSafety.shown(text))\"",
      hint: "it is " + known.joined(separator: ", "))
  }
}
