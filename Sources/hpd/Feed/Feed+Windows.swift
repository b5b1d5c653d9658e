internal import CHPSystem
internal import TableService
internal import Wire

/// Windows: a run of rows as a live view (contract F3).
///
/// They do not read history: one whose client is behind is sent all of itself when there is room.
extension Feed {
  /// So long a turn gives to windows that move, in microseconds: the rest waits for the next ones
  /// (contract F10).
  private static let moveSlice: Int64 = 5_000

  /// Queues what committed revisions did to the windows on their tables.
  func deliverWindows(_ records: [CommittedRecord], _ daemon: Daemon) {
    guard !windows.isEmpty, let last = records.last?.revision else { return }
    for table in Set(records.flatMap(\.tables)) {
      daemon.service.table(id: table)?.renewWindowBudget()
      for subscription in windows[table] ?? [] {
        guard let window = subscription.window else { continue }
        let isGone = daemon.service.table(id: table) == nil
        if isGone {
          end(subscription, .tableDropped, daemon)
          continue
        }
        if window.isStale || subscription.session.output.count > Feed.soft {
          fallBack(subscription, daemon.service)
          continue
        }
        for var delta in window.takePending(through: last) {
          delta.cause = records.first { $0.revision == delta.revision }?.head
          append(delta, to: subscription, daemon)
          if subscription.wantsLiveState, delta.hasOtherRows { unsettled.append(subscription) }
        }
      }
    }
    daemon.armProgress()
  }

  /// Queues a difference in parts.
  private func append(
    _ delta: WindowDelta, to subscription: Subscription, _ daemon: Daemon
  ) {
    let from = subscription.cursor
    let parts = delta.encoded()
    for (index, body) in parts.enumerated() {
      let isLast = index == parts.count - 1
      subscription.session.output.appendFrame(
        subscription: subscription.number, revision: isLast ? delta.revision : 0, body: body
      ) {
        let head = EventEncoder.Head(
          subscription: subscription.number, from: from,
          part: parts.count == 1 ? nil : UInt32(index), last: isLast)
        EventEncoder.head(head, .window, size: body.count, into: &$0)
      }
    }
    subscription.cursor = max(subscription.cursor, delta.revision)
    daemon.counters.events += 1
    daemon.markDirty(subscription.session)
  }

  /// Sends all of a window.
  func pullWindow(_ subscription: Subscription, _ daemon: Daemon) {
    guard let window = subscription.window, let id = subscription.scope.table else { return }
    guard let table = daemon.service.table(id: id) else {
      end(subscription, .tableDropped, daemon)
      return
    }
    // It is sent when the long change of its table is done.
    if table.isBusy { return }
    let revision = daemon.service.durableRevision
    append(table.open(window, revision: revision), to: subscription, daemon)
    if !subscription.toldLive { tellLive(subscription, revision, daemon) }
    goLive(subscription)
    tellState(subscription, daemon)
  }

  /// Queues new counts and positions, where there are any.
  ///
  /// - Returns: Whether the cursor has moved with them.
  func markWindow(_ subscription: Subscription, _ daemon: Daemon) -> Bool {
    guard let window = subscription.window, window.hasNewCounts,
      let table = subscription.scope.table.flatMap({ daemon.service.table(id: $0) })
    else { return false }
    // What is not durable yet is told when it is.
    guard !daemon.service.hasPending else {
      daemon.armProgress()
      return true
    }
    append(
      table.counts(of: window, revision: daemon.service.durableRevision), to: subscription,
      daemon)
    return true
  }

  /// Lets a window look at other rows once the turn is durable; of several moves that wait, the
  /// newest counts.
  func queueMove(_ subscription: Subscription, _ spec: TableWindow.Spec) {
    guard let waiting = subscription.windowMove else {
      subscription.windowMove = (spec, 1)
      windowMoves.append(subscription)
      return
    }
    subscription.windowMove = (spec, waiting.count + 1)
  }

  /// Moves the windows that were asked to, now that nothing is open: those that waited longest
  /// first, as many as a slice allows.
  func moveWindows(_ daemon: Daemon) {
    guard !windowMoves.isEmpty else { return }
    let end = hp_monotonic_us() + Feed.moveSlice
    let waiting = windowMoves
    windowMoves.removeAll(keepingCapacity: true)
    var next = 0
    repeat {
      move(waiting[next], daemon)
      next += 1
    } while next < waiting.count && hp_monotonic_us() < end
    windowMoves = waiting[next...] + windowMoves
  }

  private func move(_ subscription: Subscription, _ daemon: Daemon) {
    guard let window = subscription.window, let (spec, count) = subscription.windowMove,
      !subscription.isEnded
    else { return }
    let table = subscription.scope.table.flatMap { daemon.service.table(id: $0) }
    if subscription.isLive, let table, table.isBusy {
      windowMoves.append(subscription)
      return
    }
    subscription.windowMove = nil
    guard subscription.isLive, let table, subscription.session.output.count <= Feed.soft else {
      window.retarget(spec, moves: count)
      // It is sent whole once its client has read what it has.
      if subscription.isLive { fallBack(subscription, daemon.service) }
      return
    }
    append(
      table.move(window, to: spec, moves: count, revision: daemon.service.durableRevision),
      to: subscription, daemon)
    settle(subscription, daemon)
  }

  /// The tables were read anew from the store: every window is sent anew.
  func windowsAreLost(_ daemon: Daemon) {
    for subscription in windowMoves {
      guard let (spec, count) = subscription.windowMove else { continue }
      subscription.window?.retarget(spec, moves: count)
      subscription.windowMove = nil
    }
    windowMoves.removeAll()
    for subscription in windows.values.flatMap({ $0 }) { fallBack(subscription, daemon.service) }
  }
}
