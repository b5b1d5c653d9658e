internal import Coding

/// A record that is being indexed.
struct IndexProgress {
  /// The position up to which the index holds whole records; it is on disk.
  var position: UInt64
  /// The last entry that was read.
  var reached: UInt64
  /// What is known of a record whose last part was not read yet.
  var head: JournalHead?
  var first: UInt64 = 0
  var facts: [StepFacts] = []
  /// Bits of the last entry that are not written yet, the next one last.
  var unwritten: [(block: Int64, bits: StepFacts.Bits)] = []
  /// The revision of the last entry, and whether that ends its record.
  var revision: UInt64 = 0
  var isAtEnd = false
  /// Actors' ids; forgotten when there are many.
  var actors: [String: Int64] = [:]
  /// The revision up to which the index has nothing any more of history that is gone.
  var swept: UInt64

  /// Reads how far the index on disk is.
  init(_ connection: Connection) throws(StoreFault) {
    position = UInt64(
      try connection.number("SELECT position FROM hpd_indexed", .opening) ?? 0)
    reached = position
    swept = UInt64(try connection.number("SELECT revision FROM hpd_swept", .opening) ?? 0)
  }
}

extension Store {
  /// How many journal entries the index lacks.
  var indexLag: UInt64 {
    journal.last - min(journal.last, indexProgress.reached)
      + (indexProgress.unwritten.isEmpty ? 0 : 1)
  }
  /// Blocks of ids that are written at a time: one entry may tell of all rows of a table.
  static let indexedBlocks = 2_000

  /// Brings the index of steps nearer to the journal, one slice in one transaction.
  ///
  /// - Parameters:
  ///   - limit: The most records to take in.
  ///   - bytes: After so many bytes no further entry is read; one is always.
  ///   - blocks: The most blocks of ids to write.
  ///   - waits: Whether another program's transaction is waited for.
  /// - Returns: Whether there is more to do.
  /// - Throws: What SQLite says; the index is as before then.
  func indexSteps(
    limit: Int, bytes: Int = TableLimits.part, blocks: Int = Store.indexedBlocks,
    waits: Bool = false
  ) throws(StoreFault) -> Bool {
    guard indexLag > 0 else { return false }
    if indexProgress.reached + 1 < journal.first {
      indexProgress.reached = journal.first - 1
      indexProgress.head = nil
      indexProgress.unwritten = []
    }
    guard
      let entries = try read(
        after: indexProgress.reached, limitBytes: bytes, limitRecords: limit, withOld: true)
    else { throw .damaged(.reading) }
    guard !entries.isEmpty || !indexProgress.unwritten.isEmpty else { return false }
    var progress = indexProgress
    try transaction(waits: waits) { (database) throws(StoreFault) in
      let writer = try StepWriter(database.connection)
      var left = blocks
      try writer.write(&progress, limit: &left)
      for entry in entries where progress.unwritten.isEmpty && left > 0 {
        try writer.take(entry, &progress, limit: &left)
      }
      if progress.position != indexProgress.position {
        try database.connection.run(
          "UPDATE hpd_indexed SET position = \(progress.position)", .indexing)
      }
    }
    indexProgress = progress
    return indexLag > 0
  }

  /// Begins to read an index that is up to the journal where it can't be written: what it lacks is
  /// added in memory, until `endUnwritten`.
  ///
  /// - Parameter limit: The most records that it may lack.
  /// - Throws: What SQLite says, and `full` where it lacks more; nothing is open then.
  func beginUnwritten(limit: Int) throws(StoreFault) {
    guard indexLag <= UInt64(limit) else { throw refusal ?? .full(.indexing) }
    let connection = try reading().connection
    // Nothing goes to disk before a commit, which does not come.
    try connection.run("PRAGMA cache_spill = 0; BEGIN", .indexing)
    do throws(StoreFault) {
      var progress = indexProgress
      let writer = try StepWriter(connection)
      var all = Int.max
      try writer.write(&progress, limit: &all)
      while progress.reached < journal.last {
        guard
          let entries = try read(
            after: max(progress.reached, journal.first - 1), limitBytes: 1 << 20,
            limitRecords: limit, withOld: true), !entries.isEmpty
        else { throw .damaged(.reading) }
        for entry in entries { try writer.take(entry, &progress, limit: &all) }
      }
    } catch {
      endUnwritten()
      throw error
    }
  }

  /// Takes back what `beginUnwritten` added.
  func endUnwritten() {
    guard let connection = database?.connection else { return }
    do throws(StoreFault) {
      if connection.inTransaction { try connection.run("ROLLBACK", .indexing) }
      try connection.run("PRAGMA cache_spill = 1", .indexing)
    } catch { refusal = .unsettled }
  }
}

/// Writes the index of steps.
private final class StepWriter {
  private let putTouched: Statement
  private let putStep: Statement
  private let undo: Statement
  private let redo: Statement
  private let findActor: Statement
  private let putActor: Statement
  private let noteStep: Statement

