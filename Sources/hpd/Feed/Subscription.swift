internal import TableService

/// A client's wish to hear of every change of a table, or of all tables.
final class Subscription {
  /// Where its next events come from.
  enum Source {
    /// A snapshot was asked for and no view is free yet (contract F4).
    case waiting
    /// A snapshot is being sent.
    case snapshot(SnapshotSender)
    /// Revisions after the cursor are read from the journal.
    case history
    /// Everything up to now was queued; changes are queued as they are committed.
    case live
    case ended
  }

  let number: UInt64
  unowned let session: Session
  /// The table, or `nil` for all.
  let table: UInt64?
  /// The revision that the subscriber has once what is queued was sent (contract K1).
  var cursor: UInt64
  /// Revisions up to here were looked at and did not concern it.
  var passed: UInt64 = 0
  /// Where in the journal its next part stands, while it reads there.
  var position: UInt64?
  /// Whether the revision whose parts are being read concerns it.
  var matchesCurrent = false
  var toldLive = false
  var source: Source
  /// The last whole revision that was sent (contract F7).
  var sent: UInt64
  let resumed: Bool
  var heartbeat = false
  /// The number of the scene whose events it gets as well, or 0.
  var scene: UInt64 = 0
  /// Whether it gets no changes of tables.
  var sceneOnly = false
  /// A snapshot has to show this revision, or a later one (contract F4).
  var least: UInt64 = 0

  init(
    number: UInt64, session: Session, table: UInt64?, cursor: UInt64, source: Source,
    resumed: Bool
  ) {
    self.number = number
    self.session = session
    self.table = table
    self.cursor = cursor
    self.source = source
    self.resumed = resumed
    sent = cursor
  }

  var isLive: Bool {
    if case .live = source { return true }
    return false
  }

  var isWaiting: Bool {
    if case .waiting = source { return true }
    return false
  }

  var isEnded: Bool {
    if case .ended = source { return true }
    return false
  }

  /// Whether a revision that changed these tables concerns it.
  func matches(_ tables: [UInt64]) -> Bool {
    if sceneOnly { return false }
    guard let table else { return true }
    return tables.contains(table)
  }
}
