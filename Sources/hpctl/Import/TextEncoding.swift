internal import Glibc

/// How a file's text is encoded; nothing is guessed.
enum TextEncoding: String, CaseIterable {
  case utf8 = "utf-8"
  case cp1252
  case latin1
  case utf16 = "utf-16"

  private var systemName: String {
    switch self {
    case .utf8: "UTF-8"
    case .cp1252: "CP1252"
    case .latin1: "ISO-8859-1"
    case .utf16: "UTF-16"
    }
  }

  /// The text in UTF-8; UTF-8 itself is taken as it is and checked by who reads it.
  ///
  /// - Throws: BAD_INPUT with line and offset for bytes that the encoding does not have.
  func decode(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    guard self != .utf8, !bytes.isEmpty else { return bytes }
    // Safe: the names are lent for the call; the descriptor is closed below.
    let converter = unsafe iconv_open("UTF-8", systemName)
    guard unsafe converter != iconv_t(bitPattern: -1) else {
      throw Fault(.refused, "ENCODING", "this system cannot convert \(rawValue)")
    }
    defer { unsafe iconv_close(converter) }
    var source = bytes
    var consumed = 0
    var code: CInt = 0
    // No encoding here takes more than three bytes for one or two of its own.
    let text = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count * 3 + 4) { room, count in
      // Safe: both buffers live for the call, and iconv stays within the counts it is given.
      unsafe source.withUnsafeMutableBytes { raw in
        let input = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
        var from = unsafe input
        var left = raw.count
        let capacity = room.count
        unsafe room.withMemoryRebound(to: CChar.self) { output in
          var to = output.baseAddress
          var space = capacity
          if unsafe iconv(converter, &from, &left, &to, &space) == -1 {
            code = errno
          }
          count = capacity - space
        }
        consumed = raw.count - left
      }
    }
    guard code == 0, consumed == bytes.count else {
      var fault = Fault.badInput(
        "bytes that are not \(rawValue) at offset \(consumed)",
        hint: "--encoding says how the file is written: "
          + Self.allCases.map(\.rawValue).joined(separator: ", "))
      fault.line = 1 + text.count { $0 == 0x0a }
      throw fault
    }
    return text
  }
}
