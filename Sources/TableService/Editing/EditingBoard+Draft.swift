/// Cells that are being written (contracts K4, L5; semantics N8).
extension EditingBoard {
  /// Which draft a step is about.
  public struct DraftWish: Sendable {
    /// The row; `nil`: that of the open draft.
    public var row: UInt64?
    /// The column's name; `nil`: that of the open draft.
    public var column: String?

    /// Names a draft.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - column: The column's name.
    public init(row: UInt64? = nil, column: String? = nil) {
      self.row = row
      self.column = column
    }
  }

  /// What a text that ends is to become.
  public enum DraftEnd: Equatable, Sendable {
    /// The cell's value already.
    case same
    /// A new value; `nil`: null.
    case write(CellValue?)
  }

  /// Begins to write a cell, or takes up one's own rejected draft of it.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - name: The column's name.
  ///   - text: What it begins with; `nil`: the rejected text, or the cell's value.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The draft, and whether anything changed.
  /// - Throws: `heldExclusively`, `noSuchRow`, `noSuchColumn`, `readOnly`, `draftOpen`,
  ///   `tooManyElements`.
  public mutating func beginDraft(
    row: UInt64, column name: String, text: String?, of table: Table, by holder: Holder
  ) throws(EditingFault) -> (draft: DraftSlot, isNew: Bool) {
    try judgeExclusive(table.id, holder)
    guard table.path(of: row) != nil else { throw EditingFault(.noSuchRow, row: row) }
    let column = try Self.column(name, of: table, row: row)
    guard !column.isReadOnly else {
      throw EditingFault(.readOnly, row: row, column: column.name)
    }
    let key = DraftKey(holder: holder.id, row: row, column: column.id)
    let old = tables[table.id]?.drafts[key]
    if let responder = responders[holder.id] {
      if responder.table == table.id, responder.key == key, let old { return (old, false) }
      throw EditingFault(
        .draftOpen, row: responder.key.row, column: Self.name(of: responder, table),
        expected: "one draft at a time: end it or discard it")
    }
    if old == nil { try judgeRoom(holder, table.id) }
    let base = table.value(of: column, ofRow: row)
    let draft = DraftSlot(
      holder: holder, row: row, column: column.id,
      text: text ?? old?.text ?? DraftText.text(of: base, in: column), base: base)
    tables[table.id, default: TableEditing()].drafts[key] = draft
    responders[holder.id] = Responder(table: table.id, key: key)
    note(holder, in: table.id)
    emit(.draftBegan(draft), table: table.id, by: holder)
    return (draft, true)
  }

  private func judgeRoom(_ holder: Holder, _ table: UInt64) throws(EditingFault) {
    guard let drafts = tables[table]?.drafts, drafts.count >= EditingBoard.draftsPerHolder else {
      return
    }
    let own = drafts.keys.reduce(0) { $0 + ($1.holder == holder.id ? 1 : 0) }
    guard own < EditingBoard.draftsPerHolder else {
      throw EditingFault(
        .tooManyElements,
        expected: "at most \(EditingBoard.draftsPerHolder) drafts; discard rejected ones")
    }
  }

  /// Sets the text of the open draft.
  ///
  /// - Parameters:
  ///   - text: The text as typed.
  ///   - wish: Which draft.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `heldExclusively`, `noDraft`, `noSuchColumn`.
  /// - Complexity: O(1) and the size of the text.
  public mutating func setDraft(
    _ text: String, _ wish: DraftWish, of table: Table, by holder: Holder
  ) throws(EditingFault) -> Bool {
    try judgeExclusive(table.id, holder)
    let key = try openDraft(wish, table, holder)
    guard var draft = tables[table.id]?.drafts[key], draft.text != text else { return false }
    draft.text = text
    tables[table.id]?.drafts[key] = draft
    emit(.draftText(draft), table: table.id, by: holder)
    return true
  }

  /// Judges the text of the open draft: whether it is a value of its column, and whether the
  /// cell is still what it was when the draft began (contract L5).
  ///
  /// - Parameters:
  ///   - wish: Which draft.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The draft, and what is to be written before `endDraft`.
  /// - Throws: `heldExclusively`, `noDraft`, `badValue`, `conflict`.
  public func judgeDraft(
    _ wish: DraftWish, of table: Table, by holder: Holder
  ) throws(EditingFault) -> (draft: DraftSlot, end: DraftEnd) {
    let draft = try draft(wish, of: table, by: holder)
    try judgeExclusive(table.id, holder)
    guard let column = table.schema.columns.first(where: { $0.id == draft.column }) else {
      throw EditingFault(.noDraft, row: draft.row)
    }
    let value: CellValue?
    do throws(DraftText.Refusal) {
      value = try DraftText.value(of: draft.text, in: column)
    } catch {
      throw EditingFault(
        .badValue, row: draft.row, column: column.name, value: draft.text,
        expected: error.expected)
    }
    let current = table.value(of: column, ofRow: draft.row)
    if current == value { return (draft, .same) }
    guard current == draft.base else {
      throw EditingFault(
        .conflict, row: draft.row, column: column.name, value: current?.described ?? "null",
        expected: draft.base?.described ?? "null")
    }
    return (draft, .write(value))
  }

