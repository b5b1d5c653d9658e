internal import hpclient

/// The run of rows that `--window` shows (contract F3).
struct WatchWindow: Equatable {
  /// What it hangs on.
  enum Anchor: Equatable {
    case position(UInt64)
    case row(UInt64)
  }

  private(set) var anchor: Anchor
  let length: UInt64
  /// The section's id; 0: the whole table, with flat positions.
  var section: UInt64 = 0

  /// Reads `FIRST,COUNT` or `row:ID,COUNT`.
  ///
  /// - Throws: A usage fault. How large a window may be is said by the daemon.
  init(_ text: String) throws(Fault) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let length = Number.unsigned(parts[1]), length > 0,
      let anchor = Self.anchor(parts[0])
    else {
      throw .usage(
        "--window takes FIRST,COUNT or row:ID,COUNT, not \"\(TerminalSafety.shown(text))\"",
        hint: "for example 0,20: the first twenty rows")
    }
    self.anchor = anchor
    self.length = length
  }

  private static func anchor(_ text: Substring) -> Anchor? {
    guard text.hasPrefix("row:") else { return Number.unsigned(text).map { .position($0) } }
    guard let row = Number.unsigned(text.dropFirst(4)), row > 0, row < 1 << 53 else { return nil }
    return .row(row)
  }

  /// Hangs it on the row that took over from the one that is gone.
  mutating func follow(row: UInt64) {
    if case .row = anchor, row != 0 { anchor = .row(row) }
  }

  /// The window in the C library's form.
  var request: hp_window {
    var window = hp_window()
    switch anchor {
    case .position(let position): window.position = position
    case .row(let row): window.row = row
    }
    window.section = section
    window.length = length
    return window
  }
}
