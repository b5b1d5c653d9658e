internal import hpclient

/// Tables made, renamed, dropped: a revision each (contract E13).
extension Context {
  func addTable() throws(Fault) {
    let name = invocation.words[0]
    var columns: [ColumnInfo] = []
    for word in invocation.words.dropFirst() { columns.append(try ColumnInfo(text: word)) }
    let titles = (invocation[.sections] ?? "").split(separator: ",").map(String.init)
    let envelope = Envelope(key: invocation[.idempotencyKey])
    let text = CText()
    let reply = try unsafe client().run { connection in
      // Safe: the texts live in `text` until the call returns, and so do the lists.
      let sections: [UnsafePointer<CChar>?] = unsafe titles.map { unsafe text($0) }
      return unsafe sections.withUnsafeBufferPointer { sections in
        unsafe columns.withColumns(text) { columns in
          unsafe envelope.with {
            unsafe hp_send_create_table(
              connection, $0, text(name), columns.baseAddress, columns.count,
              sections.baseAddress, sections.count)
          }
        }
      }
    }
    report(reply, name: name)
  }

  func renameTable() throws(Fault) {
    let envelope = try tableEnvelope()
    let (old, name) = (invocation.words[0], invocation.words[1])
    let text = CText()
    let reply = try unsafe client().run { connection in
      // Safe: the texts live in `text` until the call returns.
      unsafe envelope.with {
        unsafe hp_send_rename_table(connection, $0, hp_table_named(text(old)), text(name))
      }
    }
    report(reply, name: name)
  }

  func removeTable() throws(Fault) {
    let name = invocation.words[0]
    let envelope = try tableEnvelope()
    // A retry under a key finds the table gone, and its first outcome.
    if invocation[.idempotencyKey] == nil || !invocation.has(.yes) {
      let rows = try client().describe(name).rows
      try confirm(
        "drop table \"\(TerminalSafety.shown(name))\" with "
          + (rows == 1 ? "1 row" : "\(rows) rows"))
    }
    let text = CText()
    let reply = try unsafe client().run { connection in
      // Safe: the text lives in `text` until the call returns.
      unsafe envelope.with {
        unsafe hp_send_drop_table(connection, $0, hp_table_named(text(name)))
      }
    }
    report(reply, name: name)
  }

  private func tableEnvelope() throws(Fault) -> Envelope {
    let request = try change()
    return Envelope(key: request.key, expect: try cursor(request.expect))
  }

  /// What JSON says of a table that was made, renamed or dropped.
  private func report(_ reply: Reply, name: String) {
    guard format.isJSON, !isQuiet else { return }
    var fields: [(String, JSON)] = [("name", .string(name))]
    // Safe: the reply is alive until the end of this function.
    if let table = unsafe hp_reply_table(reply.handle) {
      fields.append(("id", unsafe .integer(table.pointee.id)))
    } else if let result = unsafe hp_reply_batch(reply.handle) {
      fields.append(("id", unsafe .integer(result.pointee.table)))
    }
    let cursor = unsafe hp_reply_cursor(reply.handle)
    if cursor.revision > 0 { fields += JSON.cursor(cursor) }
    output.line(.object(fields))
    withExtendedLifetime(reply) {}
  }
}
