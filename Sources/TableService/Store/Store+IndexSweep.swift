/// How far the removal of old entries of the index has come.
struct IndexSweep {
  /// Entries up to this revision go.
  var floor: UInt64
  var block: Int64 = 0
  var revision: UInt64 = 0
}

extension Store {
  /// From so many revisions of removed history on the index is gone through.
  private static let sweepInterval: Int64 = 10_000

  /// Removes what the index of steps has of history that is gone, one slice.
  ///
  /// What the steps that are kept have to be judged by stays.
  ///
  /// - Parameters:
  ///   - entries: The bound of history.
  ///   - limit: How many entries to look at.
  /// - Returns: Whether there is more to remove.
  /// - Throws: What SQLite says.
  func sweepIndex(entries: UInt64, limit: Int) throws(StoreFault) -> Bool {
    try releaseKept(entries: entries)
    let connection = try reading().connection
    let kept = try connection.number("SELECT min(revision) FROM hpd_kept", .pruning)
    let floor = min(meta.prunedRevision, kept.map { UInt64(max($0 - 1, 0)) } ?? .max)
    let slice = """
      SELECT revision, table_id FROM hpd_steps
      WHERE revision <= \(floor) AND revision NOT IN (SELECT last_step FROM hpd_actors)
      ORDER BY revision LIMIT \(limit)
      """
    guard try connection.number("SELECT count(*) FROM (\(slice))", .pruning) ?? 0 > 0 else {
      return try sweepTouched(floor: floor, limit: limit)
    }
    try transaction(waits: false) { (database) throws(StoreFault) in
      let connection = database.connection
      try connection.run(
        "DELETE FROM hpd_steps WHERE (revision, table_id) IN (\(slice))", .pruning)
      sweptSteps += Int64(connection.changes)
    }
    return true
  }

  /// Goes through the touched blocks once enough revisions are gone: no index finds them by
  /// revision.
  private func sweepTouched(floor: UInt64, limit: Int) throws(StoreFault) -> Bool {
    if indexSweep == nil {
      guard sweptSteps >= Store.sweepInterval else { return false }
      sweptSteps = 0
      indexSweep = IndexSweep(floor: floor)
    }
    guard var sweep = indexSweep else { return false }
    let row = try reading().connection.prepare(
      """
      SELECT block, revision FROM hpd_touched WHERE (block, revision) > (?, ?)
      ORDER BY block, revision LIMIT ?
      """, .pruning)
    row.bind(1, sweep.block)
    row.bind(2, sweep.revision)
    row.bind(3, limit)
    var old: [(block: Int64, revision: UInt64)] = []
    var seen = 0
    while try row.step(.pruning) {
      (sweep.block, sweep.revision) = (row.integer(0), row.unsigned(1))
      if sweep.revision <= sweep.floor { old.append((sweep.block, sweep.revision)) }
      seen += 1
    }
    if !old.isEmpty {
      try transaction(waits: false) { (database) throws(StoreFault) in
        let row = try database.connection.prepare(
          "DELETE FROM hpd_touched WHERE block = ? AND revision = ?", .pruning)
        for place in old {
          row.bind(1, place.block)
          row.bind(2, place.revision)
          try row.execute(.pruning)
        }
      }
    }
    indexSweep = seen < limit ? nil : sweep
    return indexSweep != nil
  }
}
