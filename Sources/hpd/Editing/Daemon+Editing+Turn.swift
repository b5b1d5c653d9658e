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
    screensBefore = nil
    defer { feed.settleWindows(self) }
    let events = editing.board.takeEvents()
    guard !events.isEmpty || !news.isEmpty else {
      if !records.isEmpty { feed.deliver(records, self) }
      return
    }
    let items = news
    news.removeAll(keepingCapacity: true)
    var rest = records[...]
    var first = 0
    for item in items {
      let end = events[first...].firstIndex { $0.sequence > item.mark } ?? events.count
      tell(events[first..<end], &rest)
      first = end
      tell(upTo: item.revision, &rest)
      feed.deliver(item, self)
    }
    tell(events[first...], &rest)
    tell(upTo: .max, &rest)
    // Only now: a table's drop may have been among the last.
    if !records.isEmpty { for channel in feed.channels { feed.endIfDropped(channel, self) } }
  }

  /// Tells events of editing, each behind its revision.
  private func tell(_ events: ArraySlice<LiveEvent>, _ records: inout ArraySlice<CommittedRecord>) {
    var rest = events
    while let revision = rest.first?.revision {
      tell(upTo: revision, &records)
      let same = rest.prefix { $0.revision == revision }
      feed.deliver(Array(same), self)
      rest = rest.dropFirst(same.count)
    }
  }

  private func tell(upTo revision: UInt64, _ records: inout ArraySlice<CommittedRecord>) {
    let due = records.prefix { $0.revision <= revision }
    guard !due.isEmpty else { return }
    feed.deliver(Array(due), self, areLast: false)
    records = records.dropFirst(due.count)
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
