internal import TableService
internal import Wire

extension Batch.PolicyChange {
  /// A change of a policy as the table takes it.
  ///
  /// - Parameters:
  ///   - policy: What was decoded.
  ///   - text: What its texts refer to.
  /// - Throws: `badRequest` where it does not say where it holds.
  init(_ policy: BatchPolicy, text: [UInt8]) throws(ErrorReply) {
    switch policy.scope {
    case .absent: throw ErrorReply(.badRequest, "a policy names no table, section or row")
    case .table: self.init(.table)
    case .section(let section): self.init(.section(Batch.SectionRef(section)))
    case .row(let row): self.init(.row(Batch.RowRef(row)))
    }
    func string(_ range: TextRange?) -> String? {
      // The scan has seen that it is UTF-8.
      range.map { String(decoding: text[$0.range], as: UTF8.self) }
    }
    self.policy.canEdit = policy.canEdit
    self.policy.canMove = policy.canMove
    self.policy.style = policy.style.flatMap(EditingStyle.init)
    self.policy.deleteTitle = string(policy.deleteTitle)
    self.policy.indents = policy.indents
    self.policy.allowsSelection = policy.allowsSelection
    self.policy.allowsSelectionDuringEditing = policy.allowsSelectionDuringEditing
    self.policy.allowsMultipleSelection = policy.allowsMultipleSelection
    self.policy.allowsMultipleSelectionDuringEditing =
      policy.allowsMultipleSelectionDuringEditing
    self.policy.drop = policy.drop.flatMap(DropRule.init)
    self.policy.writesOnlyWhileHolding = policy.writesOnlyWhileHolding
    clears = policy.clears
    clearsSentinel = policy.clearsSentinel
    sentinel = policy.sentinel.map { Sentinel(text: string($0.text), height: $0.height) }
  }
}

extension BatchOperation.Action {
  /// How what it changes should be shown.
  var animation: Animation? {
    switch self {
    case .insertRow(_, _, let animation), .deleteRow(_, let animation),
      .reloadRow(_, _, let animation), .deleteSection(_, let animation),
      .reloadSection(_, _, let animation):
      animation
    case .insertSection(let section): section.animation
    default: nil
    }
  }
}
