internal import CHPSystem
internal import Coding
internal import TableService
internal import Wire

/// Those who catch up: from a snapshot, from the journal, as fast as their clients read.
extension Feed {
  /// What a session has unread beyond which its subscriptions are no longer told from memory.
  static let soft = 256 << 10
  /// Below this a client's queue is filled again.
  static let lowWater = 128 << 10
  /// What is read of the journal at a time.
  private static let historyBytes = 32 << 10
  private static let historyRecords = 64
  /// So long a turn gives to those who catch up, in microseconds: whoever asks for something
  /// waits no longer than that for them (contract F10).
  private static let slice: Int64 = 150

  /// Gives more to those that catch up and whose clients have room, each in turn.
  func pump(_ daemon: Daemon) {
    // Until the store is back it is not known what there is to tell.
    guard !ready.isEmpty, !daemon.service.isLost else { return }
    let end = hp_monotonic_us() + Feed.slice
    var rest = ready.count
    repeat {
      guard let subscription = ready.popFirst() else { return }
      rest -= 1
      guard subscription.isPulling else { continue }
      // Who has no room now is looked at again when its client has read.
      guard subscription.session.output.count < Feed.lowWater else { continue }
      pull(subscription, daemon)
    } while rest > 0 && hp_monotonic_us() < end
  }

  /// A client has taken some of its output.
  func drained(_ session: Session) {
    guard session.pullingCount > 0, session.output.count < Feed.lowWater else { return }
    for subscription in session.subscriptions where subscription.isPulling {
      if subscription.awaitsView { continue }
      ready.append(subscription)
    }
  }

  private func pull(_ subscription: Subscription, _ daemon: Daemon) {
    switch subscription.source {
    case .waiting:
      guard let view = view(of: subscription.scope.table, least: subscription.least, daemon)
      else {
        subscription.awaitsView = true
        waitingForView.append(subscription)
        return
      }
      let sender = SnapshotSender(view, subscription.scope, now: daemon.now)
      subscription.cursor = sender.revision
      subscription.source = .snapshot(sender)
      pullSnapshot(subscription, sender, daemon)
    case .snapshot(let sender): pullSnapshot(subscription, sender, daemon)
    case .window: pullWindow(subscription, daemon)
    case .history: pullHistory(subscription, daemon)
    case .live, .ended: return
    }
    if subscription.isPulling { ready.append(subscription) }
  }

  private func pullSnapshot(
    _ subscription: Subscription, _ sender: SnapshotSender, _ daemon: Daemon
  ) {
    daemon.markDirty(subscription.session)
    sender.lastSent = daemon.now
    guard sender.sendPart(of: subscription, epoch: daemon.service.epoch) else { return }
    release(sender.view)
    tellLive(subscription, sender.revision, daemon)
    subscription.source = .history
  }

  /// Queues the next parts of history, as many as a slice allows, and goes live at their end.
  private func pullHistory(_ subscription: Subscription, _ daemon: Daemon) {
    let service = daemon.service
    let entries: [HistoryEntry]
    do throws(ServiceFault) {
      let position: UInt64
      if let known = subscription.position {
        position = known
      } else {
        position = try service.position(after: max(subscription.cursor, subscription.passed))
      }
      let (parts, next) = try service.history(
        after: position, bytes: Feed.historyBytes, records: Feed.historyRecords,
        withSide: !subscription.scope.filter.isPlain || subscription.scope.filter.tables != nil)
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
    do throws(CodingFault) {
      for entry in entries { try take(entry, subscription, daemon) }
    } catch {
      // It was written before there were filters.
      end(subscription, .compacted, daemon)
      return
    }
    guard
      max(subscription.cursor, subscription.passed) >= service.durableRevision
        || entries.isEmpty
    else { return }
    finishHistory(subscription, daemon)
  }

  /// Queues what a part of a revision tells a subscription.
  private func take(
    _ entry: HistoryEntry, _ subscription: Subscription, _ daemon: Daemon
  ) throws(CodingFault) {
    subscription.pulled += entry.body.count
    let filter = subscription.scope.filter
    if entry.part == 0 {
      subscription.reading = Subscription.Reading(
        isWanted: subscription.scope.concerns(entry.tables),
        isWhole: filter.passes(entry.tables))
    }
    guard subscription.reading.isWanted else {
      if entry.isLast { subscription.passed = entry.revision }
      return
    }
    if subscription.reading.isWhole {
      guard !entry.body.isEmpty else { return }
      queue(entry.body, of: entry.revision, last: entry.isLast, subscription, daemon)
      return
    }
    // Which piece is the last one is known when the revision ends.
    let held = subscription.reading.held
    if let piece = try filter.apply(entry.body, side: entry.side, &subscription.reading.pass) {
      if let held { queue(held, of: entry.revision, last: false, subscription, daemon) }
      subscription.reading.held = piece
    }
    guard entry.isLast else { return }
    if let piece = subscription.reading.held {
      queue(piece, of: entry.revision, last: true, subscription, daemon)
    } else {
      subscription.passed = entry.revision
    }
  }

  private func queue(
    _ body: [UInt8], of revision: UInt64, last: Bool, _ subscription: Subscription,
    _ daemon: Daemon
  ) {
    append(
      body, part: subscription.reading.parts, last: last, revision: revision, to: subscription,
      daemon)
    subscription.reading.parts += 1
    if last { subscription.reading.held = nil }
  }

  private func finishHistory(_ subscription: Subscription, _ daemon: Daemon) {
    let revision = daemon.service.durableRevision
    goLive(subscription)
    if subscription.resumed, !subscription.toldLive {
      tellLive(subscription, revision, daemon)
    } else if subscription.cursor < revision {
      daemon.armProgress()
    }
    tellState(subscription, daemon)
    daemon.tellState(to: subscription)
    if subscription.scope.isGone(daemon.service) { end(subscription, .tableDropped, daemon) }
  }

  /// Lets live subscriptions read what became durable without being told: a turn whose commit
  /// failed was on disk all the same (contract S2).
  func readHistory(_ daemon: Daemon) {
    for channel in channels {
      for subscription in channel.live where subscription.cursor < daemon.service.durableRevision {
        fallBack(subscription, daemon.service)
      }
    }
    windowsAreLost(daemon)
    // Those who catch up stood still as well.
    for session in daemon.slots.compactMap({ $0 }) { drained(session) }
  }
}
