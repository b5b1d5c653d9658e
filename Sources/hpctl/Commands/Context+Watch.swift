internal import Glibc
internal import hpclient

extension Context {
  /// Prints a table and every later change, until something ends it.
  func watch() throws(Fault) {
    let client = try client()
    let end = try seconds().map { Self.microseconds + Int64($0 * 1_000_000) }
    var since: Cursor?
    if let text = invocation[.since] {
      guard let partial = PartialCursor(text) else {
        throw .usage("--since takes EPOCH:REV, not \"\(TerminalSafety.shown(text))\"")
      }
      since = try cursor(partial)
    }
    var feed = FeedPrinter(self)
    if since != nil { feed.tables = try tablesNow(client) }
    var subscription = try subscribe(client, since: since, &feed)
    while !output.isOver {
      guard let event = try next(client, end) else {
        guard !output.isReaderGone else { return }
        guard invocation.has(.once) else { return }
        throw Fault(.refused, "TIMEOUT", "there was no change in this time")
      }
      if let goodbye = Fault(goodbye: event) {
        feed.shutdown(goodbye.message)
        output.flush()
        throw goodbye
      }
      // Safe: the event is alive until the end of the turn.
      let kind = unsafe event.handle.pointee.kind
      guard unsafe event.handle.pointee.subscription == subscription else { continue }
      if kind == HP_EVENT_ENDED {
        let reason = unsafe event.handle.pointee.reason
        let name = unsafe String(cString: hp_end_reason_name(reason))
        guard
          [HP_END_COMPACTED, HP_END_EXPIRED, HP_END_TOO_SLOW, HP_END_EPOCH_CHANGED]
            .contains(reason)
        else {
          feed.ended(name)
          output.flush()
          throw Fault(
            reason == HP_END_TABLE_DROPPED ? .notFound : .refused, name.uppercased(),
            "the feed ended: " + name)
        }
        feed.resync(name)
        subscription = try subscribe(client, since: nil, &feed)
        continue
      }
      unsafe feed.print(event.handle.pointee)
      output.flush()
      if kind == HP_EVENT_CHANGE, invocation.has(.once), unsafe event.handle.pointee.last {
        return
      }
    }
  }

  /// The columns of the tables that are watched, for events without a snapshot before them.
  func tablesNow(_ client: Client) throws(Fault) -> [TableInfo] {
    guard invocation.has(.allTables) else { return [try client.describe(table)] }
    let reply = try unsafe client.run { connection in
      unsafe hp_send_list_tables(connection, nil)
    }
    guard let list = unsafe hp_reply_tables(reply.handle) else { throw .unexpectedReply }
    // Safe: the tables belong to the reply, which lives until they are copied.
    let names = unsafe UnsafeBufferPointer(start: list.pointee.tables, count: list.pointee.count)
      .map { table in unsafe TableInfo(table).name }
    withExtendedLifetime(reply) {}
    return try names.map { name throws(Fault) in try client.describe(name) }
  }

  private func subscribe(
    _ client: Client, since: Cursor?, _ feed: inout FeedPrinter
  ) throws(Fault) -> UInt64 {
    let text = CText()
    let reply = try unsafe client.run { connection in
      var options = unsafe hp_subscribe_options()
      // Safe: the name lives in `text` until the call returns.
      if !invocation.has(.allTables) { unsafe options.table = hp_table_named(text(table)) }
      if let since {
        unsafe options.has_since = true
        unsafe options.since = hp_cursor(since)
        unsafe options.snapshot_if_lost = true
      }
      return unsafe hp_send_subscribe(connection, nil, &options)
    }
    guard let subscribed = unsafe hp_reply_subscribed(reply.handle) else { throw .unexpectedReply }
    feed.epoch = unsafe subscribed.pointee.from.epoch
    if let since {
      if unsafe subscribed.pointee.snapshot {
        unsafe feed.resync(Self.reason(since, now: Cursor(subscribed.pointee.from)))
      } else {
        feed.resumed(since)
      }
    }
    return unsafe subscribed.pointee.subscription
  }

  /// Why history can't go on after a cursor.
  private static func reason(_ since: Cursor, now: Cursor) -> String {
    if since.epoch != now.epoch { return "that point is of another store, or of before a restore" }
    if since.revision > now.revision { return "the store has not come that far" }
    return "history does not reach back that far"
  }

  /// The next event; `nil` when the time is up or nobody reads stdout any more.
  private func next(_ client: Client, _ end: Int64?) throws(Fault) -> Event? {
    while true {
      do throws(Fault) {
        if let event = try client.event(milliseconds: 0) { return event }
      } catch {
        FeedPrinter(self).shutdown(error.message)
        throw error
      }
      let left = end.map { max(0, ($0 - Self.microseconds) / 1_000) }
      if left == 0 { return nil }
      let polling = client.polling
      var timeout = polling.timeout
      if let left {
        timeout = timeout < 0 ? CInt(clamping: left) : min(timeout, CInt(clamping: left))
      }
      var waiting = [
        pollfd(fd: polling.descriptor, events: polling.events, revents: 0),
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      // Safe: a local list of two; poll keeps no pointer to it.
      _ = unsafe poll(&waiting, 2, timeout)
      if waiting[1].revents & Int16(POLLERR) != 0 {
        output.readerIsGone()
        return nil
      }
    }
  }
}
