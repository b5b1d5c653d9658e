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
        if let session = session(entry.token) { releasePages(session, until: now) }
      case .goodbye:
        if let session = session(entry.token), session.state == .leaving {
          close(session, "goodbye not read")
        }
      case .reopen:
        if !service.reopen() {
          timers.add(.reopen, at: now + Timeouts.storeRetry, for: .signals)
        } else {
          log.write(.info, "store is back", ["revision": "\(service.durableRevision)"])
          feed.readHistory(self)
        }
      }
    }
  }

  private func checkFrame(_ token: Token) {
    guard let session = session(token), session.frameBegan != 0 else { return }
    let due = session.frameBegan + Timeouts.frame
    if due <= now {
      sayGoodbye(session, ErrorReply(.timeout, "a frame was not whole within 10 seconds"))
    } else {
      timers.add(.frame, at: due, for: token)
    }
  }

  private func endWaiting(_ token: Token) {
    guard let session = session(token), session.isBlocked, session.waitDeadline <= now else {
      return
    }
    waiting.removeAll { $0 === session }
    session.isBlocked = false
    handleFrames(session)
  }
}
