/// A point that a watch goes on from: `EPOCH:REV`, and of a watch with a filter
/// `EPOCH:REV:FINGERPRINT` (contract F2).
struct WatchStart: Equatable {
  var cursor: PartialCursor
  /// Of the filter that it was reached with; 0: none.
  var fingerprint: UInt64 = 0

  init(cursor: PartialCursor, fingerprint: UInt64) {
    self.cursor = cursor
    self.fingerprint = fingerprint
  }

  /// Reads what `--since` says.
  ///
  /// - Throws: A usage fault.
  init(_ text: String) throws(Fault) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let cursor = parts.prefix(2).joined(separator: ":")
    guard parts.count <= 3, let cursor = PartialCursor(cursor),
      let fingerprint = parts.count == 3 ? Number.unsigned(parts[2]) : 0
    else {
      throw .usage(
        "--since takes EPOCH:REV or, with a filter, EPOCH:REV:FINGERPRINT, not "
          + "\"\(TerminalSafety.shown(text))\"")
    }
    self.init(cursor: cursor, fingerprint: fingerprint)
  }
}
