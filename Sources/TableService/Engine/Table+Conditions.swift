/// Preconditions (SPEC 3, contracts E1, E4).
extension Table {
  /// Judges what a batch expects of the whole table.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - context: The store's epoch and next revision.
  /// - Throws: `wrongEpoch`, `futureRevision`, `stale`, `unsupported`.
  func judgeExpectations(
    _ batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    if let expect = batch.expect { try judge(expect, context) }
    switch batch.basis {
    case .absent, .current: break
    case .at(let cursor): try judge(cursor, context)
    case .rebased(let cursor): try openPast(at: cursor, batch, context)
    }
  }

  /// Judges whether the table is as it was at a cursor (contract E1).
  public func judge(
    _ cursor: StoreCursor, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try Table.judgeReach(cursor, context)
    guard lastChanged <= cursor.revision else {
      throw TableFault(
        .stale, value: "\(cursor.revision)", expected: "\(lastChanged) or later",
        revision: lastChanged)
    }
  }

  /// Judges whether a cursor lies in the store's past.
  static func judgeReach(
    _ cursor: StoreCursor, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    guard cursor.epoch == context.epoch else {
      throw TableFault(
        .wrongEpoch, value: StoreCursor.text(ofEpoch: cursor.epoch),
        expected: "epoch \(StoreCursor.text(ofEpoch: context.epoch))")
    }
    guard cursor.revision <= context.newest else {
      throw TableFault(
        .futureRevision, value: "\(cursor.revision)",
        expected: "a revision up to \(context.newest)", revision: context.newest)
    }
  }

  /// Judges one condition as the table is now.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - batch: The batch that holds its cell.
  /// - Throws: `noSuchRow`, `rowExists`, `stale`, `conflict`, `countRows`, `countSections`,
  ///   `unsupported`; what finding its row, section and column throws.
  func judge(_ condition: Batch.Condition, in batch: Batch) throws(TableFault) {
    switch condition {
    case .rowExists(let reference): _ = try row(reference, in: batch)
    case .rowAbsent(let reference): try judgeAbsent(reference, in: batch)
    case .rowRevision(let reference, let revision):
      try judgeRevision(try row(reference, in: batch), revision)
    case .cellEquals(let reference, let index):
      try judgeCell(try row(reference, in: batch), batch.cells[index], in: batch)
    case .sectionCount(let reference, let expected):
      let slot = try section(reference, in: batch)
      let count = order.count(sections[Int(slot)].root)
      guard UInt64(count) == expected else {
        throw TableFault(
          .countRows, section: sections[Int(slot)].record.id, value: "\(count)",
          expected: "\(expected)")
      }
    case .sectionTotal(let expected):
      let count = sectionOrder.count(sectionRoot)
      guard UInt64(count) == expected else {
        throw TableFault(.countSections, value: "\(count)", expected: "\(expected)")
      }
    case .matched(let expected): work.wantedMatches = expected
    }
  }

  private func judgeAbsent(_ reference: Batch.RowRef, in batch: Batch) throws(TableFault) {
    let slot: UInt32
    do throws(TableFault) {
      slot = try row(reference, in: batch)
    } catch {
      switch error.code {
      case .noSuchRow, .outOfRange: return
      default: throw error
      }
    }
    throw TableFault(.rowExists, row: rows.id(slot), expected: "no such row")
  }

  /// The revision before the batch counts, whatever the batch did to the row (contract E4).
  private func judgeRevision(_ slot: UInt32, _ expected: UInt64) throws(TableFault) {
    var revision = rows.withImage(slot) { RowImage.revision(of: $0) }
    if let index = work.rowIndex[slot], !work.rows[index].oldImage.isEmpty {
      let image = work.rows[index].oldImage
      revision = RowImage.revision(of: image.span)
    } else if order.oldPosition(of: slot) == nil {
      throw TableFault(.stale, row: rows.id(slot), value: "new", expected: "\(expected)")
    }
    guard revision == expected else {
      throw TableFault(
        .stale, row: rows.id(slot), value: "\(revision)", expected: "\(expected)",
        revision: revision)
    }
  }

  private func judgeCell(
    _ slot: UInt32, _ cell: Batch.Cell, in batch: Batch
  ) throws(TableFault) {
    let image = try imageCell(cell, of: batch, admitsNull: true)
    let expected = value(image, of: batch)
    let found = schema.index(of: image.column).flatMap { value(of: $0, slot) }
    guard found == expected else {
      throw TableFault(
        .conflict, row: rows.id(slot), column: schema.column(image.column)?.name,
        value: found?.described ?? "null", expected: expected?.described ?? "null")
    }
  }

  /// Judges the declared result (semantics 2.2).
  func judgeResult(_ batch: Batch) throws(TableFault) {
    if batch.sectionCounts.isEmpty, !batch.hasNoSections { return }
    guard batch.sectionCounts.isEmpty || !batch.hasNoSections else {
      throw TableFault(.badRequest, expected: "counts of sections, or that there are none")
    }
    let count = sectionOrder.count(sectionRoot)
    guard count == batch.sectionCounts.count else {
      throw TableFault(
        .countSections, value: "\(count)", expected: "\(batch.sectionCounts.count)")
    }
    for (index, expected) in batch.sectionCounts.enumerated() {
      let slot = sectionOrder.element(sectionRoot, at: index)
      let rows = order.count(sections[Int(slot)].root)
      guard UInt64(rows) == expected else {
        throw TableFault(
          .countRows, section: sections[Int(slot)].record.id, value: "\(rows)",
          expected: "\(expected)")
      }
    }
  }
}
