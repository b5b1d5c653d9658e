internal import CHPSystem
internal import Glibc
internal import Wire

/// Connections: taken, refused, closed (SPEC 12).
extension Daemon {
  func acceptAll() {
    for _ in 0..<64 {
      switch listener.accept() {
      case .connection(let descriptor): admit(descriptor)
      case .exhausted(let descriptor):
        refuse(descriptor, .tooManyClients, "hpd has no descriptor left for another client")
        listener.restoreSpare()
      case .none: return
      case .retryLater(let code):
        // Who waits to be taken is told of again and again; look away for a while.
        log.write(.warning, "accept failed", ["reason": errorText(code)])
        epoll.modify(listener.descriptor.raw, 0, .listener)
        timers.add(.accept, at: now + Timeouts.acceptRetry, for: .listener)
        return
      }
    }
  }

  private func admit(_ descriptor: consuming Descriptor) {
    let peer: Peer
    do {
      peer = try Peer(of: descriptor.raw)
    } catch {
      log.write(.warning, "no credentials", ["reason": error.text])
      return
    }
    guard peer.uid == geteuid() || peer.uid == 0 else {
      log.write(.warning, "refused", ["uid": "\(peer.uid)"])
      refuse(descriptor, .notPermitted, "this hpd serves its own user and root")
      return
    }
    guard sessionCount < options.maximumClients else {
      refuse(descriptor, .tooManyClients, "hpd has \(options.maximumClients) clients already")
      return
    }
    guard clientsByUser[peer.uid, default: 0] < options.maximumClientsPerUser else {
      refuse(
        descriptor, .tooManyClients,
        "user \(peer.uid) has \(options.maximumClientsPerUser) clients already")
      return
    }
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = slots.count
      slots.append(nil)
      generations.append(1)
    }
    let token = Token(slot: UInt32(slot), generation: generations[slot])
    let raw = descriptor.raw
    let session = Session(descriptor: descriptor, token: token, peer: peer, now: now)
    do {
      try epoll.add(raw, session.interest, token)
    } catch {
      freeSlots.append(slot)
      log.write(.warning, "epoll refused a client", ["reason": error.text])
      return
    }
    slots[slot] = session
    sessionCount += 1
    clientsByUser[peer.uid, default: 0] += 1
    counters.accepted += 1
    timers.add(.hello, at: now + Timeouts.hello, for: token)
  }

  /// Tells a connection that was never a session why it is not wanted.
  private func refuse(_ descriptor: consuming Descriptor, _ code: ErrorCode, _ message: String) {
    counters.refused += 1
    var output = OutputQueue()
    output.appendFrame { ReplyEncoder.goodbye(Goodbye(code, message), into: &$0) }
    _ = output.flush(to: descriptor.raw, durable: .max, cap: 1 << 16) { _, _ in }
  }

  /// Ends a connection at once; what it held is released.
  func close(_ session: Session, _ reason: String) {
    guard session.state != .closed else { return }
    log.write(
      .debug, "closed", ["client": "\(session.client)", "name": session.name, "reason": reason])
    session.state = .closed
    release(session)
    epoll.remove(session.descriptor.raw)
    account(session)
    let slot = Int(session.token.slot)
    slots[slot] = nil
    generations[slot] &+= 1
    if generations[slot] == 0 { generations[slot] = 1 }
    freeSlots.append(slot)
    sessionCount -= 1
    let rest = clientsByUser[session.peer.uid, default: 1] - 1
    clientsByUser[session.peer.uid] = rest > 0 ? rest : nil
  }

  /// Gives back what a session holds: nothing more is queued for it by itself.
  func release(_ session: Session) {
    releaseHolds(session)
    for subscription in session.subscriptions { feed.remove(subscription, service) }
    session.subscriptions.removeAll()
    session.barriers.removeAll()
    for upload in session.uploads { drop(upload, session) }
    leaveScenes(session)
    dropQuery(session)
    dropDescription(session)
    releasePages(session)
    // Whoever waits is kept, and its descriptor with it.
    if session.isBlocked {
      waiting.removeAll { $0 === session }
      heldByLong.removeAll { $0 === session }
    }
  }
}
