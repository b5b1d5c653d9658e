internal import TableService
internal import Wire

/// Views that snapshots and pages are read from (contract F4).
extension Feed {
  /// A view to read a snapshot from, to be released; `nil` where one has to wait for it.
  func view(of table: UInt64?, least: UInt64, _ daemon: Daemon) -> SharedView? {
    daemon.armViews()
    return views.view(of: table, least: least, daemon.service)
  }

  /// Gives a view back; whoever waits for one is looked at again.
  func release(_ view: SharedView) {
    views.release(view)
    viewWasReleased = true
    for subscription in waitingForView {
      subscription.awaitsView = false
      ready.append(subscription)
    }
    waitingForView.removeAll()
  }

  /// The oldest revision that history has to go on from: of a view, or of who was sent a snapshot
  /// and reads what came meanwhile.
  func oldestPinned(_ daemon: Daemon) -> UInt64? {
    var oldest = views.oldest
    guard pullingCount > 0 else { return oldest }
    for session in daemon.slots.compactMap({ $0 }) where session.pullingCount > 0 {
      for subscription in session.subscriptions where !subscription.resumed {
        guard case .history = subscription.source, !subscription.isBehind else { continue }
        let reached = max(subscription.cursor, subscription.passed)
        oldest = min(oldest ?? reached, reached)
      }
    }
    return oldest
  }

  /// Ends snapshots that nobody takes or that cost too much.
  ///
  /// - Returns: Whether any view is still open.
  func expireViews(_ daemon: Daemon) -> Bool {
    let heavy = views.heavy
    for session in daemon.slots.compactMap({ $0 }) {
      endSnapshots(session, daemon) { sender in
        daemon.now - sender.lastSent >= Timeouts.snapshot
          || heavy.contains { $0 === sender.view }
      }
      if let description = session.description, let view = description.view,
        daemon.now - description.lastSent >= Timeouts.snapshot
          || heavy.contains(where: { $0 === view })
      {
        daemon.loseDescription(session)
      }
      if let view = session.query?.view, heavy.contains(where: { $0 === view }) {
        session.query?.isExpired = true
      }
      session.pages.removeAll { page in
        guard heavy.contains(where: { $0 === page.view }) else { return false }
        release(page.view)
        return true
      }
    }
    return !views.isEmpty
  }

  /// The tables were read anew from the store: views of the old ones can't be sent on.
  func viewsAreLost(_ daemon: Daemon) {
    for session in daemon.slots.compactMap({ $0 }) {
      endSnapshots(session, daemon) { _ in true }
    }
    views.removeAll()
    windowsAreLost(daemon)
  }

  private func endSnapshots(
    _ session: Session, _ daemon: Daemon, where isOver: (SnapshotSender) -> Bool
  ) {
    guard session.pullingCount > 0 else { return }
    for subscription in session.subscriptions {
      guard case .snapshot(let sender) = subscription.source, isOver(sender) else { continue }
      end(subscription, .expired, daemon)
    }
  }
}
