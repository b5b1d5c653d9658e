internal import hpclient

extension Client {
  /// Asks for a page of rows.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - section: The section, or `nil` for the whole table.
  ///   - first: The first row, by its position.
  ///   - snapshot: The number of the snapshot that the page before was read from, or 0.
  /// - Returns: The request's number.
  /// - Throws: UNREACHABLE when the connection is over.
  func sendList(
    _ table: String, section: SectionName?, from first: UInt64 = 0, snapshot: UInt64 = 0
  ) throws(Fault) -> UInt64 {
    let text = CText()
    let request = try unsafe send { connection in
      var options = unsafe hp_list_options()
      // Safe: the texts live in `text` until the call returns.
      if let section { unsafe options.section = hp_section_ref(section, text) }
      unsafe options.first = first
      unsafe options.snapshot = snapshot
      return unsafe hp_send_list_rows(connection, nil, hp_table_named(text(table)), &options)
    }
    withExtendedLifetime(text) {}
    return request
  }

  /// Hands out all rows of a table or section, at one revision.
  ///
  /// - Parameters:
  ///   - request: The request for the first page.
  ///   - table: The table with the columns to read.
  ///   - section: The section that was asked for.
  ///   - body: Gets the rows in their order; false ends the reading.
  /// - Throws: What the daemon refuses; SNAPSHOT_EXPIRED when the pages took too long.
  func rows(
    _ request: UInt64, of table: TableInfo, section: SectionName?, _ body: (Row) -> Bool
  ) throws(Fault) {
    var request = request
    while true {
      let reply = try receive(request)
      guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
      // The next page is on its way while this one is handed out.
      let isLast = unsafe !page.pointee.has_next
      if !isLast {
        request = try unsafe sendList(
          table.name, section: section, from: page.pointee.next, snapshot: page.pointee.snapshot)
      }
      // Safe: the rows belong to the reply, which lives until the end of the turn.
      let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
      for index in 0..<rows.count {
        guard body(unsafe Row(rows[index], columns: table.columns)) else { return }
      }
      withExtendedLifetime(reply) {}
      if isLast { return }
    }
  }
}