  /// The open draft of a holder.
  ///
  /// - Parameters:
  ///   - wish: Which draft.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Returns: The draft.
  /// - Throws: `noDraft`, `noSuchColumn`.
  public func draft(
    _ wish: DraftWish, of table: Table, by holder: Holder
  ) throws(EditingFault) -> DraftSlot {
    let key = try openDraft(wish, table, holder)
    guard let draft = tables[table.id]?.drafts[key] else { throw EditingFault(.noDraft) }
    return draft
  }

  /// Ends a draft whose text is written.
  ///
  /// - Parameters:
  ///   - key: Which.
  ///   - table: The table's id.
  ///   - holder: Who acts; `nil`: nobody.
  public mutating func endDraft(_ key: DraftKey, _ table: UInt64, by holder: Holder?) {
    guard let draft = tables[table]?.drafts.removeValue(forKey: key) else { return }
    if responders[key.holder] == Responder(table: table, key: key) {
      responders[key.holder] = nil
    }
    emit(.draftEnded(draft), table: table, by: holder)
    tidy(table)
  }

  /// Ends a draft whose text can't be written, and keeps it until it is discarded.
  ///
  /// - Parameters:
  ///   - key: Which.
  ///   - reason: The name of an hp.v1.ErrorCode.
  ///   - table: The table's id.
  ///   - holder: Who acts.
  /// - Returns: The draft.
  @discardableResult
  public mutating func rejectDraft(
    _ key: DraftKey, reason: String, _ table: UInt64, by holder: Holder
  ) -> DraftSlot? {
    guard var draft = tables[table]?.drafts[key] else { return nil }
    draft.rejection = reason
    tables[table]?.drafts[key] = draft
    responders[key.holder] = nil
    emit(.draftRejected(draft), table: table, by: holder)
    return draft
  }

  /// Ends a draft unwritten, an open or a rejected one.
  ///
  /// - Parameters:
  ///   - wish: Which draft; by default the open one.
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `noDraft`, `noSuchColumn`.
  public mutating func discardDraft(
    _ wish: DraftWish, of table: Table, by holder: Holder
  ) throws(EditingFault) {
    var key: DraftKey?
    if let row = wish.row, let name = wish.column {
      let column = try Self.column(name, of: table, row: row)
      key = DraftKey(holder: holder.id, row: row, column: column.id)
    } else {
      key = try openDraft(wish, table, holder)
    }
    guard let key, tables[table.id]?.drafts[key] != nil else {
      throw EditingFault(.noDraft, row: wish.row, column: wish.column)
    }
    endDraft(key, table.id, by: holder)
  }

  /// The open draft, if it is the one that is meant.
  private func openDraft(
    _ wish: DraftWish, _ table: Table, _ holder: Holder
  ) throws(EditingFault) -> DraftKey {
    guard let responder = responders[holder.id], responder.table == table.id,
      wish.row ?? responder.key.row == responder.key.row
    else { throw EditingFault(.noDraft, row: wish.row, column: wish.column) }
    if let name = wish.column {
      let column = try Self.column(name, of: table, row: responder.key.row)
      guard column.id == responder.key.column else {
        throw EditingFault(.noDraft, row: wish.row, column: name)
      }
    }
    return responder.key
  }

  private static func column(
    _ name: String, of table: Table, row: UInt64
  ) throws(EditingFault) -> Column {
    guard let column = table.schema.column(named: name) else {
      throw EditingFault(.noSuchColumn, row: row, column: name)
    }
    return column
  }

  private static func name(of responder: Responder, _ table: Table) -> String? {
    guard responder.table == table.id else { return nil }
    return table.schema.columns.first { $0.id == responder.key.column }?.name
  }
}

extension Table {
  /// The value of a row in a column.
  func value(of column: Column, ofRow id: UInt64) -> CellValue? {
    guard let slot = rows.slot(of: id), let index = schema.index(of: column.id) else {
      return nil
    }
    return value(of: index, slot)
  }
}
