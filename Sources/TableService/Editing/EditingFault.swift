/// Why a step of editing was refused; nothing has changed then.
public struct EditingFault: Error, Equatable, Sendable {
  /// What is wrong; the names are those of hp.v1.ErrorCode.
  public enum Code: UInt8, Sendable, CaseIterable {
    case notEditable
    case notMovable
    case styleMismatch
    case styleNotDelete
    case inEditingMode
    case notEditing
    case noSwipe
    case noConfirm
    case noDrag
    case noDraft
    case draftOpen
    case dragOpen
    case notSelectable
    case heldExclusively
    case heldByOthers
    case notHolder
    case leaseExpired
    case notPermitted
    case conflict
    case noSuchRow
    case noSuchColumn
    case readOnly
    case badValue
    case badName
    case tooManyElements
  }

  /// What is wrong.
  public var code: Code
  /// The row at fault.
  public var row: UInt64?
  /// The column at fault.
  public var column: String?
  /// What was found.
  public var value: String?
  /// What was expected there.
  public var expected: String?
  /// Who stands in the way.
  public var holder: Holder?

  /// Describes a refusal.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - row: The row at fault.
  ///   - column: The column at fault.
  ///   - value: What was found.
  ///   - expected: What was expected there.
  ///   - holder: Who stands in the way.
  public init(
    _ code: Code, row: UInt64? = nil, column: String? = nil, value: String? = nil,
    expected: String? = nil, holder: Holder? = nil
  ) {
    self.code = code
    self.row = row
    self.column = column
    self.value = value
    self.expected = expected
    self.holder = holder
  }
}
