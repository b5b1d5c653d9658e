extension Service {
  /// Copies rows to a table or moves them to another one, and accepts it for the turn's commit.
  ///
  /// One revision and one record of the journal, with the source's part before the target's: a
  /// row that moves leaves before it arrives, also for whoever keeps all rows in one place. Each part
  /// of the record is about one table, and has that table's rows as they were before.
  ///
  /// - Parameters:
  ///   - transfer: Which rows, and where they go.
  ///   - batch: What is expected of the target, and what the transfer's ranges refer to.
  ///   - source: The table that has the rows.
  ///   - target: The table that gets them.
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  /// - Returns: What changed in the target; its reply tells of both.
  /// - Throws: Why it is refused; nothing has changed then.
  /// - Complexity: O(*k* log *n*) for *k* rows.
  public func transfer(
    _ transfer: Transfer, _ batch: Batch, from source: Table, to target: Table,
    by requester: Requester, key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(batch.isDryRun)
    try checkTurn(source)
    try checkTurn(target)
    let context = context(requester)
    let result: TransferOutcome
    do throws(TableFault) {
      result = try Table.transfer(transfer, batch, from: source, to: target, context)
    } catch { throw .table(error) }
    guard !batch.isDryRun else { return result.target }
    guard let left = result.source, !left.isUnchanged else {
      accept(result.target, context, key)
      return result.target
    }
    if let key { keep(KeptOutcome(result.target), for: key) }
    turn.records.append(
      JournalRecord(
        revision: context.revision, tables: [source.id, target.id], head: head(context, key),
        parts: left.journalParts + result.target.journalParts))
    revision = context.revision
    if tracksEffects { effects += [left.effect, result.target.effect] }
    return result.target
  }
}
