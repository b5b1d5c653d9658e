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
    } catch { throw .store(error) }
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
  private func revert(
    _ line: StepLine, _ revision: UInt64, _ wish: StepWish,
    _ context: borrowing ChangeContext, _ key: RequestKey?
  ) throws(ServiceFault) -> StepOutcome {
    precondition(!hasPending, "what is pending is not in the index")
    let step = line.revision
    guard let table = table(id: line.table) else {
      throw .nothingToUndo(step: step, reason: "its table is gone")
    }
    if let expect = wish.expect {
      do throws(TableFault) { try table.judge(expect, context) } catch { throw .table(error) }
    }
    let found = try reading { store throws(StoreFault) in
      guard let position = try store.step(revision).first?.position else { return Reversal?.none }
      return try store.reversal(at: position, of: table.id)
    }
    guard let reversal = found else { throw .stepExpired(step: step) }
    let later = try reading { store throws(StoreFault) in
      try StoredLaterSteps(store, after: revision, table: table.id)
    }
    var outcome = try table.revert(reversal, later, isDryRun: wish.isDryRun, context)
    outcome.reply.appendField(16, varint: step)
    if !wish.isDryRun { accept(outcome, context, key) }
    return StepOutcome(step: step, outcome: outcome)
  }
}
