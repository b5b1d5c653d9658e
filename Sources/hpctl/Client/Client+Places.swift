internal import hpclient

/// Where a row stands in its section.
struct RowPlace: Equatable {
  var section: UInt64
  var index: UInt64
}

extension Client {
  /// Where rows stand.
  ///
  /// - Parameters:
  ///   - ids: The rows.
  ///   - table: The table's name.
  /// - Returns: By row; rows that are not there are left out.
  /// - Throws: What the daemon refuses.
  /// - Complexity: O(*n* log *n*), a request for each thousand.
  func places(of ids: [UInt64], table: String) throws(Fault) -> [UInt64: RowPlace] {
    var places: [UInt64: RowPlace] = [:]
    let text = CText()
    for start in stride(from: 0, to: ids.count, by: 1_000) {
      let some = Array(ids[start..<min(start + 1_000, ids.count)])
      let reply = try unsafe run { connection in
        // Safe: name and ids live until the call returns.
        unsafe some.withUnsafeBufferPointer {
          unsafe hp_send_get_rows(
            connection, nil, hp_table_named(text(table)), $0.baseAddress, $0.count)
        }
      }
      guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
      // Safe: the rows belong to the reply, which lives until the end of the turn.
      let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
      unsafe rows.forEach { row in
        if unsafe row.placed {
          places[unsafe row.id] = RowPlace(section: unsafe row.section, index: unsafe row.path.row)
        }
      }
      withExtendedLifetime(reply) {}
    }
    return places
  }
}
