/// How much history is kept (contract F5); whatever is exceeded first counts.
struct HistoryBounds: Equatable {
  /// Entries, which are parts of records.
  var entries: UInt64
  /// Bytes of all parts.
  var bytes: Int64
  /// Age on the running clock, in microseconds.
  var age: Int64
  /// Bytes that are kept for a snapshot beyond that.
  var pinned: Int64 = .max
}

extension Store {
  /// Bytes of history that are removed at a time: each of their pages is written.
  static let pruningSlice: Int64 = 4 << 20

  /// Whether so much more is kept than asked for that its removal does not wait for quiet.
  ///
  /// - Parameter bounds: How much is kept.
  /// - Returns: Whether it is an eighth more.
  /// - Complexity: O(1).
  func exceeds(_ bounds: HistoryBounds) -> Bool {
    let entries = journal.last + 1 - journal.first
    let bytes = journal.total - journal.removed
    return entries > bounds.entries + bounds.entries / 8 || bytes > bounds.bytes + bounds.bytes / 8
  }

  /// Removes history beyond its bounds, one slice of it.
  ///
  /// What is not materialised yet, the newest record and what a snapshot pins are kept in any case
  /// (contract F4).
  ///
  /// The newest step of each actor is copied from it (contract E9), which the index has to have.
  ///
  /// - Parameters:
  ///   - bounds: How much is kept.
  ///   - pinned: Records after this revision are kept.
  ///   - limit: The most entries to remove.
  ///   - most: The most bytes of them; one entry goes in any case.
  ///   - sweeps: How many entries of the index are looked at besides.
  ///   - now: The present moment.
  /// - Returns: Whether there is more to remove.
  /// - Throws: What SQLite says.
  func prune(
    _ bounds: HistoryBounds, pinned: UInt64 = .max, limit: UInt64,
    bytes most: Int64 = Store.pruningSlice, sweeps: Int = 0, now: Instant
  ) throws(StoreFault) -> Bool {
    guard journal.first <= journal.last else { return false }
    var target = try position(beyond: bounds, now: now)
    // A record that an earlier slice began to remove goes in any case.
    if try place(of: journal.first).part > 0 { target = max(target, journal.first) }
    guard target >= journal.first else { return false }
    // Whole records only; the other bounds are ends of records.
    let place = try place(of: target)
    target += place.parts - 1 - place.part
    target = min(target, journal.lastRecord - 1, meta.materialisedPosition)
    if pinned < journal.revision {
      let kept = try position(through: pinned)
      // Beyond its budget a snapshot holds nothing: whoever reads it is told that it ends.
      if kept < target,
        try self.place(of: target).before - self.place(of: kept + 1).before <= bounds.pinned
      {
        target = kept
      }
    }
    guard target >= journal.first else { return false }
    var end = min(target, journal.first + limit - 1)
    let start = try self.place(of: journal.first).before
    let reached = try lastPosition { $0.before - start <= most }
    end = min(end, max(journal.first, reached - 1))
    let kept = try newestSteps(through: &end)
    var copied: Int64 = 0
    for run in kept { copied += try bytes(of: run.lowerBound..<run.upperBound + 1) }
    var sweep = sweeps > 0 ? try openSweep(entries: bounds.entries) : nil
    var isOver = false
    let revision = try self.place(of: end).revision
    let removed = try self.place(of: end + 1).before
    try transaction(waits: false) { (database) throws(StoreFault) in
      let connection = database.connection
      try keep(kept, connection)
      try connection.run(
        """
        DELETE FROM hpd_parts WHERE id IN (
          SELECT stored_body FROM hpd_journal WHERE position <= \(end)
          UNION ALL SELECT stored_old FROM hpd_journal WHERE position <= \(end));
        DELETE FROM hpd_journal WHERE position <= \(end);
        """, .pruning)
      try connection.run("UPDATE hpd_meta SET pruned_revision = \(revision)", .pruning)
      guard var next = sweep else { return }
      isOver = try advance(&next, limit: sweeps, connection)
      sweep = next
    }
    keptSize = keptSize.map { $0 + copied }
    take(sweep, isOver: isOver)
    meta.prunedRevision = revision
    journal.first = end + 1
    journal.removed = removed
    return end < target
  }
}
