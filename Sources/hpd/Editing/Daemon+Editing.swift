internal import TableService
internal import Wire

/// Requests about editing: who acts, what is judged first, what is answered (SPEC 6).
extension Daemon {
  func perform(
    _ session: Session, _ request: Request, _ wish: EditingRequest
  ) throws(ErrorReply) {
    expireLeases()
    if case .viewNode(let wish) = wish, wish.scene != nil {
      try setSceneNode(session, request, wish)
      return
    }
    if wish.isMutating, try replayEditing(session, request, wish) { return }
    switch wish {
    case .listLeases: listLeases(session, request.id)
    case .state(let reference): try tellEditing(session, request.id, reference)
    case .policies(let reference, let section, let rows):
      try tellPolicies(session, request.id, reference, section, rows)
    case .takeLease(let name, let seconds):
      try takeLease(session, request, name: name, seconds: seconds)
    case .endLease(let id, let name): try endLease(session, request, id: id, name: name)
    case .set(let wish): try setEditing(session, request, wish)
    case .toggle(let reference, let expected, let isAnimated):
      try toggleEditing(session, request, reference, expected: expected, isAnimated)
    case .commit(let wish): try commitEditing(session, request, wish)
    case .swipe(let wish): try swipe(session, request, wish)
    case .confirm(let wish): try confirm(session, request, wish)
    case .drag(let wish): try drag(session, request, wish)
    case .select(let wish): try select(session, request, wish)
    case .draft(let wish): try draft(session, request, wish)
    case .viewNode(let wish): try setViewNode(session, request, wish)
    }
  }

  /// In whose name a request acts: the connection's, or its lease's (contract K4).
  func holder(_ session: Session, _ request: Request) throws(ErrorReply) -> Holder {
    guard let lease = request.lease else {
      return Holder(
        id: .client(session.client), uid: UInt64(session.peer.uid), actor: session.actor)
    }
    do throws(EditingFault) {
      return try editing.board.holder(lease: lease, uid: UInt64(session.peer.uid))
    } catch { throw ErrorReply(error) }
  }

  /// Whether who asks may break what others hold.
  func isAdmin(_ session: Session) -> Bool {
    // Nobody but the daemon's own user and root is let in.
    true
  }

  /// Judges what others hold against a request that changes a table: the one place for batches,
  /// imports, undo and all that is like them; after the key, before expectations (contracts E5,
  /// L3).
  ///
  /// - Parameters:
  ///   - session: Who asks.
  ///   - request: The request.
  ///   - table: The table that it changes.
  ///   - isInteraction: Whether exclusive holding alone refuses it: undo, redo, reload data.
  /// - Throws: HELD_EXCLUSIVELY, NOT_HOLDER, and what is wrong with its lease.
  func judgeHolding(
    _ session: Session, _ request: Request, _ table: Table, isInteraction: Bool = false
  ) throws(ErrorReply) {
    guard request.lease != nil || table.policy != nil || !editing.board.tables.isEmpty else {
      return
    }
    expireLeases()
    let holder = try holder(session, request)
    do throws(EditingFault) {
      if isInteraction { try editing.board.judgeExclusive(table.id, holder) }
      try editing.board.judgeWrite(table, holder)
    } catch { throw ErrorReply(error) }
  }

  /// The table that a request names, unchanged since what it expects.
  func editedTable(
    _ reference: TableReference, _ request: Request
  ) throws(ErrorReply) -> Table {
    let table = try table(reference)
    try judgeExpectation(request, on: [table])
    return table
  }

  /// Judges what a request expects (contract E1): none of the tables has changed since; without a
  /// table, the store has been there.
  func judgeExpectation(_ request: Request, on tables: [Table]) throws(ErrorReply) {
    guard let expect = request.expect.map(StoreCursor.init) else { return }
    do throws(ServiceFault) {
      try service.judgeReach(expect)
      for table in tables { try service.judge(expect, on: table) }
    } catch { throw ErrorReply(error) }
  }

