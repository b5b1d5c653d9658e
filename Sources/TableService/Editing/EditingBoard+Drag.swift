/// Rows that are dragged to another place (semantics 2.6).
extension EditingBoard {
  /// Begins to drag a row.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `heldExclusively`, `notEditing`, `noSuchRow`, `notMovable`, `dragOpen`.
  public mutating func beginDrag(
    row: UInt64, of table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    try judgeExclusive(table.id, holder)
    let state = state(of: table.id)
    guard state.mode == .editing else { throw EditingFault(.notEditing, row: row) }
    guard let rules = table.rules(ofRow: row), let place = table.path(of: row) else {
      throw EditingFault(.noSuchRow, row: row)
    }
    guard rules.canMove == true else { throw EditingFault(.notMovable, row: row) }
    if let drag = state.drag {
      if drag.row == row, drag.holder == holder { return false }
      throw EditingFault(.dragOpen, row: drag.row, holder: drag.holder)
    }
    let slot = Self.slot(row, holder, at: place.path, table)
    tables[table.id]?.drag = slot
    note(holder, in: table.id)
    emit(.dragBegan(slot), table: table.id, by: holder)
    return true
  }

  /// Moves a dragged row over a path, which is clamped to where it may land.
  ///
  /// - Parameters:
  ///   - target: The proposed final path.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `heldExclusively`, `noDrag`, `notHolder`.
  public mutating func hover(
    _ target: RowPath, over table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    let drag = try drag(of: table, by: holder)
    let path = Self.clamped(target, row: drag.row, table)
    guard path != drag.target else { return false }
    let slot = Self.slot(drag.row, drag.holder, at: path, table)
    tables[table.id]?.drag = slot
    emit(.dragMoved(slot), table: table.id, by: holder)
    return true
  }

  /// Judges a drop.
  ///
  /// - Parameters:
  ///   - target: The proposed final path; `nil`: where it hovers.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The row, and the final path to move it to; `endDrag` follows once it is there.
  /// - Throws: `heldExclusively`, `noDrag`, `notHolder`, `notMovable`.
  public func judgeDrop(
    at target: RowPath?, of table: Table, by holder: Holder
  ) throws(EditingFault) -> (row: UInt64, path: RowPath) {
    let drag = try drag(of: table, by: holder)
    guard table.rules(ofRow: drag.row)?.canMove == true else {
      throw EditingFault(.notMovable, row: drag.row)
    }
    return (drag.row, Self.clamped(target ?? drag.target, row: drag.row, table))
  }

  /// Ends the drag of a row that was dropped.
  ///
  /// - Parameters:
  ///   - table: The table's id.
  ///   - holder: Who acts.
  public mutating func endDrag(_ table: UInt64, by holder: Holder) {
    guard let drag = tables[table]?.drag else { return }
    tables[table]?.drag = nil
    emit(.dragEnded(row: drag.row), table: table, by: holder)
    tidy(table)
  }

  /// Gives a drag up.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `noDrag`, `notHolder`.
  public mutating func abandonDrag(
    of table: Table, by holder: Holder
  ) throws(EditingFault) {
    guard let drag = tables[table.id]?.drag else { throw EditingFault(.noDrag) }
    guard drag.holder == holder else {
      throw EditingFault(.notHolder, row: drag.row, holder: drag.holder)
    }
    cancelDrag(table.id, by: holder)
  }

  mutating func cancelDrag(_ table: UInt64, by holder: Holder?) {
    guard let drag = tables[table]?.drag else { return }
    tables[table]?.drag = nil
    emit(.dragCancelled(row: drag.row), table: table, by: holder)
    tidy(table)
  }

  private func drag(of table: Table, by holder: Holder) throws(EditingFault) -> DragSlot {
    try judgeExclusive(table.id, holder)
    guard let drag = tables[table.id]?.drag else { throw EditingFault(.noDrag) }
    guard drag.holder == holder else {
      throw EditingFault(.notHolder, row: drag.row, holder: drag.holder)
    }
    return drag
  }

  /// Carries a drag over a change of others: by the ids of the row and of the one before it.
  mutating func rebaseDrag(_ table: Table) {
    guard let drag = tables[table.id]?.drag else { return }
    guard let own = table.path(of: drag.row), let index = table.sectionIndex(of: drag.section)
    else {
      cancelDrag(table.id, by: nil)
      return
    }
    var path = RowPath(section: UInt64(index), row: drag.target.row)
    if let anchor = drag.anchor {
      if let place = table.path(of: anchor), place.section == drag.section {
        let isBehind = own.section == drag.section && own.path.row < place.path.row
        path.row = place.path.row + (isBehind ? 0 : 1)
      }
    } else {
      path.row = 0
    }
    let slot = Self.slot(
      drag.row, drag.holder, at: Self.clamped(path, row: drag.row, table), table)
    tables[table.id]?.drag = slot
    if slot.target != drag.target {
      emit(.dragMoved(slot), table: table.id, by: nil)
    }
  }

  /// The nearest path where a row may land (contract E11).
  static func clamped(_ proposal: RowPath, row: UInt64, _ table: Table) -> RowPath {
    guard let own = table.path(of: row)?.path, let rules = table.rules(ofRow: row) else {
      preconditionFailure("a dragged row stands in its table")
    }
    let last = UInt64(table.sectionCount - 1)
    var path = proposal
    if path.section > last { path = RowPath(section: last, row: .max) }
    if rules.drop == .sameSection, path.section != own.section {
      path = RowPath(section: own.section, row: path.section < own.section ? 0 : .max)
    }
    let count = UInt64(table.section(at: Int(path.section)).rows)
    path.row = min(path.row, path.section == own.section ? count - 1 : count)
    return path
  }

  private static func slot(
    _ row: UInt64, _ holder: Holder, at path: RowPath, _ table: Table
  ) -> DragSlot {
    var slot = DragSlot(
      row: row, holder: holder, target: path,
      section: table.section(at: Int(path.section)).record.id)
    if path.row > 0, let own = table.path(of: row)?.path {
      // The row itself stands before no place of its own.
      let isBehind = own.section == path.section && own.row < path.row
      slot.anchor = table.rowID(
        at: RowPath(section: path.section, row: isBehind ? path.row : path.row - 1))
    }
    return slot
  }
}
