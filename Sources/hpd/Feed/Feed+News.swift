internal import TableService
internal import Wire

/// News of scenes, in one order with the changes and the tables' live state (contract K3).
extension Feed {
  /// Queues one item for all whom it concerns and who have come to the present; who does not read
  /// gets all of the state once it has read what is there.
  func deliver(_ item: LiveNews, _ daemon: Daemon) {
    for channel in channels where channel.scope.concerns(item.audience) {
      for subscription in channel.live {
        if subscription.session.output.count > Feed.soft {
          fallBack(subscription, daemon.service)
        } else {
          append(item, to: subscription, daemon)
        }
        if let reason = item.end { end(subscription, reason, daemon) }
      }
    }
    guard let reason = item.end else { return }
    for session in daemon.slots.compactMap({ $0 }) {
      for subscription in session.subscriptions
      where subscription.isPulling && subscription.scope.concerns(item.audience) {
        end(subscription, reason, daemon)
      }
    }
  }

  /// Queues one item; the subscriber's revision stays.
  func append(_ item: LiveNews, to subscription: Subscription, _ daemon: Daemon) {
    let cursor = subscription.cursor
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: 0, body: item.body
    ) {
      let head = EventEncoder.Head(subscription: subscription.number, from: cursor)
      EventEncoder.head(head, item.kind, size: item.body.count, into: &$0)
    }
    daemon.counters.events += 1
    daemon.markDirty(subscription.session)
  }
}

extension FeedScope {
  /// Whether live news are for those who see this.
  func concerns(_ audience: LiveNews.Audience) -> Bool {
    switch audience {
    case .scene(let number): scene == number
    }
  }
}
