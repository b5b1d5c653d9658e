internal import CUnistring

/// Names as the daemon tells them apart: without regard to case (contract S10).
enum NameFolding {
  /// A key that is equal for names that differ in case only.
  static func fold(_ name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      return bytes.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
    }
    // Safe: the input is borrowed for the call; the result is malloc'ed by libunistring for this
    // caller, copied and freed before the closure returns.
    return unsafe bytes.withUnsafeBufferPointer { input in
      var length = 0
      guard
        let folded = unsafe u8_casefold(
          input.baseAddress, input.count, nil, hp_nfc(), nil, &length)
      else { return bytes }
      defer { unsafe free(folded) }
      return unsafe Array(UnsafeBufferPointer(start: folded, count: length))
    }
  }
}
