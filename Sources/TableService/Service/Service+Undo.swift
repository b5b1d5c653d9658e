internal import Coding

/// Which step is to be undone or redone (contract E9).
public struct StepWish: Sendable {
  /// The table; `nil`: any.
  public var table: UInt64?
  /// The step; `nil`: the newest one.
  public var step: UInt64?
  /// The step that it has to be.
  public var expectedStep: UInt64?
  /// Whether steps of other actors are meant as well.
  public var includesOthers = false
  /// Whether nothing is to change.
  public var isDryRun = false
  /// The table has not changed since (contract E1).
  public var expect: StoreCursor?

  /// Asks for the newest step of who asks.
  public init() {}
}

/// What came of an undo or a redo.
public struct StepOutcome: Sendable {
  /// The step.
  public var step: UInt64
  /// What changed.
  public var outcome: Outcome
}

extension Service {
  /// Brings the index of steps nearer to the journal.
  ///
  /// Undo, redo and history need it to be up to it, and nothing to be pending.
  ///
  /// - Returns: Whether it is.
  /// - Throws: What the store says.
  public func catchUp() throws(ServiceFault) -> Bool {
    if isLost { throw .store(.closed) }
    do throws(StoreFault) {
      return try !store.indexSteps(limit: 2_000, waits: true)
    } catch {
      // Of the request itself nothing was tried.
      throw .store(error == .unsettled ? .closed : error)
    }
  }

  /// The tables that an undo or a redo would change.
  ///
  /// - Parameters:
  ///   - wish: Which step.
  ///   - isRedo: Whether it would be made again.
  ///   - requester: Who asks.
  /// - Returns: The tables that it touched and that are there.
  /// - Throws: As `undo` and `redo` where there is no such step.
  public func tables(
    of wish: StepWish, isRedo: Bool, by requester: Requester
  ) throws(ServiceFault) -> [Table] {
    let line = try isRedo ? stepToRedo(wish, requester) : stepToUndo(wish, requester)
    let lines = try reading { store throws(StoreFault) in try store.step(line.revision) }
    return lines.compactMap { table(id: $0.table) }
  }

  /// Takes a step back.
  ///
  /// - Parameters:
  ///   - wish: Which step.
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  /// - Returns: The step and what changed.
  /// - Throws: Why it is refused; nothing has changed then.
  /// - Complexity: As the step itself, and O(log *n*) for what came since.
  public func undo(
    _ wish: StepWish, by requester: Requester, key: RequestKey? = nil
  ) throws(ServiceFault) -> StepOutcome {
    try checkWritable(wish.isDryRun)
    let line = try stepToUndo(wish, requester)
    var context = context(requester)
    context.undoes = line.revision
    return try revert(line, line.applied, wish, context, key)
  }

  /// Makes a step again that was taken back.
  ///
  /// - Parameters: As `undo`.
  public func redo(
    _ wish: StepWish, by requester: Requester, key: RequestKey? = nil
  ) throws(ServiceFault) -> StepOutcome {
    try checkWritable(wish.isDryRun)
    let line = try stepToRedo(wish, requester)
    var context = context(requester)
    context.redoes = line.revision
    return try revert(line, line.undone, wish, context, key)
  }

  /// Takes a revision back, and accepts that for the turn's commit.
  ///
  /// - Parameters:
  ///   - line: The step.
  ///   - revision: The revision that did what is taken back: the step, a redo or an undo of it.
  ///   - wish: What was asked for.
  ///   - context: Who does it, and when.
  ///   - key: Its idempotency key.
  /// - Returns: What came of it.
  /// - Throws: Conflicts (contract E9), a step that is no longer kept, a store that can't be read.
  private func revert(
    _ line: StepLine, _ revision: UInt64, _ wish: StepWish,
    _ context: borrowing ChangeContext, _ key: RequestKey?
  ) throws(ServiceFault) -> StepOutcome {
    precondition(pendingTables.isEmpty, "what is pending is not in the index")
    let step = line.revision
    let record = try reading { store throws(StoreFault) -> [JournalEntry]? in
      guard let position = try store.step(revision).first?.position else { return nil }
      return try store.record(at: position)
    }
    guard let record else { throw .stepExpired(step: step) }
    // Where rows passed between tables, they leave before they arrive: the other way round.
    var tables: [Table] = []
    for id in record[0].tables.reversed() {
      guard let table = table(id: id) else {
        throw .nothingToUndo(step: step, reason: "its table is gone")
      }
      try checkTurn(table)
      tables.append(table)
    }
    if let expect = wish.expect {
      do throws(TableFault) {
        for table in tables { try table.judge(expect, context) }
      } catch { throw .table(error) }
    }
    var open: [Table] = []
    do throws(ServiceFault) {
      for table in tables {
        let (reversal, later) = try reading { store throws(StoreFault) in
          (
            try record.reversal(of: table.id),
            try StoredLaterSteps(store, after: revision, table: table.id)
          )
        }
        try table.openRevert(reversal, later, context)
        open.append(table)
      }
    } catch {
      for table in open { table.rollback() }
      throw error
    }
    let outcomes = tables.map { $0.finish(isDryRun: wish.isDryRun, context) }
    return StepOutcome(
      step: step, outcome: take(outcomes, step, isDryRun: wish.isDryRun, context, key))
  }

  /// Accepts what changed in all tables as one revision.
  ///
  /// - Returns: What is told: of the last table, and of the one that rows left for it.
  private func take(
    _ outcomes: [Outcome], _ step: UInt64, isDryRun: Bool, _ context: borrowing ChangeContext,
    _ key: RequestKey?
  ) -> Outcome {
    var told = outcomes[outcomes.count - 1]
    if outcomes.count > 1 {
      var both = TransferOutcome(target: told, source: outcomes[0])
      both.tell()
      told = both.target
    }
    told.reply.appendField(16, varint: step)
    if isDryRun { return told }
    if let key { keep(KeptOutcome(told), for: key) }
    turn.records.append(
      JournalRecord(
        revision: context.revision, tables: outcomes.map(\.table), head: head(context, key),
        parts: outcomes.flatMap(\.journalParts)))
    revision = context.revision
    if tracksEffects { for outcome in outcomes { effects.append(outcome.effect) } }
    return told
  }
}
