/// Text is validated, never repaired (contract S7).
enum TextRule {
  /// Whether bytes are UTF-8 without NUL.
  ///
  /// - Parameter bytes: What a peer or the disk gave.
  /// - Returns: False for anything else.
  /// - Complexity: O(*n*).
  static func isText(_ bytes: Span<UInt8>) -> Bool {
    var high: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0 { return false }
      high |= byte
    }
    if high < 0x80 { return true }
    return (try? UTF8Span(validating: bytes)) != nil
  }
}
