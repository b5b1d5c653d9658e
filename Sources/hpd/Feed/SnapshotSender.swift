internal import TableService
internal import Wire

/// Sends a view to one subscription, part by part, as fast as its client reads.
final class SnapshotSender {
  /// Rows of about so many bytes stand in one part.
  static let partSize = 64 << 10

  let view: SharedView
  private var part: UInt32 = 0
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
    if part == 0 {
      let cursor = Cursor(epoch: epoch, revision: revision)
      let body = EventEncoder.snapshot(cursor, encoded: view.tables.map { $0.encoded() })
      skipEmpty()
      return append(.snapshot, body, to: subscription)
    }
    let source = view.tables[table]
    var body = EventEncoder.rows(
      table: source.table, section: source.sections[section].record.id, first: row)
    row = source.forEachRow(inSection: section, from: row) { image in
      EventEncoder.appendRow(image, to: &body)
      return body.count < SnapshotSender.partSize
    }
    skipEmpty()
    return append(.rows, body, to: subscription)
  }

  private func append(
    _ kind: EventEncoder.Body, _ body: [UInt8], to subscription: Subscription
  ) -> Bool {
    let last = table == view.tables.count
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
