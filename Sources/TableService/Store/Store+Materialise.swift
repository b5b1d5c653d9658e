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
  ///   - waits: Whether another program's transaction is waited for.
  /// - Returns: Whether anything was written.
  /// - Throws: What SQLite says.
  func materialise(
    _ pending: PendingWrites, limit: Int, through last: UInt64, waits: Bool = false
  ) throws(StoreFault) -> Bool {
    guard let first = pending.firstRevision, first <= last else { return false }
    if let block = pending.firstLarge, block.count > Store.largeWrites {
      try materialiseLarge(block, pending, limit: limit, waits: waits)
      return true
    }
    do throws(StoreFault) {
      var reached: UInt64?
      var position: UInt64 = 0
      try transaction(waits: waits) { (database) throws(StoreFault) in
        let writer: TableWriter
        if let tables { writer = tables } else { writer = try TableWriter(database.connection) }
        tables = writer
        for structural in [true, false] {
          var fault: StoreFault?
          reached = pending.forEach(limit: limit, through: last) { write, bytes in
            guard TableWriter.isStructural(write) == structural else { return true }
            do throws(StoreFault) {
              try writer.apply(write, bytes)
              return true
            } catch {
              fault = error
              return false
            }
          }
          if let fault { throw fault }
        }
        try writer.finish()
        guard let reached else { return }
        position = try self.position(through: reached)
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

  /// Removes the rows of dropped tables, one slice, and at the end the table itself.
  ///
  /// - Parameter limit: The most rows and sections to remove.
  /// - Returns: Whether there is more to remove.
  /// - Throws: What SQLite says.
  func removeDropped(limit: Int) throws(StoreFault) -> Bool {
    let connection = try reading().connection
    guard
      let found = try connection.number(
        "SELECT id FROM hpd_tables WHERE dropped = 1 LIMIT 1", .materialising)
    else { return false }
    let rows = SQLView.rows(of: UInt64(bitPattern: found))
    try transaction(waits: false) { (database) throws(StoreFault) in
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
          DELETE FROM hpd_policies WHERE table_id = \(found);
          DELETE FROM hpd_tables WHERE id = \(found);
          """, .materialising)
      }
    }
    return try connection.number(
      "SELECT id FROM hpd_tables WHERE dropped = 1 LIMIT 1", .materialising) != nil
  }
}
