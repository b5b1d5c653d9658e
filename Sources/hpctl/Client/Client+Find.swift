internal import hpclient

/// What a find asks for.
struct FindRequest {
  var section: SectionName?
  var filter = Filter()
  var sort: [SortKey] = []
  var limit: UInt64?
  var skip: UInt64 = 0
}

extension Client {
  /// Hands out the rows of a find, at one revision.
  ///
  /// - Parameters:
  ///   - find: What is asked for.
  ///   - table: The table with the columns to read.
  ///   - body: Gets the rows in their order; false ends the reading.
  /// - Throws: What the daemon refuses; SNAPSHOT_EXPIRED when the pages took too long.
  func rows(
    _ find: FindRequest, of table: TableInfo, _ body: (Row) -> Bool
  ) throws(Fault) {
    var request = try sendFind(find, table.name, first: 0, snapshot: 0)
    while true {
      let reply = try receive(request)
      guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
      // The next page is on its way while this one is handed out.
      let isLast = unsafe !page.pointee.has_next
      if !isLast {
        request = try unsafe sendFind(
          FindRequest(), table.name, first: page.pointee.next, snapshot: page.pointee.snapshot)
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

  private func sendFind(
    _ find: FindRequest, _ table: String, first: UInt64, snapshot: UInt64
  ) throws(Fault) -> UInt64 {
    let text = CText()
    let request = try unsafe send { connection in
      // Safe: filter, keys and texts live until the call returns.
      unsafe find.filter.with(text) { filter in
        unsafe find.sort.made(text).withUnsafeBufferPointer { keys in
          var options = unsafe hp_find_options()
          if let section = find.section {
            unsafe options.section = hp_section_ref(section, text)
          }
          unsafe options.filter = find.filter.isEmpty ? nil : filter
          unsafe options.sort = keys.baseAddress
          unsafe options.sort_count = keys.count
          unsafe options.has_limit = find.limit != nil
          unsafe options.limit = find.limit ?? 0
          unsafe options.skip = find.skip
          unsafe options.first = first
          unsafe options.snapshot = snapshot
          return unsafe hp_send_find_rows(connection, nil, hp_table_named(text(table)), &options)
        }
      }
    }
    withExtendedLifetime(text) {}
    return request
  }

  /// Counts rows.
  ///
  /// - Returns: The count and where the table stood.
  func count(
    _ table: String, section: SectionName?, filter: Filter
  ) throws(Fault) -> (rows: UInt64, cursor: Cursor) {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: filter and texts live until the call returns.
      unsafe filter.with(text) { filter in
        let place = unsafe section.map { unsafe hp_section_ref($0, text) } ?? hp_section_none()
        return unsafe hp_send_count_rows(
          connection, nil, hp_table_named(text(table)), place, filter)
      }
    }
    withExtendedLifetime(text) {}
    guard let count = unsafe hp_reply_count(reply.handle) else { throw .unexpectedReply }
    return unsafe (count.pointee.rows, Cursor(count.pointee.cursor))
  }

  /// Adds up a column.
  ///
  /// - Returns: The sum in the column's smallest unit, rows with and without a value, and where
  ///   the table stood.
  func sum(
    _ table: String, column: String, filter: Filter
  ) throws(Fault) -> (sum: Int64, rows: UInt64, nulls: UInt64, cursor: Cursor) {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: filter and texts live until the call returns.
      unsafe filter.with(text) { filter in
        unsafe hp_send_sum_column(
          connection, nil, hp_table_named(text(table)), text(column), filter)
      }
    }
    withExtendedLifetime(text) {}
    guard let sum = unsafe hp_reply_sum(reply.handle) else { throw .unexpectedReply }
    return unsafe (
      sum.pointee.sum, sum.pointee.rows, sum.pointee.nulls, Cursor(sum.pointee.cursor)
    )
  }
}
