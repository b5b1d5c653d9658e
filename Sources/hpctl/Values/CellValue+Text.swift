extension CellValue {
  /// Reads a value as people write it, by the column's kind.
  ///
  /// - Parameters:
  ///   - text: The text; empty is null in every column but a text one.
  ///   - column: The column that is to hold the value.
  /// - Throws: BAD_VALUE with column, value and what was expected.
  init(text: String, column: ColumnInfo) throws(Fault) {
    if text.isEmpty {
      self = column.kind == .text ? .text("") : .null
      return
    }
    switch column.kind {
    case .text:
      self = .text(text)
      return
    case .integer:
      if let number = Number.signed(text) {
        self = .integer(number)
        return
      }
    case .decimal:
      let amount: Int64
      do throws(Decimal.Refusal) {
        amount = try Decimal.read(text, scale: column.scale, currency: column.currency)
      } catch {
        throw Self.refused(text, column, hint: error.hint)
      }
      self = .decimal(amount)
      return
    case .date:
      if let day = Calendar.readDate(text) {
        self = .date(day)
        return
      }
    case .timestamp:
      if let time = Calendar.readTimestamp(text) {
        self = .timestamp(time)
        return
      }
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "1":
        self = .boolean(true)
        return
      case "false", "no", "0":
        self = .boolean(false)
        return
      default: break
      }
    }
    throw Self.refused(text, column, hint: "write \(column.expectation)")
  }

  /// The fault of a text that is no value of its column.
  static func refused(_ text: String, _ column: ColumnInfo, hint: String?) -> Fault {
    var fault = Fault.coded(
      .badValue, "\"\(TerminalSafety.shown(text))\" is not \(column.kind.article)",
      hint: hint ?? "write \(column.expectation)")
    fault.column = column.name
    fault.value = text
    return fault
  }

  /// The value in machine form; `nil` for null.
  func text(in column: ColumnInfo) -> String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .integer(let number): String(number)
    case .decimal(let amount): Decimal.text(amount, scale: column.scale)
    case .date(let day): Calendar.text(day: day)
    case .timestamp(let time): Calendar.text(timestamp: time)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  /// The value as SPEC 11's JSON has it: decimals are strings.
  func json(in column: ColumnInfo) -> JSON {
    switch self {
    case .null: .null
    case .integer(let number): .number(number)
    case .boolean(let flag): .boolean(flag)
    case .text, .decimal, .date, .timestamp: .string(text(in: column) ?? "")
    }
  }
}
