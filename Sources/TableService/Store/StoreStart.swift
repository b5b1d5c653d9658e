/// What the journal holds: its ends and its size.
struct JournalExtent: Equatable {
  /// The oldest position that is kept; one past the last where there is none.
  var first: UInt64 = 1
  /// The newest position.
  var last: UInt64 = 0
  /// Where the newest record begins.
  var lastRecord: UInt64 = 1
  /// The revision at the newest position.
  var revision: UInt64 = 0
  /// Bytes of all parts that were ever appended.
  var total: Int64 = 0
  /// Bytes of the parts that are gone.
  var removed: Int64 = 0

  /// Bytes of the parts that are kept.
  var bytes: Int64 { total - removed }

  /// Reads both ends of the journal.
  static func read(_ connection: Connection) throws(StoreFault) -> JournalExtent {
    var extent = JournalExtent()
    let last = try connection.prepare(
      """
      SELECT position, revision, before, part, parts,
        length(\(Database.content("body", "stored_body")))
          + length(\(Database.content("old", "stored_old")))
          + ifnull(length(head) + length(tables), 0)
      FROM hpd_journal ORDER BY position DESC LIMIT 1
      """, .opening)
    guard try last.step(.opening) else { return extent }
    defer { last.reset() }
    // A record is appended whole or not at all.
    guard last.integer(3) == last.integer(4) - 1 else { throw .damaged(.opening) }
    extent.last = last.unsigned(0)
    extent.lastRecord = last.unsigned(0) - last.unsigned(3)
    extent.revision = last.unsigned(1)
    extent.total = last.integer(2) + last.integer(5)
    let first = try connection.prepare(
      "SELECT position, before FROM hpd_journal ORDER BY position LIMIT 1", .opening)
    guard try first.step(.opening) else { throw .damaged(.opening) }
    defer { first.reset() }
    extent.first = first.unsigned(0)
    extent.removed = first.integer(1)
    return extent
  }
}

/// The transaction with which every start begins: it judges what was found (contract S3).
struct StoreStart {
  var meta: StoreMeta
  var journal: JournalExtent
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
  /// - Throws: What SQLite says.
  init(
    _ connection: Connection, isNew: Bool, identity: FileIdentity, durability: Durability,
    now: Instant
  ) throws(StoreFault) {
    try connection.run("BEGIN IMMEDIATE", .starting)
    do throws(StoreFault) {
      if isNew {
        try connection.run(StoreSchema.creation, .creating)
        try connection.run("PRAGMA user_version = \(StoreSchema.version)", .creating)
        try connection.run("PRAGMA application_id = \(StoreSchema.applicationID)", .creating)
        meta = StoreMeta()
        meta.wall = now.wall
        origin = .created
      } else {
        meta = try StoreMeta.read(connection)
        let isCopy = meta.identity != identity
        let mayMissEnd = !meta.isClean && meta.durability != .commit
        origin = isCopy || meta.isSealed || mayMissEnd ? .renewed : .continued
      }
      try connection.run(StepIndex.creation, .creating)
      // What was written ahead of a record that never came.
      try connection.run(
        """
        DELETE FROM hpd_parts WHERE id > max(
          (SELECT ifnull(max(stored_body), 0) FROM hpd_journal WHERE stored_body NOT NULL),
          (SELECT ifnull(max(stored_old), 0) FROM hpd_journal WHERE stored_old NOT NULL));
        DELETE FROM hpd_redo WHERE NOT EXISTS (SELECT 1 FROM hpd_redo WHERE id = 0);
        """, .starting)
      journal = try JournalExtent.read(connection)
      counters = try StoreStart.readCounters(connection)
      if origin != .continued { try StoreStart.renew(&meta, &counters, journal) }
      if origin == .renewed {
        // Leases do not outlive their epoch (contract K4).
        try connection.run(
          "DELETE FROM hpd_states WHERE kind = \(JournalKind.lease.rawValue)", .starting)
      }
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
    _ meta: inout StoreMeta, _ counters: inout IDCounters, _ journal: JournalExtent
  ) throws(StoreFault) {
    let before = meta.epoch
    repeat { meta.epoch = UInt64.random(in: 1...UInt64.max) } while meta.epoch == before
    let least = StoreLimits.smallestJump
    try counters.jump(by: UInt64.random(in: least..<2 * least))
    let revision = max(journal.revision, meta.epochRevision) + UInt64.random(in: least..<2 * least)
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
