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
  private var shown: [UInt8] = []

  private let filter: ChangeFilter
  private let tables: [TableView]

  init(_ view: SharedView, _ scope: FeedScope, now: Int64) {
    self.view = view
    filter = scope.filter
    tables = view.tables.filter { scope.concerns([$0.table]) }
    lastSent = now
  }

  var revision: UInt64 { view.revision }

  /// Queues the next part.
  ///
  /// - Returns: Whether it was the last.
  func sendPart(of subscription: Subscription, epoch: UInt64) -> Bool {
    if part == 0 || headTable < tables.count {
      let cursor = Cursor(epoch: epoch, revision: revision)
      let body = EventEncoder.snapshot(cursor, encoded: nextHeads())
      if headTable == tables.count { skipEmpty() }
      return append(.snapshot, body, to: subscription)
    }
    let source = tables[table]
    var body = EventEncoder.rows(
      table: source.table, section: source.sections[section].record.id, first: row)
    var policies: [[UInt8]] = []
    row = source.forEachRow(inSection: section, from: row) { image in
      if filter.columns == nil {
        EventEncoder.appendRow(image, to: &body)
      } else {
        var shown = self.shown
        self.shown = []
        shown.removeAll(keepingCapacity: true)
        RowImage.append(image, columns: filter.columns, to: &shown)
        EventEncoder.appendRow(shown.span, to: &body)
        self.shown = shown
      }
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
    let last = headTable == tables.count && table == tables.count
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
    while headTable < tables.count, size < SnapshotSender.partSize {
      let source = tables[headTable]
      let head = source.encoded(
        from: &headSection, size: SnapshotSender.partSize - size, filter)
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
    while table < tables.count {
      let sections = tables[table].sections
      while section < sections.count,
        row >= sections[section].rows || !filter.shows(sections[section].record.id)
      {
        section += 1
        row = 0
      }
      if section < sections.count { return }
      table += 1
      section = 0
    }
  }
}
