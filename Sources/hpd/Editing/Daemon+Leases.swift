internal import CHPSystem
internal import TableService
internal import Wire

/// Leases: taken, renewed, ended, kept over restarts (contracts K4, L7).
extension Daemon {
  func takeLease(
    _ session: Session, _ request: Request, name: String?, seconds: UInt64?
  ) throws(ErrorReply) {
    guard let name else { throw ErrorReply(.badRequest, "the lease has no name") }
    try judgeExpectation(request, on: [])
    let service = service
    let now = service.runningClock
    let lease = try step(session, request, isDurable: true) { (board) throws(EditingFault) in
      try board.takeLease(
        name, seconds: seconds, uid: UInt64(session.peer.uid), actor: session.actor, now: now,
        makeID: { service.nextLease() })
    }
    let content = lease.entry
    keep(content, session, request)
    armLeases()
    reply(session, request.id) {
      ReplyEncoder.leases(id: request.id, content: content, into: &$0)
    }
  }

  func endLease(
    _ session: Session, _ request: Request, id: UInt64?, name: String?
  ) throws(ErrorReply) {
    guard id != nil || name != nil else {
      throw ErrorReply(.badRequest, "the request names no lease")
    }
    try judgeExpectation(request, on: [])
    let isAdmin = isAdmin(session)
    try step(session, request, isDurable: true) { (board) throws(EditingFault) in
      try board.endLease(id: id, name: name, uid: UInt64(session.peer.uid), isAdmin: isAdmin)
    }
    keep([], session, request)
    armLeases()
    let cursor = cursor
    reply(session, request.id) {
      ReplyEncoder.done(id: request.id, cursor: cursor, into: &$0)
    }
  }

  func listLeases(_ session: Session, _ id: UInt64) {
    var content: [UInt8] = []
    for lease in editing.board.leases.values.sorted(by: { $0.id < $1.id }) {
      content.append(contentsOf: lease.entry)
    }
    reply(session, id) { ReplyEncoder.leases(id: id, content: content, into: &$0) }
  }

  /// Writes the leases that changed, with the editing that they hold.
  func keepLeases(_ requester: Requester) throws(ErrorReply) {
    guard !editing.board.changedLeases.isEmpty else { return }
    let board = editing.board
    do throws(ServiceFault) {
      for id in board.changedLeases.sorted() {
        let content = board.leases[id].map { $0.encoded(board.holds(ofLease: id)) }
        try service.keep(.lease, name: "\(id)", content: content, by: requester)
      }
    } catch { throw ErrorReply(error) }
    _ = editing.board.takeChangedLeases()
  }

  /// Ends the leases whose time has passed.
  func expireLeases() {
    guard let end = editing.nextEnd, end <= service.runningClock else { return }
    let before = editing.board
    editing.board.revision = service.revision
    editing.board.expireLeases(now: service.runningClock)
    do throws(ErrorReply) {
      try keepLeases(Requester(uid: 0, actor: "hpd", client: 0, request: 0))
      if editing.saved == nil { editing.saved = before }
    } catch {
      // The store takes nothing now; at the next start the time has passed as well.
      log.write(.warning, "leases could not be written", ["reason": error.message])
      _ = editing.board.takeChangedLeases()
    }
    armLeases()
  }

  /// Sees to it that the next lease ends in time.
  func armLeases() {
    editing.nextEnd = editing.board.nextEnd
    guard let end = editing.nextEnd else { return }
    // A second at least between two, where the store refuses to let one end.
    let deadline = now + max(end - service.runningClock, 1_000)
    if let timer = editing.leaseTimer, timer <= deadline { return }
    editing.leaseTimer = deadline
    timers.add(.leases, at: deadline, for: .signals)
  }

  func endLeasesInTime() {
    editing.leaseTimer = nil
    expireLeases()
    armLeases()
  }

  /// Puts back the leases that outlived the last run.
  func restoreLeases() {
    for (name, content) in service.states(of: .lease) {
      guard let kept = try? Lease.decode(content) else {
        log.write(.error, "a lease can't be read", ["name": name])
        continue
      }
      guard editing.board.leases[kept.lease.id] == nil else { continue }
      editing.board.restore(kept.lease, kept.holds) { service.table(id: $0) != nil }
    }
    armLeases()
    expireLeases()
  }
}
