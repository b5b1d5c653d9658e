internal import TableService

/// A client's wish to hear of every change in a scope.
final class Subscription {
  /// Where its next events come from.
  enum Source {
    /// A snapshot was asked for and no view is free yet (contract F4).
    case waiting
    /// A snapshot is being sent.
    case snapshot(SnapshotSender)
    /// Revisions after the cursor are read from the journal.
    case history
    /// It is a window that is to be sent whole.
    case window
    /// Everything up to now was queued; changes are queued as they are committed.
    case live
    case ended
  }

  /// A revision that is read part by part.
  struct Reading {
    /// Whether it may concern the subscription, and whether it passes as it is.
    var isWanted: Bool
    var isWhole: Bool
    /// How many parts were queued.
    var parts = 0
    var pass = ChangeFilter.Pass()
    /// What is left of it and was not queued yet.
    var held: [UInt8]?
  }

  let number: UInt64
  unowned let session: Session
  let channel: Channel
  /// The revision that the subscriber has once what is queued was sent (contract K1).
  var cursor: UInt64
  /// Revisions up to here were looked at and did not concern it.
  var passed: UInt64 = 0
  /// Where in the journal its next part stands, while it reads there.
  var position: UInt64?
  /// Where it stands in the revision whose parts are being read.
  var reading = Reading(isWanted: false, isWhole: false)
  var toldLive = false
  var source: Source
  /// The last whole revision that was sent (contract F7).
  var sent: UInt64
  let resumed: Bool
  var heartbeat = false
  /// The run of rows that it looks at, if it is one.
  var window: TableWindow?
  /// Where that is to look next, and how many times it was asked to move since it did.
  var windowMove: (spec: TableWindow.Spec, count: UInt64)?
  /// Whether it is told of live state as well (contract K3).
  var wantsLiveState = false
  /// Of a window: the rows whose live state its client has.
  var known: Set<UInt64> = []
  /// What was merged while its client had no room.
  var staleLiveState: Set<LiveKey> = []
  /// A snapshot has to show this revision, or a later one (contract F4).
  var least: UInt64 = 0
  /// Its place among the live ones of its channel.
  var place = 0
  /// Whether it stands in the list of those that can be given more.
  var isQueued = false
  /// Bytes that the feed had told of when it fell behind, and bytes of history it took since:
  /// what lies between is how far it is behind.
  var fellBehind = 0
  var pulled = 0
  /// Whether it stands among those that wait for a view; else, where it pulls, it is looked at when
  /// its client has read.
  var awaitsView = false
  /// Whether it was live once, so that nothing is kept for it.
  var isBehind = false

  init(
    number: UInt64, session: Session, channel: Channel, cursor: UInt64, source: Source,
    resumed: Bool
  ) {
    self.number = number
    self.session = session
    self.channel = channel
    self.cursor = cursor
    self.source = source
    self.resumed = resumed
    sent = cursor
  }

  var scope: FeedScope { channel.scope }

  var isLive: Bool {
    if case .live = source { return true }
    return false
  }

  var isEnded: Bool {
    if case .ended = source { return true }
    return false
  }

  /// Whether its events come from a snapshot or from history.
  var isPulling: Bool { !isLive && !isEnded }
}
