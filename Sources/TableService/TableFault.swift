/// Why a change was refused: a stable code, the place and what was expected there (SPEC 3).
public struct TableFault: Error, Equatable, Sendable {
  /// What is wrong; the names are those of hp.v1.ErrorCode.
  public enum Code: UInt8, Sendable, CaseIterable {
    case badText = 1
    case unsupported
    case noSuchColumn
    case noSuchSection
    case noSuchRow
    case noSuchHandle
    case ambiguous
    case nameInUse
    case stale
    case wrongEpoch
    case futureRevision
    case conflict
    case rowExists
    case countRows
    case countSections
    case badRequest
    case badValue
    case wrongKind
    case required
    case readOnly
    case textTooLong
    case rowTooLarge
    case badName
    case tooManyColumns
    case tooManySections
    case tooManyRows
    case pathsNeedBasis
    case duplicateColumn
    case outOfRange
    case duplicateKey
    case badFilter
    case countMatched
    case overflow
    case outOfBounds
    case deleteAndMove
    case reloadAndMove
    case insertAndMove
    case deleteAndReload
    case moveCollision
    case moveTwiceFrom
    case moveIntoInsertedSection
    case moveFromDeletedSection
    case duplicate
    case rowsInReloadedSection
    /// Nobody wants the change any more.
    case abandoned
  }

  /// What is wrong.
  public var code: Code
  /// The index of the failing operation; `nil` where the batch as a whole is refused.
  public var operation: Int?
  /// The path at fault.
  public var path: RowPath?
  /// The path of the earlier operation of a pair that contradicts itself (contract E12).
  public var otherPath: RowPath?
  /// The row at fault.
  public var row: UInt64?
  /// The section at fault.
  public var section: UInt64?
  /// The column at fault.
  public var column: String?
  /// The value at fault.
  public var value: String?
  /// What was expected.
  public var expected: String?
  /// The revision that stands in the way of an expectation.
  public var revision: UInt64?
  /// What stands in the way of taking a step back (contract E9).
  public var conflicts: [StepConflict] = []

  /// Makes a fault; what does not apply stays `nil`.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - path: The path at fault.
  ///   - row: The row at fault.
  ///   - section: The section at fault.
  ///   - column: The column at fault.
  ///   - value: The value at fault.
  ///   - expected: What was expected.
  ///   - revision: The revision that stands in the way of an expectation.
  public init(
    _ code: Code, path: RowPath? = nil, row: UInt64? = nil, section: UInt64? = nil,
    column: String? = nil, value: String? = nil, expected: String? = nil, revision: UInt64? = nil
  ) {
    self.code = code
    self.path = path
    self.row = row
    self.section = section
    self.column = column
    self.value = value
    self.expected = expected
    self.revision = revision
  }
}
