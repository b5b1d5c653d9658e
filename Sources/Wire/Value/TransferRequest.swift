/// Copies rows to a table, or moves them to another one (contract E13).
public struct TransferRequest: Equatable, Sendable {
  /// Which rows are taken.
  public enum Selection: Equatable, Sendable {
    /// None are named, or in two ways.
    case absent
    /// By id.
    case ids([UInt64])
    /// Those that a filter takes.
    case filter([FilterNode])
  }

  /// The table that has the rows.
  public var source: TableReference
  /// The table that gets them.
  public var target: TableReference
  /// Which rows.
  public var selection: Selection
  /// Where they go.
  public var place: NamedPlace
  /// Whether they leave the source.
  public var removes: Bool
  /// The target has not changed since.
  public var expectTarget: Cursor?
  /// Whether nothing is to be changed.
  public var dryRun: Bool
  /// What paths mean.
  public var basis: Basis
  /// How many rows are to be taken; `nil`: however many.
  public var matched: UInt64?
  /// Columns of the source that are left behind.
  public var without: [String]
}
