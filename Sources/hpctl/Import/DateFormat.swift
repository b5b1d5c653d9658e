/// A form in which dates of a file are written: `%d.%m.%Y`, `%m/%d/%y %H:%M`.
struct DateFormat {
  private enum Token: Equatable {
    case literal(UInt8)
    case year, shortYear, month, day, hour, minute, second
  }

  private var tokens: [Token] = []

  /// Reads a form.
  ///
  /// - Parameter text: `%Y %y %m %d %H %M %S %%`, and signs that stand for themselves.
  /// - Throws: Usage for another letter, or a form that names no day, month or year.
  init(_ text: String) throws(Fault) {
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        tokens.append(.literal(byte))
        continue
      }
      switch bytes.popFirst() {
      case UInt8(ascii: "Y"): tokens.append(.year)
      case UInt8(ascii: "y"): tokens.append(.shortYear)
      case UInt8(ascii: "m"): tokens.append(.month)
      case UInt8(ascii: "d"): tokens.append(.day)
      case UInt8(ascii: "H"): tokens.append(.hour)
      case UInt8(ascii: "M"): tokens.append(.minute)
      case UInt8(ascii: "S"): tokens.append(.second)
      case UInt8(ascii: "%"): tokens.append(.literal(UInt8(ascii: "%")))
      default: throw Self.refused(text)
      }
    }
    let hasYear = tokens.contains(.year) != tokens.contains(.shortYear)
    let named = tokens.filter { if case .literal = $0 { false } else { true } }
    guard hasYear, tokens.contains(.month), tokens.contains(.day),
      named.indices.allSatisfy({ !named[..<$0].contains(named[$0]) })
    else { throw Self.refused(text) }
  }

  private static func refused(_ text: String) -> Fault {
    .usage(
      "--date-format cannot be \"\(TerminalSafety.shown(text))\"",
      hint: "for example %d.%m.%Y or %m/%d/%y %H:%M; it has %Y or %y, %m, %d, %H, %M, %S")
  }

  /// The day and the seconds in it; `nil` for a text of another form or a day that is none.
  ///
  /// A year of two digits is 1969 to 2068.
  func read(_ text: String) -> (day: Int64, seconds: Int64)? {
    var rest = Array(text.utf8)[...]
    var year: Int64 = 0, month: Int64 = 0, day: Int64 = 0
    var hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0
    func number(_ digits: ClosedRange<Int>) -> Int64? {
      let found = rest.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
      guard digits.contains(found.count) else { return nil }
      rest = rest.dropFirst(found.count)
      return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    for token in tokens {
      switch token {
      case .literal(let byte):
        guard rest.popFirst() == byte else { return nil }
      case .year:
        guard let value = number(4...4) else { return nil }
        year = value
      case .shortYear:
        guard let value = number(2...2) else { return nil }
        year = value < 69 ? 2000 + value : 1900 + value
      case .month:
        guard let value = number(1...2) else { return nil }
        month = value
      case .day:
        guard let value = number(1...2) else { return nil }
        day = value
      case .hour:
        guard let value = number(1...2), value < 24 else { return nil }
        hour = value
      case .minute:
        guard let value = number(2...2), value < 60 else { return nil }
        minute = value
      case .second:
        guard let value = number(2...2), value < 60 else { return nil }
        second = value
      }
    }
    guard rest.isEmpty, year >= 1, (1...12).contains(month), day >= 1 else { return nil }
    let count = Calendar.days(year: year, month: month, day: day)
    guard Calendar.civil(count) == (year, month, day) else { return nil }
    return (count, hour * 3_600 + minute * 60 + second)
  }
}
