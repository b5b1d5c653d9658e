extension Service {
  /// Brings a removed row back, as a step of who asks.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - table: The table that it was in.
  ///   - isDryRun: Whether nothing is to change.
  ///   - expect: The table has not changed since (contract E1).
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  /// - Returns: What changed.
  /// - Throws: `rowExists`, `noSuchRow`; `compacted` where its removal is no longer kept; what
  ///   stands in the way of its return.
  public func restore(
    _ row: UInt64, in table: Table, isDryRun: Bool = false, expect: StoreCursor? = nil,
    by requester: Requester, key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(isDryRun)
    precondition(pendingTables.isEmpty, "what is pending is not in the index")
    try checkTurn(table)
    let context = context(requester)
    if let expect {
      do throws(TableFault) { try table.judge(expect, context) } catch { throw .table(error) }
    }
    if table.withRow(row, { _, _, _ in }) {
      throw .table(TableFault(.rowExists, row: row, expected: "a row that is gone"))
    }
    let (revision, step) = try removal(of: row, from: table)
    let later = try reading { store throws(StoreFault) in
      try StoredLaterSteps(store, after: revision, table: table.id)
    }
    let outcome = try table.restore(
      row, removedBy: step, later, isDryRun: isDryRun, context)
    if !isDryRun { accept(outcome, context, key) }
    return outcome
  }

  /// Finds the revision that removed a row last.
  private func removal(
    of row: UInt64, from table: Table
  ) throws(ServiceFault) -> (revision: UInt64, step: Reversal) {
    var before = UInt64.max
    while true {
      let touch = try reading { store throws(StoreFault) in
        try store.touches(of: .row(row), before: before, limit: 1).first
      }
      guard let touch else { break }
      before = touch.revision
      guard touch.isPlaced else { continue }
      let step = try reading { store throws(StoreFault) -> Reversal? in
        guard let position = try store.step(touch.revision).first?.position else { return nil }
        return try store.reversal(at: position, of: table.id)
      }
      guard let step else { break }
      if step.deleted.contains(row), step.oldImage(of: row) != nil {
        return (touch.revision, step)
      }
    }
    if row > 0, row < identifiers.mark.row, store.meta.prunedRevision > 0 {
      throw .compacted(oldest: store.historyStart)
    }
    throw .table(TableFault(.noSuchRow, row: row))
  }
}
