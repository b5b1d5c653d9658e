internal import hpclient

extension Client {
  /// Asks for the first page of rows.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - section: The section, or `nil` for the whole table.
  /// - Returns: The request's number.
  /// - Throws: UNREACHABLE when the connection is over.
  func sendList(_ table: String, section: SectionName?) throws(Fault) -> UInt64 {
    let text = CText()
    let request = try unsafe send { connection in
      var options = unsafe hp_list_options()
      // Safe: the texts live in `text` until the call returns.
      if let section { unsafe options.section = hp_section_ref(section, text) }
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
  /// - Throws: What the daemon refuses.
  func rows(
    _ request: UInt64, of table: TableInfo, section: SectionName?, _ body: (Row) -> Bool
  ) throws(Fault) {
    let reply = try receive(request)
    guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
    guard unsafe !page.pointee.has_next else {
      let only: UInt64? = if let section { try table.section(section).id } else { nil }
      return try snapshot(of: table) { row in
        only == nil || row.section == only ? body(row) : true
      }
    }
    // Safe: the rows belong to the reply, which lives until the end of this function.
    let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
    for index in 0..<rows.count {
      guard body(unsafe Row(rows[index], columns: table.columns)) else { break }
    }
    withExtendedLifetime(reply) {}
  }
}
