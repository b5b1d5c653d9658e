internal import Coding

/// What became of a turn's records (contract K6).
enum AppendOutcome: Equatable {
  /// They are in the journal, and on disk in durability `commit`.
  case durable(position: UInt64)
  /// The journal goes on after another position; nothing was written.
  case conflict(last: UInt64)
  /// Nothing was written.
  case failed(StoreFault)
  /// They may be on disk: nothing more is written until `reopen` says (contract S2).
  case unknown(StoreFault)
}

extension Store {
  /// Writes everything that a turn accepted, as one transaction.
  ///
  /// - Parameters:
  ///   - position: The last position that the caller knows.
  ///   - records: What happened, in order; revisions rise.
  ///   - counters: The ids given so far; blocks are reserved as they are reached (contract K9).
  ///   - keys: Outcomes to keep; also without a record, for an unchanged one (contract E5).
  ///   - states: What `records` without a revision leave behind.
  ///   - now: The present moment.
  /// - Returns: What became of them; all of them share it.
  /// - Complexity: O(*n*) in the bytes written.
  func append(
    after position: UInt64, _ records: [JournalRecord], counters: IDCounters, keys: [KeyRecord],
    states: [StateRecord] = [], now: Instant
  ) -> AppendOutcome {
    guard position == journal.last else { return .conflict(last: journal.last) }
    if let refusal { return .failed(refusal) }
    guard isInPlace else { return .failed(.gone) }
    var turn = Turn(
      journal: journal, ceilings: ceilings, revision: lastRevision,
      reading: clock.reading(now), rows: rows)
    var wroteClock = false
    do throws(StoreFault) {
      try transaction { (database) throws(StoreFault) in
        for record in records { try turn.append(record, to: database) }
        try turn.flush(to: database)
        for key in keys { try turn.append(key, to: database) }
        for state in states { try database.put(state) }
        try turn.reserve(counters, in: database)
        if turn.reading - meta.clock >= StoreLimits.clockInterval {
          try database.put(clock: turn.reading, wall: now.wall)
          wroteClock = true
        }
      }
    } catch {
      return refusal == .unsettled ? .unknown(error) : .failed(error)
    }
    journal = turn.journal
    ceilings = turn.ceilings
    self.counters = counters
    for uid in turn.newKeys { keyCounts[uid, default: 0] += 1 }
    if wroteClock { (meta.clock, meta.wall) = (turn.reading, now.wall) }
    return .durable(position: journal.last)
  }
}

extension Store {
  /// Whether every id that `counters` has given is reserved on disk.
  ///
  /// Ids of rows, sections and tables are reserved by the commit that first uses them. Before an id
  /// is given to somebody without a commit, as a client's is, an `append` without records reserves
  /// the next block where this says no.
  func covers(_ counters: IDCounters) -> Bool {
    IDKind.allCases.allSatisfy { counters[$0] <= ceilings[$0.rawValue] }
  }
}

/// What the store will know once the transaction is committed.
private struct Turn {
  var journal: JournalExtent
  var ceilings: [UInt64]
  var revision: UInt64
  let reading: Int64
  var newKeys: [UInt64]
  private let rows: JournalRows

  init(
    journal: JournalExtent, ceilings: [UInt64], revision: UInt64, reading: Int64, rows: JournalRows
  ) {
    rows.removeAll()
    self.rows = rows
    self.journal = journal
    self.ceilings = ceilings
    self.revision = revision
    self.reading = reading
    newKeys = []
  }

  mutating func append(_ record: JournalRecord, to database: Database) throws(StoreFault) {
    precondition(!record.parts.isEmpty, "a record without parts")
    if let number = record.revision {
      precondition(number > revision, "revisions rise")
      guard number <= StoreLimits.largestID else { throw .exhausted }
      revision = number
    }
    if journal.last == 0 { journal.first = 1 }
    journal.lastRecord = journal.last + 1
    for (index, part) in record.parts.enumerated() {
      if part.body.count + part.old.count > JournalRows.largest {
        try rows.write(to: database)
      }
      let row = JournalRow(
        position: journal.last + 1, revision: revision, isRevision: record.revision != nil,
        part: index, parts: record.parts.count, clock: reading, before: journal.total,
        storedBody: part.storedBody?.id, storedOld: part.storedOld?.id)
      let heading = rows.append(row, part, of: index == 0 ? record : nil)
      journal.total += Int64(heading + part.size)
      journal.last += 1
      if rows.isFull { try rows.write(to: database) }
    }
    journal.revision = revision
  }

  /// Writes what is still held back.
  mutating func flush(to database: Database) throws(StoreFault) { try rows.write(to: database) }

  mutating func append(_ key: KeyRecord, to database: Database) throws(StoreFault) {
    try Turn.write(key, database.insertKey)
    if database.connection.changes == 1 {
      newKeys.append(key.uid)
    } else {
      // An expired one that was not removed yet.
      try Turn.write(key, database.replaceKey)
    }
  }

  private static func write(_ key: KeyRecord, _ row: Statement) throws(StoreFault) {
    row.bind(1, key.uid)
    row.bind(2, blob: key.key)
    row.bind(3, blob: key.hash)
    row.bind(4, blob: key.outcome)
    row.bind(5, key.expires)
    try row.execute(.appending)
  }

  mutating func reserve(_ counters: IDCounters, in database: Database) throws(StoreFault) {
    for kind in IDKind.allCases where counters[kind] > ceilings[kind.rawValue] {
      ceilings[kind.rawValue] = counters[kind] + kind.block
      try database.put(ceiling: ceilings[kind.rawValue], of: kind)
    }
  }
}
