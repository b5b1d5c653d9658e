/// What may be done by hand at one level, a table, a section or a row (SPEC 6).
///
/// What is `nil` is inherited from the level above.
struct Policy: Equatable {
  var canEdit: Bool?
  var canMove: Bool?
  var style: EditingStyle?
  var deleteTitle: String?
  var indents: Bool?
  var selects: Bool?
  var selectsDuringEditing: Bool?
  var selectsMany: Bool?
  var selectsManyDuringEditing: Bool?
  var drop: DropRule?
  var writesNeedHold: Bool?

  enum EditingStyle: String, CaseIterable {
    case none, delete, insert
  }

  enum DropRule: String, CaseIterable {
    case anywhere
    case sameSection = "same-section"
  }

  var isEmpty: Bool { self == Policy() }
}

extension Policy {
  /// A field by the name that the command line has for it.
  enum Field: String, CaseIterable {
    case canEdit = "can-edit"
    case canMove = "can-move"
    case style
    case deleteTitle = "delete-title"
    case indents = "indent"
    case selects = "select"
    case selectsDuringEditing = "select-editing"
    case selectsMany = "select-many"
    case selectsManyDuringEditing = "select-many-editing"
    case drop
    case writesNeedHold = "writes-need-hold"

    /// The name in JSON.
    var jsonName: String {
      switch self {
      case .canEdit: "can_edit"
      case .canMove: "can_move"
      case .style: "editing_style"
      case .deleteTitle: "delete_title"
      case .indents: "indent_while_editing"
      case .selects: "allows_selection"
      case .selectsDuringEditing: "allows_selection_during_editing"
      case .selectsMany: "allows_multiple_selection"
      case .selectsManyDuringEditing: "allows_multiple_selection_during_editing"
      case .drop: "drop"
      case .writesNeedHold: "writes_only_while_holding"
      }
    }

    /// What the field may say, as usage has it.
    var values: String {
      switch self {
      case .style: EditingStyle.allCases.map(\.rawValue).joined(separator: "|")
      case .drop: DropRule.allCases.map(\.rawValue).joined(separator: "|")
      case .deleteTitle: "TEXT"
      default: "yes|no"
      }
    }
  }

  /// Where a yes-or-no field is kept; `nil` for the others.
  private static func flag(_ field: Field) -> WritableKeyPath<Policy, Bool?>? {
    switch field {
    case .canEdit: \.canEdit
    case .canMove: \.canMove
    case .indents: \.indents
    case .selects: \.selects
    case .selectsDuringEditing: \.selectsDuringEditing
    case .selectsMany: \.selectsMany
    case .selectsManyDuringEditing: \.selectsManyDuringEditing
    case .writesNeedHold: \.writesNeedHold
    case .style, .deleteTitle, .drop: nil
    }
  }

  /// What a field says as text, or `nil` where it is inherited.
  func text(_ field: Field) -> String? {
    switch field {
    case .style: style?.rawValue
    case .deleteTitle: deleteTitle
    case .drop: drop?.rawValue
    default: Self.flag(field).flatMap { self[keyPath: $0] }.map { $0 ? "yes" : "no" }
    }
  }

  func json(_ field: Field) -> JSON? {
    if let flag = Self.flag(field) { return self[keyPath: flag].map { .boolean($0) } }
    return text(field).map { .string($0) }
  }

  /// The fields that are set, as JSON has them.
  var json: JSON {
    .object(Field.allCases.compactMap { field in json(field).map { (field.jsonName, $0) } })
  }

  /// Sets a field from a word of the command line.
  ///
  /// - Parameters:
  ///   - field: Which.
  ///   - text: What it shall say; empty: inherited.
  /// - Throws: Usage that names what the field may say.
  mutating func set(_ field: Field, _ text: String) throws(Fault) {
    let wrong = Fault.usage(
      "\(field.rawValue) is \(field.values), not \"\(TerminalSafety.shown(text))\"",
      hint: "\(field.rawValue)= takes it away, so that it is inherited")
    if let flag = Self.flag(field) {
      switch text {
      case "": self[keyPath: flag] = nil
      case "yes": self[keyPath: flag] = true
      case "no": self[keyPath: flag] = false
      default: throw wrong
      }
      return
    }
    switch field {
    case .style:
      style = EditingStyle(rawValue: text)
      guard style != nil || text.isEmpty else { throw wrong }
    case .drop:
      drop = DropRule(rawValue: text)
      guard drop != nil || text.isEmpty else { throw wrong }
    default: deleteTitle = text.isEmpty ? nil : text
    }
  }

  /// Sets a field from a batch file.
  ///
  /// - Returns: Whether the value fits the field.
  mutating func set(_ field: Field, _ value: JSON) -> Bool {
    if let flag = Self.flag(field) {
      guard case .boolean(let on) = value else { return false }
      self[keyPath: flag] = on
      return true
    }
    guard case .string(let text) = value else { return false }
    switch field {
    case .style: style = EditingStyle(rawValue: text)
    case .drop: drop = DropRule(rawValue: text)
    default: deleteTitle = text
    }
    return self.text(field) != nil
  }
}
