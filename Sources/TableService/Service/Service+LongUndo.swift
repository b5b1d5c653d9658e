internal import Coding

/// Taking back steps that are too large for one turn (contracts E9, F10).
extension Service {
  /// About how many rows an undo or a redo touches, where it takes more than one turn.
  ///
  /// - Parameters:
  ///   - wish: Which step.
  ///   - isRedo: Whether it would be made again.
  ///   - requester: Who asks.
  /// - Returns: The rows; `nil` for a step that is done in one turn. One that moved rows between
  ///   tables always is.
  /// - Throws: As `undo` and `redo` where there is no such step.
  public func rowsOfLong(
    _ wish: StepWish, isRedo: Bool, by requester: Requester
  ) throws(ServiceFault) -> Int? {
    let line = try isRedo ? stepToRedo(wish, requester) : stepToUndo(wish, requester)
    let lines = try reading { store throws(StoreFault) in try store.step(line.revision) }
    guard lines.count == 1, let table = table(id: line.table) else { return nil }
    let facts = line.rowFacts
    let rows = facts.hasColumns ? max(facts.rows, table.rowCount) : facts.rows
    return rows > Service.shortChange ? rows : nil
  }

  /// Takes a step back, or makes it again, as long work.
  ///
  /// - Parameters:
  ///   - wish: Which step; it is one of those that `rowsOfLong` has told of.
  ///   - isRedo: Whether it is made again.
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  ///   - expected: About how many rows it touches.
  ///   - breath: Lets others go on.
  ///   - accepted: As in `performLong`.
  /// - Throws: As `undo`; `abandoned`.
  public func revertLong(
    _ wish: StepWish, isRedo: Bool, by requester: Requester, key: RequestKey? = nil,
    expected: Int, _ breath: Breath, accepted: (Outcome) -> Void
  ) throws(ServiceFault) {
    let line = try isRedo ? stepToRedo(wish, requester) : stepToUndo(wish, requester)
    guard let table = table(id: line.table) else {
      throw .nothingToUndo(step: line.revision, reason: "its table is gone")
    }
    var context = context(requester)
    if isRedo { context.redoes = line.revision } else { context.undoes = line.revision }
    if let expect = wish.expect {
      do throws(TableFault) { try table.judge(expect, context) } catch { throw .table(error) }
    }
    let long = try beginLong(
      table, context, key: key, isDryRun: wish.isDryRun, expected: expected, breath)
    defer { endLong(long) }
    do throws(ServiceFault) {
      let revision = isRedo ? line.undone : line.applied
      let step = try reversal(of: revision, in: table)
      guard let step else { throw .stepExpired(step: line.revision) }
      let later = try reading { store throws(StoreFault) in
        try StoredLaterSteps(store, after: revision, table: table.id)
      }
      try table.openRevert(step, later, long.context)
      try finish(long, step: line.revision, accepted: accepted)
    } catch {
      long.parts.remove()
      throw error
    }
  }

  /// Reads what a revision did to a table, in slices.
  private func reversal(
    of revision: UInt64, in table: Table
  ) throws(ServiceFault) -> Reversal? {
    try reading { store throws(StoreFault) -> Reversal? in
      guard let position = try store.step(revision).first?.position else { return nil }
      let record = try store.record(at: position, bytes: 256 << 10) { table.breatheNow() }
      return try record?.reversal(of: table.id) { table.breathe() }
    }
  }
}

extension StepLine {
  /// Whether the table's columns changed.
  var changesColumns: Bool { rowFacts.hasColumns }

  /// How many rows the step touched, and whether it changed columns.
  fileprivate var rowFacts: (rows: Int, hasColumns: Bool) {
    var rows: UInt64 = 0
    var hasColumns = false
    do throws(CodingFault) {
      var reader = FieldReader(0..<facts.count)
      while let field = try reader.next(in: facts.span) {
        switch field.number {
        case 13:
          var counts = FieldReader(field.range)
          while let count = try counts.next(in: facts.span) {
            if (1...4).contains(count.number) { rows &+= count.value }
          }
        case 17: hasColumns = field.value != 0
        default: break
        }
      }
    } catch {
      // It was written by hpd; a line that is not says nothing of its size.
      return (0, false)
    }
    return (Int(clamping: rows), hasColumns)
  }
}