  /// Takes a step on the board; refused steps change nothing.
  ///
  /// - Parameters:
  ///   - session: Who asks.
  ///   - request: The request.
  ///   - isDurable: Whether a lease may change, so that the step waits for the commit.
  ///   - body: The step.
  /// - Returns: What the step returns.
  /// - Throws: What the step is refused for, or what the store says.
  func step<Result>(
    _ session: Session, _ request: Request, isDurable: Bool = false,
    _ body: (inout EditingBoard) throws(EditingFault) -> Result
  ) throws(ErrorReply) -> Result {
    let waits = isDurable || request.key != nil
    let before = (waits || service.hasPending) && editing.saved == nil ? editing.board : nil
    let original = isDurable ? editing.board : nil
    editing.board.revision = service.revision
    let result: Result
    do throws(EditingFault) { result = try body(&editing.board) } catch {
      throw ErrorReply(error)
    }
    if let original {
      do throws(ErrorReply) { try keepLeases(requester(session, request)) } catch {
        editing.board = original
        throw error
      }
    }
    if service.hasPending || request.key != nil, editing.saved == nil { editing.saved = before }
    return result
  }

  /// Answers a step that changed live state alone, and keeps the answer for its key.
  func answer(_ session: Session, _ request: Request, _ outcome: EditingOutcome) {
    var outcome = outcome
    outcome.sequence = editing.board.sequence
    if let table = outcome.table {
      outcome.state = editing.board.state(of: table)
    }
    let content = outcome.encoded
    keep(content, session, request)
    let cursor = cursor
    reply(session, request.id) {
      ReplyEncoder.editing(id: request.id, cursor: cursor, content: content, into: &$0)
    }
  }

  /// Keeps the answer to a request with a key (contract E5).
  func keep(_ content: [UInt8], _ session: Session, _ request: Request) {
    // That it can be written was judged before the step.
    if let key = key(session, request) { service.keep(reply: content, for: key) }
  }

  /// Answers a retried request with its first outcome.
  private func replayEditing(
    _ session: Session, _ request: Request, _ wish: EditingRequest
  ) throws(ErrorReply) -> Bool {
    guard let key = key(session, request) else { return false }
    let outcome: KeptOutcome?
    do throws(ServiceFault) {
      outcome = try service.outcome(of: key)
      if outcome == nil { try service.judgeWritable() }
    } catch { throw ErrorReply(error) }
    guard let outcome else { return false }
    if outcome.table != 0 { return try replay(session, request) }
    let first = Cursor(epoch: service.epoch, revision: outcome.revision)
    reply(session, request.id) { frame in
      switch wish {
      case .takeLease:
        ReplyEncoder.leases(id: request.id, content: outcome.reply, into: &frame)
      case .endLease: ReplyEncoder.done(id: request.id, cursor: first, into: &frame)
      default:
        ReplyEncoder.editing(
          id: request.id, cursor: first, content: outcome.reply, isReplayed: true, into: &frame)
      }
    }
    return true
  }

  // Reads

  private func tellEditing(
    _ session: Session, _ id: UInt64, _ reference: TableReference
  ) throws(ErrorReply) {
    let table = try table(reference).id
    let content = editing.board.state(of: table).encoded(table: table)
    reply(session, id) { ReplyEncoder.editingState(id: id, content: content, into: &$0) }
  }

  private func tellPolicies(
    _ session: Session, _ id: UInt64, _ reference: TableReference, _ section: NamedSection,
    _ rows: [RowReference]
  ) throws(ErrorReply) {
    let table = try table(reference)
    var content: [UInt8] = []
    if !rows.isEmpty {
      for row in rows {
        switch try found(row, .current, table) {
        case .row(let id): try content.append(policyOf: id, in: table)
        case .sentinel(let section): content.append(policyOfSentinel: section, in: table)
        }
      }
    } else if section != .absent {
      content.append(policyOfSection: try sectionIndex(section, table), in: table)
    } else {
      content.append(policyOf: table)
    }
    let cursor = cursor
    reply(session, id) {
      ReplyEncoder.policies(id: id, content: content, cursor: cursor, into: &$0)
    }
  }
}

/// What a step that changed live state alone came to.
struct EditingOutcome {
  var isUnchanged = false
  var sequence: UInt64 = 0
  var table: UInt64?
  var state = TableEditing()
  var row: UInt64?
  var deleteTitle: String?
  var target: RowPath?
  var draft: DraftSlot?
  var resigned = false

  init(table: UInt64?) { self.table = table }
}
