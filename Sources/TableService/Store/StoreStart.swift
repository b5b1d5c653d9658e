/// Where the journal ends.
struct JournalTail: Equatable {
  var position: UInt64 = 0
  var revision: UInt64 = 0
  var total: Int64 = 0

  /// Reads the end of the journal.
  static func read(_ connection: Connection) throws(StoreFault) -> JournalTail {
    let last = try connection.prepare(
      "SELECT position, revision, total, part, parts FROM hpd_journal "
        + "ORDER BY position DESC LIMIT 1", .opening)
    guard try last.step(.opening) else { return JournalTail() }
    defer { last.reset() }
    // A record is appended whole or not at all.
    guard last.integer(3) == last.integer(4) - 1 else { throw .damaged(.opening) }
    return JournalTail(
      position: last.unsigned(0), revision: last.unsigned(1), total: last.integer(2))
  }
}

/// The transaction with which every start begins: it judges what was found (contract S3).
struct StoreStart {
  var meta: StoreMeta
  var tail: JournalTail
  var counters: IDCounters
  var ceilings: [UInt64]
  var clock: RunningClock
  var origin: Store.Origin

  /// Records a start.
  ///
  /// - Parameters:
  ///   - connection: The store's connection, outside a transaction.
  ///   - isNew: Whether the schema has to be made.
  ///   - identity: Who the file is.
  ///   - durability: The mode of this start.
  ///   - now: The present moment.
  init(
    _ connection: Connection, isNew: Bool, identity: FileIdentity, durability: Durability,
    now: Instant
  ) throws(StoreFault) {
    try connection.run("BEGIN IMMEDIATE", .starting)
    do throws(StoreFault) {
      if isNew {
        try connection.run(Schema.creation, .creating)
        try connection.run("PRAGMA user_version = \(Schema.version)", .creating)
        try connection.run("PRAGMA application_id = \(Schema.applicationID)", .creating)
        meta = StoreMeta()
        meta.wall = now.wall
        origin = .created
      } else {
        meta = try StoreMeta.read(connection)
        let isCopy = meta.identity != identity
        let mayMissEnd = !meta.isClean && meta.durability != .commit
        origin = isCopy || meta.isSealed || mayMissEnd ? .renewed : .continued
      }
      tail = try JournalTail.read(connection)
      counters = try StoreStart.readCounters(connection)
      if origin != .continued { try StoreStart.renew(&meta, &counters, tail) }
      clock = RunningClock(continuing: meta.clock, writtenAt: meta.wall, now: now)
      meta.identity = identity
      meta.durability = durability
      meta.isClean = false
      meta.isSealed = false
      meta.clock = clock.reading(now)
      meta.wall = now.wall
      ceilings = IDKind.allCases.map { [counters] in counters.next[$0.rawValue] + $0.block }
      try StoreStart.write(ceilings, connection)
      try meta.write(connection, .starting)
      try connection.run("COMMIT", .starting)
    } catch {
      if connection.inTransaction { try connection.run("ROLLBACK", .starting) }
      throw error
    }
  }

  /// Draws a new epoch and jumps past whatever another copy may have given out.
  private static func renew(
    _ meta: inout StoreMeta, _ counters: inout IDCounters, _ tail: JournalTail
  ) throws(StoreFault) {
    let before = meta.epoch
    repeat { meta.epoch = UInt64.random(in: 1...UInt64.max) } while meta.epoch == before
    let least = StoreLimits.smallestJump
    try counters.jump(by: UInt64.random(in: least..<2 * least))
    let revision = max(tail.revision, meta.epochRevision) + UInt64.random(in: least..<2 * least)
    guard revision <= StoreLimits.largestID else { throw .exhausted }
    meta.epochRevision = revision
  }

  static func readCounters(_ connection: Connection) throws(StoreFault) -> IDCounters {
    var counters = IDCounters()
    let row = try connection.prepare("SELECT kind, ceiling FROM hpd_counters", .opening)
    while try row.step(.opening) {
      guard let kind = IDKind(rawValue: Int(row.integer(0))) else { continue }
      counters.next[kind.rawValue] = row.unsigned(1)
    }
    return counters
  }

  private static func write(
    _ ceilings: [UInt64], _ connection: Connection
  ) throws(StoreFault) {
    let row = try connection.prepare("INSERT OR REPLACE INTO hpd_counters VALUES(?, ?)", .starting)
    for kind in IDKind.allCases {
      row.bind(1, kind.rawValue)
      row.bind(2, ceilings[kind.rawValue])
      try row.execute(.starting)
    }
  }
}
