internal import TableService
internal import Wire

/// Live state at the end of requests, turns and connections (contract K3).
extension Daemon {
  /// Carries live state over what a request has changed: it is told right behind that revision.
  func carryEditing(_ session: Session, _ request: Request) {
    let effects = service.takeEffects()
    guard !effects.isEmpty, !editing.board.tables.isEmpty else { return }
    let holder = try? holder(session, request)
    if editing.saved == nil { editing.saved = editing.board }
    for effect in effects {
      editing.board.revision = effect.revision
      editing.board.apply(effect, to: service.table(id: effect.table), by: holder)
    }
    do throws(ErrorReply) { try keepLeases(requester(session, request)) } catch {
      log.write(.warning, "leases could not be written", ["reason": error.message])
    }
  }

  /// Tells what a turn committed, and live state in its place between the revisions.
  func tellTurn(_ records: [CommittedRecord]) {
    editing.saved = nil
    tellTitles(editing.board.events)
    let events = editing.board.takeEvents()
    guard !events.isEmpty else {
      if !records.isEmpty { feed.deliver(records, self) }
      return
    }
    var first = 0
    var told = 0
    while first < events.count {
      let revision = events[first].revision
      var upTo = told
      while upTo < records.count, records[upTo].revision <= revision { upTo += 1 }
      if upTo > told { feed.deliver(Array(records[told..<upTo]), self) }
      told = upTo
      var end = first
      while end < events.count, events[end].revision == revision { end += 1 }
      feed.deliver(Array(events[first..<end]), self)
      first = end
    }
    if told < records.count { feed.deliver(Array(records[told...]), self) }
  }

  /// Puts live state back to where it was before what the failed commit held.
  func undoEditing() {
    if let saved = editing.saved { editing.board = saved }
    editing.saved = nil
    _ = service.takeEffects()
    armLeases()
  }

  /// After the store is back: what a turn had done whose outcome was not known.
  func reconcileEditing() {
    let kept = Set(service.states(of: .lease).compactMap { UInt64($0.name) })
    editing.board.revision = service.revision
    editing.board.reconcile(leases: kept) { service.table(id: $0) }
    restoreLeases()
    _ = editing.board.takeChangedLeases()
    feed.tellStates(self)
  }

  /// Releases all that a connection held.
  func releaseHolds(_ session: Session) {
    guard session.client != 0 else { return }
    let holder = Holder(
      id: .client(session.client), uid: UInt64(session.peer.uid), actor: session.actor)
    guard editing.board.holds(anything: holder) else { return }
    if service.hasPending, editing.saved == nil { editing.saved = editing.board }
    editing.board.revision = service.revision
    editing.board.release(holder)
  }
}
