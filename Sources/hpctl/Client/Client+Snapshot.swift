internal import hpclient

extension Client {
  /// Reads a whole table at one revision, from the snapshot that a subscription begins with.
  ///
  /// Pages of rows are each as new as they are read; this is for tables that need several.
  ///
  /// - Parameters:
  ///   - table: The table with the columns to read.
  ///   - body: Gets the rows in their order; false ends the reading.
  /// - Throws: What the daemon refuses; SNAPSHOT_EXPIRED when it gave the snapshot up.
  func snapshot(of table: TableInfo, _ body: (Row) -> Bool) throws(Fault) {
    let reply = try unsafe run { connection in
      var options = unsafe hp_subscribe_options()
      unsafe options.table = hp_table_with_id(table.id)
      return unsafe hp_send_subscribe(connection, nil, &options)
    }
    guard let subscribed = unsafe hp_reply_subscribed(reply.handle) else { throw .unexpectedReply }
    let subscription = unsafe subscribed.pointee.subscription
    var indices: [UInt64: UInt64] = [:]
    while true {
      guard let event = try event(milliseconds: milliseconds) else {
        throw Fault(.refused, "TIMEOUT", "the rows did not come in time")
      }
      if let goodbye = Fault(goodbye: event) { throw goodbye }
      // Safe: the event is alive until the end of the turn.
      let content = unsafe event.handle.pointee
      guard unsafe content.subscription == subscription else { continue }
      switch unsafe content.kind {
      case HP_EVENT_SNAPSHOT:
        unsafe UnsafeBufferPointer(start: content.tables, count: content.table_count).forEach {
          for section in unsafe TableInfo($0).sections { indices[section.id] = section.index }
        }
      case HP_EVENT_SNAPSHOT_ROWS:
        let rows = unsafe UnsafeBufferPointer(start: content.rows, count: content.row_count)
        for offset in 0..<rows.count {
          var row = unsafe Row(rows[offset], columns: table.columns)
          unsafe row.section = content.section
          row.path = IndexPath(
            section: indices[unsafe content.section] ?? 0,
            row: unsafe content.first + UInt64(offset))
          guard body(row) else { return }
        }
      case HP_EVENT_ENDED:
        throw .coded(.snapshotExpired, "the daemon gave the snapshot up", hint: "try again")
      case HP_EVENT_LIVE: return
      default: break
      }
      withExtendedLifetime(event) {}
    }
  }
}
