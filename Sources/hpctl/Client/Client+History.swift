internal import hpclient

/// The history, page by page.
extension Client {
  /// The names of all tables, by their ids.
  func tableNames() throws(Fault) -> [UInt64: String] {
    let reply = try unsafe run { connection in unsafe hp_send_list_tables(connection, nil) }
    guard let list = unsafe hp_reply_tables(reply.handle) else { throw .unexpectedReply }
    var names: [UInt64: String] = [:]
    // Safe: the tables belong to the reply, which lives until they are copied.
    let tables = unsafe UnsafeBufferPointer(start: list.pointee.tables, count: list.pointee.count)
    unsafe tables.forEach { unsafe names[$0.id] = String(hp: $0.name) ?? "" }
    withExtendedLifetime(reply) {}
    return names
  }

  /// Reads entries, newest first.
  ///
  /// - Parameters:
  ///   - limit: At most how many; `nil`: all.
  ///   - before: Only revisions before this one; 0: from the newest on.
  ///   - ask: Calls an `hp_send_…` function with where the page begins and how many it may have.
  ///   - body: Takes an entry; `false` ends the reading.
  /// - Throws: What the daemon refused, or why no reply came.
  func history(
    limit: UInt64?, before: UInt64,
    _ ask: (OpaquePointer, _ before: UInt64, _ limit: UInt64) -> UInt64,
    _ body: (HistoryEntry) -> Bool
  ) throws(Fault) {
    var left = limit ?? .max
    var before = before
    while left > 0 {
      let count = left == .max ? 0 : left
      let reply = try unsafe run { connection in unsafe ask(connection, before, count) }
      guard let page = unsafe hp_reply_history(reply.handle) else { throw .unexpectedReply }
      // Safe: the list belongs to the reply, which lives until the end of this turn.
      let entries = unsafe UnsafeBufferPointer(
        start: page.pointee.entries, count: page.pointee.count)
      var goesOn = unsafe page.pointee.has_next
      for index in entries.indices {
        if left != .max { left -= 1 }
        guard unsafe body(HistoryEntry(entries[index])) else {
          goesOn = false
          break
        }
      }
      unsafe before = page.pointee.next
      withExtendedLifetime(reply) {}
      if !goesOn { return }
    }
  }
}
