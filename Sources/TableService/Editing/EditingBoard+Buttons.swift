/// Delete buttons: of swipes and of minus controls, and what they and plus controls do
/// (semantics 2.5).
extension EditingBoard {
  /// Judges the use of a row's control.
  ///
  /// - Parameters:
  ///   - style: The control.
  ///   - row: The row's id.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `heldExclusively`, `notEditing`, `noSuchRow`, `notEditable`, `styleMismatch`.
  public func judgeCommit(
    _ style: EditingStyle, row: UInt64, of table: Table, by holder: Holder
  ) throws(EditingFault) {
    try judgeExclusive(table.id, holder)
    guard state(of: table.id).mode == .editing else { throw EditingFault(.notEditing, row: row) }
    let rules = try editable(row, of: table)
    let wanted =
      rules.allowsMultipleSelectionDuringEditing == true ? EditingStyle.none : rules.style
    guard style != .none, wanted == style else {
      throw EditingFault(
        .styleMismatch, row: row, value: "\(style)", expected: "\(wanted ?? .none)")
    }
  }

  private func editable(_ row: UInt64, of table: Table) throws(EditingFault) -> Policy {
    guard let rules = table.rules(ofRow: row) else { throw EditingFault(.noSuchRow, row: row) }
    guard rules.canEdit == true else { throw EditingFault(.notEditable, row: row) }
    return rules
  }

  private static func title(_ rules: Policy) -> String {
    guard let title = rules.deleteTitle, !title.isEmpty else {
      return Policy.standardDeleteTitle
    }
    return title
  }

  // Swipes

  /// Opens a row's delete button; one that stood open elsewhere closes.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - isLeading: Whether it came from the leading edge.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `heldExclusively`, `inEditingMode`, `noSuchRow`, `notEditable`,
  ///   `styleNotDelete`.
  public mutating func openSwipe(
    row: UInt64, isLeading: Bool, of table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    try judgeExclusive(table.id, holder)
    let state = state(of: table.id)
    guard state.mode != .editing else { throw EditingFault(.inEditingMode, row: row) }
    let rules = try judgeSwipe(row, of: table)
    if let open = state.swipe {
      if open.row == row, open.holder == holder { return false }
      closeSwipe(table.id, by: holder, isRowGone: false)
    }
    let button = DeleteButton(
      row: row, holder: holder, isLeading: isLeading, title: Self.title(rules))
    emit(.willBeginEditing(row: row), table: table.id, by: holder)
    tables[table.id, default: TableEditing()].swipe = button
    tables[table.id]?.lostSwipe = nil
    note(holder, in: table.id)
    let flag = self.state(of: table.id).flag
    emit(.editingChanged(flag, ended: [], animated: true), table: table.id, by: holder)
    emit(.swipeOpened(button), table: table.id, by: holder)
    return true
  }

  private func judgeSwipe(_ row: UInt64, of table: Table) throws(EditingFault) -> Policy {
    let rules = try editable(row, of: table)
    guard rules.style == .delete, rules.allowsMultipleSelectionDuringEditing != true else {
      throw EditingFault(.styleNotDelete, row: row)
    }
    return rules
  }

  /// Judges the use of the button that a swipe has opened.
  ///
  /// - Parameters:
  ///   - row: The row that is meant; `nil`: the one that there is.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The row to delete; once it is, `apply` closes the swipe.
  /// - Throws: `heldExclusively`, `noSuchRow`, `noSwipe`, `notHolder`, `notEditable`,
  ///   `styleNotDelete`.
  public func judgeSwipeConfirm(
    row: UInt64?, of table: Table, by holder: Holder
  ) throws(EditingFault) -> UInt64 {
    try judgeExclusive(table.id, holder)
    let state = state(of: table.id)
    let button = try button(
      state.swipe, lost: state.lostSwipe, .noSwipe, row: row, of: table, by: holder)
    _ = try judgeSwipe(button.row, of: table)
    return button.row
  }

