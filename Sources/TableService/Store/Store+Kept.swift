/// Steps that outlive the history: the newest one of each actor (contract E9).
///
/// As history is removed, the record that would be taken back next is copied in the same
/// transaction: that of the step, or of the redo or undo of it that came last. What is kept is
/// bounded; the oldest goes first.
extension Store {
  /// Finds the record that a step's undo or redo would read, of steps that are their actor's newest:
  /// to be joined to a list `r` of revisions.
  private static let newest = """
    JOIN hpd_steps s
      ON s.revision = iif(r.target = 0, r.revision, r.target) AND s.table_id = r.table_id
    JOIN hpd_actors a ON a.id = s.actor AND a.last_step = s.revision
    WHERE s.kind = 1 AND r.revision = iif(s.undone = 0, s.applied, s.undone)
    """

  /// Whether the index has the oldest entries of the journal, so that they can be removed.
  func isIndexed(_ count: UInt64) -> Bool {
    indexProgress.position >= min(journal.last, journal.first + count)
  }

  /// Finds what is to be kept of a slice of the journal's beginning.
  ///
  /// - Parameter end: The slice's last position, behind which the newest record begins; nearer to
  ///   the beginning afterwards where more than `keptSlice` would be copied.
  /// - Returns: Runs of positions, none of a record that is larger than all that may be kept.
  /// - Throws: What SQLite says.
  func newestSteps(through end: inout UInt64) throws(StoreFault) -> [ClosedRange<UInt64>] {
    let (first, last) = (try place(of: journal.first), try place(of: end))
    let row = try reading().connection.prepare(
      """
      SELECT position, part, parts FROM hpd_journal
      WHERE position <= ?1 AND numbered = 1 AND (part = 0 OR position = ?2) AND revision IN (
        SELECT r.revision FROM hpd_steps r \(Store.newest) AND r.revision BETWEEN ?3 AND ?4)
      ORDER BY position
      """, .pruning)
    row.bind(1, end)
    row.bind(2, journal.first)
    row.bind(3, first.revision)
    row.bind(4, last.revision)
    var found: [(position: UInt64, part: UInt64, parts: UInt64)] = []
    while try row.step(.pruning) {
      found.append((row.unsigned(0), row.unsigned(1), row.unsigned(2)))
    }
    var runs: [ClosedRange<UInt64>] = []
    var left = StoreLimits.keptSlice
    for (position, part, parts) in found where position <= end {
      let next = position + parts - part
      if part == 0 {
        guard try bytes(of: position..<next) <= StoreLimits.keptBytes else { continue }
      } else {
        guard try isHeld(position - 1) else { continue }
      }
      var last = min(end, next - 1)
      if try bytes(of: position..<last + 1) > left {
        let start = try place(of: position).before
        last = max(position, try lastPosition { $0.before - start <= left })
        end = last
      }
      left -= try bytes(of: position..<last + 1)
      runs.append(position...last)
    }
    return runs
  }

  /// Copies runs of the journal, in the caller's transaction.
  func keep(_ runs: [ClosedRange<UInt64>], _ connection: Connection) throws(StoreFault) {
    let body = Database.content("body", "stored_body")
    let old = Database.content("old", "stored_old")
    for run in runs {
      try connection.run(
        """
        INSERT OR REPLACE INTO hpd_kept
          SELECT position, revision, part, parts, tables, head, \(body), \(old) FROM hpd_journal
          WHERE position BETWEEN \(run.lowerBound) AND \(run.upperBound)
        """, .pruning)
    }
  }

  /// How many bytes are kept.
  func keptBytes() throws(StoreFault) -> Int64 {
    if let keptSize { return keptSize }
    let size =
      try reading().connection.number(
        "SELECT sum(length(body) + length(old)) FROM hpd_kept", .pruning) ?? 0
    keptSize = size
    return size
  }

  /// Lets go of what need not be kept any more or is beyond the bounds, one slice.
  ///
  /// - Parameters:
  ///   - entries: The bound of history: twice as many entries are looked back.
  ///   - limit: The most entries to let go of.
  /// - Returns: Whether there is more.
  /// - Throws: What SQLite says.
  /// - Complexity: O(*n*) in what is kept.
  func releaseKept(entries: UInt64, limit: Int) throws(StoreFault) -> Bool {
    guard try keptBytes() > 0 else { return false }
    let (surplus, size) = try keptSurplus(entries: entries)
    keptSize = size
    guard !surplus.isEmpty else { return false }
    try transaction(waits: false) { (database) throws(StoreFault) in
      let row = try database.connection.prepare(
        "DELETE FROM hpd_kept WHERE position = ?", .pruning)
      for position in surplus.prefix(limit) {
        row.bind(1, position)
        try row.execute(.pruning)
      }
    }
    keptSize = nil
    return surplus.count > limit
  }

