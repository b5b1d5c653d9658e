/// Exact decimals: whole counts of a column's smallest unit, never a float (SPEC 2).
enum Decimal {
  /// Why a text is no amount.
  enum Refusal: Error, Equatable {
    case notANumber
    case decimalComma
    case thousands
    case tooManyDecimals
    case overflow
    case otherCurrency(String)
  }

  /// Signs that people write for a currency, beside its code.
  private static let signs: [(sign: String, codes: [String])] = [
    ("US$", ["USD"]), ("$", ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN"]), ("€", ["EUR"]),
    ("£", ["GBP"]), ("¥", ["JPY", "CNY"]), ("₹", ["INR"]), ("₩", ["KRW"]), ("₽", ["RUB"]),
    ("₺", ["TRY"]), ("kr", ["SEK", "NOK", "DKK"]), ("zł", ["PLN"]), ("Kč", ["CZK"]),
  ]

  /// Reads an amount, with at most one sign of the column's own currency.
  ///
  /// - Parameters:
  ///   - text: What the user or a file gave.
  ///   - scale: Digits after the point, 0 to 9.
  ///   - currency: The column's currency code, if it has one.
  /// - Returns: The amount in the smallest unit.
  /// - Throws: A `Refusal`; nothing is rounded, clamped or guessed.
  static func read(_ text: String, scale: Int, currency: String?) throws(Refusal) -> Int64 {
    if let first = text.utf8.first, let last = text.utf8.last, isDigit(last),
      isDigit(first) || first == UInt8(ascii: "-")
    {
      // Nothing but digits, mostly: a column of a file has a million of these.
      let isNegative = first == UInt8(ascii: "-")
      let plain = isNegative ? text.dropFirst() : text[...]
      if plain.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) {
        return try digits(plain, scale: scale, negative: isNegative)
      }
    }
    var rest = text[...]
    var negative = false
    func takeSign() {
      if rest.first == "-" || rest.first == "+" {
        negative = rest.first == "-"
        rest = rest.dropFirst()
      }
    }
    takeSign()
    let signed = rest.startIndex != text.startIndex
    if try dropCurrency(&rest, currency: currency) && !signed { takeSign() }
    return try digits(rest, scale: scale, negative: negative)
  }

  /// Drops one currency sign or code, before or after the digits.
  private static func dropCurrency(
    _ rest: inout Substring, currency: String?
  ) throws(Refusal) -> Bool {
    guard !rest.isEmpty else { return false }
    let digits: Set<Character> = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", ",", "-"]
    let front = rest.prefix { !digits.contains($0) && $0 != "+" && $0 != "'" }
    if !front.isEmpty {
      let sign = front.filter { $0 != " " && $0 != "\u{a0}" }
      guard front.count < rest.count else { throw .notANumber }
      try check(sign, currency)
      rest = rest.dropFirst(front.count)
      return true
    }
    let back = Substring(String(rest.reversed().prefix { !digits.contains($0) }.reversed()))
    if !back.isEmpty {
      let sign = back.filter { $0 != " " && $0 != "\u{a0}" }
      try check(sign, currency)
      rest = rest.dropLast(back.count)
      return true
    }
    return false
  }

  private static func check(_ sign: String, _ currency: String?) throws(Refusal) {
    if let currency {
      if sign == currency { return }
      if signs.contains(where: { $0.sign == sign && $0.codes.contains(currency) }) { return }
    }
    let isCode = sign.utf8.count == 3 && sign.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    guard isCode || signs.contains(where: { $0.sign == sign }) else { throw .notANumber }
    throw .otherCurrency(sign)
  }

  private static func digits(
    _ text: Substring, scale: Int, negative: Bool
  ) throws(Refusal) -> Int64 {
    if text.utf8.contains(UInt8(ascii: ",")), text.utf8.contains(UInt8(ascii: ".")) {
      throw .thousands
    }
    var magnitude: UInt64 = 0
    var whole = 0
    var decimals: Int?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if let count = decimals {
          guard count < scale else { throw .tooManyDecimals }
          decimals = count + 1
        } else {
          whole += 1
        }
        try append(UInt64(byte - UInt8(ascii: "0")), to: &magnitude)
      case UInt8(ascii: "."):
        guard decimals == nil else { throw .notANumber }
        decimals = 0
      case UInt8(ascii: ","): throw comma(text)
      case UInt8(ascii: "'"), UInt8(ascii: " "), UInt8(ascii: "_"): throw .thousands
      default: throw .notANumber
      }
    }
    guard whole > 0 || (decimals ?? 0) > 0, decimals != 0 else { throw .notANumber }
    for _ in (decimals ?? 0)..<max(scale, decimals ?? 0) { try append(0, to: &magnitude) }
    if negative {
      guard magnitude <= UInt64(Int64.max) + 1 else { throw .overflow }
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    guard let value = Int64(exactly: magnitude) else { throw .overflow }
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func append(_ digit: UInt64, to magnitude: inout UInt64) throws(Refusal) {
    let (tens, overTens) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, overSum) = tens.addingReportingOverflow(digit)
    guard !overTens, !overSum else { throw .overflow }
    magnitude = sum
  }

  /// What a comma among digits most likely stands for.
  private static func comma(_ text: Substring) -> Refusal {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped = groups.count > 2 || groups.last?.utf8.count == 3
    return isGrouped ? .thousands : .decimalComma
  }

  /// An amount as exact text: `39.95`, `-0.05`.
  static func text(_ value: Int64, scale: Int) -> String {
    guard scale > 0 else { return String(value) }
    var digits = String(value.magnitude)
    if digits.utf8.count <= scale {
      digits = String(repeating: "0", count: scale + 1 - digits.utf8.count) + digits
    }
    let point = digits.index(digits.endIndex, offsetBy: -scale)
    return (value < 0 ? "-" : "") + digits[..<point] + "." + digits[point...]
  }
}

extension Decimal.Refusal {
  /// What would help, for the `hint:` line.
  var hint: String? {
    switch self {
    case .notANumber: nil
    case .decimalComma: "write a decimal point: 12.34, not 12,34"
    case .thousands: "write the number without thousands separators: 1234.50"
    case .tooManyDecimals: "nothing is rounded; shorten the fraction yourself"
    case .overflow: "the number does not fit 64 bits of the smallest unit"
    case .otherCurrency(let sign): "\"\(sign)\" is not the column's currency"
    }
  }
}
