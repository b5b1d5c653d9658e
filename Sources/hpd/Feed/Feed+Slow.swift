internal import TableService
internal import Wire

/// Those who do not read what they are told: past the soft limit they are served from history,
/// past the hard one their connection ends with a word why (SPEC 5, contract F7).
extension Feed {
  /// Ends the connections of those who are too far behind and do not read.
  ///
  /// Looked at each time when an eighth of the limit was told.
  func endSlow(_ daemon: Daemon) {
    let limit = daemon.options.maximumOutput
    nextLook = told + limit / 8
    guard pullingCount > 0 else { return }
    for session in daemon.slots.compactMap({ $0 }) {
      guard session.pullingCount > 0, session.state == .ready,
        session.output.count >= Feed.lowWater
      else { continue }
      let behind = session.subscriptions.map { $0.isPulling ? told - $0.fellBehind - $0.pulled : 0 }
      guard let most = behind.max(), most > limit else { continue }
      daemon.sayGoodbye(
        session,
        ErrorReply(
          .tooSlow, "\(session.output.count + most) bytes wait unread; the limit is \(limit)"))
    }
  }
}

extension Daemon {
  /// What may wait for one that was told goodbye, where all together hold too much.
  private static let goodbyeOutput = 64 << 10

  /// Notes how much waits for a session, for the one budget of all.
  func account(_ session: Session) {
    let count = session.state == .closed ? 0 : session.output.count
    queued += count - session.accounted
    session.accounted = count
  }

  /// Ends the connections that hold the most while all together hold more than they may.
  func keepOutputBounded() {
    let limit = options.maximumTotalOutput
    guard queued > limit else { return }
    let sessions = slots.compactMap { $0 }.filter { $0.output.count > 0 }
    for session in sessions.sorted(by: { $0.output.count > $1.output.count }) {
      guard queued > limit else { break }
      if session.state != .leaving {
        sayGoodbye(
          session,
          ErrorReply(
            .tooSlow,
            "\(session.output.count) bytes wait unread, the most of \(queued) for all; the limit is "
              + "\(limit)"))
      }
      account(session)
      // A frame that was begun stays whole; a large one would hold what others are short of. The
      // reason is told at the next connection (contract F7).
      if session.output.count > Daemon.goodbyeOutput { close(session, "too much waits unread") }
    }
    flushDirty()
  }
}
