/// Selections, one for each holder (semantics 2.7, contract L4).
extension EditingBoard {
  /// Selects or deselects rows.
  ///
  /// - Parameters:
  ///   - rows: The rows' ids.
  ///   - isOn: Whether they are selected.
  ///   - clearsOthers: Whether all others are deselected.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `noSuchRow`, `notSelectable`, `tooManyElements`.
  /// - Complexity: O(*k* log *n*) in the number of rows.
  public mutating func select(
    _ rows: [UInt64], isOn: Bool, clearsOthers: Bool, of table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    let old = tables[table.id]?.selections[holder.id]?.rows ?? []
    var new = clearsOthers ? [] : old
    if isOn {
      if try judgeSelection(rows, table) == false, !rows.isEmpty { new = [] }
      new.formUnion(rows)
    } else {
      for row in rows where table.path(of: row) == nil {
        throw EditingFault(.noSuchRow, row: row)
      }
      new.subtract(rows)
    }
    guard new.count <= EditingBoard.selectionRows else {
      throw EditingFault(
        .tooManyElements, expected: "at most \(EditingBoard.selectionRows) selected rows")
    }
    return put(new, over: old, table.id, holder, by: holder)
  }

  /// Judges whether rows can be selected.
  ///
  /// - Returns: Whether several can be at once.
  private func judgeSelection(_ rows: [UInt64], _ table: Table) throws(EditingFault) -> Bool {
    let isEditing = state(of: table.id).mode == .editing
    let rules = table.rules
    let several =
      (isEditing
        ? rules.allowsMultipleSelectionDuringEditing : rules.allowsMultipleSelection) == true
    guard several || Set(rows).count <= 1 else {
      throw EditingFault(
        .notSelectable, value: "\(rows.count) rows", expected: "one row at a time")
    }
    for row in rows {
      guard let rules = table.rules(ofRow: row) else { throw EditingFault(.noSuchRow, row: row) }
      let allows =
        isEditing
        ? rules.allowsSelectionDuringEditing == true || several : rules.allowsSelection == true
      guard allows else { throw EditingFault(.notSelectable, row: row) }
    }
    return several
  }

  /// Replaces a selection and tells the difference, the shorter way.
  @discardableResult
  mutating func put(
    _ new: Set<UInt64>, over old: Set<UInt64>, _ table: UInt64, _ holder: Holder,
    by actor: Holder?
  ) -> Bool {
    guard new != old else { return false }
    if new.isEmpty {
      tables[table]?.selections[holder.id] = nil
    } else {
      tables[table, default: TableEditing()].selections[holder.id] = SelectionSlot(
        holder: holder, rows: new)
      note(holder, in: table)
    }
    let gone = old.subtracting(new)
    let cleared = gone.count >= new.count || gone.count == old.count
    let told = cleared && !old.isEmpty ? new : new.subtracting(old)
    emit(
      .selectionChanged(
        holder, cleared: cleared && !old.isEmpty, deselected: cleared ? [] : gone.sorted(),
        selected: told.sorted()), table: table, by: actor)
    tidy(table)
    return true
  }
}
