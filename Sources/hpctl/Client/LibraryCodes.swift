internal import hpclient

/// The codes that the C library knows.
enum LibraryCodes {
  /// The stable name of a code; `UNKNOWN` for others.
  static func name(_ code: UInt32) -> String {
    // Safe: the library's names are static.
    unsafe String(cString: hp_code_name(hp_code(rawValue: code)))
  }
}
