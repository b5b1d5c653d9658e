/// Changing a table.
extension Table {
  /// Applies a batch: all of it as one revision, or nothing.
  ///
  /// After a fault, a dry run or a batch that changes nothing the table, its labels and the
  /// ids to be given are exactly as before.
  ///
  /// - Parameters:
  ///   - batch: What is asked for.
  ///   - context: Revision, time and who asks.
  ///   - more: Puts the next piece of a sequence in place of its operations; `false`: it was the
  ///     last.
  /// - Returns: What changed, for the journal, the feed and the reply.
  /// - Throws: Why it is refused; `operation` names the one at fault.
  /// - Complexity: O(*k* log *n*) for *k* rows touched (contract S9).
  public func perform(
    _ batch: Batch, _ context: borrowing ChangeContext,
    more: (Batch) throws(TableFault) -> Bool = { _ in false }
  ) throws(TableFault) -> Outcome {
    begin()
    try apply(batch, context, more: more)
    return finish(isDryRun: batch.isDryRun, context)
  }

  /// Opens a batch's overlay and applies all of its operations; takes them back at a fault.
  ///
  /// - Parameters: As `perform`.
  /// - Throws: As `perform`; in long work `abandoned`.
  func open(
    _ batch: Batch, _ context: borrowing ChangeContext, more: (Batch) throws(TableFault) -> Bool
  ) throws(TableFault) {
    begin()
    try apply(batch, context, more: more)
  }

  /// As `finish`, for long work, which others go on beside (contract F10).
  ///
  /// - Parameters:
  ///   - isDryRun: Whether nothing is to change.
  ///   - context: Revision, time and who asks.
  ///   - parts: Takes the change as it is told.
  ///   - accept: Called when the change is made, unless nothing changed; its rows are put away
  ///     after that.
  /// - Returns: What changed; its parts are with `parts` or in it.
  /// - Throws: `abandoned`, and what `accept` throws; the batch is taken back then.
  func finishLong(
    isDryRun: Bool, _ context: borrowing ChangeContext, parts: LongParts,
    accept: (Outcome) throws(TableFault) -> PendingBlock
  ) throws(TableFault) -> Outcome {
    settle()
    if !work.returned.isEmpty { tellReturned() }
    var outcome = begun(isDryRun: isDryRun, context)
    encode(into: &outcome, context, parts)
    if outcome.isDryRun || outcome.isUnchanged {
      rollback()
      return outcome
    }
    let placed: [UInt32]
    let block: PendingBlock
    order.labelAhead(rest: breatheNow)
    do throws(TableFault) {
      try checkpoint()
      block = try accept(outcome)
    } catch {
      rollback()
      throw error
    }
    (pending, block.isOpen) = (PendingWrites(filling: block), true)
    placed = commitOrder(revision: context.revision)
    endOpenStage()
    block.reserve(placed.count + work.rows.count)
    breatheNow()
    commitRows(placed, revision: context.revision)
    block.isOpen = false
    return outcome
  }

  /// Opens the batch's overlay and applies all of its operations; takes them back at a fault.
  private func apply(
    _ batch: Batch, _ context: borrowing ChangeContext,
    more: (Batch) throws(TableFault) -> Bool
  ) throws(TableFault) {
    do throws(TableFault) {
      try judgeExpectations(batch, context)
      for condition in batch.conditions { try judge(condition, in: batch) }
      let wantedOfAll = work.wantedMatches
      switch batch.mode {
      case .sequence:
        var done = 0
        repeat {
          try sequence(batch, from: done, context)
          done += batch.operations.count
          breatheNow()
        } while try more(batch)
      case .transition: try transition(batch, context)
      }
      rows.list(rest: breatheNow)
      if let wantedOfAll { try judge(matched: work.matchedCount, wantedOfAll) }
      try judgeResult(batch)
      try judgeColumns()
      try judgeKeys()
    } catch {
      rollback()
      throw error
    }
  }

