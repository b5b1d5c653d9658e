/// The encoding that .xib files use for texts with characters that XML can't hold.
enum Base64 {
  /// Decodes; white space is skipped.
  ///
  /// - Parameter text: The encoded text, with or without padding.
  /// - Returns: The bytes, or `nil` where it is no such text.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text {
      let value: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte) + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x09, 0x0a, 0x0d, 0x20: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // A single left-over sign is no byte.
    return count == 6 || padding > 2 ? nil : bytes
  }
}
