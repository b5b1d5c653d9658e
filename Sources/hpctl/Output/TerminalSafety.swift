/// Keeps text of strangers from steering a terminal: C0, DEL, C1 and direction controls are
/// shown, not sent.
enum TerminalSafety {
  /// Whether a terminal would act on a scalar instead of showing it.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Text for a person: controls as `\n`, `\x1b`, `\u202e`.
  static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      guard isControl(scalar) else {
        shown.unicodeScalars.append(scalar)
        continue
      }
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      default:
        let digits = String(scalar.value, radix: 16)
        shown +=
          scalar.value < 0x100
          ? "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
          : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return shown
  }

  /// JSON text with DEL, C1 and direction controls as `\uXXXX`; they stand in strings only.
  static func escapedJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    // Safe: `bytes` is the caller's for the length of this call; only copies leave it.
    let suspicious = unsafe bytes.contains { $0 >= 0x7f }
    guard suspicious else { return unsafe Array(bytes) }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x7f && isControl(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped.append(contentsOf: "\\u".utf8)
        escaped.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
        escaped.append(contentsOf: digits.utf8)
      } else {
        escaped.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      }
    }
    return escaped
  }
}
