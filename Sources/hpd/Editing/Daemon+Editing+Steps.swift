internal import TableService
internal import Wire

/// Editing mode, controls, swipes, drags, selection (semantics 2.5–2.7).
extension Daemon {
  // Editing mode

  func setEditing(
    _ session: Session, _ request: Request, _ wish: SetEditingRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    var flag = EditingBoard.FlagWish(on: wish.on)
    flag.isAnimated = wish.animated
    flag.isExclusive = wish.exclusive
    flag.breaksHold = wish.breaksHold
    flag.isAdmin = isAdmin(session)
    let changed = try stepFlag(session, request, table.id, holder) {
      (board) throws(EditingFault) in
      try board.setEditing(flag, table: table.id, by: holder)
    }
    var outcome = EditingOutcome(table: table.id)
    outcome.isUnchanged = !changed
    answer(session, request, outcome)
  }

  func toggleEditing(
    _ session: Session, _ request: Request, _ reference: TableReference, expected: Bool?,
    _ isAnimated: Bool
  ) throws(ErrorReply) {
    let table = try editedTable(reference, request)
    let holder = try holder(session, request)
    try stepFlag(session, request, table.id, holder) { (board) throws(EditingFault) in
      try board.toggleEditing(
        expected: expected, table: table.id, by: holder, isAnimated: isAnimated)
    }
    answer(session, request, EditingOutcome(table: table.id))
  }

  // Controls

  func commitEditing(
    _ session: Session, _ request: Request, _ wish: CommitEditingRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    try judge { (board) throws(EditingFault) in try board.judgeExclusive(table.id, holder) }
    let row = try row(wish.row, wish.basis, table, orRefuse: .notEditable)
    let style = wish.style.flatMap(EditingStyle.init) ?? .none
    try judge { (board) throws(EditingFault) in
      try board.judgeCommit(style, row: row, of: table, by: holder)
      try board.judgeWrite(table, holder)
    }
    switch style {
    case .insert:
      // At the control's own path, as a data source does: the row goes on behind the new one.
      try batch.fill(decoder.batch, expect: request.expect)
      let new = batch.rows.first ?? Batch.Row(cells: 0..<0)
      batch.operations = [Batch.Operation(.insertRow(new, at: .before(.id(row))))]
    case .delete: delete(row, request)
    case .none: throw ErrorReply(.styleMismatch, "no control is named")
    }
    hint(wish.animation)
    let cause = style == .insert ? "commit_insert" : "commit_delete"
    try performStep(session, request, table, cause: cause, row: row)
  }

  func swipe(
    _ session: Session, _ request: Request, _ wish: SwipeRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    switch wish.step {
    case .open:
      try judge { (board) throws(EditingFault) in try board.judgeExclusive(table.id, holder) }
      let row = try row(wish.row, wish.basis, table, orRefuse: .notEditable)
      let changed = try step(session, request) { (board) throws(EditingFault) in
        try board.openSwipe(row: row, isLeading: wish.isLeading, of: table, by: holder)
      }
      answerButton(session, request, table.id, row, isUnchanged: !changed) { $0.swipe }
    case .confirm:
      let named = try namedRow(wish.row, wish.basis, table, orRefuse: .notEditable)
      var row: UInt64 = 0
      try judge { (board) throws(EditingFault) in
        row = try board.judgeSwipeConfirm(row: named, of: table, by: holder)
        try board.judgeWrite(table, holder)
      }
      delete(row, request)
      hint(wish.animation)
      try performStep(session, request, table, cause: "swipe", row: row)
    case .cancel:
      let named = try namedRow(wish.row, wish.basis, table, orRefuse: .notEditable)
      try step(session, request) { (board) throws(EditingFault) in
        try board.cancelSwipe(row: named, of: table, by: holder)
      }
      answer(session, request, EditingOutcome(table: table.id))
    case nil: throw ErrorReply(.badRequest, "the swipe has no step")
    }
  }

  func confirm(
    _ session: Session, _ request: Request, _ wish: SwipeRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    switch wish.step {
    case .open:
      try judge { (board) throws(EditingFault) in try board.judgeExclusive(table.id, holder) }
      let row = try row(wish.row, wish.basis, table, orRefuse: .notEditable)
      let changed = try step(session, request) { (board) throws(EditingFault) in
        try board.openConfirm(row: row, of: table, by: holder)
      }
      answerButton(session, request, table.id, row, isUnchanged: !changed) { $0.confirm }
    case .confirm:
      let named = try namedRow(wish.row, wish.basis, table, orRefuse: .notEditable)
      var row: UInt64 = 0
      try judge { (board) throws(EditingFault) in
        row = try board.judgeConfirm(row: named, of: table, by: holder)
        try board.judgeWrite(table, holder)
      }
      delete(row, request)
      hint(wish.animation)
      try performStep(session, request, table, cause: "commit_delete", row: row)
    case .cancel:
      let named = try namedRow(wish.row, wish.basis, table, orRefuse: .notEditable)
      try step(session, request) { (board) throws(EditingFault) in
        try board.cancelConfirm(row: named, of: table, by: holder)
      }
      answer(session, request, EditingOutcome(table: table.id))
    case nil: throw ErrorReply(.badRequest, "the confirm has no step")
    }
  }

