public import Coding

/// UIKit's editing styles; the values are those of hp.v1.EditingStyle.
public enum EditingStyle: UInt8, Sendable {
  /// No control.
  case none
  /// A minus, and a swipe.
  case delete
  /// A plus.
  case insert
}

/// Where a dragged row may land; the values are those of hp.v1.DropRule.
public enum DropRule: UInt8, Sendable {
  /// In any section.
  case anywhere
  /// In its own section.
  case sameSection
}

/// What may be done by hand at a table, a section or a row; `nil` is inherited (SPEC 6).
public struct Policy: Equatable, Sendable {
  /// Whether there is an editing control.
  public var canEdit: Bool?
  /// Whether there is a reorder control.
  public var canMove: Bool?
  /// Which control.
  public var style: EditingStyle?
  /// What the delete button says; empty: "Delete".
  public var deleteTitle: String?
  /// Whether the row is indented in editing mode.
  public var indents: Bool?
  /// Whether rows can be selected outside editing mode.
  public var allowsSelection: Bool?
  /// Whether they can in editing mode.
  public var allowsSelectionDuringEditing: Bool?
  /// Whether several can, outside editing mode; the table's alone.
  public var allowsMultipleSelection: Bool?
  /// Whether several can in editing mode, where check marks replace the controls then; the
  /// table's alone.
  public var allowsMultipleSelectionDuringEditing: Bool?
  /// Where a dragged row may land.
  public var drop: DropRule?
  /// Whether all writes are refused to those who do not hold editing; the table's alone.
  public var writesOnlyWhileHolding: Bool?

  /// Makes a policy that inherits everything.
  public init() {}

  /// What holds where nobody has said anything: UIKit's defaults (semantics 2.5–2.7).
  public static let standard: Policy = {
    var policy = Policy()
    policy.canEdit = true
    policy.canMove = true
    policy.style = .delete
    policy.deleteTitle = standardDeleteTitle
    policy.indents = true
    policy.allowsSelection = true
    policy.allowsSelectionDuringEditing = false
    policy.allowsMultipleSelection = false
    policy.allowsMultipleSelectionDuringEditing = false
    policy.drop = .anywhere
    policy.writesOnlyWhileHolding = false
    return policy
  }()

  /// What the delete button says by itself.
  static let standardDeleteTitle = "Delete"

  /// Takes the fields that another policy has.
  ///
  /// - Parameter other: The policy that wins.
  public mutating func merge(_ other: Policy) {
    canEdit = other.canEdit ?? canEdit
    canMove = other.canMove ?? canMove
    style = other.style ?? style
    deleteTitle = other.deleteTitle ?? deleteTitle
    indents = other.indents ?? indents
    allowsSelection = other.allowsSelection ?? allowsSelection
    allowsSelectionDuringEditing =
      other.allowsSelectionDuringEditing ?? allowsSelectionDuringEditing
    allowsMultipleSelection = other.allowsMultipleSelection ?? allowsMultipleSelection
    allowsMultipleSelectionDuringEditing =
      other.allowsMultipleSelectionDuringEditing ?? allowsMultipleSelectionDuringEditing
    drop = other.drop ?? drop
    writesOnlyWhileHolding = other.writesOnlyWhileHolding ?? writesOnlyWhileHolding
  }

  /// Whether a field is set that a section or a row has no say in.
  var isOfTableAlone: Bool {
    allowsMultipleSelection != nil || allowsMultipleSelectionDuringEditing != nil
      || writesOnlyWhileHolding != nil
  }
}

extension Policy {
  /// The canonical hp.v1.Policy; empty where everything is inherited.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    if let canEdit { bytes.appendField(1, bool: canEdit) }
    if let canMove { bytes.appendField(2, bool: canMove) }
    if let style { bytes.appendField(3, varint: UInt64(style.rawValue)) }
    if let deleteTitle { bytes.appendField(4, text: deleteTitle) }
    if let indents { bytes.appendField(5, bool: indents) }
    if let allowsSelection { bytes.appendField(6, bool: allowsSelection) }
    if let flag = allowsSelectionDuringEditing { bytes.appendField(7, bool: flag) }
    if let flag = allowsMultipleSelection { bytes.appendField(8, bool: flag) }
    if let flag = allowsMultipleSelectionDuringEditing { bytes.appendField(9, bool: flag) }
    if let drop { bytes.appendField(10, varint: UInt64(drop.rawValue)) }
    if let flag = writesOnlyWhileHolding { bytes.appendField(11, bool: flag) }
    return bytes
  }

  /// Reads hp.v1.Policy.
  ///
  /// - Parameter bytes: The whole message.
  /// - Throws: Any `CodingFault`; `badTag` for a style or a rule that is not known.
  public init(_ bytes: [UInt8]) throws(CodingFault) {
    var reader = FieldReader(0..<bytes.count)
    while let field = try reader.next(in: bytes.span) {
      let flag = field.value != 0
      let number = UInt8(truncatingIfNeeded: field.value)
      switch field.number {
      case 1: canEdit = flag
      case 2: canMove = flag
      case 3:
        guard let known = EditingStyle(rawValue: number) else { throw .badTag }
        style = known
      case 4: deleteTitle = try bytes.span.text(field.range)
      case 5: indents = flag
      case 6: allowsSelection = flag
      case 7: allowsSelectionDuringEditing = flag
      case 8: allowsMultipleSelection = flag
      case 9: allowsMultipleSelectionDuringEditing = flag
      case 10:
        guard let known = DropRule(rawValue: number) else { throw .badTag }
        drop = known
      case 11: writesOnlyWhileHolding = flag
      default: break
      }
    }
  }

  /// Reads a policy that the table wrote itself; `nil` inherits everything.
  init(stored bytes: [UInt8]?) {
    guard let bytes else {
      self.init()
      return
    }
    guard let policy = try? Policy(bytes) else { preconditionFailure("a stored policy") }
    self = policy
  }
}
