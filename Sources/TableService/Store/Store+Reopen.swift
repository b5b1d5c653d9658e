/// What a reopening after a failed commit found (contract S2).
enum Reopening: Equatable {
  /// The store writes again. What is past `position` is not on disk and never will be.
  case settled(position: UInt64)
  /// The store can't write yet; try again later. `position` is known where the failed records are
  /// certainly not on disk; without it nothing can be read either.
  case waiting(StoreFault, position: UInt64?)
  /// Nor can it be said whether the failed records will stay. What was durable before can be read.
  case unsure(StoreFault)
}

extension Store {
  /// Finds out what a failed commit left on disk, and makes that the truth.
  ///
  /// The connection is closed without a checkpoint and the log is read anew. Then the log is copied
  /// into the file and begun again, so that nothing depends on pages whose sync failed, and a
  /// commit of its own proves that writing works. What that commit follows stays; what it does
  /// not, it overwrites.
  ///
  /// - Parameter now: The present moment.
  /// - Returns: The last position on disk, or why it is too early to write.
  func reopen(now: Instant) -> Reopening {
    guard refusal == .unsettled else {
      return refusal.map { .waiting($0, position: journal.last) }
        ?? .settled(position: journal.last)
    }
    let known = journal.last
    tables = nil
    database = nil
    var probed: UInt64?
    do throws(StoreFault) {
      probed = try probe()
      let database = try settle(now: now)
      self.database = database
      refusal = nil
      return .settled(position: journal.last)
    } catch {
      do throws(StoreFault) { database = try readOnly() } catch let other {
        return .waiting(other, position: nil)
      }
      return probed == known ? .waiting(error, position: known) : .unsure(error)
    }
  }

  /// A connection for reading alone, while writing has to wait; `refusal` keeps writes out.
  ///
  /// The journal is read as far as it was durable before: what stands behind that is nobody's yet.
  private func readOnly() throws(StoreFault) -> Database {
    let connection = try Store.connect(file.path, options)
    let database = try Database(connection)
    // What failed may have been upkeep, and be on disk all the same.
    let extent = try JournalExtent.read(connection)
    guard extent.last >= journal.last else { throw .damaged(.opening) }
    let progress = try IndexProgress(connection)
    meta = try StoreMeta.read(connection)
    (journal.first, journal.removed) = (extent.first, extent.removed)
    indexProgress = progress
    return database
  }

  /// Reads the last position from the log's bytes alone.
  ///
  /// - Returns: The position, or `nil` while another program has the store open: its index of the
  ///   log does not tell what the bytes hold.
  private func probe() throws(StoreFault) -> UInt64? {
    var probing = options
    probing.busyMilliseconds = 0
    let connection = try Store.connect(file.path, probing)
    do throws(StoreFault) {
      _ = try connection.number("PRAGMA locking_mode = EXCLUSIVE", .opening)
      return try JournalExtent.read(connection).last
    } catch .busy {
      return nil
    }
  }

  private func settle(now: Instant) throws(StoreFault) -> Database {
    let connection = try Store.connect(file.path, options)
    try Store.configure(connection, .commit)
    guard try connection.checkpoint(restart: true) else { throw .busy(.checkpointing) }
    let database = try Database(connection)
    var meta = try StoreMeta.read(connection)
    meta.fence += 1
    meta.clock = clock.reading(now)
    meta.wall = now.wall
    try database.begin()
    do throws(StoreFault) { try meta.write(connection, .committing) } catch {
      try database.rollback()
      throw error
    }
    try database.commit()
    try Store.configure(connection, options.durability)
    self.meta = meta
    journal = try JournalExtent.read(connection)
    indexProgress = try IndexProgress(connection)
    ceilings = try StoreStart.readCounters(connection).next
    keyCounts = try Store.countKeys(connection)
    return database
  }
}
