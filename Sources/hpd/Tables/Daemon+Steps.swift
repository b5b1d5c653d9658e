internal import TableService
internal import Wire

/// Undo, redo, restore and history (contract E9).
extension Daemon {
  /// Performs a request about steps; `nil`: the request is none.
  func performSteps(
    _ session: Session, _ request: Request
  ) throws(ErrorReply) -> Progress? {
    switch request.body {
    case .undo, .redo, .restoreRow, .history, .rowHistory: break
    default: return nil
    }
    // The index of steps is made of what is durable. A commit lets others go on that waited for
    // it, whose changes are pending then in their turn.
    while !service.pendingTables.isEmpty {
      followTurn()
      commit()
    }
    do throws(ServiceFault) {
      guard try service.catchUp() else { return .goesOn }
    } catch let fault {
      // What only reads goes on where nothing can be written.
      guard !request.body.isMutating || request.isDryRun(decoder.batch) else {
        throw ErrorReply(fault)
      }
      let read: Result<Progress, ErrorReply>
      do throws(ServiceFault) {
        read = try service.withUnwrittenIndex {
          Result { () throws(ErrorReply) in
            try answerSteps(session, request, unwritten: ErrorReply(fault))
          }
        }
      } catch { throw ErrorReply(error) }
      return try read.get()
    }
    return try answerSteps(session, request)
  }

  /// Performs it with an index that is up to the journal; `unwritten` says why that could not be
  /// written, and what takes several turns is refused with it.
  private func answerSteps(
    _ session: Session, _ request: Request, unwritten: ErrorReply? = nil
  ) throws(ErrorReply) -> Progress {
    switch request.body {
    case .undo(let wish):
      return try change(session, request, wish, isRedo: false, unwritten)
    case .redo(let wish):
      return try change(session, request, wish, isRedo: true, unwritten)
    case .restoreRow(let wish): try restore(session, request, wish)
    default: try readSteps(session, request)
    }
    return .answered
  }

  private func readSteps(_ session: Session, _ request: Request) throws(ErrorReply) {
    switch request.body {
    case .history(let wish): try history(session, request.id, wish)
    case .rowHistory(let wish): try rowHistory(session, request.id, wish)
    default: break
    }
  }

  private func change(
    _ session: Session, _ request: Request, _ wish: StepRequest, isRedo: Bool,
    _ unwritten: ErrorReply?
  ) throws(ErrorReply) -> Progress {
    if try replay(session, request) { return .answered }
    var step = StepWish()
    if wish.table != .absent { step.table = try table(wish.table).id }
    step.step = wish.step
    step.includesOthers = wish.any
    step.isDryRun = wish.dryRun
    step.expectedStep = wish.expectStep
    step.expect = request.expect.map(StoreCursor.init)
    let requester = requester(session, request)
    let tables: [Table]
    let rows: Int?
    do throws(ServiceFault) {
      tables = try service.tables(of: step, isRedo: isRedo, by: requester)
      rows = try service.rowsOfLong(step, isRedo: isRedo, by: requester)
    } catch { throw ErrorReply(error) }
    for table in tables { try judgeHolding(session, request, table, isInteraction: true) }
    if let rows {
      if let unwritten { throw unwritten }
      return try beginLong(session, request, step, isRedo: isRedo, expecting: rows)
    }
    do throws(ServiceFault) {
      let key = key(session, request)
      let done =
        try isRedo
        ? service.redo(step, by: requester, key: key)
        : service.undo(step, by: requester, key: key)
      answer(session, request.id, done.outcome)
    } catch { throw ErrorReply(error) }
    return .answered
  }

  private func restore(
    _ session: Session, _ request: Request, _ wish: RestoreRowRequest
  ) throws(ErrorReply) {
    let table = try table(wish.table)
    if try replay(session, request) { return }
    try judgeHolding(session, request, table)
    do throws(ServiceFault) {
      let outcome = try service.restore(
        wish.row, in: table, isDryRun: wish.dryRun, expect: request.expect.map(StoreCursor.init),
        by: requester(session, request), key: key(session, request))
      answer(session, request.id, outcome)
    } catch { throw ErrorReply(error) }
  }

  private func history(
    _ session: Session, _ id: UInt64, _ wish: HistoryRequest
  ) throws(ErrorReply) {
    let table = wish.table == .absent ? nil : try table(wish.table).id
    let actor = wish.actor.map { (uid: wish.uid ?? UInt64(session.peer.uid), name: $0) }
    do throws(ServiceFault) {
      let page = try service.stepHistory(
        of: table, by: actor, before: wish.before ?? .max,
        limit: wish.limit ?? Service.historyPage)
      answer(session, id, page)
    } catch { throw ErrorReply(error) }
  }

  private func rowHistory(
    _ session: Session, _ id: UInt64, _ wish: RowHistoryRequest
  ) throws(ErrorReply) {
    let table = try table(wish.table)
    do throws(ServiceFault) {
      let page = try service.rowHistory(
        of: wish.row, in: table, before: wish.before ?? .max,
        limit: wish.limit ?? Service.historyPage)
      answer(session, id, page)
    } catch { throw ErrorReply(error) }
  }

  private func answer(_ session: Session, _ id: UInt64, _ page: StepHistory) {
    reply(session, id) {
      ReplyEncoder.history(
        id: id, encoded: page.entries, next: page.next, cursor: cursor, into: &$0)
    }
  }
}
