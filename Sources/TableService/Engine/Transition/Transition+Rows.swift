/// Rows of a transition.
extension Table {
  /// Notes what an operation does to a row that was there.
  ///
  /// - Parameters:
  ///   - index: The operation.
  ///   - batch: The batch.
  ///   - transition: The transition, which has the claims on sections.
  /// - Throws: What finding the row throws; the code of a pair that contradicts itself.
  func claimRow(
    _ index: Int, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    switch batch.operations[index].action {
    case .deleteRow(let reference):
      guard let slot = try take(index, reference, in: batch, &transition) else { return }
      var use = transition.rowUses[slot] ?? Transition.RowUse()
      if use.delete >= 0 {
        throw clash(.duplicate, index, Int(use.delete), in: batch, transition)
      }
      if use.move >= 0 {
        throw clash(.deleteAndMove, index, Int(use.move), in: batch, transition)
      }
      if use.reload >= 0 {
        throw clash(.deleteAndReload, index, Int(use.reload), in: batch, transition)
      }
      use.delete = Int32(truncatingIfNeeded: index)
      transition.rowUses[slot] = use
    case .reloadRow(let reference, _), .updateRow(let reference, _):
      guard let slot = try take(index, reference, in: batch, &transition) else { return }
      var use = transition.rowUses[slot] ?? Transition.RowUse()
      if use.reload >= 0 {
        throw clash(.duplicate, index, Int(use.reload), in: batch, transition)
      }
      if use.delete >= 0 {
        throw clash(.deleteAndReload, index, Int(use.delete), in: batch, transition)
      }
      use.reload = Int32(truncatingIfNeeded: index)
      transition.rowUses[slot] = use
    case .moveRow(let reference, let place):
      let slot = try row(reference, in: batch)
      try checkPlace(place, in: batch)
      if let use = try sectionUse(ofRow: slot, reference, transition),
        use.delete >= 0 || use.reload >= 0
      {
        throw clash(
          .moveFromDeletedSection, index, max(use.delete, use.reload), in: batch, transition)
      }
      transition.slots[index] = slot
      var use = transition.rowUses[slot] ?? Transition.RowUse()
      if use.move >= 0 {
        throw clash(.moveTwiceFrom, index, Int(use.move), in: batch, transition)
      }
      if use.delete >= 0 {
        throw clash(.deleteAndMove, index, Int(use.delete), in: batch, transition)
      }
      use.move = Int32(truncatingIfNeeded: index)
      transition.rowUses[slot] = use
    case .insertRow(_, let place): try checkPlace(place, in: batch)
    case .insertSection, .deleteSection, .moveSection, .reloadSection, .retitleSection,
      .setHeaderFooter:
      break
    case .unsupported(let field):
      throw TableFault(
        .unsupported, value: "operation \(field)", expected: "another operation")
    default:
      throw TableFault(.unsupported, expected: "an operation on paths, or a sequence")
    }
  }

  /// The row that is deleted or reloaded; `nil` where its section goes, which absorbs it
  /// (semantics 2.4): only its path is judged then.
  private func take(
    _ index: Int, _ reference: Batch.RowRef, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) -> UInt32? {
    let slot = try row(reference, in: batch)
    if let use = try sectionUse(ofRow: slot, reference, transition) {
      if use.losesRows { return nil }
      if use.reload >= 0 {
        throw clash(.rowsInReloadedSection, index, use.reload, in: batch, transition)
      }
    }
    transition.slots[index] = slot
    return slot
  }

  private func sectionUse(
    ofRow slot: UInt32, _ reference: Batch.RowRef, _ transition: Transition
  ) throws(TableFault) -> Transition.SectionUse? {
    guard case .path(let path) = reference else {
      try judgeReference(false)
      if transition.sectionUses.isEmpty { return nil }
      return transition.sectionUses[order.position(of: slot).owner]
    }
    if transition.sectionUses.isEmpty { return nil }
    if let past = work.past {
      return pastSlot(path, past).flatMap { transition.sectionUses[$0] }
    }
    return transition.sectionUses[order.position(of: slot).owner]
  }

  private func checkPlace(_ place: Batch.Place, in batch: Batch) throws(TableFault) {
    guard case .path(let path) = place else {
      throw TableFault(.badRequest, expected: "a row's path in the new table")
    }
    if batch.basis == .absent {
      throw TableFault(.pathsNeedBasis, path: path, expected: "a basis: a cursor or current")
    }
  }

  /// Takes the rows that go or move from their places.
  func liftRows(_ batch: Batch, _ transition: Transition) {
    for (index, operation) in batch.operations.enumerated()
    where transition.slots[index] != Transition.none {
      breathe()
      switch operation.action {
      case .deleteRow, .moveRow: lift(transition.slots[index])
      default: break
      }
    }
  }

