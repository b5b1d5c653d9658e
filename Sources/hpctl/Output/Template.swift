/// A line for each row, made from a text with `{{name}}` in it.
struct Template {
  /// The verbs that print rows.
  static let verbs: Set<String> = ["get", "list", "find"]

  private indirect enum Part {
    case literal(String)
    case column(Int)
    case id, section, revision, path
    case standard(Part, instead: Part)
    case cut(Part, Int)
  }

  private var parts: [Part] = []
  /// Whether a newline is added: not where the text ends with one of its own, or with `\0`.
  private let addsNewline: Bool

  /// Reads a template.
  ///
  /// `{{column}}` is a cell, `{{_id}}`, `{{_section}}`, `{{_revision}}` and `{{_path}}` are the
  /// row's own; `{{default(X, "text")}}` stands in for null and empty texts, `{{trunc(X, N)}}`
  /// cuts to a width. `\t`, `\n`, `\0` and `\\` are signs.
  ///
  /// - Throws: Usage for braces or functions that are wrong; NO_SUCH_COLUMN.
  init(_ text: String, columns: [ColumnInfo]) throws(Fault) {
    var reader = Reader(text: Array(text), columns: columns)
    var literal = ""
    while let sign = reader.next() {
      if sign == "\\" {
        literal += try reader.escape()
      } else if sign == "{", reader.peek == "{" {
        _ = reader.next()
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(try reader.expression())
        try reader.expect("}")
        try reader.expect("}")
      } else {
        literal.append(sign)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    addsNewline = !(literal.hasSuffix("\n") || literal.hasSuffix("\0"))
  }

  /// The line of a row.
  ///
  /// - Parameters:
  ///   - row: The row, with a cell for each column.
  ///   - section: The title of its section.
  ///   - isSafe: Whether controls of cells are shown instead of sent, as for a terminal.
  ///   - text: Gives the text of the cell with that index.
  /// - Returns: The line, with its end.
  func line(_ row: Row, section: String?, isSafe: Bool, _ text: (Int) -> String?) -> String {
    func value(_ part: Part) -> String {
      switch part {
      case .literal(let text): return text
      case .column(let index): return safe(text(index) ?? "")
      case .id: return String(row.id)
      case .section: return safe(section ?? "")
      case .revision: return String(row.revision)
      case .path: return row.path.map { "\($0.section),\($0.row)" } ?? ""
      case .standard(let part, let instead):
        let text = value(part)
        return text.isEmpty ? value(instead) : text
      case .cut(let part, let width): return Width.truncated(value(part), to: width)
      }
    }
    func safe(_ text: String) -> String { isSafe ? TerminalSafety.shown(text) : text }
    return parts.map(value).joined() + (addsNewline ? "\n" : "")
  }

  private struct Reader {
    let text: [Character]
    let columns: [ColumnInfo]
    var index = 0

    init(text: [Character], columns: [ColumnInfo]) {
      self.text = text
      self.columns = columns
    }

    var peek: Character? { index < text.count ? text[index] : nil }

    mutating func next() -> Character? {
      defer { index += 1 }
      return peek
    }

    mutating func skipSpace() {
      while peek == " " { index += 1 }
    }

    mutating func expect(_ sign: Character) throws(Fault) {
      skipSpace()
      guard next() == sign else { throw refused("\"\(sign)\" is missing") }
    }

    mutating func escape() throws(Fault) -> String {
      switch next() {
      case "t": return "\t"
      case "n": return "\n"
      case "0": return "\0"
      case "\\": return "\\"
      default: throw refused("a backslash stands before t, n, 0 or another one")
      }
    }

    mutating func expression() throws(Fault) -> Part {
      skipSpace()
      if peek == "\"" { return .literal(try quoted()) }
      var name = ""
      while let sign = peek, !"(),}\" ".contains(sign) {
        name.append(sign)
        index += 1
      }
      skipSpace()
      if peek == "(" {
        index += 1
        let part = try expression()
        try expect(",")
        let result: Part
        switch name {
        case "default": result = .standard(part, instead: try expression())
        case "trunc":
          skipSpace()
          var digits = ""
          while let sign = peek, sign.isWholeNumber {
            digits.append(sign)
            index += 1
          }
          guard let width = Int(digits), width > 0 else {
            throw refused("trunc needs a width, for example trunc(name, 20)")
          }
          result = .cut(part, width)
        default: throw refused("there is no function \(TerminalSafety.shown(name))")
        }
        try expect(")")
        return result
      }
      // Names of columns may hold spaces.
      while let sign = peek, !"(),}\"".contains(sign) {
        name += " "
        while let sign = peek, !"(),}\" ".contains(sign) {
          name.append(sign)
          index += 1
        }
        skipSpace()
      }
      return try named(name)
    }

    private func named(_ name: String) throws(Fault) -> Part {
      if let index = columns.place(named: name) { return .column(index) }
      switch name {
      case "_id", "id": return .id
      case "_section", "section": return .section
      case "_revision", "revision": return .revision
      case "_path", "path": return .path
      case "": throw refused("there is nothing between the braces")
      default:
        _ = try columns.named(name)
        throw refused("there is no column \(TerminalSafety.shown(name))")
      }
    }

    private mutating func quoted() throws(Fault) -> String {
      index += 1
      var value = ""
      while let sign = next() {
        if sign == "\"" { return value }
        value += sign == "\\" ? try escape() : String(sign)
      }
      throw refused("a quote is never closed")
    }

    private func refused(_ message: String) -> Fault {
      .usage(
        "the template: \(message)",
        hint: "for example '{{name}}\\t{{default(value, \"-\")}}\\t{{trunc(serial, 8)}}'")
    }
  }
}
