internal import hpclient

/// A batch that is sent while it is built.
extension Client {
  /// Bytes that may wait to be sent while more is built.
  private static let waiting = 1 << 20

  /// Begins to send a batch.
  ///
  /// - Returns: The request whose reply is the outcome, for `receive`.
  /// - Throws: Why nothing was sent.
  func begin(_ batch: Batch) throws(Fault) -> UInt64 {
    // Safe: the batch is read during the call.
    try unsafe send { connection in
      unsafe hp_send_batch_begin(connection, nil, batch.handle, 0)
    }
  }

  /// Sends what fills a part, and takes what came meanwhile.
  ///
  /// - Returns: Whether it goes on; else the outcome, or the end of the connection, is there.
  func sendPart(_ request: UInt64, _ batch: Batch) -> Bool {
    // Safe: the connection belongs to the client, which lives as long as this object.
    guard let connection = unsafe hp_client_async(handle),
      unsafe hp_send_batch_part(connection, request, batch.handle)
    else { return false }
    return unsafe hp_client_flush_to(handle, Client.waiting)
  }

  /// Sends the rest of a batch, and its end.
  ///
  /// - Returns: Whether it could be sent.
  func end(_ request: UInt64, _ batch: Batch, _ envelope: Envelope) -> Bool {
    // Safe: as in `sendPart`.
    guard let connection = unsafe hp_client_async(handle) else { return false }
    return unsafe envelope.with {
      unsafe hp_send_batch_end(connection, $0, request, batch.handle)
    }
  }

  /// Gives a batch up whose end was not sent: nothing is left of it.
  func abort(_ request: UInt64) {
    // Safe: as in `sendPart`.
    guard let connection = unsafe hp_client_async(handle) else { return }
    if unsafe hp_send_batch_abort(connection, request) { _ = unsafe hp_client_flush(handle) }
    _ = unsafe hp_client_clear_error(handle)
  }
}