  init(_ connection: Connection) throws(StoreFault) {
    putTouched = try connection.prepare(
      """
      INSERT INTO hpd_touched VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        touched = touched | excluded.touched, placed = placed | excluded.placed
      """, .indexing)
    putStep = try connection.prepare(
      "REPLACE INTO hpd_steps VALUES(?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)", .indexing)
    undo = try connection.prepare(
      "UPDATE hpd_steps SET undone = ?, undoer = ? WHERE revision = ?", .indexing)
    redo = try connection.prepare(
      "UPDATE hpd_steps SET undone = 0, undoer = 0, applied = ? WHERE revision = ?", .indexing)
    findActor = try connection.prepare(
      "SELECT id FROM hpd_actors WHERE uid = ? AND name = ?", .indexing)
    putActor = try connection.prepare(
      "INSERT INTO hpd_actors(uid, name, last_step) VALUES(?, ?, 0) RETURNING id", .indexing)
    noteStep = try connection.prepare(
      "UPDATE hpd_actors SET last_step = ? WHERE id = ?", .indexing)
  }

  /// Takes in an entry of the journal; nothing of the one before may be left unwritten.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - progress: How far the index is.
  ///   - limit: As `write`.
  /// - Throws: What SQLite says.
  func take(
    _ entry: JournalEntry, _ progress: inout IndexProgress, limit: inout Int
  ) throws(StoreFault) {
    progress.reached = entry.position
    progress.revision = entry.revision
    progress.isAtEnd = entry.isLast
    if entry.part == 0 {
      progress.head = try JournalHead(decoding: entry.head)
      progress.first = entry.position
      progress.facts = entry.tables.map { StepFacts(table: $0) }
    }
    if let head = progress.head, head.kind == .change {
      for index in progress.facts.indices {
        do throws(CodingFault) {
          try progress.facts[index].add(entry.body, entry.old)
        } catch {
          // What can't be read can't be taken back; the check of a store tells of it.
          progress.facts[index] = StepFacts(table: progress.facts[index].table)
        }
        for (block, bits) in progress.facts[index].bits { progress.unwritten.append((block, bits)) }
        progress.facts[index].dropBits()
      }
      if progress.unwritten.count > 1 { progress.unwritten.sort { $0.block > $1.block } }
    }
    if progress.unwritten.isEmpty {
      try end(&progress)
    } else {
      try write(&progress, limit: &limit)
    }
  }

  /// Writes bits of the last entry, and ends it once all are written.
  ///
  /// - Parameters:
  ///   - progress: How far the index is.
  ///   - limit: How many blocks may be written; less those that were, afterwards.
  /// - Throws: What SQLite says.
  func write(_ progress: inout IndexProgress, limit: inout Int) throws(StoreFault) {
    guard !progress.unwritten.isEmpty else { return }
    while limit > 0, let (block, bits) = progress.unwritten.popLast() {
      putTouched.bind(1, block)
      putTouched.bind(2, progress.revision)
      putTouched.bind(3, bits.touched)
      putTouched.bind(4, bits.placed)
      try putTouched.execute(.indexing)
      limit -= 1
    }
    if progress.unwritten.isEmpty { try end(&progress) }
  }

  /// Ends an entry: with the last one of a record its line is written.
  private func end(_ progress: inout IndexProgress) throws(StoreFault) {
    guard progress.isAtEnd else { return }
    if let head = progress.head, head.kind == .change {
      try close(progress.revision, head, &progress)
    }
    progress.position = progress.reached
    progress.head = nil
    progress.facts = []
  }

  private func close(
    _ revision: UInt64, _ head: JournalHead, _ progress: inout IndexProgress
  ) throws(StoreFault) {
    let actor = try actor(head, &progress)
    var kind = StepIndex.Kind.other
    if head.undoes != 0 {
      kind = .undo
      undo.bind(1, revision)
      undo.bind(2, actor)
      undo.bind(3, head.undoes)
      try undo.execute(.indexing)
    } else if head.redoes != 0 {
      kind = .redo
      redo.bind(1, revision)
      redo.bind(2, head.redoes)
      try redo.execute(.indexing)
    } else if progress.facts.contains(where: \.isStep) {
      kind = .step
      noteStep.bind(1, revision)
      noteStep.bind(2, actor)
      try noteStep.execute(.indexing)
    }
    for facts in progress.facts {
      putStep.bind(1, revision)
      putStep.bind(2, facts.table)
      putStep.bind(3, progress.first)
      putStep.bind(4, actor)
      putStep.bind(5, head.time)
      // Records of an older form lack what taking them back needs.
      putStep.bind(
        6, kind == .step && head.format < JournalHead.reversible ? 0 : kind.rawValue)
      putStep.bind(7, head.undoes != 0 ? head.undoes : head.redoes)
      putStep.bind(8, revision)
      putStep.bind(9, facts.isStructural ? 1 : 0)
      putStep.bind(10, blob: facts.encoded())
      try putStep.execute(.indexing)
    }
  }

  private func actor(
    _ head: JournalHead, _ progress: inout IndexProgress
  ) throws(StoreFault) -> Int64 {
    let key = "\(head.uid) \(head.actor)"
    if let id = progress.actors[key] { return id }
    findActor.bind(1, head.uid)
    findActor.bind(2, text: head.actor)
    var id: Int64?
    if try findActor.step(.indexing) { id = findActor.integer(0) }
    findActor.reset()
    if id == nil {
      putActor.bind(1, head.uid)
      putActor.bind(2, text: head.actor)
      guard try putActor.step(.indexing) else { throw .damaged(.indexing) }
      id = putActor.integer(0)
      // The insertion is done at the statement's end.
      _ = try putActor.step(.indexing)
      putActor.reset()
    }
    guard let id else { throw .damaged(.indexing) }
    if progress.actors.count >= 256 { progress.actors.removeAll() }
    progress.actors[key] = id
    return id
  }
}
