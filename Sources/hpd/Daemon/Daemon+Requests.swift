internal import TableService
internal import Wire

/// What each request does.
extension Daemon {
  /// Performs one request.
  ///
  /// - Returns: Whether it is done; `false`: it waits, and is tried again.
  func perform(_ session: Session, _ request: Request) -> Bool {
    if let least = request.atLeast, !request.body.isMutating {
      switch wait(session, request.id, least) {
      case .ready: break
      case .waits: return false
      case .answered: return true
      }
    }
    if service.isLost, request.body.needsStore {
      dropQuery(session)
      dropDescription(session)
      reply(
        session, request.id,
        ErrorReply(.storeFailed, "the store can't be read; hpd tries to open it again"))
      return true
    }
    do throws(ErrorReply) {
      if let progress = try read(session, request) {
        switch progress {
        case .answered:
          session.waitDeadline = 0
          carryEditing(session, request)
        case .goesOn:
          markPending(session)
          return false
        case .waitsForView:
          if hold(session) { return false }
          throw ErrorReply(.timeout, "no snapshot came free in time")
        }
        return true
      }
      if let progress = try beginLong(session, request) {
        if case .answered = progress { return true }
        return false
      }
      try dispatch(session, request)
    } catch {
      if error.code == .busy, holdForLong(session, request) { return false }
      reply(session, request.id, error)
    }
    carryEditing(session, request)
    return true
  }

  /// What came of a read that may take long.
  enum Progress {
    case answered
    /// Its next slice belongs to the next turn.
    case goesOn
    case waitsForView
  }

  /// Performs a read that may take long; `nil`: the request is none.
  private func read(_ session: Session, _ request: Request) throws(ErrorReply) -> Progress? {
    session.least = least(session, request)
    return switch request.body {
    case .listRows(let list):
      try listRows(session, request.id, list, least: session.least) ? .answered : .waitsForView
    case .findRows(let find): try findRows(session, request.id, find)
    case .countRows(let count): try countRows(session, request.id, count)
    case .sumColumn(let sum): try sumColumn(session, request.id, sum)
    case .describeTable(let table): try describeTable(session, request.id, table)
    default: try performSteps(session, request)
    }
  }

  private func dispatch(_ session: Session, _ request: Request) throws(ErrorReply) {
    let id = request.id
    switch request.body {
    case .hello: throw ErrorReply(.badRequest, "a connection says hello once")
    case .ping(let payload):
      reply(session, id) { ReplyEncoder.pong(id: id, payload: payload, into: &$0) }
    case .info: reply(session, id) { ReplyEncoder.info(info(), id: id, into: &$0) }
    case .barrier(let barrier): try take(session, id, barrier)
    case .subscribe(let wish):
      try subscribe(session, id, wish, least: least(session, request))
    case .moveWindow(let number, let window): try moveWindow(session, id, number, window)
    case .unsubscribe(let number): try unsubscribe(session, id, number)
    case .listTables:
      let list = service.tables.map { $0.encoded(whole: false) }
      reply(session, id) { ReplyEncoder.tables(id: id, encoded: list, cursor: cursor, into: &$0) }
    case .getRows(let reference, let ids): try getRows(session, id, reference, ids)
    case .describeTable, .listRows, .findRows, .countRows, .sumColumn: break
    case .undo, .redo, .restoreRow, .history, .rowHistory: break
    case .locateRow(let reference, let row): try locateRow(session, id, reference, row)
    case .batch: try performBatch(session, request)
    case .createTable(let wish): try createTable(session, request, wish)
    case .renameTable(let reference, let name): try renameTable(session, request, reference, name)
    case .dropTable(let reference): try dropTable(session, request, reference)
    case .newItem(let wish): try newItem(session, request, wish)
    case .upload(let wish): try take(session, request, wish)
    case .scene(let wish): try scene(session, request, wish)
    case .editing(let wish): try perform(session, request, wish)
    case .reloadData(let reference): try reloadData(session, request, reference)
    case .loadNib(let wish): try loadNib(session, id, wish)
    case .getHeader(let wish): try getHeader(session, id, wish)
    case .transferRows(let wish): try transferRows(session, request, wish)
    case .listClients:
      let list = clientList()
      reply(session, id) { ReplyEncoder.clients(id: id, list, into: &$0) }
    case .killClient(let client): try killClient(session, id, client)
    case .setLogLevel(let level): try setLogLevel(session, id, level)
    case .unsupported(let kind):
      throw ErrorReply(.unsupported, "this version does not serve \(kind)")
    case .unknown(let field):
      var error = ErrorReply(.unknownRequest, "no request of this version")
      error.field = field == 0 ? nil : UInt64(field)
      throw error
    }
  }

  /// The revision that a snapshot has to show at least: the one asked for, and all that this
  /// connection was answered before (contracts F4, K8).
  private func least(_ session: Session, _ request: Request) -> UInt64 {
    max(request.atLeast?.revision ?? 0, session.written)
  }

  /// Where the tables stand.
  var cursor: Cursor { Cursor(epoch: service.epoch, revision: service.revision) }

  /// The table that a request names.
  func table(_ reference: TableReference) throws(ErrorReply) -> Table {
    switch reference {
    case .absent: throw ErrorReply(.badRequest, "the request names no table")
    case .id(let id):
      if let table = service.table(id: id) { return table }
      throw ErrorReply(.noSuchTable, "no table has the id \(id)")
    case .name(let name):
      if let table = service.table(named: name) { return table }
      var error = ErrorReply(.noSuchTable, "no table has that name")
      error.value = name
      throw error
    }
  }

  private enum Wait {
    case ready
    case waits
    case answered
  }

  /// Holds a read back until the state it asks for is there (contract K5).
  private func wait(_ session: Session, _ id: UInt64, _ least: Cursor) -> Wait {
    guard least.epoch == service.epoch else {
      session.waitDeadline = 0
      reply(session, id, ErrorReply(.wrongEpoch, "the store has another epoch"))
      return .answered
    }
    if service.revision >= least.revision {
      session.waitDeadline = 0
      return .ready
    }
    if hold(session) { return .waits }
    var error = ErrorReply(.timeout, "the revision did not come in time")
    error.revision = service.revision
    reply(session, id, error)
    return .answered
  }

  /// Lets the request at the front wait, and those behind it.
  ///
  /// - Returns: Whether it may; `false` once its time has passed.
  private func hold(_ session: Session) -> Bool {
    if session.waitDeadline == 0 {
      session.waitDeadline = now + Timeouts.waiting
      timers.add(.waiting, at: session.waitDeadline, for: session.token)
    } else if session.waitDeadline <= now {
      session.waitDeadline = 0
      return false
    }
    session.isBlocked = true
    waiting.append(session)
    markDirty(session)
    return true
  }
}

extension RequestBody {
  /// Whether it may change a table; the others are reads.
  var isMutating: Bool {
    switch self {
    case .batch, .createTable, .renameTable, .dropTable, .newItem, .transferRows, .upload,
      .reloadData, .undo, .redo, .restoreRow:
      true
    case .editing(let wish): wish.isMutating
    case .scene(let wish): !wish.isRead
    default: false
    }
  }

  /// Whether it can't be answered without the tables.
  var needsStore: Bool {
    switch self {
    case .hello, .ping, .info, .loadNib, .listClients, .killClient, .setLogLevel, .unsubscribe,
      .unsupported, .unknown:
      false
    default: true
    }
  }
}
