/// How amounts of a file are written: the sign of the fraction, groups of thousands, rounding.
struct DecimalNotation {
  /// What parts the fraction off; `nil` takes a point, and no groups.
  var decimal: Character?
  /// Whether digits that the column has no room for are rounded, half away from zero.
  var rounds = false

  /// Reads an amount.
  ///
  /// - Parameters:
  ///   - text: The field.
  ///   - scale: Digits after the point.
  ///   - currency: The column's currency code, if it has one.
  /// - Returns: The amount in the smallest unit.
  /// - Throws: What `Decimal.read` refuses; `thousands` for groups that are none.
  func read(_ text: String, scale: Int, currency: String?) throws(Decimal.Refusal) -> Int64 {
    guard decimal != nil || rounds else {
      return try Decimal.read(text, scale: scale, currency: currency)
    }
    let signs = Array(text)
    guard let first = signs.firstIndex(where: \.isDigit),
      let last = signs.lastIndex(where: \.isDigit)
    else { throw .notANumber }
    var start = first
    if start > 0, signs[start - 1] == (decimal ?? ".") { start -= 1 }
    var (whole, fraction) = try parts(signs[start...last])
    var step: Int64 = 0
    if rounds, fraction.count > scale, fraction.allSatisfy(\.isDigit) {
      if fraction[fraction.index(fraction.startIndex, offsetBy: scale)] >= "5" {
        step = signs[..<start].contains("-") ? -1 : 1
      }
      fraction = String(fraction.prefix(scale))
    }
    if whole.isEmpty { whole = "0" }
    let digits = fraction.isEmpty ? whole : whole + "." + fraction
    let value = try Decimal.read(
      String(signs[..<start]) + digits + String(signs[(last + 1)...]), scale: scale,
      currency: currency)
    let (rounded, overflow) = value.addingReportingOverflow(step)
    guard !overflow else { throw .overflow }
    return rounded
  }

  /// The digits before and after the sign of the fraction.
  private func parts(
    _ signs: ArraySlice<Character>
  ) throws(Decimal.Refusal) -> (whole: String, fraction: String) {
    guard let decimal else {
      // As `Decimal.read` has it: its messages tell what is wrong with the rest.
      let text = String(signs)
      let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard rounds, halves.count == 2, halves[1].allSatisfy(\.isDigit) else { return (text, "") }
      return (String(halves[0]), String(halves[1]))
    }
    let halves = signs.split(separator: decimal, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { throw .thousands }
    if halves.count == 2, !halves[1].allSatisfy(\.isDigit) {
      throw halves[1].contains { Self.groupSigns.contains($0) } ? .thousands : .notANumber
    }
    let whole = halves.first ?? []
    let fraction = halves.count == 2 ? String(halves[1]) : ""
    guard let sign = whole.first(where: { !$0.isDigit }) else { return (String(whole), fraction) }
    guard Self.groupSigns.contains(sign), sign != decimal else { throw .notANumber }
    let groups = whole.split(separator: sign, omittingEmptySubsequences: false)
    guard groups.allSatisfy({ $0.allSatisfy(\.isDigit) }), (1...3).contains(groups[0].count),
      groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { throw .thousands }
    return (groups.map { String($0) }.joined(), fraction)
  }

  private static let groupSigns: Set<Character> = [",", ".", "'", "’", " ", "\u{a0}", "\u{202f}"]
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
