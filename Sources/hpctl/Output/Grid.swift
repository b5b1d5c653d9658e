/// Rows of text on their way out: aligned for a person, or one row a line for programs.
///
/// Aligned columns are as wide as the widest of the first rows; later rows keep to that.
struct Grid {
  /// One field: `nil` is null.
  typealias Field = String?

  struct Column {
    var title: String
    var isNumeric = false
  }

  /// Rows by which the widths are measured.
  private static let sample = 1_000

  private let columns: [Column]
  private let format: Format
  private let output: Output
  /// Columns of the terminal; 0 does not cut.
  private let width: Int
  private let isColored: Bool
  private var waiting: [[Field]] = []
  private var widths: [Int] = []

  init(_ columns: [Column], format: Format, output: Output, width: Int, isColored: Bool) {
    self.columns = columns
    self.format = format
    self.output = output
    self.width = width
    self.isColored = isColored
    switch format {
    case .csv: output.write(Self.separated(columns.map(\.title), by: ","))
    case .tsv: output.write(Self.separated(columns.map(\.title), by: "\t"))
    case .table, .plain, .json, .ndjson, .template: break
    }
  }

  mutating func add(_ fields: [Field]) {
    // A terminal is sent no control, whatever the format; programs get the text as it is.
    let row =
      format != .table && output.isTerminal ? fields.map { $0.map(TerminalSafety.shown) } : fields
    switch format {
    case .csv: output.write(Self.separated(row, by: ","))
    case .tsv: output.write(Self.separated(row, by: "\t"))
    case .plain, .json, .ndjson, .template:
      output.line(row.map(Self.plain).joined(separator: "\t"))
    case .table:
      if !widths.isEmpty {
        output.write(aligned(row))
      } else {
        waiting.append(row)
        if waiting.count == Self.sample { measure() }
      }
    }
  }

  /// Writes what was held back to be measured.
  mutating func finish() {
    if format == .table && widths.isEmpty { measure() }
  }

  private mutating func measure() {
    widths = columns.map { Width.of($0.title) }
    for row in waiting {
      for (index, field) in row.enumerated() {
        widths[index] = max(widths[index], Width.of(Self.shown(field)))
      }
    }
    shrink()
    let titles = aligned(columns.map(\.title))
    output.write(isColored ? "\u{1b}[1m" + titles.dropLast() + "\u{1b}[0m\n" : titles)
    for row in waiting { output.write(aligned(row)) }
    waiting = []
  }

  /// Takes columns from the widest fields until the row fits the terminal.
  private mutating func shrink() {
    guard width > 0 else { return }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 4
    {
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func aligned(_ row: [Field]) -> String {
    var line = ""
    for (index, field) in row.enumerated() {
      var text = Self.shown(field)
      if width > 0 { text = Width.truncated(text, to: widths[index]) }
      let gap = String(repeating: " ", count: max(0, widths[index] - Width.of(text)))
      // Isolated, so that what is written from right to left leaves the columns in order.
      if Width.isRightToLeft(text) { text = "\u{2068}" + text + "\u{2069}" }
      line += index == 0 ? "" : "  "
      line += columns[index].isNumeric ? gap + text : text + gap
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }

  private static func shown(_ field: Field) -> String { TerminalSafety.shown(field ?? "") }

  /// A field in one line: tab, newline, return and backslash are escaped, null is `\N`.
  static func plain(_ field: Field) -> String {
    guard let field else { return "\\N" }
    guard field.utf8.contains(where: { $0 == 0x5c || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d })
    else { return field }
    var text = ""
    for scalar in field.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// A record by RFC 4180; null is an empty field, an empty text `""`.
  static func separated(_ row: [Field], by separator: Unicode.Scalar) -> String {
    var line = ""
    for (index, field) in row.enumerated() {
      if index > 0 { line.unicodeScalars.append(separator) }
      guard let field else { continue }
      let needsQuotes =
        field.isEmpty
        || field.unicodeScalars.contains {
          $0 == separator || $0 == "\"" || $0 == "\n" || $0 == "\r"
        }
      guard needsQuotes else {
        line += field
        continue
      }
      line += "\""
      for scalar in field.unicodeScalars {
        if scalar == "\"" { line += "\"" }
        line.unicodeScalars.append(scalar)
      }
      line += "\""
    }
    return line + "\n"
  }
}
