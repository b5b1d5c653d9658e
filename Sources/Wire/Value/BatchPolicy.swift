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
  /// Whether there is an editing control; this and what follows: `nil` stays as it is.
  public var canEdit: Bool?
  /// Whether there is a reorder control.
  public var canMove: Bool?
  /// Which control: the value of hp.v1.EditingStyle.
  public var style: UInt8?
  /// What the delete button says.
  public var deleteTitle: TextRange?
  /// Whether the row is indented in editing mode.
  public var indents: Bool?
  /// Whether rows can be selected outside editing mode.
  public var allowsSelection: Bool?
  /// Whether they can in editing mode.
  public var allowsSelectionDuringEditing: Bool?
  /// Whether several can, outside editing mode.
  public var allowsMultipleSelection: Bool?
  /// Whether several can in editing mode.
  public var allowsMultipleSelectionDuringEditing: Bool?
  /// Where a dragged row may land: the value of hp.v1.DropRule.
  public var drop: UInt8?
  /// Whether writes are refused to those who do not hold editing.
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
