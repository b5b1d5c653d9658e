/// Numbers as .xib files have them: `0.0`, `320`, `-1.5`, seldom `1e-05`.
enum PlainNumber {
  /// Reads a number.
  ///
  /// - Parameter text: The text.
  /// - Returns: The nearest number, or `nil` where the text is none or is not finite.
  static func read(_ text: String) -> Double? {
    var mantissa: UInt64 = 0
    var digits = 0
    var places: Int?
    var isNegative = false
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        mantissa = mantissa &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
        digits += 1
        if let known = places { places = known + 1 }
      case UInt8(ascii: ".") where places == nil: places = 0
      case UInt8(ascii: "-") where index == 0: isNegative = true
      default: return readAny(text)
      }
    }
    // Up to 15 digits the quotient of two exact numbers is the nearest one.
    guard digits > 0, digits <= 15 else { return readAny(text) }
    let value = Double(mantissa) / powers[places ?? 0]
    return isNegative ? -value : value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private static func readAny(_ text: String) -> Double? {
    // Double also takes hexadecimal, infinities and what is no number.
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}