  private func answerButton(
    _ session: Session, _ request: Request, _ table: UInt64, _ row: UInt64, isUnchanged: Bool,
    _ button: (TableEditing) -> DeleteButton?
  ) {
    var outcome = EditingOutcome(table: table)
    outcome.isUnchanged = isUnchanged
    outcome.row = row
    outcome.deleteTitle = button(editing.board.state(of: table))?.title
    answer(session, request, outcome)
  }

  // Drags

  func drag(
    _ session: Session, _ request: Request, _ wish: DragRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    let target = wish.target.map { RowPath($0.section, $0.row) }
    var outcome = EditingOutcome(table: table.id)
    switch wish.step {
    case .begin:
      try judge { (board) throws(EditingFault) in try board.judgeExclusive(table.id, holder) }
      let row = try row(wish.row, wish.basis, table, orRefuse: .notMovable)
      outcome.isUnchanged = try !step(session, request) { (board) throws(EditingFault) in
        try board.beginDrag(row: row, of: table, by: holder)
      }
    case .hover:
      guard let target else { throw ErrorReply(.badRequest, "the drag has no target") }
      outcome.isUnchanged = try !step(session, request) { (board) throws(EditingFault) in
        try board.hover(target, over: table, by: holder)
      }
    case .drop: return try drop(session, request, target, table, holder)
    case .cancel:
      try step(session, request) { (board) throws(EditingFault) in
        try board.abandonDrag(of: table, by: holder)
      }
    case nil: throw ErrorReply(.badRequest, "the drag has no step")
    }
    let drag = editing.board.state(of: table.id).drag
    outcome.row = drag?.row
    outcome.target = drag?.target
    answer(session, request, outcome)
  }

  private func drop(
    _ session: Session, _ request: Request, _ target: RowPath?, _ table: Table, _ holder: Holder
  ) throws(ErrorReply) {
    var drop = (row: UInt64(0), path: RowPath(section: 0, row: 0))
    try judge { (board) throws(EditingFault) in
      drop = try board.judgeDrop(at: target, of: table, by: holder)
      try board.judgeWrite(table, holder)
    }
    batch.removeAll()
    batch.expect = request.expect.map(StoreCursor.init)
    batch.basis = .current
    batch.operations = [Batch.Operation(.moveRow(.id(drop.row), to: .path(drop.path)))]
    try performStep(session, request, table, cause: "drag", row: drop.row)
    try step(session, request) { board in board.endDrag(table.id, by: holder) }
  }

  // Selection

  func select(
    _ session: Session, _ request: Request, _ wish: SelectRequest
  ) throws(ErrorReply) {
    let table = try editedTable(wish.table, request)
    let holder = try holder(session, request)
    guard !wish.rows.isEmpty || wish.clearsOthers else {
      throw ErrorReply(.badRequest, "the selection names no row")
    }
    var rows: [UInt64] = []
    for reference in wish.rows {
      rows.append(try row(reference, wish.basis, table, orRefuse: .notSelectable))
    }
    let changed = try step(session, request) { (board) throws(EditingFault) in
      try board.select(
        rows, isOn: wish.on, clearsOthers: wish.clearsOthers, of: table, by: holder)
    }
    var outcome = EditingOutcome(table: table.id)
    outcome.isUnchanged = !changed
    answer(session, request, outcome)
  }

  // What changes the table

  func reloadData(
    _ session: Session, _ request: Request, _ reference: TableReference
  ) throws(ErrorReply) {
    let table = try table(reference)
    if try replay(session, request) { return }
    try judgeHolding(session, request, table, isInteraction: true)
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.reload(
        table, expect: request.expect.map(StoreCursor.init), by: requester(session, request),
        key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }

  private func delete(_ row: UInt64, _ request: Request) {
    batch.removeAll()
    batch.expect = request.expect.map(StoreCursor.init)
    batch.operations = [Batch.Operation(.deleteRow(.id(row)))]
  }

  private func hint(_ animation: Animation?) {
    guard let animation else { return }
    batch.animations = [Batch.AnimationHint(operation: 0, animation: UInt8(animation.rawValue))]
  }

  func judge(_ body: (EditingBoard) throws(EditingFault) -> Void) throws(ErrorReply) {
    do throws(EditingFault) { try body(editing.board) } catch { throw ErrorReply(error) }
  }

  /// Applies `batch` as what a user did, and answers with what changed.
  func performStep(
    _ session: Session, _ request: Request, _ table: Table, cause: String, row: UInt64
  ) throws(ErrorReply) {
    var requester = requester(session, request)
    requester.cause = cause
    requester.causeRow = row
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.perform(
        batch, on: table, by: requester, key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }
}
