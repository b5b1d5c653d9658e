internal import Coding
internal import TableService
internal import Wire

/// What can be merged to its newest state for who reads slowly (contract K3).
enum LiveKey: Hashable {
  case drag(table: UInt64)
  case draft(table: UInt64, DraftKey)
}

/// Live state for subscriptions that asked for it: all of it when they go live, then every event,
/// between the changes and in the same order.
extension Feed {
  /// Bytes after which a full state goes on in a further part.
  private static let statePart = 256 << 10

  /// Queues events for every live subscription that they concern.
  func deliver(_ events: [LiveEvent], _ daemon: Daemon) {
    guard liveStateCount > 0 else { return }
    for event in events {
      var body: [UInt8]?
      for channel in channels where channel.scope.concerns([event.table]) {
        for subscription in channel.live.reversed() where subscription.wantsLiveState {
          if body == nil { body = event.encoded(start: daemon.startID) }
          if let body { tell(body, event, to: subscription, daemon) }
        }
      }
      for subscription in windows[event.table] ?? [] where subscription.wantsLiveState {
        guard let seen = event.restricted(to: subscription.known) else { continue }
        tell(seen.encoded(start: daemon.startID), event, to: subscription, daemon)
      }
    }
  }

  /// Tells windows into which rows came, or which rows left, what hangs on their rows now: events
  /// told of those that were there before (contract F3).
  func settleWindows(_ daemon: Daemon) {
    guard !unsettled.isEmpty else { return }
    let list = unsettled
    unsettled.removeAll(keepingCapacity: true)
    for subscription in list where subscription.isLive { settle(subscription, daemon) }
  }

  /// Tells a window's state again if it is another one because of other rows.
  func settle(_ subscription: Subscription, _ daemon: Daemon) {
    guard subscription.wantsLiveState, let rows = rows(of: subscription, daemon),
      rows != subscription.known, let table = subscription.scope.table
    else { return }
    let state = daemon.editing.board.state(of: table)
    let others = rows.symmetricDifference(subscription.known)
    subscription.known = rows
    guard others.contains(where: { state.concerns($0) }) else { return }
    tellState(subscription, daemon)
  }

  private func rows(of subscription: Subscription, _ daemon: Daemon) -> Set<UInt64>? {
    guard let window = subscription.window,
      let table = subscription.scope.table.flatMap({ daemon.service.table(id: $0) })
    else { return nil }
    return Set(table.rowIDs(in: window))
  }

  private func tell(
    _ body: [UInt8], _ event: LiveEvent, to subscription: Subscription, _ daemon: Daemon
  ) {
    let session = subscription.session
    if session.output.count > Feed.soft {
      if let key = event.key {
        subscription.staleLiveState.insert(key)
        session.hasStaleLiveState = true
      } else {
        // Gets all of the state once it has read what it has.
        fallBack(subscription, daemon.service)
      }
      return
    }
    append(body, to: subscription, daemon)
  }

  private func append(
    _ body: [UInt8], part: UInt32? = nil, last: Bool = true, to subscription: Subscription,
    _ daemon: Daemon
  ) {
    let session = subscription.session
    let from = subscription.cursor
    session.output.appendFrame(
      subscription: subscription.number, revision: 0, body: body
    ) {
      let head = EventEncoder.Head(
        subscription: subscription.number, from: from, part: part, last: last)
      EventEncoder.head(head, .liveState, size: body.count, into: &$0)
    }
    daemon.counters.liveEvents += 1
    daemon.markDirty(session)
  }

  /// Queues all live state for a subscription that goes live.
  func tellState(_ subscription: Subscription, _ daemon: Daemon) {
    guard subscription.wantsLiveState else { return }
    subscription.staleLiveState.removeAll()
    let board = daemon.editing.board
    guard subscription.scope.hasTables else { return }
    let tables = subscription.scope.tables ?? board.tables.keys.sorted()
    if let rows = rows(of: subscription, daemon) { subscription.known = rows }
    var pieces: [[UInt8]] = []
    for table in tables {
      var state = board.state(of: table)
      if subscription.window != nil { state = state.restricted(to: subscription.known) }
      pieces += state.pieces(table: table, size: Feed.statePart)
    }
    var parts: [[UInt8]] = [[]]
    for piece in pieces {
      if parts[parts.count - 1].count + piece.count > Feed.statePart { parts.append([]) }
      parts[parts.count - 1].appendField(5, bytes: piece)
    }
    for (index, states) in parts.enumerated() {
      var body = LiveEvent.head(
        start: daemon.startID, sequence: board.sequence, revision: daemon.service.durableRevision,
        kind: 1)
      body.append(contentsOf: states)
      append(
        body, part: parts.count == 1 ? nil : UInt32(index), last: index == parts.count - 1,
        to: subscription, daemon)
    }
  }

  /// Queues all live state for everybody: what they know may not be so.
  func tellStates(_ daemon: Daemon) {
    for list in channels.map(\.live) + Array(windows.values) {
      for subscription in list { tellState(subscription, daemon) }
    }
  }

  /// Tells a client that has room again the newest of what it was not told.
  func tellStale(_ session: Session, _ daemon: Daemon) {
    guard session.output.count < Feed.lowWater else { return }
    session.hasStaleLiveState = false
    let board = daemon.editing.board
    for subscription in session.subscriptions where !subscription.staleLiveState.isEmpty {
      let keys = subscription.staleLiveState
      subscription.staleLiveState.removeAll()
      guard subscription.isLive else { continue }
      for key in keys {
        guard let what = board.newest(key) else { continue }
        let event = LiveEvent(
          sequence: board.sequence, revision: daemon.service.durableRevision, table: what.table,
          by: what.by, what: what.what)
        guard subscription.window == nil || event.restricted(to: subscription.known) != nil
        else { continue }
        append(event.encoded(start: daemon.startID), to: subscription, daemon)
      }
    }
  }
}

extension LiveEvent {
  /// What it can be merged by; `nil`: it is told in any case.
  fileprivate var key: LiveKey? {
    switch what {
    case .dragMoved: .drag(table: table)
    case .draftText(let draft): .draft(table: table, draft.key)
    default: nil
    }
  }
}

extension EditingBoard {
  /// The newest state of what was merged; `nil` where it is gone.
  fileprivate func newest(
    _ key: LiveKey
  ) -> (table: UInt64, by: Holder?, what: LiveEvent.What)? {
    switch key {
    case .drag(let table):
      guard let drag = tables[table]?.drag else { return nil }
      return (table, drag.holder, .dragMoved(drag))
    case .draft(let table, let key):
      guard let draft = tables[table]?.drafts[key], draft.rejection == nil else { return nil }
      return (table, draft.holder, .draftText(draft))
    }
  }
}
