internal import TableService
internal import Wire

/// Progress marks: a cursor never falls behind for lack of matching changes (contract F6).
extension Feed {
  /// Moves a live subscription's cursor over revisions that did not concern it.
  func mark(_ subscription: Subscription, _ daemon: Daemon, always: Bool = false) {
    let revision = daemon.service.durableRevision
    guard always || subscription.cursor < revision else { return }
    if markWindow(subscription, daemon) { return }
    let from = subscription.cursor
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: revision
    ) {
      EventEncoder.progress(
        EventEncoder.Head(subscription: subscription.number, from: from), revision: revision,
        into: &$0)
    }
    subscription.cursor = revision
    daemon.markDirty(subscription.session)
  }

  /// Marks all live subscriptions; those whose clients don't read get no further mark.
  func markAll(_ daemon: Daemon) {
    for list in channels.map(\.live) + Array(windows.values) {
      for subscription in list where subscription.session.output.count <= Feed.soft {
        mark(subscription, daemon)
      }
    }
  }
}
