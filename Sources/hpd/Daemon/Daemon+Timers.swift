internal import CHPSystem
internal import TableService
internal import Wire

/// Deadlines that have come.
extension Daemon {
  func fireTimers() {
    while let entry = timers.due(at: now) {
      switch entry.kind {
      case .hello:
        if let session = session(entry.token), session.state == .awaitingHello {
          sayGoodbye(session, ErrorReply(.timeout, "no hello within 5 seconds"))
        }
      case .frame: checkFrame(entry.token)
      case .waiting: endWaiting(entry.token)
      case .progress:
        progressTimerSet = false
        feed.markAll(self)
      case .heartbeat:
        if let session = session(entry.token) { beat(session) }
      case .views:
        viewTimerSet = false
        if feed.expireViews(self) { armViews() }
      case .pages:
        if let session = session(entry.token) {
          session.hasPageTimer = false
          releasePages(session, until: now)
          armPageTimer(session)
        }
      case .upload:
        if let session = session(entry.token) { endUploads(session) }
      case .goodbye:
        if let session = session(entry.token), session.state == .leaving {
          close(session, "goodbye not read")
        }
      case .accept:
        listener.restoreSpare()
        epoll.modify(listener.descriptor.raw, UInt32(HP_READABLE), .listener)
        acceptAll()
      case .leases: endLeasesInTime()
      case .reopen:
        reopenTimerSet = false
        reopenStore()
      }
    }
  }

  /// Sees to it that the frame that began to arrive is whole in time.
  func armFrameTimer(_ session: Session) {
    guard !session.hasFrameTimer else { return }
    session.hasFrameTimer = true
    timers.add(.frame, at: session.frameBegan + Timeouts.frame, for: session.token)
  }

  private func checkFrame(_ token: Token) {
    guard let session = session(token) else { return }
    session.hasFrameTimer = false
    guard session.frameBegan != 0 else { return }
    if session.frameBegan + Timeouts.frame <= now {
      sayGoodbye(session, ErrorReply(.timeout, "a frame was not whole within 10 seconds"))
    } else {
      armFrameTimer(session)
    }
  }

  private func endWaiting(_ token: Token) {
    guard let session = session(token), session.isBlocked, session.waitDeadline <= now else {
      return
    }
    waiting.removeAll { $0 === session }
    heldByLong.removeAll { $0 === session }
    session.isBlocked = false
    handleFrames(session)
  }
}
