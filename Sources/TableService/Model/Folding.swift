internal import CUnistring

/// Case folding by libunistring: what makes names unique without case (contract S10).
enum Folding {
  /// Folds case and composes accents (NFC).
  ///
  /// - Parameter bytes: Valid UTF-8.
  /// - Returns: A key that is equal for texts that differ in case only.
  /// - Complexity: O(*n*).
  static func fold(_ bytes: Span<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x80 { return foldUnicode(bytes) }
      key.append(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
    }
    return key
  }

  /// Folds a name that is known to be text.
  ///
  /// - Parameter name: The name.
  /// - Returns: Its key.
  static func fold(_ name: String) -> [UInt8] { fold(Array(name.utf8).span) }

  private static func foldUnicode(_ bytes: Span<UInt8>) -> [UInt8] {
    // Safe: the input is borrowed for the call; the result is malloc'ed by libunistring for
    // this caller, copied and freed before the closure returns.
    unsafe bytes.withUnsafeBufferPointer { input in
      var length = 0
      guard
        let folded = unsafe u8_casefold(
          input.baseAddress, input.count, nil, hp_nfc(), nil, &length)
      else { return unsafe Array(input) }
      defer { unsafe free(folded) }
      return unsafe Array(UnsafeBufferPointer(start: folded, count: length))
    }
  }
}
