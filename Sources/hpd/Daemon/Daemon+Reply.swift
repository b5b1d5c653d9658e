internal import TableService
internal import Wire

/// Replies: in order, and never before what they tell is durable (contracts K8, S1).
extension Daemon {
  /// Queues a reply: it waits for all that the turn has accepted so far to be durable.
  func reply(_ session: Session, _ id: UInt64, _ write: (inout [UInt8]) -> Void) {
    if service.hasPending {
      session.output.gate(service.durableTurn + 1)
      session.gatedReplies.append(id)
    }
    if session.output.appendFrame(limit: Limits.frameDown, write) {
      markDirty(session)
    } else {
      reply(session, id, ErrorReply(.tooManyElements, "the answer does not fit a frame"))
    }
  }

  func reply(_ session: Session, _ id: UInt64, _ error: ErrorReply) {
    counters.errors += 1
    reply(session, id) { ReplyEncoder.error(error, id: id, into: &$0) }
  }

  func append(_ session: Session, _ write: (inout [UInt8]) -> Void) {
    session.output.appendFrame(write)
    markDirty(session)
  }
}
