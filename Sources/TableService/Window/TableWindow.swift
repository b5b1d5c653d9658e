/// A run of rows of a section or of a whole table, kept exact while the table changes
/// (contract F3).
///
/// What a change means for it is worked out before the change is final, when places before and
/// after are both known; it costs O(log *n*) and the window's length, whatever the table's size.
public final class TableWindow {
  /// What a window hangs on.
  public enum Anchor: Equatable, Sendable {
    /// A position in the section or in the table: rows pass through the window.
    case position(Int)
    /// A row, by its id: the window goes with it.
    case row(UInt64)
  }

  /// Which rows are looked at.
  public struct Spec: Equatable, Sendable {
    /// What the window hangs on.
    public var anchor: Anchor
    /// The section's id; `nil`: the whole table.
    public var section: UInt64?
    /// The most rows.
    public var length: Int
    /// The columns that rows carry; `nil`: all.
    public var columns: Set<UInt64>?

    /// Names a run of rows.
    ///
    /// - Parameters:
    ///   - anchor: What the window hangs on.
    ///   - section: The section's id; `nil`: the whole table.
    ///   - length: The most rows.
    ///   - columns: The columns that rows carry; `nil`: all.
    public init(
      anchor: Anchor, section: UInt64? = nil, length: Int, columns: Set<UInt64>? = nil
    ) {
      self.anchor = anchor
      self.section = section
      self.length = length
      self.columns = columns
    }
  }

  /// A section that has rows in the window.
  struct Site: Equatable {
    var slot: UInt32
    var index: Int
    var rows: Int
  }

  /// Which rows are looked at.
  public internal(set) var spec: Spec
  /// How often it was moved.
  public internal(set) var generation: UInt64 = 1
  /// What changes did to it that was not taken yet, oldest first.
  public internal(set) var pending: [WindowDelta] = []
  /// Whether counts or positions changed that were not told.
  public internal(set) var hasNewCounts = false
  /// Whether it is no longer followed, as that would have cost too much: it has to be opened anew.
  public internal(set) var isStale = false

  var slots: [UInt32] = []
  var sites: [Site] = []
  var first = 0
  var total = 0

  /// Makes a window that shows nothing until a table opens it.
  ///
  /// - Parameter spec: Which rows are looked at.
  public init(_ spec: Spec) { self.spec = spec }

  /// Hands out what changes did to it.
  ///
  /// - Parameter revision: The last change.
  /// - Returns: The deltas, oldest first.
  public func takePending(through revision: UInt64) -> [WindowDelta] {
    let count = pending.firstIndex { $0.revision > revision } ?? pending.count
    defer { pending.removeFirst(count) }
    return Array(pending[..<count])
  }

  /// Looks at other rows from the next time on that a table opens it.
  ///
  /// - Parameters:
  ///   - spec: Which rows.
  ///   - moves: How many moves that is.
  public func retarget(_ spec: Spec, moves: UInt64) {
    self.spec = spec
    generation += moves
  }
}

@available(*, unavailable)
extension TableWindow: Sendable {}
