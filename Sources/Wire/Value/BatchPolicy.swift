/// A change of what may be done by hand, in `BatchBuffer.policies`; texts stand in
/// `BatchBuffer.text`.
public struct BatchPolicy: Equatable, Sendable {
  /// Where it holds.
  public enum Scope: Equatable, Sendable {
    /// None given.
    case absent
    /// In the whole table.
    case table
    /// In a section.
    case section(SectionReference)
    /// At a row.
    case row(RowReference)
  }

  /// Where it holds.
  public var scope: Scope
  /// The fields to set, in the order of hp.v1.Policy; `nil` stays as it is.
  public var canEdit: Bool?
  public var canMove: Bool?
  public var style: UInt8?
  public var deleteTitle: TextRange?
  public var indents: Bool?
  public var allowsSelection: Bool?
  public var allowsSelectionDuringEditing: Bool?
  public var allowsMultipleSelection: Bool?
  public var allowsMultipleSelectionDuringEditing: Bool?
  public var drop: UInt8?
  public var writesOnlyWhileHolding: Bool?
  /// Whether all that stood there goes first.
  public var clears: Bool
  /// The section's new sentinel: its text and height.
  public var sentinel: BatchSentinel?
  /// Whether the section loses its sentinel.
  public var clearsSentinel: Bool
}

/// A section's last line that is not a row; its text stands in `BatchBuffer.text`.
public struct BatchSentinel: Equatable, Sendable {
  /// What it says.
  public var text: TextRange?
  /// Its height in points; `nil`: automatic.
  public var height: Double?
}
