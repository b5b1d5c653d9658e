internal import TableService
internal import Wire

/// What can be listed: a table as it is, or a view of it.
private protocol Listed {
  var sectionCount: Int { get }
  func info(_ section: Int) -> TableService.SectionInfo
  func rows(of section: Int, from row: Int, _ body: (Span<UInt8>) -> Bool)
}

extension Table: Listed {
  func info(_ section: Int) -> TableService.SectionInfo { self.section(at: section) }
  func rows(of section: Int, from row: Int, _ body: (Span<UInt8>) -> Bool) {
    forEachRow(inSection: section, from: row, body)
  }
}

extension TableView: Listed {
  var sectionCount: Int { sections.count }
  func info(_ section: Int) -> TableService.SectionInfo { sections[section] }
  func rows(of section: Int, from row: Int, _ body: (Span<UInt8>) -> Bool) {
    _ = forEachRow(inSection: section, from: row, body)
  }
}

/// Rows by position, in pages that are all of one revision (SPEC 4).
extension Daemon {
  /// Rows of about so many bytes stand in one page.
  private static let pageSize = 1 << 20

  /// So many rows are not put together before they are queued.
  private static let atOnce = 1_000

  /// So many listings of one client may be under way; a further one ends the oldest.
  private static let listings = 16

  /// Where a page ended.
  private struct Reach {
    var next: Int
    var isFull: Bool
  }

  /// Answers with one page.
  ///
  /// - Returns: Whether it is answered; `false`: it has to wait for a view.
  func listRows(
    _ session: Session, _ id: UInt64, _ list: ListRowsRequest, least: UInt64
  ) throws(ErrorReply) -> Bool {
    let table = try table(list.table)
    guard list.columns.isEmpty else {
      throw ErrorReply(.unsupported, "this version serves whole rows")
    }
    if let number = list.snapshot {
      try continueList(session, id, list, number, table)
      return true
    }
    let only = try section(list.section, of: table)
    if replyAtOnce(session, id, list, table, only: only) { return true }
    var reach = add(list, table, only: only)
    guard reach.isFull else {
      finish(
        session, id, reach, nil, revision: service.revision, lastChanged: table.lastChanged,
        table.schema)
      return true
    }
    // The next pages come from a view; where it is an older one, so must this page.
    guard let view = feed.view(of: table.id, least: least, self) else {
      page = RowPageEncoder()
      return false
    }
    let source = view.tables[0]
    if view.revision != service.revision {
      page = RowPageEncoder()
      reach = add(list, source, only: try section(list.section, of: source))
    }
    let number = session.nextPage
    session.nextPage += 1
    if session.pages.count == Daemon.listings { feed.release(session.pages.removeFirst().view) }
    session.pages.append(Session.Page(number: number, view: view, until: now + Timeouts.page))
    armPageTimer(session)
    finish(
      session, id, reach, number, revision: view.revision, lastChanged: source.lastChanged,
      source.schema)
    return true
  }

  /// Answers with rows that are written where they are sent from.
  ///
  /// - Returns: Whether they are answered; `false`: they are too many for a page, or may be.
  private func replyAtOnce(
    _ session: Session, _ id: UInt64, _ list: ListRowsRequest, _ table: Table, only: Int?
  ) -> Bool {
    guard let count = list.count, count <= Daemon.atOnce else { return false }
    if service.hasPending { session.output.gate(service.durableTurn + 1) }
    let isAnswered = session.output.appendFrame(
      about: page.lastSize + 256,
      orNone: { out in
        page.begin(in: &out)
        let reach = add(list, table, only: only)
        guard !reach.isFull else {
          page.abandon(in: &out)
          return false
        }
        page.finish(
          id: id, cursor: cursor, lastChanged: table.lastChanged,
          schemaRevision: table.schema.revision, into: &out)
        return true
      })
    guard isAnswered else { return false }
    if service.hasPending { session.gatedReplies.append(id) }
    markDirty(session)
    return true
  }

  private func continueList(
    _ session: Session, _ id: UInt64, _ list: ListRowsRequest, _ number: UInt64, _ table: Table
  ) throws(ErrorReply) {
    guard let index = session.pages.firstIndex(where: { $0.number == number }),
      session.pages[index].view.table == table.id
    else {
      throw ErrorReply(.snapshotExpired, "that snapshot is no longer kept: begin again")
    }
    let view = session.pages[index].view
    let source = view.tables[0]
    let only = try section(list.section, of: source)
    let reach = add(list, source, only: only)
    if reach.isFull {
      session.pages[index].until = now + Timeouts.page
    } else {
      session.pages.remove(at: index)
      feed.release(view)
    }
    finish(
      session, id, reach, reach.isFull ? number : nil, revision: view.revision,
      lastChanged: source.lastChanged, source.schema)
  }

  /// Adds rows to the page until it is full.
  private func add(_ list: ListRowsRequest, _ source: some Listed, only: Int?) -> Reach {
    var skip = list.first
    var rest = list.count ?? Int.max
    var reach = Reach(next: list.first, isFull: false)
    for index in only.map({ $0..<$0 + 1 }) ?? 0..<source.sectionCount {
      let info = source.info(index)
      guard skip < info.rows else {
        skip -= info.rows
        continue
      }
      var row = skip
      skip = 0
      let id = info.record.id
      var size = page.size
      let before = rest
      source.rows(of: index, from: row) { image in
        if rest == 0 { return false }
        if size >= Daemon.pageSize {
          reach.isFull = true
          return false
        }
        size = page.add(image, path: IndexPath(section: index, row: row), section: id)
        row += 1
        rest -= 1
        return rest > 0
      }
      reach.next += before - rest
      if rest == 0 || reach.isFull { break }
    }
    return reach
  }

  private func finish(
    _ session: Session, _ id: UInt64, _ reach: Reach, _ number: UInt64?, revision: UInt64,
    lastChanged: UInt64, _ schema: Schema
  ) {
    reply(session, id) { out in
      page.finish(
        id: id, cursor: Cursor(epoch: service.epoch, revision: revision),
        next: reach.isFull ? reach.next : nil, lastChanged: lastChanged, snapshot: number,
        schemaRevision: schema.revision, into: &out)
    }
  }

  /// The index of the section that a read of a view names.
  func section(
    _ reference: NamedSection, of view: TableView
  ) throws(ErrorReply) -> Int? {
    let found: Int?
    switch reference {
    case .absent: return nil
    case .id(let id): found = view.sections.firstIndex { $0.record.id == id }
    case .title(let title):
      let bytes = Array(title.utf8)
      found = view.sections.firstIndex { $0.record.title == bytes }
    case .index(let index): found = index < view.sections.count ? index : nil
    case .handle: throw ErrorReply(.badRequest, "handles belong to batches")
    }
    if let found { return found }
    throw ErrorReply(.noSuchSection, "the snapshot has no such section")
  }

  /// Sees to it that views are given back whose next page nobody asks for.
  func armPageTimer(_ session: Session) {
    guard !session.hasPageTimer, let next = session.pages.map(\.until).min() else { return }
    session.hasPageTimer = true
    timers.add(.pages, at: next, for: session.token)
  }

  /// Gives views back whose next page nobody asked for.
  func releasePages(_ session: Session, until now: Int64 = .max) {
    session.pages.removeAll { page in
      guard page.until <= now else { return false }
      feed.release(page.view)
      return true
    }
  }
}
