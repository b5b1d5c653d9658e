/// Steps that outlive the history: the newest one of each actor (contract E9).
///
/// As history is removed, the record that would be taken back next is copied: the step, or the
/// redo or undo of it that came last. What is kept is bounded; the oldest goes first.
extension Store {
  /// The records that are kept: of each actor's newest step, what did it or took it back last.
  private static let wanted = """
    SELECT iif(s.undone = 0, s.applied, s.undone) FROM hpd_actors a
      JOIN hpd_steps s ON s.revision = a.last_step WHERE s.kind = 1
    """

  /// Whether the index has the oldest entries of the journal, so that they can be removed.
  func isIndexed(_ count: UInt64) -> Bool { indexProgress.position >= journal.first + count }

  /// Copies what is to be kept of a slice of the journal, in the caller's transaction.
  ///
  /// - Parameters:
  ///   - end: The slice's last position; it begins with the journal.
  ///   - connection: The store's connection.
  /// - Throws: What SQLite says.
  func keepNewestSteps(through end: UInt64, _ connection: Connection) throws(StoreFault) {
    let body = Database.content("body", "stored_body")
    let old = Database.content("old", "stored_old")
    try connection.run(
      """
      INSERT OR IGNORE INTO hpd_kept
        SELECT position, revision, part, parts, tables, head, \(body), \(old) FROM hpd_journal
        WHERE position <= \(end) AND numbered = 1 AND revision IN (\(Store.wanted))
      """, .pruning)
  }

  /// Lets go of what need not be kept any more, or is beyond the bounds.
  ///
  /// - Parameter entries: The bound of history: twice as many entries are looked back.
  /// - Throws: What SQLite says.
  func releaseKept(entries: UInt64) throws(StoreFault) {
    let connection = try reading().connection
    guard
      let bytes = try connection.number(
        "SELECT sum(length(body) + length(old)) FROM hpd_kept", .pruning)
    else { return }
    let oldest = journal.last - min(journal.last, entries.multipliedReportingOverflow(by: 2).0)
    let surplus = "position < \(oldest) OR revision NOT IN (\(Store.wanted))"
    let isOld =
      try connection.number(
        "SELECT EXISTS (SELECT 1 FROM hpd_kept WHERE \(surplus))", .pruning) == 1
    guard isOld || bytes > StoreLimits.keptBytes else { return }
    try transaction(waits: false) { (database) throws(StoreFault) in
      let connection = database.connection
      try connection.run(
        """
        DELETE FROM hpd_kept WHERE \(surplus);
        DELETE FROM hpd_kept WHERE revision IN (
          SELECT revision FROM (
            SELECT revision, sum(length(body) + length(old))
              OVER (ORDER BY revision DESC, part) AS size FROM hpd_kept)
          WHERE size > \(StoreLimits.keptBytes));
        """, .pruning)
    }
  }

  /// Whether a step that stands can be taken back: within the bounds, or an actor's newest.
  ///
  /// - Parameters:
  ///   - line: The step.
  ///   - floor: The newest position that lies beyond the bounds.
  /// - Returns: Whether it is.
  /// - Throws: What SQLite says.
  func isKept(_ line: StepLine, beyond floor: UInt64) throws(StoreFault) -> Bool {
    if line.position > floor { return true }
    guard try actor(uid: line.uid, name: line.actor)?.lastStep == line.revision else {
      return false
    }
    guard line.position < journal.first else { return true }
    let applied = try step(line.applied).first?.position ?? 0
    if applied >= journal.first { return true }
    return try !keptRecord(at: applied).isEmpty
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
