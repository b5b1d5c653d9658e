/// Comparing texts without case and with composed accents (contract S7).
///
/// Constants come folded; a text of ASCII alone is folded byte by byte on the way, any other
/// one by libunistring.
enum FoldedText {
  /// Orders a text against a folded one by code point: below, at or above 0.
  static func order(_ text: Span<UInt8>, to folded: Span<UInt8>) -> Int {
    guard isASCII(text) else {
      let key = Folding.fold(text)
      return key.span.ordered(to: folded)
    }
    let count = min(text.count, folded.count)
    for index in 0..<count {
      let byte = lower(text[index])
      if byte != folded[index] { return byte < folded[index] ? -1 : 1 }
    }
    return text.count - folded.count
  }

  /// Whether a text begins with a folded one.
  static func hasPrefix(_ text: Span<UInt8>, _ folded: Span<UInt8>) -> Bool {
    guard isASCII(text) else {
      let key = Folding.fold(text)
      guard key.count >= folded.count else { return false }
      return key.span.extracting(0..<folded.count).isEqual(to: folded)
    }
    guard text.count >= folded.count else { return false }
    for index in 0..<folded.count where lower(text[index]) != folded[index] { return false }
    return true
  }

  /// Whether a text contains a folded one.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - folded: What is looked for.
  ///   - table: Its search table.
  /// - Returns: True where it does.
  /// - Complexity: O(*n*) in the length of the text.
  static func contains(
    _ text: Span<UInt8>, _ folded: Span<UInt8>, _ table: Span<Int32>
  ) -> Bool {
    if folded.count == 0 { return true }
    guard isASCII(text) else {
      let key = Folding.fold(text)
      return find(key.span, folded, table)
    }
    return find(text, folded, table)
  }

  /// For each byte of a pattern, how much of its beginning ends there.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - table: Gets one number for each byte.
  static func appendSearchTable(of pattern: Span<UInt8>, to table: inout [Int32]) {
    let base = table.count
    var length = 0
    for index in pattern.indices {
      if index > 0 {
        while length > 0, pattern[index] != pattern[length] {
          length = Int(table[base + length - 1])
        }
        if pattern[index] == pattern[length] { length += 1 }
      }
      table.append(Int32(length))
    }
  }

  private static func find(
    _ text: Span<UInt8>, _ pattern: Span<UInt8>, _ table: Span<Int32>
  ) -> Bool {
    var length = 0
    for index in text.indices {
      let byte = lower(text[index])
      while length > 0, byte != pattern[length] { length = Int(table[length - 1]) }
      if byte == pattern[length] { length += 1 }
      if length == pattern.count { return true }
    }
    return false
  }

  static func isASCII(_ text: Span<UInt8>) -> Bool {
    var high: UInt8 = 0
    for index in text.indices { high |= text[index] }
    return high < 0x80
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }
}

extension Span<UInt8> {
  /// Orders by code point, which is the order of UTF-8's bytes: below, at or above 0.
  ///
  /// - Parameter other: The other text.
  /// - Returns: The order.
  func ordered(to other: Span<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    for index in 0..<shared where self[index] != other[index] {
      return self[index] < other[index] ? -1 : 1
    }
    return count - other.count
  }
}
