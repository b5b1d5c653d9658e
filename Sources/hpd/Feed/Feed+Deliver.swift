internal import TableService
internal import Wire

/// What was committed, to those who are up to date (contracts K1, K8).
extension Feed {
  /// What a channel is told of a revision.
  struct News {
    let revision: UInt64
    let parts: [[UInt8]]

    var size: Int { parts.reduce(0) { $0 + $1.count } }
  }

  /// Queues committed revisions for every live subscription that they concern.
  ///
  /// - Parameters:
  ///   - records: The revisions.
  ///   - daemon: The daemon.
  ///   - areLast: Whether they are the turn's last ones: a later one may be a table's drop, which
  ///     the tables show already.
  func deliver(_ records: [CommittedRecord], _ daemon: Daemon, areLast: Bool = true) {
    for record in records { told += record.size }
    let isLarge = records.contains { $0.size > Feed.soft }
    var skipped = false
    // A channel whose last subscription falls back leaves the list.
    for channel in channels {
      guard !isLarge || !records.contains(where: { channel.scope.concerns($0.tables) }) else {
        // It is not queued whole, but read from the journal, part by part.
        for subscription in channel.live { fallBack(subscription, daemon.service) }
        continue
      }
      let news = records.compactMap { channel.scope.news(of: $0) }
      if news.count < records.count { skipped = true }
      guard !news.isEmpty else { continue }
      tell(news, to: channel, daemon)
      if areLast { endIfDropped(channel, daemon) }
    }
    if skipped { daemon.armProgress() }
    deliverWindows(records, daemon)
    if told >= nextLook { endSlow(daemon) }
  }

  /// What a reader is behind with is not queued: it reads that from the journal.
  private func tell(_ news: [News], to channel: Channel, _ daemon: Daemon) {
    guard let first = channel.live.first else { return }
    var shared = SharedRuns(news, from: first.cursor)
    var index = channel.live.count
    while index > 0 {
      index -= 1
      let subscription = channel.live[index]
      let session = subscription.session
      if session.output.count > Feed.soft {
        fallBack(subscription, daemon.service)
        continue
      }
      daemon.markDirty(session)
      if subscription.cursor == shared.from, let run = shared.run(for: subscription.number) {
        session.output.append(run, subscription: subscription.number)
        subscription.cursor = shared.last
        daemon.counters.events += Int64(news.count)
        continue
      }
      for item in news where subscription.cursor < item.revision {
        for (part, body) in item.parts.enumerated() {
          append(
            body, part: part, last: part == item.parts.count - 1, revision: item.revision,
            to: subscription, daemon)
        }
      }
    }
  }

  /// Queues a part of a revision.
  func append(
    _ body: [UInt8], part: Int, last: Bool, revision: UInt64, to subscription: Subscription,
    _ daemon: Daemon
  ) {
    let session = subscription.session
    let from = subscription.cursor
    session.output.appendFrame(
      subscription: subscription.number, revision: last ? revision : 0, body: body
    ) {
      let head = EventEncoder.Head(
        subscription: subscription.number, from: from,
        part: part == 0 && last ? nil : UInt32(part), last: last)
      EventEncoder.head(head, .change, size: body.count, into: &$0)
    }
    if last {
      subscription.cursor = revision
      daemon.counters.events += 1
    }
    daemon.markDirty(session)
  }

  /// A dropped table's last event was its drop (contract K9).
  func endIfDropped(_ channel: Channel, _ daemon: Daemon) {
    guard channel.scope.isGone(daemon.service) else { return }
    for subscription in channel.live { end(subscription, .tableDropped, daemon) }
  }
}

extension FeedScope {
  /// What a revision tells those who see this; `nil` where it does not concern them.
  func news(of record: CommittedRecord) -> Feed.News? {
    guard concerns(record.tables) else { return nil }
    // What hpd wrote itself a moment ago is a change; one that is none tells nobody anything.
    guard let parts = try? record.parts(filter) else { return nil }
    return Feed.News(revision: record.revision, parts: parts)
  }
}

/// The frames of a turn's news, heads included, for all who have the same number for their
/// subscription: most clients have one.
private struct SharedRuns {
  let from: UInt64
  let last: UInt64
  private let news: [Feed.News]
  private var runs: [UInt64: FrameRun?] = [:]
  /// The run that was asked for last: most subscribers have the same number.
  private var latest: (number: UInt64, run: FrameRun)?

  init(_ news: [Feed.News], from: UInt64) {
    self.news = news
    self.from = from
    last = news[news.count - 1].revision
  }

  /// The run for a number that is asked for a second time; the first one is not worth it.
  mutating func run(for number: UInt64) -> FrameRun? {
    guard from < news[0].revision else { return nil }
    if let latest, latest.number == number { return latest.run }
    guard let known = runs[number] else {
      runs[number] = .some(nil)
      return nil
    }
    let run = known ?? encode(number)
    runs[number] = run
    latest = (number, run)
    return run
  }

  private func encode(_ number: UInt64) -> FrameRun {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(news.reduce(0) { $0 + $1.size + 64 * $1.parts.count })
    var ends: [(end: Int, revision: UInt64)] = []
    var cursor = from
    for item in news {
      for (part, body) in item.parts.enumerated() {
        let isLast = part == item.parts.count - 1
        let head = EventEncoder.Head(
          subscription: number, from: cursor, part: part == 0 && isLast ? nil : UInt32(part),
          last: isLast)
        EventEncoder.frame(head, .change, body, into: &bytes)
        ends.append((bytes.count, isLast ? item.revision : 0))
      }
      cursor = item.revision
    }
    return FrameRun(bytes: bytes, ends: ends)
  }
}
