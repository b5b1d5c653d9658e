internal import Coding

/// A change that takes more than one turn; there is one at a time.
final class LongChange {
  let table: Table
  /// Its revision is above all that others get meanwhile.
  let context: ChangeContext
  let breath: Breath
  let key: RequestKey?
  let isDryRun: Bool
  let parts: LongParts
  /// Whether it stands: only its rows are still to be put away.
  fileprivate(set) var isAccepted = false
  fileprivate let pending: PendingWrites
  fileprivate let identifiers: Identifiers

  fileprivate init(
    _ table: Table, _ context: ChangeContext, _ breath: Breath, _ key: RequestKey?,
    isDryRun: Bool, _ store: Store
  ) {
    self.table = table
    self.context = context
    self.breath = breath
    self.key = key
    self.isDryRun = isDryRun
    parts = LongParts(store) { table.breatheNow() }
    pending = table.pending
    identifiers = table.identifiers
  }

  var revision: UInt64 { context.revision }
}

/// Long changes: other tables, and readers of the same one, go on meanwhile (contract F10).
extension Service {
  /// A change of no more operations is done in one turn.
  public static let shortChange = 4096

  /// Whether a change goes on that takes more than one turn.
  public var isLongAtWork: Bool { long != nil }

  /// Refuses a change that has to wait for a long one.
  ///
  /// - Parameter table: The table to change; `nil`: none that there is.
  /// - Throws: `held`.
  func checkTurn(_ table: Table?) throws(ServiceFault) {
    guard let long else { return }
    if long.table === table { throw .held }
    // Once it stands, revisions of others come after its own.
    if !long.isAccepted, revision + 1 >= long.revision { throw .held }
  }

  /// How many revisions a long change leaves to others, which come before its own.
  ///
  /// One for each of its steps: they take less time than changes of others, which so never come
  /// to the end of it.
  ///
  /// - Parameters:
  ///   - table: The table to change.
  ///   - rows: About how many rows it touches.
  ///   - carried: How many revisions it is carried over.
  /// - Returns: The number; 0 for one that is done at once.
  private func leap(_ table: Table, rows: Int, carried: UInt64) -> UInt64 {
    let steps = max(UInt64(rows), carried)
    guard max(steps, UInt64(table.rowCount)) > UInt64(Service.shortChange) else { return 0 }
    return max(steps, UInt64(Service.shortChange))
  }

  /// Applies a batch as long work: on a stack of its own, which `breath` leaves and comes back to.
  ///
  /// The table's other changes wait; its readers see it as it was until it is done.
  ///
  /// - Parameters:
  ///   - batch: What is asked for.
  ///   - table: The table to change.
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  ///   - expected: About how many rows it touches; with many, others will have a turn meanwhile.
  ///   - breath: Lets others go on.
  ///   - more: Puts the next piece of a sequence in place of its operations; `false`: it was the
  ///     last.
  ///   - accepted: Called once the change stands for the turn's commit; memory is put in order
  ///     after that.
  /// - Throws: Why it is refused; nothing has changed then. `accepted` was not called.
  public func performLong(
    _ batch: Batch, on table: Table, by requester: Requester, key: RequestKey? = nil,
    expected: Int, _ breath: Breath, more: (Batch) throws(TableFault) -> Bool,
    accepted: (Outcome) -> Void
  ) throws(ServiceFault) {
    var carried: UInt64 = 0
    if case .rebased(let cursor) = batch.basis {
      carried = table.lastChanged - min(table.lastChanged, cursor.revision)
    }
    let long = try beginLong(
      table, context(requester), key: key, isDryRun: batch.isDryRun, expected: expected,
      carried: carried, breath)
    defer { endLong(long) }
    do throws(ServiceFault) {
      try fillPast(batch, table)
      do throws(TableFault) { try table.open(batch, long.context, more: more) } catch {
        throw .table(error)
      }
      try finish(long, accepted: accepted)
    } catch {
      long.parts.remove()
      throw error
    }
  }

  /// Begins long work; `endLong` ends it.
  ///
  /// - Parameters:
  ///   - table: The table to change.
  ///   - context: Who asks and when.
  ///   - key: The request's key.
  ///   - isDryRun: Whether nothing is to change.
  ///   - expected: About how many rows it touches.
  ///   - carried: How many revisions it is carried over.
  ///   - breath: Lets others go on.
  /// - Returns: The work.
  /// - Throws: `held`; why nothing can be written.
  func beginLong(
    _ table: Table, _ context: ChangeContext, key: RequestKey?, isDryRun: Bool, expected: Int,
    carried: UInt64 = 0, _ breath: Breath
  ) throws(ServiceFault) -> LongChange {
    try checkWritable(isDryRun)
    guard long == nil else { throw .held }
    var context = context
    context.revision += leap(table, rows: expected, carried: carried)
    let long = LongChange(table, context, breath, key, isDryRun: isDryRun, store)
    self.long = long
    table.beginLong(breath, revision: revision)
    table.work.reserve(expected)
    if isDryRun { table.identifiers = Identifiers(long.identifiers.mark) }
    return long
  }

  /// Ends long work, whatever came of it.
  func endLong(_ long: LongChange) {
    long.table.identifiers = long.identifiers
    long.table.pending = long.pending
    long.table.endLong()
    if self.long === long { self.long = nil }
  }

  /// Closes the batch of long work, which has become what it is to be, and accepts it.
  ///
  /// - Parameters:
  ///   - long: The work.
  ///   - step: The step that it undoes or redoes, as its reply tells it.
  ///   - accepted: As in `performLong`.
  /// - Throws: As `performLong`.
  func finish(
    _ long: LongChange, step: UInt64? = nil, accepted: (Outcome) -> Void
  ) throws(ServiceFault) {
    let told: (Outcome) -> Outcome = { outcome in
      var outcome = outcome
      if let step { outcome.reply.appendField(16, varint: step) }
      return outcome
    }
    var refusal: ServiceFault?
    do throws(TableFault) {
      let outcome = try long.table.finishLong(
        isDryRun: long.isDryRun, long.context, parts: long.parts
      ) {
        (outcome) throws(TableFault) in
        let outcome = told(outcome)
        do throws(ServiceFault) {
          let block = try self.accept(outcome, long)
          accepted(outcome)
          return block
        } catch {
          refusal = error
          throw TableFault(.abandoned)
        }
      }
      guard outcome.isDryRun || outcome.isUnchanged else { return }
      if outcome.isUnchanged, !outcome.isDryRun { accept(outcome, long.context, long.key) }
      accepted(told(outcome))
    } catch { throw refusal ?? .table(error) }
  }

  /// Takes a long change into the turn.
  private func accept(
    _ outcome: Outcome, _ long: LongChange
  ) throws(ServiceFault) -> PendingBlock {
    if let fault = long.parts.fault { throw .store(fault) }
    if long.breath.isGivenUp { throw .table(TableFault(.abandoned)) }
    try checkWritable(false)
    accept(outcome, long.context, long.key, parts: long.parts.record(outcome))
    long.isAccepted = true
    return pending.reserve()
  }

  /// Gives up the long change, if there is one: the tables are read anew.
  func abandonLong() {
    long?.breath.isGivenUp = true
    long = nil
  }
}
