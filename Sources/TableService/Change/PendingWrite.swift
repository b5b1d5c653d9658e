/// One pure write for the materialiser: what stands on disk after it, whatever stood before.
///
/// Its bytes are a slice of the list that holds it (contract S5).
public struct PendingWrite: Equatable, Sendable {
  /// What to write.
  public enum Kind: UInt8, Sendable {
    /// A row with section, label and image; bytes: the row image.
    case row
    /// A row's new section or label; its image stays. No bytes.
    case place
    /// A row is gone. No bytes.
    case deleteRow
    /// A row's own policy; bytes: hp.v1.Policy, none where it has none any more.
    case policy
    /// A section with its label; bytes: hp.v1.Section without index and rows.
    case section
    /// A section is gone. No bytes.
    case deleteSection
    /// A table is new, or its name, columns, header, footer or policy changed; bytes:
    /// hp.v1.Table without sections and rows.
    case table
    /// A table is gone with all that is in it. No bytes.
    case dropTable
    /// The table's last change is the revision that stands as id. No bytes.
    case changed
  }

  /// What to write.
  public var kind: Kind
  /// The table's id.
  public var table: UInt64
  /// The row's or section's id, or a revision.
  public var id: UInt64
  /// The id of a row's section.
  public var section: UInt64
  /// The order of a row in its section or of a section in its table.
  public var label: Int64
  /// Where its bytes stand in the list's.
  public var bytes: Range<Int>
}
