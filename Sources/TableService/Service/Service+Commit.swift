public import Coding

/// What a turn has accepted and not yet written.
struct PendingTurn {
  var records: [JournalRecord] = []
  var keys: [KeyRecord] = []
  var states: [StateRecord] = []
  /// The same keys, for duplicates in one turn.
  var outcomes: [KeyName: KeyRecord] = [:]

  var isEmpty: Bool { records.isEmpty && keys.isEmpty }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    if !states.isEmpty { states.removeAll(keepingCapacity: true) }
    if !outcomes.isEmpty { outcomes.removeAll(keepingCapacity: true) }
  }
}

/// A revision as history and feed tell it.
public struct CommittedRecord: Sendable {
  /// Its number.
  public var revision: UInt64
  /// The tables that it changed.
  public var tables: [UInt64]
  /// hp.v1.Change in parts, each of them to be sent as it is.
  public var parts: [[UInt8]] { content.compactMap { $0.body.isEmpty ? nil : $0.body } }

  /// The bytes of all parts.
  public var size: Int { content.reduce(0) { $0 + ($1.storedBody?.size ?? $1.body.count) } }

  /// The parts that a filter leaves.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: The parts; `nil` where nothing is left.
  /// - Throws: Any `CodingFault`: the bytes are no change.
  /// - Complexity: O(*n*) in the bytes.
  public func parts(_ filter: ChangeFilter) throws(CodingFault) -> [[UInt8]]? {
    guard !filter.passes(tables) else { return parts }
    var pass = ChangeFilter.Pass()
    var left: [[UInt8]] = []
    for part in content {
      if let piece = try filter.apply(part.body, side: part.old, &pass) { left.append(piece) }
    }
    return left.isEmpty ? nil : left
  }

  /// Who caused it, and when.
  public var head: JournalHead

  let content: [JournalPart]
}

extension Service {
  /// What became of a turn.
  public enum Commit {
    /// All of it is durable.
    case durable([CommittedRecord])
    /// None of it happened; the tables are again as they were before.
    case failed(StoreFault)
  }

  /// Whether there is anything to commit.
  public var hasPending: Bool { !turn.isEmpty }

  /// The tables that the turn's revisions have changed so far.
  public var pendingTables: Set<UInt64> { Set(turn.records.flatMap(\.tables)) }

  /// Makes everything durable that was performed since the last call, as one transaction.
  ///
  /// After a failure the store is opened anew and its last record is read (contract S2):
  /// where the turn is on disk all the same, that is the outcome. Where it is not, or nobody can
  /// say yet, the tables are read from the store again as they were before.
  ///
  /// - Returns: The revisions, or why there are none.
  public func commit() -> Commit {
    defer { turn.removeAll() }
    var counters = store.counters
    counters[.row] = identifiers.mark.row
    counters[.section] = identifiers.mark.section
    counters[.table] = identifiers.mark.table
    let before = store.lastPosition
    let now = Instant.now()
    switch store.append(
      after: before, turn.records, counters: counters, keys: turn.keys, states: turn.states,
      now: now)
    {
    case .durable: return succeeded()
    case .conflict:
      recover()
      return .failed(.foreignWrite)
    case .failed(let fault):
      failure = (fault, now.monotonic + Service.pause)
      recover()
      return .failed(fault)
    case .unknown(let fault):
      switch store.reopen(now: now) {
      case .settled(let position):
        if position > before { return succeeded() }
        recover()
        return .failed(fault)
      case .waiting(_, let position):
        if position == before { recover() } else { isLost = true }
        return .failed(position == before ? fault : .unsettled)
      case .unsure:
        // Nobody was told of the turn, so what was durable before it is what there is. States are
        // kept without their past.
        if turn.states.isEmpty { recover() } else { isLost = true }
        return .failed(.unsettled)
      }
    }
  }

  /// From a failed commit to the next attempt, in microseconds.
  private static let pause: Int64 = 500_000

  private func succeeded() -> Commit {
    failure = nil
    durableRevision = revision
    durableTurn += 1
    if store.options.durability == .interval { needsSync = true }
    return .durable(
      turn.records.compactMap { record in
        guard let revision = record.revision else { return nil }
        return CommittedRecord(
          revision: revision, tables: record.tables, head: record.head, content: record.parts)
      })
  }

  /// Reads the tables anew: memory holds changes that never happened.
  private func recover() {
    do throws(StoreFault) {
      try load()
    } catch {
      isLost = true
    }
  }

  /// Tries to make a store that failed usable again.
  ///
  /// - Returns: Whether it takes writes.
  public func reopen() -> Bool {
    guard isClosedForWriting else { return true }
    guard case .settled = store.reopen(now: Instant.now()) else { return false }
    do throws(StoreFault) {
      try load()
      isLost = false
    } catch {
      isLost = true
    }
    return !isLost
  }
}
