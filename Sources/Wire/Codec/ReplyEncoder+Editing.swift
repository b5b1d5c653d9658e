internal import Coding

/// Replies about editing; their content is encoded already.
extension ReplyEncoder {
  /// Appends the outcome of a step that changed live state alone.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - cursor: Where the tables stand.
  ///   - content: The fields of `hp.v1.EditingReply` but cursor and replayed.
  ///   - isReplayed: Whether it is the first outcome of a key.
  ///   - out: Gets the frame.
  public static func editing(
    id: UInt64, cursor: Cursor, content: [UInt8], isReplayed: Bool = false,
    into out: inout [UInt8]
  ) {
    append(id, .editing, into: &out) { reply in
      reply.appendField(1) { cursor.encode(into: &$0) }
      reply.append(contentsOf: content)
      if isReplayed { reply.appendField(4, bool: true) }
    }
  }

  /// Appends the live state of a table.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - content: An encoded `hp.v1.EditingState`.
  ///   - out: Gets the frame.
  public static func editingState(id: UInt64, content: [UInt8], into out: inout [UInt8]) {
    head(id, .editingState, size: content.count, into: &out)
    out.append(contentsOf: content)
  }

  /// Appends leases.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - content: An encoded `hp.v1.LeaseList`.
  ///   - out: Gets the frame.
  public static func leases(id: UInt64, content: [UInt8], into out: inout [UInt8]) {
    head(id, .leases, size: content.count, into: &out)
    out.append(contentsOf: content)
  }

  /// Appends policies.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - content: The fields `entries` of `hp.v1.PolicyList`.
  ///   - cursor: The state they are of.
  ///   - out: Gets the frame.
  public static func policies(
    id: UInt64, content: [UInt8], cursor: Cursor, into out: inout [UInt8]
  ) {
    append(id, .policies, into: &out) { reply in
      reply.append(contentsOf: content)
      reply.appendField(2) { cursor.encode(into: &$0) }
    }
  }
}
