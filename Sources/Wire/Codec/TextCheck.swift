/// The check that bytes are UTF-8 without NUL (Unicode 15, table 3-7).
enum TextCheck {
  /// Looks for the first byte that may not stand where it does.
  ///
  /// - Parameters:
  ///   - bytes: The memory that the positions refer to.
  ///   - start: The text's first byte.
  ///   - end: One past its last byte.
  /// - Returns: The start of the first broken sequence or the first NUL; `nil`: all is well.
  /// - Complexity: O(*n*); eight bytes a step while they are ASCII.
  @unsafe static func fault(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var at = start
    while at < end {
      // Safe: all reads stay below `end`, which the caller vouches for.
      if end - at >= 8 {
        let word = unsafe UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self)
        if (word | ((word &- ones) & ~word)) & high == 0 {
          at += 8
          continue
        }
      }
      let byte = unsafe bytes[at]
      if byte < 0x80 {
        guard byte != 0 else { return at }
        at += 1
        continue
      }
      let length = unsafe sequence(bytes, at, end)
      guard length > 0 else { return at }
      at += length
    }
    return nil
  }

  /// The length of the sequence of 2 to 4 bytes at `at`; 0: there is none.
  private static func sequence(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int {
    let first = unsafe bytes[at]
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xbf
    switch first {
    case 0xc2...0xdf: length = 2
    case 0xe0...0xef:
      length = 3
      if first == 0xe0 { low = 0xa0 }
      if first == 0xed { high = 0x9f }
    case 0xf0...0xf4:
      length = 4
      if first == 0xf0 { low = 0x90 }
      if first == 0xf4 { high = 0x8f }
    default: return 0
    }
    guard end - at >= length else { return 0 }
    let second = unsafe bytes[at + 1]
    guard second >= low, second <= high else { return 0 }
    for offset in 2..<max(length, 2) {
      guard unsafe bytes[at + offset] & 0xc0 == 0x80 else { return 0 }
    }
    return length
  }
}
