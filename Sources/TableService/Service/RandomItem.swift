/// Homepwner's random item: what its New button makes (SPEC 3).
///
/// An adjective and a noun, a serial of digit, letter, digit, letter, digit, and a value of 0
/// to 99 whole units.
public struct RandomItem: Equatable, Sendable {
  /// For example "Rusty Spork".
  public var name: String
  /// For example "7K2B9".
  public var serial: String
  /// 0 to 99.
  public var value: Int64

  static let adjectives = ["Fluffy", "Rusty", "Shiny"]
  static let nouns = ["Bear", "Spork", "Mac"]

  /// Makes one.
  ///
  /// - Parameter generator: Where the randomness comes from.
  public init(using generator: inout some RandomNumberGenerator) {
    let adjective = Int.random(in: 0..<3, using: &generator)
    let noun = Int.random(in: 0..<3, using: &generator)
    name = "\(RandomItem.adjectives[adjective]) \(RandomItem.nouns[noun])"
    serial = ""
    for place in 0..<5 {
      if place % 2 == 0 {
        serial += String(Int.random(in: 0...9, using: &generator))
      } else {
        let letter = UInt8(ascii: "A") + UInt8.random(in: 0..<26, using: &generator)
        serial.unicodeScalars.append(Unicode.Scalar(letter))
      }
    }
    value = Int64.random(in: 0...99, using: &generator)
  }
}
