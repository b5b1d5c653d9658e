extension Cursor {
  /// An epoch as hpctl writes it: 16 hexadecimal digits.
  static func epochText(_ epoch: UInt64) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// `EPOCH:REV` (contract E1).
  var text: String { Self.epochText(epoch) + ":" + String(revision) }
}

extension PartialCursor {
  /// Reads `EPOCH:REV` or a bare revision; `nil` for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, let revision = Number.unsigned(last) else { return nil }
    switch parts.count {
    case 1: self.init(epoch: nil, revision: revision)
    case 2:
      guard (1...16).contains(parts[0].utf8.count),
        parts[0].utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }),
        let epoch = UInt64(parts[0], radix: 16)
      else { return nil }
      self.init(epoch: epoch, revision: revision)
    default: return nil
    }
  }
}

/// Whole numbers as a user writes them: digits, nothing else.
enum Number {
  static func unsigned(_ text: some StringProtocol) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt64(text)
  }

  static func signed(_ text: some StringProtocol) -> Int64? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard unsigned(digits) != nil else { return nil }
    return Int64(text)
  }
}
