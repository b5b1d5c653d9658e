internal import hpclient

/// A lease as the daemon lists it (contract K4).
struct Lease {
  var id: UInt64
  var uid: UInt64
  var name: String
  var actor: String
  /// Microseconds on the daemon's running clock; `nil`: until it is ended.
  var ends: Int64?
}

/// The outcome of a request that changed live state alone.
struct EditingOutcome {
  var cursor: Cursor
  var sequence: UInt64
  var isUnchanged: Bool
  var isReplayed: Bool
  var isEditing: Bool
  var title: String
  var mode: String
  var row: UInt64
  /// What the delete button says.
  var deleteTitle: String?
  /// Where a drop would put the row.
  var target: IndexPath?
  var draft: DraftState?
  var hasResigned: Bool
}

/// The policy of a table, a section or a row.
struct PolicyEntry {
  var section: UInt64
  var row: UInt64
  var own: Policy
  var effective: Policy
  var sentinel: Sentinel?
}

extension Client {
  /// Takes or renews a lease.
  func takeLease(_ name: String, seconds: UInt64) throws(Fault) -> Lease {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: the name lives in `text` until the call returns.
      unsafe hp_send_take_lease(connection, nil, text(name), seconds)
    }
    guard let lease = try leases(reply).first else { throw .unexpectedReply }
    return lease
  }

  func endLease(id: UInt64, name: String?) throws(Fault) {
    let text = CText()
    _ = try unsafe run { connection in
      // Safe: the name lives in `text` until the call returns.
      unsafe hp_send_end_lease(connection, nil, id, text(optional: name))
    }
  }

  func leases() throws(Fault) -> [Lease] {
    try leases(unsafe run { connection in unsafe hp_send_list_leases(connection, nil) })
  }

  private func leases(_ reply: Reply) throws(Fault) -> [Lease] {
    guard let list = unsafe hp_reply_leases(reply.handle) else { throw .unexpectedReply }
    // Safe: the leases belong to the reply, which lives until they are copied.
    let leases = unsafe UnsafeBufferPointer(start: list.pointee.leases, count: list.pointee.count)
      .map { lease in
        unsafe Lease(
          id: lease.id, uid: lease.uid, name: String(hp: lease.name) ?? "",
          actor: String(hp: lease.actor) ?? "", ends: lease.has_end ? lease.ends : nil)
      }
    withExtendedLifetime(reply) {}
    return leases
  }

  func editing(_ table: String) throws(Fault) -> EditingState {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: the name lives in `text` until the call returns.
      unsafe hp_send_get_editing(connection, nil, hp_table_named(text(table)))
    }
    guard let state = unsafe hp_reply_editing_state(reply.handle) else { throw .unexpectedReply }
    let copy = unsafe EditingState(state.pointee)
    withExtendedLifetime(reply) {}
    return copy
  }

  /// What an editing request did: a change of the table, or of live state alone.
  enum EditingResult {
    case editing(EditingOutcome)
    case change(Reply)
  }

  /// Sends an editing request.
  ///
  /// - Parameters:
  ///   - envelope: Key, lease and expectation.
  ///   - send: Calls one `hp_send_…` function with the connection and the envelope.
  /// - Returns: What it did.
  /// - Throws: What the daemon refused, or why no reply came.
  func edit(
    _ envelope: Envelope, _ send: (OpaquePointer, UnsafePointer<hp_envelope>) -> UInt64
  ) throws(Fault) -> EditingResult {
    let reply = try unsafe run { connection in
      unsafe envelope.with { unsafe send(connection, $0) }
    }
    guard let result = unsafe hp_reply_editing(reply.handle)?.pointee else {
      return .change(reply)
    }
    // Safe: what is read belongs to the reply, which lives until it is copied.
    let outcome = unsafe EditingOutcome(
      cursor: Cursor(result.cursor), sequence: result.sequence, isUnchanged: result.unchanged,
      isReplayed: result.replayed, isEditing: result.editing,
      title: String(hp: result.title) ?? "", mode: EditingState.name(result.mode),
      row: result.row, deleteTitle: String(hp: result.delete_title),
      target: result.has_target ? IndexPath(result.target) : nil,
      draft: DraftState(result.draft), hasResigned: result.resigned)
    withExtendedLifetime(reply) {}
    return .editing(outcome)
  }

  /// The policies of rows, else of a section, else of the table.
  func policies(
    _ table: String, section: SectionName?, rows: [RowName]
  ) throws(Fault) -> (entries: [PolicyEntry], cursor: Cursor) {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: names live in `text`, the references until the call returns.
      unsafe rows.map { hp_row_ref($0) }.withUnsafeBufferPointer { buffer in
        unsafe hp_send_get_policy(
          connection, nil, hp_table_named(text(table)),
          section.map { unsafe hp_section_ref($0, text) } ?? hp_section_none(),
          buffer.baseAddress, buffer.count)
      }
    }
    guard let list = unsafe hp_reply_policies(reply.handle)?.pointee else {
      throw .unexpectedReply
    }
    // Safe: the entries belong to the reply, which lives until they are copied.
    let entries = unsafe UnsafeBufferPointer(start: list.entries, count: list.count)
      .map { entry in
        unsafe PolicyEntry(
          section: entry.section, row: entry.row,
          own: entry.own.map { unsafe Policy($0.pointee) } ?? Policy(),
          effective: entry.effective.map { unsafe Policy($0.pointee) } ?? Policy(),
          sentinel: entry.sentinel.map { sentinel in
            unsafe Sentinel(
              text: String(hp: sentinel.pointee.text) ?? "",
              height: sentinel.pointee.has_height ? sentinel.pointee.height : nil)
          })
      }
    let cursor = unsafe Cursor(list.cursor)
    withExtendedLifetime(reply) {}
    return (entries, cursor)
  }
}
