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
  /// Whether requests that wait for a view should be tried again.
  var viewWasReleased = false

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
    if case .snapshot(let sender) = subscription.source { release(sender.view) }
    subscription.source = .ended
    count -= 1
    live.removeAll { $0 === subscription }
    pulling.removeAll { $0 === subscription }
  }

  /// A view to read a snapshot from, to be released; `nil` where one has to wait for it.
  func view(of table: UInt64?, least: UInt64, _ daemon: Daemon) -> SharedView? {
    daemon.armViews()
    return views.view(of: table, least: least, daemon.service)
  }

  /// Gives a view back; whoever waits for one is looked at again.
  func release(_ view: SharedView) {
    views.release(view)
    viewWasReleased = true
    if pulling.contains(where: { $0.isWaiting }) { hasWork = true }
  }

  /// A client has taken some of its output.
  func drained(_ session: Session) {
    guard !pulling.isEmpty, session.output.count < Feed.lowWater else { return }
    if pulling.contains(where: { $0.session === session }) { hasWork = true }
  }

  /// Queues a committed revision for every live subscription that it concerns.
  ///
  /// A large one is not queued whole: its subscribers read it from the journal, part by part.
  func deliver(_ record: CommittedRecord, _ daemon: Daemon) {
    guard !live.isEmpty else { return }
    let parts = record.parts
    let isLarge = parts.reduce(0) { $0 + $1.count } > Feed.lowWater
    var skipped = false
    var touched: [Subscription] = []
    for subscription in live where subscription.cursor < record.revision {
      guard subscription.matches(record.tables) else {
        skipped = true
        continue
      }
      touched.append(subscription)
      if isLarge {
        subscription.source = .history
        continue
      }
      for (index, body) in parts.enumerated() {
        append(
          body, part: index, last: index == parts.count - 1, revision: record.revision,
          to: subscription, daemon)
      }
    }
    if isLarge, !touched.isEmpty {
      live.removeAll { !$0.isLive }
      pulling.append(contentsOf: touched)
      hasWork = true
    }
    for subscription in touched where subscription.isLive { endIfDropped(subscription, daemon) }
    endSlow(touched, daemon)
    if skipped { daemon.armProgress() }
  }

  /// Ends the connections of those who do not read what they are told.
  func endSlow(_ subscriptions: [Subscription], _ daemon: Daemon) {
    let limit = daemon.options.maximumOutput
    for subscription in subscriptions {
      let session = subscription.session
      guard session.state == .ready, session.output.count > limit else { continue }
      daemon.sayGoodbye(
        session,
        ErrorReply(
          .tooSlow, "\(session.output.count) bytes wait unread; the limit is \(limit)"))
    }
  }

  private func append(
    _ body: [UInt8], part: Int, last: Bool, revision: UInt64, to subscription: Subscription,
    _ daemon: Daemon
  ) {
    let session = subscription.session
    let from = subscription.cursor
    session.output.appendFrame(
      subscription: subscription.number, revision: last ? revision : 0, body: body
    ) {
      let head = EventEncoder.Head(
        subscription: subscription.number, from: from, part: UInt32(part), last: last)
      EventEncoder.head(head, .change, size: body.count, into: &$0)
    }
    if last {
      subscription.cursor = revision
      daemon.counters.events += 1
    }
    daemon.markDirty(session)
  }

  /// Gives more to those that catch up and whose clients have room.
  func pump(_ daemon: Daemon) {
    guard hasWork else { return }
    hasWork = false
    // Until the store is back it is not known what there is to tell.
    guard !daemon.service.isLost else { return }
    for subscription in pulling {
      guard subscription.session.output.count < Feed.lowWater else { continue }
      switch subscription.source {
      case .waiting:
        guard let view = view(of: subscription.table, least: subscription.least, daemon)
        else { continue }
        let sender = SnapshotSender(view, now: daemon.now)
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
    sender.lastSent = daemon.now
    while subscription.session.output.count < Feed.lowWater {
      guard sender.sendPart(of: subscription, epoch: daemon.service.epoch) else { continue }
      release(sender.view)
      tellLive(subscription, sender.revision, daemon)
      subscription.source = .history
      pumpHistory(subscription, daemon)
      return
    }
  }

  /// Queues the next parts of history, as many as a turn allows, and goes live at their end.
  private func pumpHistory(_ subscription: Subscription, _ daemon: Daemon) {
    let service = daemon.service
    let entries: [HistoryEntry]
    do throws(ServiceFault) {
      let position: UInt64
      if let known = subscription.position {
        position = known
      } else {
        position = try service.position(
          after: max(subscription.cursor, subscription.passed))
      }
      let (parts, next) = try service.history(
        after: position, bytes: Feed.historyBytes, records: Feed.historyRecords)
      entries = parts
      subscription.position = next
    } catch {
      if case .compacted = error {
        end(subscription, .compacted, daemon)
      } else {
        end(subscription, .expired, daemon)
      }
      return
    }
    for entry in entries {
      if entry.part == 0 { subscription.matchesCurrent = subscription.matches(entry.tables) }
      if subscription.matchesCurrent {
        append(
          entry.body, part: entry.part, last: entry.isLast, revision: entry.revision,
          to: subscription, daemon)
      } else {
        subscription.passed = entry.revision
      }
    }
    guard
      max(subscription.cursor, subscription.passed) >= service.durableRevision
        || entries.isEmpty
    else { return }
    subscription.source = .live
    subscription.position = nil
    if subscription.resumed, !subscription.toldLive {
      tellLive(subscription, service.durableRevision, daemon)
    } else if subscription.cursor < service.durableRevision {
      daemon.armProgress()
    }
    daemon.tellState(to: subscription)
    endIfDropped(subscription, daemon)
  }

  /// Says that the snapshot is whole, or that all of history up to now was sent.
  private func tellLive(_ subscription: Subscription, _ revision: UInt64, _ daemon: Daemon) {
    let from = subscription.cursor
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: revision
    ) {
      EventEncoder.live(
        EventEncoder.Head(subscription: subscription.number, from: from),
        Cursor(epoch: daemon.service.epoch, revision: revision), resumed: subscription.resumed,
        into: &$0)
    }
    subscription.toldLive = true
    subscription.cursor = revision
    daemon.markDirty(subscription.session)
  }

  /// A dropped table's last event was its drop (contract K9).
  private func endIfDropped(_ subscription: Subscription, _ daemon: Daemon) {
    guard let table = subscription.table, daemon.service.table(id: table) == nil else { return }
    end(subscription, .tableDropped, daemon)
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

  /// Ends those who look on at a scene that is gone, and have not come to the present.
  func endCatchingUp(scene: UInt64, _ daemon: Daemon) {
    for subscription in pulling where subscription.scene == scene {
      end(subscription, .sceneRemoved, daemon)
    }
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
    let marked = live
    for subscription in marked { mark(subscription, daemon) }
    endSlow(marked, daemon)
  }

  /// Lets live subscriptions read what became durable without being told: a turn whose commit
  /// failed was on disk all the same (contract S2).
  func readHistory(_ daemon: Daemon) {
    let behind = live.filter { $0.cursor < daemon.service.durableRevision }
    for subscription in behind { subscription.source = .history }
    live.removeAll { !$0.isLive }
    pulling.append(contentsOf: behind)
    // Those who catch up stood still as well.
    hasWork = !pulling.isEmpty
  }

  /// The oldest revision that a snapshot is being sent from.
  var oldestView: UInt64? { views.oldest }

  /// Ends snapshots that nobody takes or that cost too much (contract F4).
  ///
  /// - Returns: Whether any view is still open.
  func expireViews(_ daemon: Daemon) -> Bool {
    let heavy = views.heavy
    for subscription in pulling {
      guard case .snapshot(let sender) = subscription.source else { continue }
      let isStuck = daemon.now - sender.lastSent >= Timeouts.snapshot
      if isStuck || heavy.contains(where: { $0 === sender.view }) {
        end(subscription, .expired, daemon)
      }
    }
    for session in daemon.slots.compactMap({ $0 }) {
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
    for subscription in pulling {
      if case .snapshot = subscription.source { end(subscription, .expired, daemon) }
    }
    views.removeAll()
  }
}
