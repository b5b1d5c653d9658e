internal import CHPSystem
internal import TableService
internal import Wire

/// Reads that look at many rows (SPEC 4, contract S7).
extension Daemon {
  func countRows(
    _ session: Session, _ id: UInt64, _ count: CountRowsRequest
  ) throws(ErrorReply) -> Progress {
    guard let filter = count.filter, !filter.isEmpty else {
      let table = try table(count.table)
      let rows =
        try section(count.section, of: table).map { table.section(at: $0).rows } ?? table.rowCount
      reply(session, id) { ReplyEncoder.count(id: id, rows: rows, cursor: cursor, into: &$0) }
      return .answered
    }
    return try perform(session, id) { () throws(ErrorReply) in
      try query(count.table, .count, filter, count.section)
    }
  }

  func sumColumn(
    _ session: Session, _ id: UInt64, _ sum: SumColumnRequest
  ) throws(ErrorReply) -> Progress {
    try perform(session, id) { () throws(ErrorReply) in
      try query(sum.table, .sum(sum.column), sum.filter ?? [], .absent)
    }
  }

  func findRows(
    _ session: Session, _ id: UInt64, _ find: FindRowsRequest
  ) throws(ErrorReply) -> Progress {
    if session.query?.request != id, let number = find.snapshot {
      let table = try table(find.table)
      guard let index = session.pages.firstIndex(where: { $0.number == number }),
        let query = session.pages[index].query, query.table == table.id
      else {
        throw ErrorReply(.snapshotExpired, "that snapshot is no longer kept: begin again")
      }
      guard query.given == find.first else {
        var error = ErrorReply(.badRequest, "the pages of a find are read one after the other")
        error.expected = "first \(query.given)"
        throw error
      }
      session.pages.remove(at: index)
      dropQuery(session)
      query.request = id
      session.query = query
    }
    return try perform(session, id) { () throws(ErrorReply) in
      try query(
        find.table, .rows(sort: find.sort.map { SortKey($0) }, limit: find.limit, skip: find.skip),
        find.filter ?? [], find.section)
    }
  }

  private func query(
    _ reference: TableReference, _ goal: Query.Goal, _ filter: [FilterNode],
    _ place: NamedSection
  ) throws(ErrorReply) -> Query {
    let table = try table(reference)
    let only = try section(place, of: table)
    do throws(TableFault) {
      return try Query(
        table.id, goal, filter.isEmpty ? nil : RowFilter(filter), place, on: table.schema,
        only: only)
    } catch { throw ErrorReply(error) }
  }

  /// Does a slice of the session's query; the first one makes it.
  private func perform(
    _ session: Session, _ id: UInt64, _ make: () throws(ErrorReply) -> Query
  ) throws(ErrorReply) -> Progress {
    let began = hp_monotonic_us()
    // One that was begun for a request which was answered otherwise meanwhile.
    if let begun = session.query, begun.request != id { dropQuery(session) }
    if session.query != nil, began - turn.began >= TurnBudget.microseconds { return .goesOn }
    if session.isPeerGone {
      dropQuery(session)
      return .answered
    }
    let query: Query
    if let begun = session.query { query = begun } else { query = try make() }
    query.request = id
    session.query = nil
    if query.isExpired {
      release(query)
      throw ErrorReply(.snapshotExpired, "too much changed while the rows were read: begin again")
    }
    let isSpent = { hp_monotonic_us() - began >= Query.slice }
    var isReady: Bool
    do throws(TableFault) {
      if let view = query.view {
        isReady = try query.run(view.tables[0], until: isSpent)
      } else {
        guard let table = service.table(id: query.table) else {
          throw TableFault(.unsupported, expected: "a table that is there")
        }
        isReady = try query.run(table, until: isSpent)
      }
    } catch {
      release(query)
      throw ErrorReply(error)
    }
    if query.view == nil, !isReady || query.hasMore {
      // One turn is not enough: what is left is read from a view, so that all of it is of one
      // revision. Where only an older view is to be had, all is read from that.
      guard let view = feed.view(of: query.table, least: session.least, self) else {
        return .waitsForView
      }
      if view.revision == service.revision {
        query.view = view
        session.query = query
      } else {
        session.query = try restart(query, on: view)
        session.query?.request = id
        isReady = false
      }
      if !isReady { return .goesOn }
      session.query = nil
    }
    guard isReady else {
      session.query = query
      return .goesOn
    }
    try answer(session, id, query)
    return .answered
  }

  private func restart(_ query: Query, on view: SharedView) throws(ErrorReply) -> Query {
    let source = view.tables[0]
    do throws(ErrorReply) {
      let only = try section(query.section, of: source)
      do throws(TableFault) {
        let new = try Query(
          query.table, query.goal, query.filter, query.section, on: source.schema, only: only)
        new.view = view
        return new
      } catch { throw ErrorReply(error) }
    } catch {
      feed.release(view)
      throw error
    }
  }

  private func answer(
    _ session: Session, _ id: UInt64, _ query: Query
  ) throws(ErrorReply) {
    let revision = query.view?.revision ?? service.revision
    let cursor = Cursor(epoch: service.epoch, revision: revision)
    switch query.goal {
    case .count:
      reply(session, id) {
        ReplyEncoder.count(id: id, rows: query.count, cursor: cursor, into: &$0)
      }
    case .sum:
      guard let total = query.total else { break }
      let sum: Int64
      do throws(TableFault) {
        sum = try total.value()
      } catch {
        release(query)
        throw ErrorReply(error)
      }
      reply(session, id) {
        ReplyEncoder.sum(
          id: id, sum, rows: total.rows, nulls: total.nulls, cursor: cursor, into: &$0)
      }
    case .rows:
      var number: UInt64?
      if query.hasMore, let view = query.view {
        number = session.nextPage
        session.nextPage += 1
        session.pages.append(
          Session.Page(
            number: number ?? 0, view: view, until: now + Timeouts.page, query: query))
        timers.add(.pages, at: now + Timeouts.page, for: session.token)
      }
      let schema: UInt64
      let lastChanged: UInt64
      if let view = query.view {
        schema = view.tables[0].schema.revision
        lastChanged = view.tables[0].lastChanged
      } else {
        let table = service.table(id: query.table)
        schema = table?.schema.revision ?? 0
        lastChanged = table?.lastChanged ?? 0
      }
      reply(session, id) { out in
        query.finishPage(
          id: id, cursor: cursor, lastChanged: lastChanged, snapshot: number, schema: schema,
          into: &out)
      }
      if number != nil { return }
    }
    release(query)
  }

  private func release(_ query: Query) {
    guard let view = query.view else { return }
    query.view = nil
    feed.release(view)
  }

  /// Gives up the read at the front of a connection's input.
  func dropQuery(_ session: Session) {
    guard let query = session.query else { return }
    session.query = nil
    release(query)
  }
}
