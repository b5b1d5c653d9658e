extension Store {
  /// The newest revision that the tables on disk show.
  var materialisedRevision: UInt64 {
    meta.materialisedPosition == journal.last ? lastRevision : meta.materialisedRevision
  }

  /// Writes the oldest pending revisions, whole ones, in one transaction, and takes them out of the
  /// list once they are on disk (contract S5).
  ///
  /// A fault leaves list and disk as they were. What is written was in the journal before, so the
  /// caller passes only revisions that are durable.
  ///
  /// - Parameters:
  ///   - pending: The writes that wait.
  ///   - limit: The number of writes after which no further revision is begun.
  ///   - last: The newest durable revision.
  /// - Returns: Whether anything was written.
  func materialise(
    _ pending: PendingWrites, limit: Int, through last: UInt64
  ) throws(StoreFault) -> Bool {
    guard let first = pending.firstRevision, first <= last else { return false }
    let before = meta.materialisedPosition
    do throws(StoreFault) {
      var reached: UInt64?
      var position: UInt64 = 0
      try transaction { (database) throws(StoreFault) in
        let writer: TableWriter
        if let tables { writer = tables } else { writer = try TableWriter(database.connection) }
        tables = writer
        var fault: StoreFault?
        reached = pending.forEach(limit: limit, through: last) { write, bytes in
          do throws(StoreFault) {
            try writer.apply(write, bytes)
            return true
          } catch {
            fault = error
            return false
          }
        }
        if let fault { throw fault }
        guard let reached else { return }
        position = try self.position(through: reached)
        try note(changesFrom: before, to: position, database.connection)
        try database.connection.run(
          "UPDATE hpd_meta SET materialised_position = \(position), "
            + "materialised_revision = \(reached)", .materialising)
      }
      guard let reached else { return false }
      pending.remove(through: reached)
      meta.materialisedPosition = position
      meta.materialisedRevision = reached
      return true
    } catch {
      tables = nil
      throw error
    }
  }

  /// Keeps the last revision of every table that the journal names between two positions: the
  /// journal will not hold it for ever (contract E1).
  private func note(
    changesFrom first: UInt64, to last: UInt64, _ connection: Connection
  ) throws(StoreFault) {
    var changed: [UInt64: UInt64] = [:]
    let row = try connection.prepare(
      "SELECT revision, tables FROM hpd_journal "
        + "WHERE position > ? AND position <= ? AND numbered = 1 AND part = 0", .materialising)
    row.bind(1, first)
    row.bind(2, last)
    while try row.step(.materialising) {
      for table in try Store.decodeTables(row.bytes(1)) { changed[table] = row.unsigned(0) }
    }
    for (table, revision) in changed {
      try connection.run(
        "UPDATE hpd_tables SET last_changed = \(revision) WHERE id = \(table)", .materialising)
    }
  }

  /// Removes the rows of dropped tables, one slice, and at the end the table itself.
  ///
  /// - Parameter limit: The most rows and sections to remove.
  /// - Returns: Whether there is more to remove.
  func removeDropped(limit: Int) throws(StoreFault) -> Bool {
    let connection = try reading().connection
    guard
      let found = try connection.number(
        "SELECT id FROM hpd_tables WHERE dropped = 1 LIMIT 1", .materialising)
    else { return false }
    let rows = SQLView.rows(of: UInt64(bitPattern: found))
    try transaction { (database) throws(StoreFault) in
      let connection = database.connection
      try connection.run(
        "DELETE FROM \(rows) WHERE _id IN (SELECT _id FROM \(rows) LIMIT \(limit))",
        .materialising)
      var removed = connection.changes
      if removed < limit {
        try connection.run(
          "DELETE FROM hpd_sections WHERE id IN (SELECT id FROM hpd_sections "
            + "WHERE table_id = \(found) LIMIT \(limit - removed))", .materialising)
        removed += connection.changes
      }
      if removed < limit {
        try connection.run(
          """
          DROP TABLE \(rows);
          DELETE FROM hpd_columns WHERE table_id = \(found);
          DELETE FROM hpd_tables WHERE id = \(found);
          """, .materialising)
      }
    }
    return try connection.number(
      "SELECT id FROM hpd_tables WHERE dropped = 1 LIMIT 1", .materialising) != nil
  }
}
