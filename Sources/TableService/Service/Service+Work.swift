internal import CHPSystem

extension Service {
  /// From the last input to writing rows behind the journal, in microseconds (contract S5).
  static let quiet: Int64 = 20_000
  static let writesPerSlice = 2_000
  /// Records that the index of steps takes in at a time.
  static let stepsPerSlice = 500
  /// Entries by which the index may lag before it is not left for quiet; whoever asks for it then
  /// waits for that many.
  private var indexLag: UInt64 { min(100_000, retention.historyRevisions / 8) }
  /// Between rounds of removing old history and keys, in microseconds.
  static let upkeepInterval: Int64 = 60_000_000

  /// Between slices of old history that are removed while requests come in, in microseconds.
  static let pruningInterval: Int64 = 20_000

  /// From upkeep that failed to the next attempt, in microseconds.
  static let upkeepRetry: Int64 = 1_000_000
  /// Between syncs in durability `interval`, in microseconds.
  static let syncInterval: Int64 = 1_000_000

  private var lags: Bool {
    pending.count >= retention.unmaterialisedOperations
      || pending.byteCount >= retention.unmaterialisedBytes
  }

  /// When rows should be written next if nothing comes in until then.
  ///
  /// - Parameters:
  ///   - now: The monotonic clock, in microseconds.
  ///   - isAwaited: Whether somebody waits for the rows.
  /// - Returns: The time, or `nil` where all are written.
  public func workDeadline(after now: Int64, isAwaited: Bool = false) -> Int64? {
    guard !isClosedForWriting else { return nil }
    var deadline: Int64?
    if store.indexLag > 0 {
      deadline = store.indexLag > indexLag ? now : lastInput + Service.quiet
    }
    if pending.count > 0 {
      deadline = min(
        deadline ?? .max, lags || isAwaited ? now : lastInput + Service.quiet)
    }
    if !leftUpkeep.isEmpty || store.leftRedo > 0 {
      deadline = min(deadline ?? .max, lastInput + Service.quiet)
    }
    if isBrokenOff { deadline = now }
    if needsSync { deadline = min(deadline ?? .max, lastSync + Service.syncInterval) }
    return deadline.map { max($0, nextUpkeep) }
  }

  /// Notes that a request came in.
  ///
  /// - Parameter now: The monotonic clock, in microseconds.
  public func noteInput(at now: Int64) { lastInput = now }

  /// Does one slice of what can wait.
  ///
  /// That is: rows behind the journal, old history, old keys, the checkpoint of the log.
  /// Called between turns, never on a reply's way.
  ///
  /// - Parameters:
  ///   - now: The monotonic clock, in microseconds.
  ///   - isAwaited: Whether somebody waits for the rows, so that they are not left for quiet.
  ///   - pinned: Says from which revision on history is kept for snapshots (contract F4).
  /// - Returns: Whether rows were written.
  /// - Throws: What the store says; nothing is lost by it.
  public func work(
    now: Int64, isAwaited: Bool = false, pinned: () -> UInt64? = { nil }
  ) throws(StoreFault) -> Bool {
    guard !isClosedForWriting, now >= nextUpkeep else { return false }
    do throws(StoreFault) {
      return try upkeep(now: now, isAwaited: isAwaited, pinned: pinned)
    } catch {
      nextUpkeep = now + Service.upkeepRetry
      throw error
    }
  }

  private func upkeep(
    now: Int64, isAwaited: Bool, pinned: () -> UInt64?
  ) throws(StoreFault) -> Bool {
    var wrote = false
    if needsSync, now - lastSync >= Service.syncInterval {
      lastSync = now
      needsSync = false
      try store.sync(now: Instant.now())
    }
    let began = hp_monotonic_us()
    isBrokenOff = false
    for _ in Upkeep.allCases {
      let piece = nextPiece
      nextPiece = piece.next
      guard try carryOut(piece, now: now, isAwaited: isAwaited, pinned: pinned, &wrote) else {
        continue
      }
      // Each is a commit, and so a sync: many of them are more than a turn may take.
      isBrokenOff = hp_monotonic_us() - began >= upkeepSlice
      if isBrokenOff { break }
    }
    return wrote
  }

  /// What can wait, in the order in which it takes turns.
  enum Upkeep: Int, CaseIterable {
    /// Notes for rows of a large revision that are written.
    case notes
    case rows
    case index
    case log
    /// Old history while it is never quiet.
    case history
    /// What is left for quiet: history, and then what else has its time.
    case quietHistory, keys, dropped, hidden, kept, sweep

