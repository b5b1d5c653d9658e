internal import TableService
internal import Wire

/// Subscriptions and barriers (SPEC 5, contracts K8, F2).
extension Daemon {
  func subscribe(
    _ session: Session, _ id: UInt64, _ wish: SubscribeRequest, least: UInt64
  ) throws(ErrorReply) {
    guard session.subscriptions.count < Limits.subscriptions else {
      throw ErrorReply(
        .tooManySubscriptions, "a connection has at most \(Limits.subscriptions) subscriptions")
    }
    try judge(wish)
    let scene = try sceneNumber(wish)
    if let window = wish.window {
      guard scene == 0 else {
        throw ErrorReply(.badRequest, "a window has no events of a scene: subscribe to it as well")
      }
      return try openWindow(session, id, wish, window)
    }
    let filter = try self.filter(wish)
    let start = try start(wish, filter)
    let scope = FeedScope(filter: filter, scene: scene, hasTables: !wish.sceneOnly)
    let channel = feed.channel(scope)
    let number = session.nextSubscription
    let from: Cursor?
    let subscription: Subscription
    if let since = start {
      from = Cursor(epoch: service.epoch, revision: since)
      subscription = Subscription(
        number: number, session: session, channel: channel, cursor: since, source: .history,
        resumed: true)
    } else {
      let view = feed.view(of: scope.table, least: least, self)
      let sender = view.map { SnapshotSender($0, scope, now: now) }
      from = sender.map { Cursor(epoch: service.epoch, revision: $0.revision) }
      subscription = Subscription(
        number: number, session: session, channel: channel,
        cursor: sender?.revision ?? service.revision,
        source: sender.map { .snapshot($0) } ?? .waiting, resumed: false)
    }
    subscription.wantsLiveState = wish.liveState
    subscription.least = least
    add(subscription, to: session, heartbeat: wish.heartbeat)
    reply(session, id) {
      ReplyEncoder.subscribed(
        id: id, subscription: number, from: from, snapshot: !subscription.resumed,
        foldable: !filter.isNotice, fingerprint: filter.fingerprint,
        pathsByID: filter.pathsByID, table: scope.hasTables ? scope.table : nil, into: &$0)
    }
    feed.add(subscription)
  }

  /// Refuses what contradicts itself.
  private func judge(_ wish: SubscribeRequest) throws(ErrorReply) {
    if wish.namesNoTable {
      throw ErrorReply(
        .badRequest, "the table has neither an id nor a name; without it: all tables")
    }
    if wish.onlyLive, wish.since != nil || wish.snapshotIfLost {
      throw ErrorReply(
        .badRequest, "only_live begins now: it goes with neither since nor snapshot_if_lost")
    }
    if wish.fingerprint != nil, wish.since == nil {
      throw ErrorReply(.badRequest, "fingerprint says what since was reached with, which is absent")
    }
  }

  /// The scene whose events are wanted, or 0.
  private func sceneNumber(_ wish: SubscribeRequest) throws(ErrorReply) -> UInt64 {
    guard let name = wish.scene else {
      guard !wish.sceneOnly else { throw ErrorReply(.badRequest, "no scene is named") }
      return 0
    }
    guard let index = screens.index(named: name) else {
      var error = ErrorReply(.notFound, "no scene has that name")
      error.value = name
      throw error
    }
    followEditing()
    loadVisible(index)
    return screens.entries[index].number
  }

  /// Notes a subscription on its connection, before its reply.
  func add(_ subscription: Subscription, to session: Session, heartbeat: Bool) {
    subscription.heartbeat = heartbeat
    session.nextSubscription += 1
    session.subscriptions.append(subscription)
    if heartbeat { armHeartbeat(session) }
    if service.hasPending, session.gatedSubscription == 0 {
      session.gatedSubscription = subscription.number
    }
  }

  /// The revision to go on from, or `nil` for a snapshot.
  private func start(
    _ wish: SubscribeRequest, _ filter: ChangeFilter
  ) throws(ErrorReply) -> UInt64? {
    if wish.onlyLive || wish.sceneOnly { return service.revision }
    // Notices are of changes alone: there is no copy to begin with.
    guard let since = wish.since else { return filter.isNotice ? service.revision : nil }
    var error: ErrorReply
    if !filter.isOf(wish) {
      error = ErrorReply(.otherFilter, "the cursor was reached with another filter")
      error.expected = "the fingerprint \(filter.fingerprint)"
    } else if since.epoch != service.epoch {
      error = ErrorReply(.wrongEpoch, "the store has another epoch")
    } else if since.revision > service.revision {
      error = ErrorReply(.futureRevision, "the store has not come to that revision")
    } else if since.revision < service.oldestRevision {
      error = ErrorReply(.compacted, "the history from there on is no longer kept")
      error.expected = "a revision from \(service.oldestRevision) on"
    } else {
      return since.revision
    }
    if wish.snapshotIfLost { return filter.isNotice ? service.revision : nil }
    error.revision = service.revision
    throw error
  }

  func unsubscribe(_ session: Session, _ id: UInt64, _ number: UInt64) throws(ErrorReply) {
    guard let subscription = session.subscription(number) else {
      throw ErrorReply(.noSuchSubscription, "no subscription has the number \(number)")
    }
    feed.remove(subscription, service)
    session.subscriptions.removeAll { $0 === subscription }
    // No frame of it follows, that of a barrier neither.
    session.barriers.removeAll { $0.subscription == number }
    if session.barriers.isEmpty { withBarriers.removeAll { $0 === session } }
    reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
  }

  func take(_ session: Session, _ id: UInt64, _ barrier: BarrierRequest) throws(ErrorReply) {
    if barrier.subscription != 0, session.subscription(barrier.subscription) == nil {
      throw ErrorReply(
        .noSuchSubscription, "no subscription has the number \(barrier.subscription)")
    }
    guard session.barriers.count < Limits.requestsInFlight else {
      throw ErrorReply(.tooManyRequests, "\(session.barriers.count) barriers wait already")
    }
    if session.barriers.isEmpty { withBarriers.append(session) }
    session.barriers.append(
      Session.Barrier(
        token: barrier.token, subscription: barrier.subscription, revision: service.revision,
        sql: barrier.sql))
    reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
  }

  /// Sees to it that quiet subscriptions get their mark within a second (contract F6).
  func armProgress() {
    guard !progressTimerSet else { return }
    progressTimerSet = true
    timers.add(.progress, at: now + Timeouts.progress, for: .signals)
  }

  /// Sees to it that open views are looked after.
  func armViews() {
    guard !viewTimerSet else { return }
    viewTimerSet = true
    timers.add(.views, at: now + Timeouts.snapshot / 4, for: .signals)
  }

  func armHeartbeat(_ session: Session) {
    guard !session.hasHeartbeat else { return }
    session.hasHeartbeat = true
    timers.add(.heartbeat, at: now + Timeouts.heartbeat, for: session.token)
  }

  func beat(_ session: Session) {
    session.hasHeartbeat = false
    let wanted = session.subscriptions.filter { $0.heartbeat }
    guard !wanted.isEmpty else { return }
    for subscription in wanted where subscription.isLive && session.output.count <= Feed.soft {
      feed.mark(subscription, self, always: true)
    }
    armHeartbeat(session)
  }
}
