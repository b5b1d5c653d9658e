/// What stands in the way of taking a step back: a later revision, and where (contract E9).
public struct StepConflict: Equatable, Hashable, Sendable {
  /// The later revision; 0 where none is known.
  public var revision: UInt64
  /// Who made it, from the kernel.
  public var uid: UInt64
  /// Who made it, as they call themselves.
  public var actor: String
  /// The row at fault.
  public var row: UInt64?
  /// The section at fault.
  public var section: UInt64?
  /// The column at fault, by name.
  public var column: String?
  /// Whether that is gone.
  public var isRemoved = false

  /// Names a conflict.
  ///
  /// - Parameters:
  ///   - revision: The later revision.
  ///   - uid: Who made it, from the kernel.
  ///   - actor: Who made it, as they call themselves.
  ///   - row: The row at fault.
  ///   - section: The section at fault.
  ///   - column: The column at fault, by name.
  public init(
    revision: UInt64, uid: UInt64, actor: String, row: UInt64? = nil, section: UInt64? = nil,
    column: String? = nil
  ) {
    self.revision = revision
    self.uid = uid
    self.actor = actor
    self.row = row
    self.section = section
    self.column = column
  }
}
