/// What a subscriber wants to see (contract F1).
public struct FeedFilterRequest: Equatable, Sendable {
  /// The tables, instead of the subscription's one.
  public var tables: [TableReference] = []
  /// Ids of sections; empty: all.
  public var sections: [UInt64] = []
  /// Names of columns; empty: all.
  public var columns: [String] = []
  /// Ids of rows to be told of, as notices.
  public var rows: [UInt64] = []
  /// Values of hp.v1.ChangeKind to be told of, as notices.
  public var kinds: [UInt32] = []

  /// Wants everything.
  public init() {}
}

/// A run of rows of a section or of a table (contract F3).
public struct WindowRequest: Equatable, Sendable {
  /// What it hangs on.
  public enum Anchor: Equatable, Sendable {
    /// A position in the section, or in the whole table.
    case position(Int)
    /// A row, which is its first.
    case row(UInt64)
  }

  /// What it hangs on; absent: the first position.
  public var anchor: Anchor
  /// The section's id; `nil`: the whole table.
  public var section: UInt64?
  /// The most rows; `nil`: not given.
  public var length: Int?

  /// Names a window.
  ///
  /// - Parameters:
  ///   - anchor: What it hangs on.
  ///   - section: The section's id.
  ///   - length: The most rows.
  public init(anchor: Anchor, section: UInt64? = nil, length: Int? = nil) {
    self.anchor = anchor
    self.section = section
    self.length = length
  }
}