  /// Judges the places that rows take, and puts them in rising order.
  ///
  /// The sections stand as in the new table, and what goes or moves is gone from them.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - transition: The transition.
  /// - Throws: `outOfRange`, `duplicate`, `insertAndMove`, `moveCollision`,
  ///   `moveIntoInsertedSection`, `rowsInReloadedSection`.
  func judgeRowTargets(
    _ batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    for (index, operation) in batch.operations.enumerated() {
      try checkpoint()
      do throws(TableFault) {
        switch operation.action {
        case .insertRow(_, .path(let path)):
          try aim(index, path, isMove: false, in: batch, &transition)
        case .moveRow(_, .path(let path)):
          try aim(index, path, isMove: true, in: batch, &transition)
        default: break
        }
      } catch { throw error.at(index) }
    }
    transition.rowTargets.sort {
      breathe()
      return ($0.section, $0.row, $0.operation) < ($1.section, $1.row, $1.operation)
    }
    var start = 0
    while start < transition.rowTargets.count {
      let end = try judgeTargets(from: start, batch, transition)
      if let past = work.past { try rebaseRows(start..<end, past, in: batch, &transition) }
      start = end
    }
  }

  /// Judges the places in one section.
  ///
  /// - Returns: Where those of the next section begin.
  private func judgeTargets(
    from start: Int, _ batch: Batch, _ transition: Transition
  ) throws(TableFault) -> Int {
    let section = transition.rowTargets[start].section
    var end = start + 1
    while end < transition.rowTargets.count, transition.rowTargets[end].section == section {
      end += 1
    }
    let count = order.count(sections[Int(section)].root) + end - start
    let last = transition.rowTargets[end - 1]
    guard work.past != nil || last.row < UInt64(count) else {
      throw pastEnd(last.operation, count, in: batch).at(last.operation)
    }
    for place in start + 1..<end {
      breathe()
      let (one, other) = (transition.rowTargets[place - 1], transition.rowTargets[place])
      guard one.row == other.row else { continue }
      let code = clashCode(one.operation, other.operation, in: batch)
      throw clash(code, other.operation, one.operation, in: batch, transition)
    }
    return end
  }

  func pastEnd(_ index: Int, _ count: Int, in batch: Batch) -> TableFault {
    var fault = TableFault(.outOfRange, expected: "a row below \(count) in the new table")
    switch batch.operations[index].action {
    case .insertRow(_, .path(let path)), .moveRow(_, .path(let path)): fault.path = path
    default: break
    }
    return fault
  }

  /// Finds the section in which a row gets its place; rows for a section that brings its own
  /// are absorbed.
  private func aim(
    _ index: Int, _ path: RowPath, isMove: Bool, in batch: Batch,
    _ transition: inout Transition
  ) throws(TableFault) {
    let section = try target(path, transition)
    var brought: Range<Int>?
    if let maker = transition.makers[section] {
      if isMove {
        throw clash(.moveIntoInsertedSection, index, maker, in: batch, transition)
      }
      if case .insertSection(let new) = batch.operations[maker].action { brought = new.rows }
    } else if let use = transition.sectionUses[section], use.reload >= 0 {
      if isMove {
        throw clash(.moveIntoInsertedSection, index, use.reload, in: batch, transition)
      }
      guard let rows = use.rows else {
        throw clash(.rowsInReloadedSection, index, use.reload, in: batch, transition)
      }
      brought = rows
    }
    if let brought {
      guard path.row < UInt64(brought.count) else {
        throw pastEnd(index, brought.count, in: batch)
      }
      return
    }
    transition.rowTargets.append(
      Transition.RowTarget(section: section, row: path.row, operation: index))
  }

  private func target(
    _ path: RowPath, _ transition: Transition
  ) throws(TableFault) -> UInt32 {
    if let past = work.past { return try pastTarget(path, past, transition) }
    let count = sectionOrder.count(sectionRoot)
    guard path.section < UInt64(count) else {
      throw TableFault(
        .outOfRange, path: path, expected: "a section below \(count) in the new table")
    }
    return sectionOrder.element(sectionRoot, at: Int(path.section))
  }

  /// Makes the rows that an operation asks for, or gives a row new cells.
  ///
  /// Rows that sections bring are placed at once, others when all are there.
  ///
  /// - Parameters:
  ///   - index: The operation.
  ///   - batch: The batch.
  ///   - transition: The transition.
  ///   - context: Gives revision and time.
  /// - Throws: What cells and rows are refused for.
  func makeRows(
    _ index: Int, in batch: Batch, _ transition: inout Transition,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    let slot = transition.slots[index]
    switch batch.operations[index].action {
    case .insertRow(let row, .path(let path)):
      if try isAbsorbed(path, transition) { return }
      try collect(row.cells, of: batch)
      transition.slots[index] = try makeCollected(row, in: batch, context)
    case .updateRow(_, let cells) where slot != Transition.none:
      try update(slot, cells: cells, in: batch, context)
    case .reloadRow(_, let cells) where slot != Transition.none:
      if !cells.isEmpty { try update(slot, cells: cells, in: batch, context) }
      if let place = touch(row: slot) { work.rows[place].isReloaded = true }
    case .insertSection(let new):
      try insert(new.rows, into: slot, in: batch, context)
    case .reloadSection(_, let rows?):
      try insert(rows, into: slot, in: batch, context)
    default: break
    }
  }

  private func isAbsorbed(
    _ path: RowPath, _ transition: Transition
  ) throws(TableFault) -> Bool {
    if transition.makers.isEmpty && transition.sectionUses.isEmpty { return false }
    let section = try target(path, transition)
    return transition.makers[section] != nil
      || transition.sectionUses[section]?.rows != nil
  }
}
