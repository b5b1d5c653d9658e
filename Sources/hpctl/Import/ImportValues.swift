/// Fields of a file, read by the kinds of their columns and what the command line says of them.
struct ImportValues {
  var notation = DecimalNotation()
  /// How dates and times are written; `nil` is ISO.
  var dates: DateFormat?
  /// Whether an empty field leaves the cell of a known row as it is.
  var keepsEmpty = false
  /// Whether the apostrophe that `export --spreadsheet-safe` writes is taken away.
  var isSpreadsheetSafe = false

  /// The value of a field; `nil` leaves the cell alone.
  ///
  /// - Throws: BAD_VALUE or WRONG_KIND with column and value.
  func value(_ field: ImportField, _ column: ColumnInfo) throws(Fault) -> CellValue? {
    switch field {
    case .absent: return nil
    case .empty: return keepsEmpty ? nil : .null
    case .text(let text): return try value(text, column)
    case .value(let json):
      if column.kind == .decimal, notation.rounds {
        if case .real(let number) = json { return try value("\(number)", column) }
      }
      return try CellValue(json: json, column: column)
    }
  }

  private func value(_ field: String, _ column: ColumnInfo) throws(Fault) -> CellValue? {
    guard column.kind != .text else {
      if field.isEmpty && keepsEmpty { return nil }
      return .text(isSpreadsheetSafe ? SpreadsheetSafety.bare(field) : field)
    }
    let text = Self.trimmed(field)
    if text.isEmpty { return keepsEmpty ? nil : .null }
    switch column.kind {
    case .decimal:
      do throws(Decimal.Refusal) {
        return .decimal(
          try notation.read(text, scale: column.scale, currency: column.currency))
      } catch {
        throw CellValue.refused(text, column, hint: hint(error, text) ?? error.hint)
      }
    case .date, .timestamp:
      guard let dates else {
        do throws(Fault) {
          return try CellValue(text: text, column: column)
        } catch {
          var fault = error
          fault.hint = (fault.hint ?? "") + "; --date-format says how the file writes it"
          throw fault
        }
      }
      guard let (day, seconds) = dates.read(text) else {
        throw CellValue.refused(text, column, hint: "it is not as --date-format says")
      }
      if column.kind == .date {
        guard seconds == 0 else {
          throw CellValue.refused(text, column, hint: "the column holds days without a time")
        }
        return .date(day)
      }
      return .timestamp((day * 86_400 + seconds) * 1_000_000)
    case .text, .integer, .boolean: return try CellValue(text: text, column: column)
    }
  }

  /// What of the command line would help with an amount.
  private func hint(_ refusal: Decimal.Refusal, _ text: String) -> String? {
    switch refusal {
    case .decimalComma where notation.decimal == nil: "write a decimal point, or say --decimal ,"
    case .thousands where notation.decimal == nil:
      "say which sign parts the fraction off: --decimal . or --decimal ,"
    case .tooManyDecimals:
      notation.decimal == nil
        ? "nothing is rounded unless --round is given; --decimal , if the point parts thousands"
        : "nothing is rounded unless --round is given"
    default: nil
    }
  }

  /// Without the spaces around it.
  static func trimmed(_ field: String) -> String {
    func isPlain(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7f } ?? true }
    if isPlain(field.utf8.first), isPlain(field.utf8.last) { return field }
    let spaces: Set<Character> = [" ", "\t", "\u{a0}"]
    let front = field.drop { spaces.contains($0) }
    let count = front.reversed().drop { spaces.contains($0) }.count
    return String(front.prefix(count))
  }
}

/// Keeps spreadsheets from taking text for formulas: an apostrophe in front, which an import can
/// take away again.
enum SpreadsheetSafety {
  private static let signs: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "'"]

  /// The text with an apostrophe in front, where it needs one.
  static func guarded(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, signs.contains(first) else { return text }
    return "'" + text
  }

  /// What `guarded` made its text from.
  static func bare(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.first == "'", let second = scalars.dropFirst().first, signs.contains(second)
    else { return text }
    return String(scalars.dropFirst())
  }
}
