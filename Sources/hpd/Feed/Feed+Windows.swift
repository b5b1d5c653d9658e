internal import TableService
internal import Wire

/// Windows: a run of rows as a live view (contract F3).
///
/// They do not read history: one whose client is behind is sent all of itself when there is room.
extension Feed {
  /// A window that is to look at other rows once the turn is durable.
  struct WindowMove {
    let subscription: Subscription
    let spec: TableWindow.Spec
  }

  /// Queues what committed revisions did to the windows on their tables.
  func deliverWindows(_ records: [CommittedRecord], _ daemon: Daemon) {
    guard !windows.isEmpty, let last = records.last?.revision else { return }
    for table in Set(records.flatMap(\.tables)) {
      for subscription in windows[table] ?? [] {
        guard let window = subscription.window else { continue }
        let isGone = daemon.service.table(id: table) == nil
        if isGone {
          end(subscription, .tableDropped, daemon)
          continue
        }
        if subscription.session.output.count > Feed.soft {
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

  /// Moves the windows that were asked to, now that nothing is open.
  func moveWindows(_ daemon: Daemon) {
    guard !windowMoves.isEmpty else { return }
    let moves = windowMoves
    windowMoves.removeAll()
    for move in moves {
      guard let window = move.subscription.window, !move.subscription.isEnded else { continue }
      guard move.subscription.isLive,
        let table = move.subscription.scope.table.flatMap({ daemon.service.table(id: $0) })
      else {
        window.retarget(move.spec)
        continue
      }
      if table.isBusy {
        windowMoves.append(move)
        continue
      }
      append(
        table.move(window, to: move.spec, revision: daemon.service.durableRevision),
        to: move.subscription, daemon)
      settle(move.subscription, daemon)
    }
  }

  /// The tables were read anew from the store: every window is sent anew.
  func windowsAreLost(_ daemon: Daemon) {
    windowMoves.removeAll()
    for subscription in windows.values.flatMap({ $0 }) { fallBack(subscription, daemon.service) }
  }
}
