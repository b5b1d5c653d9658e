internal import CHPSystem
internal import Glibc
internal import TableService
internal import Wire

/// The end of a turn: one commit for all that was accepted, then events, then output.
extension Daemon {
  private static let flushPerTurn = 256 << 10

  func endTurn() {
    followTurn()
    if service.hasPending { commit() }
    tellTurn([])
    feed.moveWindows(self)
    feed.pump(self)
    if feed.viewWasReleased {
      feed.viewWasReleased = false
      retryWaiting()
    }
    answerBarriers()
    flushDirty()
    keepOutputBounded()
    do throws(StoreFault) {
      if try service.work(now: now, isAwaited: isSQLAwaited, pinned: { feed.oldestPinned(self) }) {
        answerBarriers()
        flushDirty()
      }
    } catch {
      log.write(.warning, "upkeep failed", ["reason": "\(error)"])
    }
    armReopen()
  }

  /// A store that failed is tried again, whatever it was that failed (contract S2).
  private func armReopen() {
    guard service.isClosedForWriting, !reopenTimerSet else { return }
    reopenTimerSet = true
    timers.add(.reopen, at: now + Timeouts.storeRetry, for: .signals)
  }

  /// Tries to open a store that failed.
  func reopenStore() {
    guard service.isClosedForWriting, service.reopen() else { return }
    log.write(.info, "store is back", ["revision": "\(service.durableRevision)"])
    readScenes()
    feed.readHistory(self)
    reconcileEditing()
    tellScenes()
    retryWaiting()
  }

  /// Whether a barrier waits until rows can be read by SQL.
  var isSQLAwaited: Bool {
    withBarriers.contains { session in
      session.barriers.contains { $0.sql && service.durableRevision >= $0.revision }
    }
  }

  func commit() {
    counters.commits += 1
    switch service.commit() {
    case .durable(let records):
      tellTurn(records)
      for session in gated() { session.openGate() }
      retryWaiting()
    case .failed(let fault):
      counters.failedCommits += 1
      log.write(.error, "commit failed", ["reason": "\(fault)"])
      undoTurn(fault)
    }
  }

  private func gated() -> [Session] { dirty.filter { !$0.gatedReplies.isEmpty } }

  /// Nothing of the turn is on disk (contract S2): every reply that was computed on it is
  /// replaced by the error, and what was subscribed to in it is gone.
  private func undoTurn(_ fault: StoreFault) {
    let error = ErrorReply(fault)
    for session in gated() where session.state != .closed {
      session.output.dropGated(service.durableTurn)
      for id in session.gatedReplies {
        session.output.appendFrame { ReplyEncoder.error(error, id: id, into: &$0) }
      }
      // Of a subscription the client learns by the reply alone; without it there is none.
      let first = session.gatedSubscription
      for subscription in session.subscriptions where first > 0 && subscription.number >= first {
        feed.remove(subscription, service)
        session.subscriptions.removeAll { $0 === subscription }
      }
      session.openGate()
      session.barriers.removeAll { $0.revision > service.durableRevision }
    }
    undoEditing()
    takeBackScenes()
    feed.viewsAreLost(self)
    for session in slots.compactMap({ $0 }) {
      session.pages.removeAll()
      session.query = nil
      session.description?.view = nil
    }
  }

  /// Requests that waited for a revision are tried again after each commit.
  private func retryWaiting() {
    guard !waiting.isEmpty else { return }
    let list = waiting
    waiting.removeAll()
    for session in list where session.state != .closed {
      session.isBlocked = false
      markPending(session)
    }
  }

  private func answerBarriers() {
    guard !withBarriers.isEmpty else { return }
    let list = withBarriers
    withBarriers.removeAll(keepingCapacity: true)
    for session in list where session.state != .closed {
      session.barriers.removeAll { answer($0, session) }
      if !session.barriers.isEmpty { withBarriers.append(session) }
    }
  }

  /// Tells one barrier if all before it was queued.
  private func answer(_ barrier: Session.Barrier, _ session: Session) -> Bool {
    guard service.durableRevision >= barrier.revision else { return false }
    if barrier.sql, service.materialisedRevision < barrier.revision { return false }
    for subscription in session.subscriptions
    where barrier.subscription == 0 || subscription.number == barrier.subscription {
      guard subscription.isLive || subscription.isEnded else { return false }
      guard subscription.windowMove == nil || subscription.isEnded else { return false }
      if subscription.isLive { feed.mark(subscription, self) }
    }
    let revision = service.durableRevision
    session.output.appendFrame(subscription: 0, revision: 0) {
      EventEncoder.barrier(
        EventEncoder.Head(subscription: barrier.subscription, from: nil), token: barrier.token,
        revision: revision, into: &$0)
    }
    markDirty(session)
    return true
  }

  func flushDirty() {
    guard !dirty.isEmpty else { return }
    // Who gets dirty meanwhile belongs to the next round; both lists keep their memory.
    var list = spare
    spare = []
    swap(&list, &dirty)
    for session in list {
      session.isDirty = false
      if session.state != .closed { flush(session) }
    }
    list.removeAll(keepingCapacity: true)
    spare = list
  }

  private func flush(_ session: Session) {
    let durable = service.durableTurn
    let result = session.output.flush(
      to: session.descriptor.raw, durable: durable, cap: Daemon.flushPerTurn
    ) { number, revision in
      session.subscription(number)?.sent = revision
    }
    switch result {
    case .peerGone:
      close(session, "peer gone")
      return
    case .failed(let code):
      close(session, errorText(code))
      return
    case .done, .wouldBlock: break
    }
    if session.hasStaleLiveState { feed.tellStale(session, self) }
    let rest = session.output.sendable(durable)
    if session.state == .leaving, session.output.count == 0 {
      if session.inputEnded {
        close(session, "left")
        return
      }
      _ = shutdown(session.descriptor.raw, CInt(SHUT_WR))
    }
    if session.input.count > 0, session.state == .ready, !session.isBlocked, !isUnread(session) {
      markPendingIfWhole(session)
    }
    setInterest(session, writable: rest > 0)
    account(session)
    feed.drained(session)
  }

  /// Input that stood still while the output was full goes on.
  private func markPendingIfWhole(_ session: Session) {
    // A length that can't be read is looked at as well, to be told of.
    let reader = FrameReader(limit: Limits.frameUp)
    if case .incomplete? = try? reader.next(in: session.input.bytes) { return }
    markPending(session)
  }

  private func setInterest(_ session: Session, writable: Bool) {
    var interest: UInt32 = 0
    if !isFull(session) || session.state == .leaving { interest |= UInt32(HP_READABLE) }
    if writable { interest |= UInt32(HP_WRITABLE) }
    if session.inputEnded { interest &= ~UInt32(HP_READABLE) }
    guard interest != session.interest else { return }
    session.interest = interest
    epoll.modify(session.descriptor.raw, interest, session.token)
  }
}