  /// Applies the operations of a sequence, each as the one before left the table.
  private func sequence(
    _ batch: Batch, from first: Int, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    var hints = batch.animations[...]
    for index in batch.operations.indices {
      try checkpoint()
      do throws(TableFault) {
        let operation = batch.operations[index]
        let hint = hints.first?.operation == index ? hints.removeFirst().animation : nil
        work.operation = first + index
        work.wantedMatches = nil
        for condition in operation.conditions {
          try judge(batch.conditionList[condition], in: batch)
        }
        if work.wantedMatches != nil, !operation.action.matches {
          throw TableFault(
            .badRequest, value: "matched", expected: "an operation on many rows")
        }
        guard let hint else {
          try apply(operation.action, in: batch, context)
          continue
        }
        let target = try animationTarget(operation.action, in: batch)
        try apply(operation.action, in: batch, context)
        note(hint, operation.action, target)
      } catch { throw error.at(first + index) }
    }
  }

  /// Judges the net change, tells it and makes it final or takes it back.
  func finish(isDryRun: Bool, _ context: borrowing ChangeContext) -> Outcome {
    settle()
    if !work.returned.isEmpty { tellReturned() }
    var outcome = begun(isDryRun: isDryRun, context)
    encode(into: &outcome, context)
    if outcome.isDryRun || outcome.isUnchanged {
      rollback()
    } else {
      commit(revision: context.revision)
    }
    return outcome
  }

  /// What can be said of a settled batch before it is told.
  private func begun(isDryRun: Bool, _ context: borrowing ChangeContext) -> Outcome {
    var outcome = Outcome()
    outcome.table = id
    outcome.isDryRun = isDryRun
    outcome.isUnchanged = changes.isEmpty && !work.isRevert
    let stands = isDryRun || outcome.isUnchanged
    outcome.revision = stands ? context.newest : context.revision
    outcome.lastChanged = stands ? lastChanged : context.revision
    return outcome
  }

  private func apply(
    _ action: Batch.Action, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    if case .upsert(let column, let row, let place) = action {
      return try upsert(column, row, at: place, in: batch, context)
    }
    work.keys = nil
    switch action {
    case .insertRow(let row, let place):
      try insert(row, at: try spot(place, in: batch), in: batch, context)
    case .deleteRow(let reference): lift(try row(reference, in: batch))
    case .moveRow(let reference, let place):
      try move(try row(reference, in: batch), to: place, in: batch)
    case .updateRow(let reference, let cells):
      try update(try row(reference, in: batch), cells: cells, in: batch, context)
    case .reloadRow(let reference, let cells):
      let slot = try row(reference, in: batch)
      if !cells.isEmpty { try update(slot, cells: cells, in: batch, context) }
      if let index = touch(row: slot) { work.rows[index].isReloaded = true }
    case .insertSection(let new): try insert(new, in: batch, context)
    case .deleteSection(let reference): dropSection(try section(reference, in: batch))
    case .moveSection(let reference, let place):
      try move(section: try section(reference, in: batch), to: place, in: batch)
    case .retitleSection(let reference, let title):
      try retitle(try section(reference, in: batch), title, in: batch)
    case .reloadSection(let reference, let rows):
      try reload(try section(reference, in: batch), rows: rows, in: batch, context)
    case .setHeaderFooter(let reference, let isFooter, let value):
      try setHeaderFooter(reference, isFooter: isFooter, value, in: batch)
    case .moveMany(let selection, let place): try move(selection, to: place, in: batch)
    case .deleteWhere(let filter): try delete(where: filter, in: batch)
    case .updateWhere(let filter, let cells):
      try update(where: filter, cells: cells, in: batch, context)
    case .addToCell(let reference, let amount, let floor, let ceiling):
      try add(
        amount, to: try row(reference, in: batch), floor: floor, ceiling: ceiling, in: batch,
        context)
    case .sortSection(let reference, let keys):
      try sort(try section(reference, in: batch), by: keys, in: batch)
    case .setPolicy(let index): try set(batch.policies[index], in: batch)
    case .upsert: preconditionFailure("handled above")
    case .addColumn(let column, let before):
      try addColumn(batch.columns[column], before: before, in: batch, context)
    case .renameColumn(let column, let name):
      try renameColumn(column, to: name, in: batch, context)
    case .moveColumn(let column, let index):
      try moveColumn(column, to: index, in: batch, context)
    case .dropColumn(let column): try dropColumn(column, in: batch, context)
    case .unsupported(let field):
      throw TableFault(
        .unsupported, value: "operation \(field)", expected: "another operation")
    }
  }
}
