internal import TableService
internal import Wire

/// Cells that are being written (contract L5).
extension Daemon {
  func draft(
    _ session: Session, _ request: Request, _ wish: DraftRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    let name = EditingBoard.DraftWish(row: wish.row, column: wish.column)
    var outcome = EditingOutcome(table: table.id)
    switch wish.step {
    case .begin:
      guard let row = wish.row, let column = wish.column else {
        throw ErrorReply(.badRequest, "a draft begins at a row and a column")
      }
      let begun = try step(session, request) { (board) throws(EditingFault) in
        try board.beginDraft(row: row, column: column, text: wish.text, of: table, by: holder)
      }
      outcome.draft = begun.draft
      outcome.isUnchanged = !begun.isNew
    case .text:
      guard let text = wish.text else { throw ErrorReply(.badRequest, "the draft has no text") }
      outcome.isUnchanged = try !step(session, request) { (board) throws(EditingFault) in
        try board.setDraft(text, name, of: table, by: holder)
      }
    case .end: return try end(session, request, name, force: wish.force, table, holder)
    case .discard:
      try step(session, request) { (board) throws(EditingFault) in
        try board.discardDraft(name, of: table, by: holder)
      }
      outcome.resigned = true
    case nil: throw ErrorReply(.badRequest, "the draft has no step")
    }
    answer(session, request, outcome)
  }

  /// Writes what was typed; with `force` the holder resigns in any case, and what can't be
  /// written is kept as a rejected draft.
  private func end(
    _ session: Session, _ request: Request, _ name: EditingBoard.DraftWish, force: Bool,
    _ table: Table, _ holder: Holder
  ) throws(ErrorReply) {
    var draft: DraftSlot?
    try judge { (board) throws(EditingFault) in
      draft = try board.draft(name, of: table, by: holder)
    }
    guard let draft else { return }
    do throws(ErrorReply) {
      try write(session, request, name, draft, table, holder)
    } catch {
      guard force, !error.code.isOfStore else { throw error }
      var outcome = EditingOutcome(table: table.id)
      outcome.resigned = true
      outcome.draft = try step(session, request) { board in
        board.rejectDraft(draft.key, reason: error.code.schemaName, table.id, by: holder)
      }
      answer(session, request, outcome)
    }
  }

  private func write(
    _ session: Session, _ request: Request, _ name: EditingBoard.DraftWish, _ draft: DraftSlot,
    _ table: Table, _ holder: Holder
  ) throws(ErrorReply) {
    var end = EditingBoard.DraftEnd.same
    try judge { (board) throws(EditingFault) in
      end = try board.judgeDraft(name, of: table, by: holder).end
      try board.judgeWrite(table, holder)
    }
    guard case .write(let value) = end else {
      try step(session, request) { board in board.endDraft(draft.key, table.id, by: holder) }
      var outcome = EditingOutcome(table: table.id)
      outcome.resigned = true
      return answer(session, request, outcome)
    }
    batch.removeAll()
    batch.cells.append(Batch.Cell(.id(draft.column), batch.value(value)))
    batch.operations = [Batch.Operation(.updateRow(.id(draft.row), cells: 0..<1))]
    try performStep(session, request, table, cause: "draft", row: draft.row)
    try step(session, request) { board in board.endDraft(draft.key, table.id, by: holder) }
  }
}

extension Batch {
  /// A value as cells of a batch have it; its text is added.
  func value(_ value: TableService.CellValue?) -> Value {
    switch value {
    case nil: .null
    case .text(let bytes): .text(append(text: bytes))
    case .integer(let number): .number(.integer, number)
    case .decimal(let number): .number(.decimal, number)
    case .date(let number): .number(.date, number)
    case .timestamp(let number): .number(.timestamp, number)
    case .boolean(let flag): .number(.boolean, flag ? 1 : 0)
    }
  }
}

extension ErrorCode {
  /// Whether it says something of the store, not of the request.
  var isOfStore: Bool {
    switch self {
    case .storeFailed, .outcomeUnknown, .storeFull, .storeBusy, .storeChangedOutside,
      .storeTooNew, .busy, .keyReused, .keyExpired, .keysFull:
      true
    default: false
    }
  }
}
