internal import Coding
internal import Scenes
internal import TableService
internal import Wire

/// The fields of a detail screen are drafts of its row: whoever writes in one has its keyboard,
/// and who leaves the screen ends editing with force (semantics N7, N8; contract L5).
extension Daemon {
  /// A text that could not be written.
  struct RejectedField {
    var draft: DraftSlot
    var reason: String

    /// The fields of `hp.v1.RejectedField`.
    func encode(into out: inout [UInt8]) {
      out.appendField(1, varint: draft.row)
      out.appendField(2, varint: draft.column)
      out.appendField(3, text: draft.text)
      out.appendField(4, text: reason)
      out.appendField(5) { SceneHolder(draft.holder).encode(into: &$0) }
    }
  }

  /// Begins the draft of a field; the one that the holder wrote in before ends, also in another
  /// scene: nobody writes in two fields at once.
  func beginField(
    _ session: Session, _ request: Request, _ controller: Controller, _ column: String,
    _ columnID: UInt64, _ index: Int, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let table = try editedTable(.id(controller.table), request)
    let holder = try holder(session, request)
    let listed = SceneHolder(holder)
    var same: [Int] = []
    for place in screens.entries.indices {
      let scene = screens.entries[place].scene
      guard let old = scene.responder(of: listed), old.column != 0,
        let shown = scene.controller(old.controller)
      else { continue }
      // The same cell in two scenes is one draft; its keyboard is where it was asked for last.
      if shown.table == table.id, shown.row == controller.row, old.column == columnID {
        if place != index { same.append(place) }
        continue
      }
      try endFields(of: [listed], session, request, place, &answer)
    }
    _ = try step(session, request) { (board) throws(EditingFault) in
      try board.beginDraft(
        row: controller.row, column: column, text: nil, of: table, by: holder)
    }
    followEditing()
    for place in same { resign(listed, at: place) }
  }

  /// Ends with force what holders write in the visible controller: what is valid is written, the
  /// rest is kept as rejected and told with its reason.
  ///
  /// - Throws: What the store says; who leaves stays then.
  func endFields(
    of holders: [SceneHolder], _ session: Session, _ request: Request, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let scene = screens.entries[index].scene
    // Who has to wait waits before anything of it is done.
    for listed in holders {
      guard let responder = scene.responder(of: listed), responder.column != 0,
        let controller = scene.controller(responder.controller),
        let table = service.table(id: controller.table)
      else { continue }
      do throws(ServiceFault) { try service.judgeTurn(of: table) } catch {
        throw ErrorReply(error)
      }
    }
    var rejected: [RejectedField] = []
    for listed in holders {
      guard let responder = scene.responder(of: listed), responder.column != 0,
        let controller = scene.controller(responder.controller),
        let table = service.table(id: controller.table)
      else { continue }
      if let field = try endField(of: listed.holder, controller, table, session, request, &answer) {
        rejected.append(field)
      }
    }
    followEditing()
    guard !rejected.isEmpty else { return }
    answer.rejected += rejected
    beginScreens()
    tell(index, try sceneHolder(session, request)) { head in
      var body = head.open(.rejected)
      for field in rejected { body.appendField(22) { field.encode(into: &$0) } }
      return body
    }
  }

  private func endField(
    of holder: Holder, _ controller: Controller, _ table: Table, _ session: Session,
    _ request: Request, _ answer: inout SceneAnswer
  ) throws(ErrorReply) -> RejectedField? {
    let wish = EditingBoard.DraftWish(row: controller.row)
    guard let draft = try? editing.board.draft(wish, of: table, by: holder) else { return nil }
    do throws(ErrorReply) {
      try write(draft, wish, table, holder, request, &answer)
      try step(session, request) { board in board.endDraft(draft.key, table.id, by: holder) }
      return nil
    } catch {
      guard !error.code.isOfStore else { throw error }
      let reason = error.code.schemaName
      _ = try step(session, request) { board in
        board.rejectDraft(draft.key, reason: reason, table.id, by: holder)
      }
      return RejectedField(draft: draft, reason: reason)
    }
  }

  /// Writes a draft's text in the name of its holder.
  private func write(
    _ draft: DraftSlot, _ wish: EditingBoard.DraftWish, _ table: Table, _ holder: Holder,
    _ request: Request, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    var end = EditingBoard.DraftEnd.same
    try judge { (board) throws(EditingFault) in
      end = try board.judgeDraft(wish, of: table, by: holder).end
      try board.judgeWrite(table, holder)
    }
    guard case .write(let value) = end else { return }
    batch.removeAll()
    batch.cells.append(Batch.Cell(.id(draft.column), batch.value(value)))
    batch.operations = [Batch.Operation(.updateRow(.id(draft.row), cells: 0..<1))]
    var requester = Requester(
      uid: holder.uid, actor: holder.actor, client: 0, request: request.id)
    if case .client(let client) = holder.id { requester.client = client }
    requester.cause = "draft"
    requester.causeRow = draft.row
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.perform(batch, on: table, by: requester)
    } catch { throw ErrorReply(error) }
    if !outcome.isUnchanged { answer.revisions.append(outcome.revision) }
    followChange(ofTable: table.id)
  }

  /// Ends what the asking holder writes: `endEditing:` (semantics N8).
  ///
  /// Without force a text that can't be written keeps its keyboard, and the answer says why.
  func endEditing(
    _ session: Session, _ request: Request, force: Bool, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let listed = try sceneHolder(session, request)
    let scene = screens.entries[index].scene
    guard let responder = scene.responder(of: listed) else {
      answer.resigned = true
      return
    }
    if !force, responder.column != 0, let controller = scene.controller(responder.controller),
      let table = service.table(id: controller.table)
    {
      let wish = EditingBoard.DraftWish(row: controller.row)
      if let draft = try? editing.board.draft(wish, of: table, by: listed.holder) {
        do throws(EditingFault) {
          _ = try editing.board.judgeDraft(wish, of: table, by: listed.holder)
        } catch {
          answer.resigned = false
          answer.rejected = [
            RejectedField(draft: draft, reason: ErrorReply(error).code.schemaName)
          ]
          return
        }
      }
    }
    try endFields(of: [listed], session, request, index, &answer)
    answer.resigned = true
    // A node's keyboard, which no draft has taken along.
    var rest = screens.entries[index].scene
    let changes = rest.resign(listed)
    try change(index, rest, changes, listed, requester(session, request))
  }
}
