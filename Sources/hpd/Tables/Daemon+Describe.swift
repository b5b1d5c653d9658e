internal import TableService
internal import Wire

/// A table's columns and sections; where they do not fit a frame, in parts of one revision
/// (contract K2).
extension Daemon {
  /// A description that is being sent.
  final class Description {
    /// Parts are about so large.
    static let partSize = 1 << 20

    let request: UInt64
    /// What it is read from; `nil` once that was lost.
    var view: SharedView?
    /// The section that the next part begins with.
    var first = 0
    var lastSent: Int64

    init(_ request: UInt64, _ view: SharedView, now: Int64) {
      self.request = request
      self.view = view
      lastSent = now
    }
  }

  func describeTable(
    _ session: Session, _ id: UInt64, _ reference: TableReference
  ) throws(ErrorReply) -> Progress {
    if let description = session.description, description.request == id {
      return try go(on: description, session)
    }
    dropDescription(session)
    let table = try table(reference)
    let whole = table.encoded(whole: true)
    if ReplyEncoder.fits(table: whole) {
      reply(session, id) { ReplyEncoder.table(id: id, encoded: whole, into: &$0) }
      return .answered
    }
    guard let view = feed.view(of: table.id, least: session.least, self) else {
      return .waitsForView
    }
    session.waitDeadline = 0
    session.description = Description(id, view, now: now)
    return .goesOn
  }

  /// Sends the next part, one a turn and none before what it tells is durable (contract S1).
  private func go(
    on description: Description, _ session: Session
  ) throws(ErrorReply) -> Progress {
    if session.isPeerGone {
      dropDescription(session)
      return .answered
    }
    guard let view = description.view else {
      session.description = nil
      throw ErrorReply(.snapshotExpired, "the table could not be kept as it was: ask again")
    }
    guard view.revision <= service.durableRevision, session.gatedReplies.isEmpty else {
      return .goesOn
    }
    let table = view.tables[0]
    let bytes = table.encodedPart(from: &description.first, size: Description.partSize)
    let isLast = description.first == table.sections.count
    description.lastSent = now
    append(session) {
      ReplyEncoder.table(id: description.request, encoded: bytes, hasMore: !isLast, into: &$0)
    }
    guard isLast else { return .goesOn }
    dropDescription(session)
    return .answered
  }

  /// Gives up a description.
  func dropDescription(_ session: Session) {
    guard let description = session.description else { return }
    session.description = nil
    if let view = description.view { feed.release(view) }
  }

  /// Takes a description's view away; what was sent of it is void, and an error says so when its
  /// client reads on.
  func loseDescription(_ session: Session) {
    guard let view = session.description?.view else { return }
    session.description?.view = nil
    feed.release(view)
  }
}
