internal import CUnistring

/// How wide text is on a terminal, by grapheme: East-Asian wide is 2, combining marks are 0, a
/// joined emoji is one glyph.
enum Width {
  /// Columns that a text takes.
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x7f && $0 >= 0x20 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Columns that one grapheme takes.
  static func of(_ character: Character) -> Int {
    var bytes = String(character)
    // Safe: libunistring reads the bytes during the call only.
    let width = bytes.withUTF8 { bytes in
      unsafe u8_width(bytes.baseAddress, bytes.count, "UTF-8")
    }
    return min(Int(max(width, 0)), 2)
  }

  /// A text that takes at most `width` columns, cut at a grapheme and marked with `…`.
  static func truncated(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      guard used + next <= width - 1 else { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }

  /// Whether a text is written from right to left, somewhere.
  static func isRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff,
        0x1e800...0x1efff:
        true
      default: false
      }
    }
  }
}
