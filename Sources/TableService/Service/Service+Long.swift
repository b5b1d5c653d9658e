/// A change that takes more than one turn; there is one at a time.
final class LongChange {
  let table: Table
  /// The revision that it gets, above all that others get meanwhile.
  let revision: UInt64
  let breath: Breath
  let key: RequestKey?

  init(_ table: Table, revision: UInt64, _ breath: Breath, _ key: RequestKey?) {
    self.table = table
    self.revision = revision
    self.breath = breath
    self.key = key
  }
}

/// Long changes: other tables, and readers of the same one, go on meanwhile (contract F10).
extension Service {
  /// For each so many rows of a long change others may make a revision meanwhile, before it.
  static let rowsPerRevision = 64

  /// A change of no more operations is done in one turn.
  public static let shortChange = 4096
  /// A change of more rows leaves revisions to others meanwhile; beside a smaller one all other
  /// changes wait, which is not for long.
  static let leapingChange = 16_384

  /// Whether a change goes on that takes more than one turn.
  public var isLongAtWork: Bool { long != nil }

  /// Refuses a change that has to wait for a long one.
  ///
  /// - Parameter table: The table to change; `nil`: none that there is.
  /// - Throws: `held`.
  func checkTurn(_ table: Table?) throws(ServiceFault) {
    guard let long else { return }
    if long.table === table || revision + 1 >= long.revision { throw .held }
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
    try checkWritable(batch.isDryRun)
    guard long == nil else { throw .held }
    var context = context(requester)
    if expected > Service.leapingChange {
      context.revision += UInt64(expected / Service.rowsPerRevision)
    }
    let long = LongChange(table, revision: context.revision, breath, key)
    self.long = long
    table.beginLong(breath, revision: revision)
    let pending = table.pending
    let identifiers = table.identifiers
    if batch.isDryRun { table.identifiers = Identifiers(identifiers.mark) }
    defer {
      table.identifiers = identifiers
      table.pending = pending
      table.endLong()
      if self.long === long { self.long = nil }
    }
    let parts = LongParts(store) { table.breatheNow() }
    var refusal: ServiceFault?
    do throws(ServiceFault) {
      try fillPast(batch, table)
      do throws(TableFault) {
        let outcome = try table.performLong(
          batch, context, expected: expected, parts: parts, more: more
        ) {
          (outcome) throws(TableFault) in
          do throws(ServiceFault) {
            let block = try self.accept(outcome, context, long, parts)
            accepted(outcome)
            return block
          } catch {
            refusal = error
            throw TableFault(.abandoned)
          }
        }
        guard outcome.isDryRun || outcome.isUnchanged else { return }
        if outcome.isUnchanged, !outcome.isDryRun { accept(outcome, context, key) }
        accepted(outcome)
      } catch { throw refusal ?? .table(error) }
    } catch {
      parts.remove()
      throw error
    }
  }

  /// Takes a long change into the turn.
  private func accept(
    _ outcome: Outcome, _ context: ChangeContext, _ long: LongChange, _ parts: LongParts
  ) throws(ServiceFault) -> PendingBlock {
    if let fault = parts.fault { throw .store(fault) }
    if long.breath.isGivenUp { throw .table(TableFault(.abandoned)) }
    try checkWritable(false)
    accept(
      outcome, context, long.key,
      parts: parts.record(outcome))
    return pending.reserve()
  }

  /// Gives up the long change, if there is one: the tables are read anew.
  func abandonLong() {
    long?.breath.isGivenUp = true
    long = nil
  }
}
