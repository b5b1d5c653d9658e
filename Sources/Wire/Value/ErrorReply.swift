/// Why a request was refused, and where (SPEC 3).
public struct ErrorReply: Error, Equatable, Sendable {
  /// The stable code.
  public var code: ErrorCode
  /// What is wrong, for people.
  public var message: String
  /// The index of the failing operation.
  public var operation: UInt64?
  /// The place at fault.
  public var path: IndexPath?
  /// The row at fault.
  public var row: UInt64?
  /// The column at fault, by name.
  public var column: String?
  /// The value at fault.
  public var value: String?
  /// What was expected there.
  public var expected: String?
  /// What to do about it.
  public var hint: String?
  /// The revision it was judged at, or that stands in the way.
  public var revision: UInt64?
  /// The other place of a pair that contradicts itself.
  public var otherPath: IndexPath?
  /// Later steps that stand in the way of an undo.
  public var conflicts: [Conflict] = []
  /// The section at fault.
  public var section: UInt64?
  /// The number of the field at fault.
  public var field: UInt64?
  /// The byte of the frame at fault.
  public var offset: UInt64?
  /// The file of the bundle at fault.
  public var file: String?
  /// The line of that file.
  public var line: UInt64?

  /// A later step that stands in the way of an undo.
  public struct Conflict: Equatable, Sendable {
    /// Its revision.
    public var revision: UInt64
    /// Who made it.
    public var uid: UInt64
    /// In whose name.
    public var actor: String
    /// The row it changed.
    public var row: UInt64?
    /// The section it changed.
    public var section: UInt64?
    /// The column it changed, by name.
    public var column: String?
    /// Whether that is gone.
    public var isRemoved = false

    /// Names a step.
    ///
    /// - Parameters:
    ///   - revision: Its revision.
    ///   - uid: Who made it.
    ///   - actor: In whose name.
    ///   - row: The row it changed.
    public init(revision: UInt64, uid: UInt64, actor: String, row: UInt64? = nil) {
      self.revision = revision
      self.uid = uid
      self.actor = actor
      self.row = row
    }
  }

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The stable code.
  ///   - message: What is wrong, for people.
  public init(_ code: ErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }
}
