internal import TableService
internal import Wire

/// Sends a view to one subscription, part by part, as fast as its client reads.
final class SnapshotSender {
  /// Rows of about so many bytes stand in one part.
  static let partSize = 64 << 10

  let view: SharedView
  private var part: UInt32 = 0
  /// The table and the section that the next part of the head begins with.
  private var headTable = 0
  private var headSection = 0
  /// When its last part was queued.
  var lastSent: Int64
  private var table = 0
  private var section = 0
  private var row = 0

  init(_ view: SharedView, now: Int64) {
    self.view = view
    lastSent = now
  }

  var revision: UInt64 { view.revision }

  /// Queues the next part.
  ///
  /// - Returns: Whether it was the last.
  func sendPart(of subscription: Subscription, epoch: UInt64) -> Bool {
    if part == 0 || headTable < view.tables.count {
      let cursor = Cursor(epoch: epoch, revision: revision)
      let body = EventEncoder.snapshot(cursor, encoded: nextHeads())
      if headTable == view.tables.count { skipEmpty() }
      return append(.snapshot, body, to: subscription)
    }
    let source = view.tables[table]
    var body = EventEncoder.rows(
      table: source.table, section: source.sections[section].record.id, first: row)
    var policies: [[UInt8]] = []
    row = source.forEachRow(inSection: section, from: row) { image in
      EventEncoder.appendRow(image, to: &body)
      if let policy = source.policy(of: image) { policies.append(policy) }
      return body.count < SnapshotSender.partSize
    }
    EventEncoder.append(policies: policies, to: &body)
    skipEmpty()
    return append(.rows, body, to: subscription)
  }

  private func append(
    _ kind: EventEncoder.Body, _ body: [UInt8], to subscription: Subscription
  ) -> Bool {
    let last = headTable == view.tables.count && table == view.tables.count
    let number = part
    part += 1
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: last ? revision : 0, body: body
    ) {
      let head = EventEncoder.Head(
        subscription: subscription.number, from: 0, part: number, last: last)
      EventEncoder.head(head, kind, size: body.count, into: &$0)
    }
    return last
  }

  /// Tables and sections for one part of the head: there may be too many for a frame.
  private func nextHeads() -> [[UInt8]] {
    var heads: [[UInt8]] = []
    var size = 0
    while headTable < view.tables.count, size < SnapshotSender.partSize {
      let source = view.tables[headTable]
      let head = source.encoded(from: &headSection, size: SnapshotSender.partSize - size)
      size += head.count
      heads.append(head)
      guard headSection == source.sections.count else { break }
      headTable += 1
      headSection = 0
    }
    return heads
  }

  /// Moves on to the next row that there is.
  private func skipEmpty() {
    while table < view.tables.count {
      let sections = view.tables[table].sections
      while section < sections.count, row >= sections[section].rows {
        section += 1
        row = 0
      }
      if section < sections.count { return }
      table += 1
      section = 0
    }
  }
}
