internal import TableService
internal import Wire

/// Subscriptions and what each of them gets (SPEC 5).
///
/// A revision goes to live subscriptions as it is committed; the others catch up from
/// snapshots and from the journal, as fast as their clients read, so that nobody's slowness
/// holds memory (contract K2).
final class Feed {
  /// Below this a client's queue is filled again.
  static let lowWater = 256 << 10
  private static let historyBytes = 64 << 10
  private static let historyRecords = 256

  private(set) var live: [Subscription] = []
  private var pulling: [Subscription] = []
  private let views = ViewPool()
  private(set) var count = 0
  /// Whether a subscription could be given more right now.
  private(set) var hasWork = false

  func add(_ subscription: Subscription) {
    count += 1
    if subscription.isLive {
      live.append(subscription)
    } else {
      pulling.append(subscription)
      hasWork = true
    }
  }

  func remove(_ subscription: Subscription) {
    guard !subscription.isEnded else { return }
    if case .snapshot(let sender) = subscription.source { release(sender) }
    subscription.source = .ended
    count -= 1
    live.removeAll { $0 === subscription }
    pulling.removeAll { $0 === subscription }
  }

  /// The view that a new subscription's snapshot is read from.
  func sender(of table: UInt64?, _ service: Service) -> SnapshotSender? {
    views.sender(of: table, service)
  }

  /// Gives a view back; whoever waits for one is looked at again.
  private func release(_ sender: SnapshotSender) {
    views.release(sender)
    if pulling.contains(where: { $0.isWaiting }) { hasWork = true }
  }

  /// A client has taken some of its output.
  func drained(_ session: Session) {
    guard !pulling.isEmpty, session.output.count < Feed.lowWater else { return }
    if pulling.contains(where: { $0.session === session }) { hasWork = true }
  }

  /// Queues a committed revision for every live subscription that it concerns.
  func deliver(_ record: CommittedRecord, _ daemon: Daemon) {
    guard !live.isEmpty else { return }
    var skipped = false
    var slow: [Session] = []
    for subscription in live {
      guard subscription.cursor < record.revision else { continue }
      guard subscription.matches(record.tables) else {
        skipped = true
        continue
      }
      append(record, to: subscription, daemon)
      if subscription.session.output.count > daemon.options.maximumOutput {
        slow.append(subscription.session)
      }
    }
    for session in slow where session.state == .ready {
      daemon.sayGoodbye(
        session,
        ErrorReply(
          .tooSlow,
          "\(session.output.count) bytes wait unread; the limit is \(daemon.options.maximumOutput)")
      )
    }
    if skipped { daemon.armProgress() }
  }

  private func append(_ record: CommittedRecord, to subscription: Subscription, _ daemon: Daemon) {
    let session = subscription.session
    for (index, body) in record.parts.enumerated() {
      let last = index == record.parts.count - 1
      let from = subscription.cursor
      session.output.appendFrame(
        subscription: subscription.number, revision: last ? record.revision : 0, body: body
      ) {
        let head = EventEncoder.Head(
          subscription: subscription.number, from: from, part: UInt32(index), last: last)
        EventEncoder.head(head, .change, size: body.count, into: &$0)
      }
    }
    subscription.cursor = record.revision
    daemon.counters.events += 1
    daemon.markDirty(session)
  }

  /// Gives more to those that catch up and whose clients have room.
  func pump(_ daemon: Daemon) {
    guard hasWork else { return }
    hasWork = false
    for subscription in pulling {
      guard subscription.session.output.count < Feed.lowWater else { continue }
      switch subscription.source {
      case .waiting:
        guard let sender = views.sender(of: subscription.table, daemon.service) else { continue }
        subscription.cursor = sender.revision
        subscription.source = .snapshot(sender)
        pumpSnapshot(subscription, sender, daemon)
      case .snapshot(let sender): pumpSnapshot(subscription, sender, daemon)
      case .history: pumpHistory(subscription, daemon)
      case .live, .ended: break
      }
    }
    let done = pulling.filter { $0.isLive }
    if !done.isEmpty {
      pulling.removeAll { $0.isLive || $0.isEnded }
      live.append(contentsOf: done)
    }
    if pulling.contains(where: { !$0.isWaiting && $0.session.output.count < Feed.lowWater }) {
      hasWork = true
    }
  }

  private func pumpSnapshot(
    _ subscription: Subscription, _ sender: SnapshotSender, _ daemon: Daemon
  ) {
    daemon.markDirty(subscription.session)
    while subscription.session.output.count < Feed.lowWater {
      guard sender.sendPart(of: subscription, epoch: daemon.service.epoch) else { continue }
      release(sender)
      subscription.source = .history
      pumpHistory(subscription, daemon)
      return
    }
  }

  private func pumpHistory(_ subscription: Subscription, _ daemon: Daemon) {
    let service = daemon.service
    let records: [CommittedRecord]
    do {
      records = try service.history(
        after: max(subscription.cursor, subscription.passed), bytes: Feed.historyBytes,
        records: Feed.historyRecords)
    } catch {
      if case .compacted = error {
        end(subscription, .compacted, daemon)
      } else {
        end(subscription, .expired, daemon)
      }
      return
    }
    for record in records {
      if subscription.matches(record.tables) {
        append(record, to: subscription, daemon)
      } else {
        subscription.passed = record.revision
      }
    }
    let reached = max(subscription.cursor, subscription.passed)
    guard reached >= service.durableRevision || records.isEmpty else { return }
    subscription.source = .live
    let revision = service.durableRevision
    let from = subscription.cursor
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: revision
    ) {
      EventEncoder.live(
        EventEncoder.Head(subscription: subscription.number, from: from),
        Cursor(epoch: service.epoch, revision: revision), resumed: subscription.resumed,
        into: &$0)
    }
    subscription.cursor = revision
    daemon.markDirty(subscription.session)
  }

  /// Ends a subscription with a word why (contract K8).
  func end(_ subscription: Subscription, _ reason: EndReason, _ daemon: Daemon) {
    let cursor = subscription.cursor
    subscription.session.output.appendFrame(subscription: subscription.number, revision: 0) {
      EventEncoder.ended(
        EventEncoder.Head(subscription: subscription.number, from: cursor), reason: reason,
        revision: cursor, into: &$0)
    }
    daemon.markDirty(subscription.session)
    remove(subscription)
    subscription.session.subscriptions.removeAll { $0 === subscription }
  }

  /// Moves a live subscription's cursor over revisions that did not concern it.
  func mark(_ subscription: Subscription, _ daemon: Daemon, always: Bool = false) {
    let revision = daemon.service.durableRevision
    guard always || subscription.cursor < revision else { return }
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

  func markAll(_ daemon: Daemon) {
    for subscription in live { mark(subscription, daemon) }
  }

  /// The tables were read anew from the store: views of the old ones can't be sent on.
  func viewsAreLost(_ daemon: Daemon) {
    for subscription in pulling {
      if case .snapshot = subscription.source { end(subscription, .expired, daemon) }
    }
    views.removeAll()
  }
}
