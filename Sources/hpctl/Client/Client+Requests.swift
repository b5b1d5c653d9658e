internal import hpclient

extension Client {
  /// Columns, sections and counts of a table.
  func describe(_ table: String) throws(Fault) -> TableInfo {
    try tableInfo(receive(try sendDescribe(table)))
  }

  /// Asks for a table; `tableInfo` reads the reply.
  func sendDescribe(_ table: String) throws(Fault) -> UInt64 {
    let text = CText()
    // Safe: the name lives in `text` until the call returns.
    let name = unsafe hp_table_named(text(table))
    let request = try unsafe send { connection in
      unsafe hp_send_describe_table(connection, nil, name)
    }
    withExtendedLifetime(text) {}
    return request
  }

  func tableInfo(_ reply: Reply) throws(Fault) -> TableInfo {
    // Safe: the reply is alive during the call; the table is copied.
    guard let table = unsafe hp_reply_table(reply.handle) else { throw .unexpectedReply }
    return unsafe TableInfo(table.pointee)
  }

  /// Sends a batch and hands its outcome to `body`.
  func run<Result>(
    _ batch: Batch, _ envelope: Envelope,
    _ body: (hp_batch_result) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    let reply = try unsafe run { connection in
      unsafe envelope.with { unsafe hp_send_batch(connection, $0, batch.handle) }
    }
    return try unsafe outcome(reply, body)
  }

  /// Hands the outcome in a reply to `body`.
  func outcome<Result>(
    _ reply: Reply, _ body: (hp_batch_result) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    // Safe: the reply is alive until `body` returns.
    guard let result = unsafe hp_reply_batch(reply.handle) else { throw .unexpectedReply }
    let value = try unsafe body(result.pointee)
    withExtendedLifetime(reply) {}
    return value
  }

  /// Where a row stands: its path and its section's id.
  func locate(_ row: UInt64, table: String) throws(Fault) -> (path: IndexPath, section: UInt64) {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: the name lives in `text` until the call returns.
      unsafe hp_send_locate_row(connection, nil, hp_table_named(text(table)), row)
    }
    guard let location = unsafe hp_reply_location(reply.handle) else { throw .unexpectedReply }
    return unsafe (IndexPath(location.pointee.path), location.pointee.section)
  }
}

extension Fault {
  /// A reply of another kind than the request asks for: a fault of the daemon.
  static var unexpectedReply: Fault {
    Fault(.refused, "PROTOCOL", "the daemon answered with another kind of reply")
  }
}
