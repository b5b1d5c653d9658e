/// Rows that are copied to a table or moved to another one (contract E13).
///
/// The batch beside it is about the target: expectation, basis and what the place names. The rows
/// that the selection names are the source's.
public struct Transfer: Equatable, Sendable {
  /// Which rows; ids in the order in which they shall stand, a filter's rows in the source's order.
  public var selection: Batch.Selection
  /// Where they go in the target, one behind the other.
  public var place = Batch.Place.end
  /// Whether they leave the source, and keep their ids.
  public var removes = false
  /// The source has not changed since (contract E1).
  public var expectSource: StoreCursor?
  /// How many rows are to be taken (contract E4).
  public var matched: UInt64?
  /// Columns of the source whose values are left behind, by name.
  public var without: [String] = []

  /// Names the rows.
  ///
  /// - Parameter selection: Which rows of the source.
  public init(_ selection: Batch.Selection) { self.selection = selection }
}

/// What came of a transfer.
struct TransferOutcome {
  /// The target's part; its reply tells of both tables.
  var target: Outcome
  /// The source's part, where rows were moved.
  var source: Outcome?
}
