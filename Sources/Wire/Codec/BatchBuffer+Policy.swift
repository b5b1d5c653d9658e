internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was
// scanned; unions are read as their case says.
extension BatchBuffer {
  /// Decodes a change of a policy; where it stands.
  mutating func add(policy pointer: UnsafePointer<Hp__V1__SetPolicy>) -> Int {
    let set = unsafe pointer.pointee
    let scope: BatchPolicy.Scope
    switch unsafe set.scope_case {
    case HP__V1__SET_POLICY__SCOPE_TABLE: scope = unsafe set.table != 0 ? .table : .absent
    case HP__V1__SET_POLICY__SCOPE_SECTION: scope = unsafe .section(section(set.section))
    case HP__V1__SET_POLICY__SCOPE_ROW: scope = unsafe .row(Unpacked.row(set.row))
    default: scope = .absent
    }
    var policy = unsafe BatchPolicy(
      scope: scope, clears: set.clear != 0, clearsSentinel: set.clear_sentinel != 0)
    if let sentinel = unsafe set.sentinel?.pointee {
      unsafe policy.sentinel = BatchSentinel(
        text: text(sentinel.text), height: sentinel.has_height != 0 ? sentinel.height : nil)
    }
    if let fields = unsafe set.policy { unsafe fill(&policy, fields) }
    policies.append(policy)
    return policies.count - 1
  }

  private mutating func fill(
    _ policy: inout BatchPolicy, _ pointer: UnsafePointer<Hp__V1__Policy>
  ) {
    let fields = unsafe pointer.pointee
    func flag(_ has: Int32, _ value: Int32) -> Bool? { has != 0 ? value != 0 : nil }
    policy.canEdit = unsafe flag(fields.has_can_edit, fields.can_edit)
    policy.canMove = unsafe flag(fields.has_can_move, fields.can_move)
    if unsafe fields.has_editing_style != 0 {
      policy.style = unsafe UInt8(truncatingIfNeeded: fields.editing_style.rawValue)
    }
    policy.deleteTitle = unsafe text(fields.delete_title)
    policy.indents = unsafe flag(
      fields.has_indent_while_editing, fields.indent_while_editing)
    policy.allowsSelection = unsafe flag(fields.has_allows_selection, fields.allows_selection)
    policy.allowsSelectionDuringEditing = unsafe flag(
      fields.has_allows_selection_during_editing, fields.allows_selection_during_editing)
    policy.allowsMultipleSelection = unsafe flag(
      fields.has_allows_multiple_selection, fields.allows_multiple_selection)
    policy.allowsMultipleSelectionDuringEditing = unsafe flag(
      fields.has_allows_multiple_selection_during_editing,
      fields.allows_multiple_selection_during_editing)
    if unsafe fields.has_drop != 0 {
      policy.drop = unsafe UInt8(truncatingIfNeeded: fields.drop.rawValue)
    }
    policy.writesOnlyWhileHolding = unsafe flag(
      fields.has_writes_only_while_holding, fields.writes_only_while_holding)
  }

  /// Decodes the cells of a row that a request outside a batch makes, in place of what stood here.
  mutating func decode(newRow pointer: UnsafePointer<Hp__V1__NewRow>?) throws(WireFault) {
    reset()
    guard let pointer = unsafe pointer else { return }
    rows.append(try unsafe row(pointer, 0))
  }
}
