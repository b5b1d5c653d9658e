/// How far the removal of old entries of the index of steps has come; from a start on it begins anew.
struct IndexSweep {
  /// What is gone through, one after the other.
  enum Stage {
    case steps, touched, actors
  }

  /// Entries up to this revision go.
  let floor: UInt64
  fileprivate(set) var stage = Stage.steps
  fileprivate var first: Int64 = 0
  fileprivate var second: Int64 = 0

  fileprivate init(floor: UInt64) { self.floor = floor }

  fileprivate mutating func enter(_ stage: Stage) {
    self.stage = stage
    (first, second) = (0, 0)
  }
}

/// The index keeps nothing of history that is gone, but for what the steps that are kept beyond it
/// have to be judged by (contracts E9, F5).
///
/// It is gone through once an eighth of the bound was removed, a slice at a time, in idle upkeep or
/// with the removal of history itself. Nothing waits for it.
extension Store {
  /// Removes what the index has of history that is gone, one slice in a transaction of its own.
  ///
  /// - Parameters:
  ///   - entries: The bound of history.
  ///   - limit: How many entries to look at.
  /// - Returns: Whether there is more to look at.
  /// - Throws: What SQLite says; the next call goes on.
  func sweepIndex(entries: UInt64, limit: Int) throws(StoreFault) -> Bool {
    guard var sweep = try openSweep(entries: entries) else { return false }
    var isOver = false
    try transaction(waits: false) { (database) throws(StoreFault) in
      isOver = try advance(&sweep, limit: limit, database.connection)
    }
    take(sweep, isOver: isOver)
    return !isOver
  }

  /// The removal that is under way, or that is due.
  func openSweep(entries: UInt64) throws(StoreFault) -> IndexSweep? {
    if let indexSweep { return indexSweep }
    let floor = try undoStart()
    guard floor >= indexProgress.swept + max(16, entries / 8) else { return nil }
    return IndexSweep(floor: floor)
  }

  /// Notes how far the removal is, once that is on disk.
  func take(_ sweep: IndexSweep?, isOver: Bool) {
    guard let sweep else { return }
    indexSweep = isOver ? nil : sweep
    guard isOver else { return }
    indexProgress.swept = sweep.floor
    indexProgress.actors.removeAll()
  }

  /// Goes on with a removal, in the caller's transaction.
  ///
  /// - Returns: Whether it has come to its end.
  func advance(
    _ sweep: inout IndexSweep, limit: Int, _ connection: Connection
  ) throws(StoreFault) -> Bool {
    switch sweep.stage {
    case .steps:
      // Each removal touches all indexes of the steps.
      if try sweepSteps(&sweep, max(1, limit / 8), connection) { sweep.enter(.touched) }
    case .touched:
      if try sweepTouched(&sweep, limit, connection) { sweep.enter(.actors) }
    case .actors:
      guard try sweepActors(&sweep, limit, connection) else { return false }
      try connection.run("UPDATE hpd_swept SET revision = \(sweep.floor)", .pruning)
      return true
    }
    return false
  }

  /// A step stays also where what did it last, or took it back, does.
  private func sweepSteps(
    _ sweep: inout IndexSweep, _ limit: Int, _ connection: Connection
  ) throws(StoreFault) -> Bool {
    let row = try connection.prepare(
      """
      SELECT revision, table_id, max(applied, undone) FROM hpd_steps
      WHERE (revision, table_id) > (?1, ?2) AND revision <= ?3
      ORDER BY revision, table_id LIMIT ?4
      """, .pruning)
    row.bind(1, sweep.first)
    row.bind(2, sweep.second)
    row.bind(3, sweep.floor)
    row.bind(4, limit)
    var old: [(Int64, Int64)] = []
    var seen = 0
    while try row.step(.pruning) {
      (sweep.first, sweep.second) = (row.integer(0), row.integer(1))
      if row.unsigned(2) <= sweep.floor { old.append((row.integer(0), row.integer(1))) }
      seen += 1
    }
    try remove(old, "DELETE FROM hpd_steps WHERE revision = ? AND table_id = ?", connection)
    return seen < limit
  }

  private func sweepTouched(
    _ sweep: inout IndexSweep, _ limit: Int, _ connection: Connection
  ) throws(StoreFault) -> Bool {
    let row = try connection.prepare(
      """
      SELECT block, revision FROM hpd_touched WHERE (block, revision) > (?1, ?2)
      ORDER BY block, revision LIMIT ?3
      """, .pruning)
    row.bind(1, sweep.first)
    row.bind(2, sweep.second)
    row.bind(3, limit)
    var old: [(Int64, Int64)] = []
    var seen = 0
    while try row.step(.pruning) {
      (sweep.first, sweep.second) = (row.integer(0), row.integer(1))
      if row.unsigned(1) <= sweep.floor { old.append((row.integer(0), row.integer(1))) }
      seen += 1
    }
    try remove(old, "DELETE FROM hpd_touched WHERE block = ? AND revision = ?", connection)
    return seen < limit
  }

  private func remove(
    _ places: [(Int64, Int64)], _ statement: String, _ connection: Connection
  ) throws(StoreFault) {
    let row = try connection.prepare(statement, .pruning)
    for (first, second) in places {
      row.bind(1, first)
      row.bind(2, second)
      try row.execute(.pruning)
    }
  }

  /// Actors of whom the index has nothing any more are forgotten, and with them what they undid.
  private func sweepActors(
    _ sweep: inout IndexSweep, _ limit: Int, _ connection: Connection
  ) throws(StoreFault) -> Bool {
    let slice = "SELECT id FROM hpd_actors WHERE id > \(sweep.first) ORDER BY id LIMIT \(limit)"
    guard let last = try connection.number("SELECT max(id) FROM (\(slice))", .pruning) else {
      return true
    }
    try connection.run(
      """
      DELETE FROM hpd_actors WHERE id > \(sweep.first) AND id <= \(last)
        AND NOT EXISTS (SELECT 1 FROM hpd_steps s WHERE s.actor = hpd_actors.id)
        AND NOT EXISTS (SELECT 1 FROM hpd_steps s
          WHERE s.kind = 1 AND s.undone <> 0 AND s.undoer = hpd_actors.id)
      """, .pruning)
    sweep.first = last
    return false
  }
}