    var next: Upkeep { Upkeep(rawValue: rawValue + 1) ?? .notes }
    static let quietOnes = quietHistory.rawValue...sweep.rawValue
  }

  /// Does one slice of one piece, if it is due.
  ///
  /// - Parameters:
  ///   - piece: Which.
  ///   - now: As in `work`.
  ///   - isAwaited: As in `work`.
  ///   - pinned: As in `work`.
  ///   - wrote: Set where rows were written.
  /// - Returns: Whether anything was done.
  /// - Throws: What the store says.
  private func carryOut(
    _ piece: Upkeep, now: Int64, isAwaited: Bool, pinned: () -> UInt64?, _ wrote: inout Bool
  ) throws(StoreFault) -> Bool {
    let isQuiet = now - lastInput >= Service.quiet
    switch piece {
    case .notes:
      guard store.leftRedo > 0, pending.count == 0 || isQuiet else { return false }
      _ = try store.removeRedo()
      return true
    case .rows:
      guard pending.count > 0, lags || isQuiet || isAwaited else { return false }
      let didWrite = try store.materialise(
        pending, limit: Service.writesPerSlice, through: durableRevision)
      wrote = wrote || didWrite
      return didWrite
    case .index:
      guard store.indexLag > 0 else { return false }
      // What history is to lose, the index has to have first.
      guard isQuiet || store.indexLag > indexLag || store.exceeds(bounds) else { return false }
      _ = try store.indexSteps(limit: Service.stepsPerSlice)
      return true
    case .log:
      return try store.checkpointIfDue(
        isIdle: isQuiet && pending.count == 0, isLong: long != nil || store.large != nil)
    case .history:
      let isRound =
        isQuiet && pending.count == 0 && store.indexLag == 0
        && (!leftUpkeep.isEmpty || now - lastUpkeep >= Service.upkeepInterval)
      guard !isRound, now - lastPruning >= Service.pruningInterval, store.exceeds(bounds),
        store.isIndexed(500)
      else { return false }
      // It is never quiet, so a little goes at a time. The index has to lose more than history
      // does meanwhile: with these figures it is about a third larger than it need be.
      lastPruning = now
      _ = try store.prune(
        bounds, pinned: pinned() ?? .max, limit: 500, sweeps: 8_000, now: Instant.now())
      if try store.keptBytes() > StoreLimits.keptBytes * 5 / 4 {
        _ = try store.releaseKept(entries: retention.historyRevisions, limit: 100)
      }
      return true
    case .quietHistory, .keys, .dropped, .hidden, .kept, .sweep:
      guard isQuiet, pending.count == 0, store.indexLag == 0 else { return false }
      if leftUpkeep.isEmpty {
        guard now - lastUpkeep >= Service.upkeepInterval else { return false }
        lastUpkeep = now
        leftUpkeep = Set(Upkeep.allCases.filter { Upkeep.quietOnes.contains($0.rawValue) })
        try store.passStates()
      }
      guard leftUpkeep.contains(piece) else { return false }
      if try !removeOld(piece, pinned: pinned) { leftUpkeep.remove(piece) }
      return true
    }
  }

  /// Removes a slice of what is kept no longer.
  ///
  /// - Returns: Whether there is more.
  private func removeOld(_ piece: Upkeep, pinned: () -> UInt64?) throws(StoreFault) -> Bool {
    switch piece {
    case .quietHistory:
      try store.prune(bounds, pinned: pinned() ?? .max, limit: 1_000, now: Instant.now())
    case .keys: try store.removeExpiredKeys(now: Instant.now(), limit: 1_000)
    case .dropped: try store.removeDropped(limit: 1_000)
    case .hidden: try removeHidden(limit: 1_000)
    case .kept: try store.releaseKept(entries: retention.historyRevisions, limit: 200)
    case .sweep: try store.sweepIndex(entries: retention.historyRevisions, limit: 4_000)
    case .notes, .rows, .index, .log, .history: false
    }
  }

  private var bounds: HistoryBounds {
    HistoryBounds(
      entries: retention.historyRevisions, bytes: retention.historyBytes,
      age: retention.historySeconds * 1_000_000, pinned: retention.pinnedBytes)
  }
}