  /// The positions that need not be kept, oldest first, and the bytes of all.
  private func keptSurplus(
    entries: UInt64
  ) throws(StoreFault) -> (positions: [UInt64], bytes: Int64) {
    let oldest = journal.last - min(journal.last, entries.multipliedReportingOverflow(by: 2).0)
    let wanted = try wantedRevisions()
    var surplus: [UInt64] = []
    var all: Int64 = 0
    var held: (count: Int, bytes: Int64) = (0, 0)
    for record in try keptRecords() {
      all += record.bytes
      let isWanted = wanted.contains(record.revision) && record.end >= oldest
      let fits =
        held.bytes + record.bytes <= StoreLimits.keptBytes && held.count < StoreLimits.keptRecords
      if isWanted, record.hasHead, fits {
        held = (held.count + 1, held.bytes + record.bytes)
      } else {
        surplus += record.positions
      }
    }
    return (surplus.sorted(), all)
  }

  /// A record, or what is kept of it.
  private struct KeptRecord {
    var revision: UInt64
    var positions: ClosedRange<UInt64>
    /// Where its last part is, or stands in the journal still.
    var end: UInt64
    var hasHead: Bool
    var bytes: Int64
  }

  /// What is kept, newest first.
  private func keptRecords() throws(StoreFault) -> [KeptRecord] {
    let row = try reading().connection.prepare(
      """
      SELECT position, revision, part, length(body) + length(old), parts FROM hpd_kept
      ORDER BY position DESC
      """, .pruning)
    var records: [KeptRecord] = []
    while try row.step(.pruning) {
      let (position, revision) = (row.unsigned(0), row.unsigned(1))
      var record = KeptRecord(
        revision: revision, positions: position...position,
        end: position + row.unsigned(4) - 1 - row.unsigned(2), hasHead: row.integer(2) == 0,
        bytes: row.integer(3))
      if let last = records.last, last.revision == revision {
        records.removeLast()
        record.positions = position...last.positions.upperBound
        record.bytes += last.bytes
      }
      records.append(record)
    }
    return records
  }

  /// The revisions among those kept that an undo or a redo would still read.
  private func wantedRevisions() throws(StoreFault) -> Set<UInt64> {
    let row = try reading().connection.prepare(
      """
      SELECT r.revision FROM hpd_kept k JOIN hpd_steps r ON r.revision = k.revision
      \(Store.newest) AND k.part = 0
      """, .pruning)
    var wanted: Set<UInt64> = []
    while try row.step(.pruning) { wanted.insert(row.unsigned(0)) }
    return wanted
  }

  /// The oldest revision that is kept; `nil`: none is.
  func oldestKept() throws(StoreFault) -> UInt64? {
    let oldest = try reading().connection.number(
      "SELECT revision FROM hpd_kept ORDER BY position LIMIT 1", .pruning)
    return oldest.map { UInt64(bitPattern: $0) }
  }

  /// The newest revision up to which nothing can be undone any more.
  func undoStart() throws(StoreFault) -> UInt64 {
    min(historyStart, try oldestKept().map { $0 - 1 } ?? .max)
  }

  /// Whether a step that stands can be taken back: within the bounds, or an actor's newest.
  ///
  /// - Parameters:
  ///   - line: The step.
  ///   - floor: The newest position that lies beyond the bounds.
  /// - Returns: Whether it is.
  /// - Throws: What SQLite says.
  func isKept(_ line: StepLine, beyond floor: UInt64) throws(StoreFault) -> Bool {
    if line.position <= floor {
      let actor = try actor(uid: line.uid, name: line.actor)
      guard actor?.lastStep == line.revision else { return false }
    }
    let applied =
      line.applied == line.revision
      ? line.position : try step(line.applied).first?.position ?? 0
    if applied >= journal.first { return true }
    return try isHeld(applied)
  }

  /// Whether a part of a record is kept beyond the history.
  private func isHeld(_ position: UInt64) throws(StoreFault) -> Bool {
    let row = try reading().connection.prepare(
      "SELECT 1 FROM hpd_kept WHERE position = ?", .pruning)
    row.bind(1, position)
    defer { row.reset() }
    return try row.step(.pruning)
  }

  /// Reads a record that is kept, or the part of it that is.
  ///
  /// - Parameter position: Where its first part stood.
  /// - Returns: Its first parts.
  /// - Throws: What SQLite says.
  func keptRecord(at position: UInt64) throws(StoreFault) -> [JournalEntry] {
    let row = try reading().connection.prepare(
      """
      SELECT position, revision, part, parts, tables, head, body, old FROM hpd_kept
      WHERE position >= ? ORDER BY position
      """, .reading)
    row.bind(1, position)
    defer { row.reset() }
    var entries: [JournalEntry] = []
    while try row.step(.reading) {
      guard row.unsigned(0) == position + UInt64(entries.count) else { break }
      entries.append(
        JournalEntry(
          position: row.unsigned(0), revision: row.unsigned(1), isRevision: true,
          part: Int(row.integer(2)), parts: Int(row.integer(3)),
          tables: try Store.decodeTables(row.bytes(4)), head: row.bytes(5), body: row.bytes(6),
          old: row.bytes(7)))
      if entries[entries.count - 1].isLast { break }
    }
    return entries
  }
}