  /// Closes a swipe unused.
  ///
  /// - Parameters:
  ///   - row: The row that is meant; `nil`: the one that there is.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `noSuchRow`, `noSwipe`, `notHolder`.
  public mutating func cancelSwipe(
    row: UInt64?, of table: Table, by holder: Holder
  ) throws(EditingFault) {
    let state = state(of: table.id)
    _ = try button(
      state.swipe, lost: state.lostSwipe, .noSwipe, row: row, of: table, by: holder)
    closeSwipe(table.id, by: holder, isRowGone: false)
  }

  /// The button that somebody means.
  private func button(
    _ open: DeleteButton?, lost: DeleteButton?, _ missing: EditingFault.Code, row: UInt64?,
    of table: Table, by holder: Holder
  ) throws(EditingFault) -> DeleteButton {
    if let row, table.path(of: row) == nil { throw EditingFault(.noSuchRow, row: row) }
    guard let open else {
      if row == nil, let lost, lost.holder == holder {
        throw EditingFault(.noSuchRow, row: lost.row)
      }
      throw EditingFault(missing, row: row)
    }
    if let row, row != open.row { throw EditingFault(missing, row: row) }
    guard open.holder == holder else {
      throw EditingFault(.notHolder, row: open.row, holder: open.holder)
    }
    return open
  }

  /// Closes the swipe: the flag falls, all is as before it (semantics 2.5.8).
  mutating func closeSwipe(
    _ table: UInt64, by holder: Holder?, isRowGone: Bool, isAnimated: Bool = true
  ) {
    guard let button = tables[table]?.swipe else { return }
    tables[table]?.swipe = nil
    if isRowGone { tables[table]?.lostSwipe = button }
    emit(.swipeClosed(row: button.row), table: table, by: holder)
    emit(.didEndEditing(row: isRowGone ? nil : button.row), table: table, by: holder)
    let flag = state(of: table).flag
    emit(.editingChanged(flag, ended: [], animated: isAnimated), table: table, by: holder)
    tidy(table)
  }

  // The minus control

  /// Opens the button of a row's minus control; one that stood open elsewhere closes.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: What `judgeCommit` throws.
  public mutating func openConfirm(
    row: UInt64, of table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    try judgeCommit(.delete, row: row, of: table, by: holder)
    if let open = tables[table.id]?.confirm {
      if open.row == row, open.holder == holder { return false }
      closeConfirm(table.id, by: holder, isRowGone: false)
    }
    let button = DeleteButton(
      row: row, holder: holder, title: Self.title(try editable(row, of: table)))
    tables[table.id]?.confirm = button
    tables[table.id]?.lostConfirm = nil
    note(holder, in: table.id)
    emit(.confirmOpened(button), table: table.id, by: holder)
    return true
  }

  /// Judges the use of the button that a minus control has opened.
  ///
  /// - Parameters:
  ///   - row: The row that is meant; `nil`: the one that there is.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The row to delete; once it is, `apply` closes the button.
  /// - Throws: `heldExclusively`, `noSuchRow`, `noConfirm`, `notHolder`; what `judgeCommit`
  ///   throws.
  public func judgeConfirm(
    row: UInt64?, of table: Table, by holder: Holder
  ) throws(EditingFault) -> UInt64 {
    try judgeExclusive(table.id, holder)
    let state = state(of: table.id)
    let button = try button(
      state.confirm, lost: state.lostConfirm, .noConfirm, row: row, of: table, by: holder)
    try judgeCommit(.delete, row: button.row, of: table, by: holder)
    return button.row
  }

  /// Closes the button of a minus control unused.
  ///
  /// - Parameters:
  ///   - row: The row that is meant; `nil`: the one that there is.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `noSuchRow`, `noConfirm`, `notHolder`.
  public mutating func cancelConfirm(
    row: UInt64?, of table: Table, by holder: Holder
  ) throws(EditingFault) {
    let state = state(of: table.id)
    _ = try button(
      state.confirm, lost: state.lostConfirm, .noConfirm, row: row, of: table, by: holder)
    closeConfirm(table.id, by: holder, isRowGone: false)
  }

  mutating func closeConfirm(_ table: UInt64, by holder: Holder?, isRowGone: Bool) {
    guard let button = tables[table]?.confirm else { return }
    tables[table]?.confirm = nil
    if isRowGone { tables[table]?.lostConfirm = button }
    emit(.confirmClosed(row: button.row), table: table, by: holder)
    tidy(table)
  }
}
