internal import Coding

/// Copying rows to a table, and moving them to another one (contract E13).
extension Table {
  /// Copies or moves rows: all of them as one revision of both tables, or nothing.
  ///
  /// After a fault, a dry run or a selection without rows both tables are exactly as before.
  ///
  /// - Parameters:
  ///   - transfer: Which rows, and where they go.
  ///   - batch: What is expected of the target, and what the transfer's ranges refer to.
  ///   - source: The table that has the rows.
  ///   - target: The table that gets them; the same one for doubles of rows in their own table.
  ///   - context: Revision, time and who asks.
  /// - Returns: What changed in either table.
  /// - Throws: Why it is refused; `row` and `column` name what could not be carried.
  /// - Complexity: O(*k* log *n*) for *k* rows; a filter looks at all rows of the source.
  static func transfer(
    _ transfer: Transfer, _ batch: Batch, from source: Table, to target: Table,
    _ context: borrowing ChangeContext
  ) throws(TableFault) -> TransferOutcome {
    if source === target, transfer.removes {
      throw TableFault(
        .badRequest, value: source.name, expected: "another table; rows move within one by a batch")
    }
    target.begin()
    if source !== target { source.begin() }
    var isSourceOpen = source !== target
    let matched: UInt64
    do throws(TableFault) {
      if let expect = transfer.expectSource { try source.judge(expect, context) }
      try target.judgeExpectations(batch, context)
      source.work.wantedMatches = transfer.matched
      try source.select(transfer.selection, in: batch)
      let slots = source.work.matched
      matched = source.work.matchedCount
      if isSourceOpen, !transfer.removes {
        // It stays as it is. Taking it back takes ids back as well, so it comes before any is given.
        source.rollback()
        isSourceOpen = false
      }
      try target.receive(slots, of: source, transfer, in: batch, context)
    } catch {
      if isSourceOpen { source.rollback() }
      target.rollback()
      throw error
    }
    target.work.matchedCount = matched
    let left = isSourceOpen ? source.finish(isDryRun: batch.isDryRun, context) : nil
    var outcome = TransferOutcome(
      target: target.finish(isDryRun: batch.isDryRun, context), source: left)
    outcome.tell()
    return outcome
  }

  /// Takes rows of another table in, and out of there where they move.
  private func receive(
    _ slots: [UInt32], of source: Table, _ transfer: Transfer, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    if slots.isEmpty { return }
    let routes = try CellRoutes(
      from: source.schema, to: schema, named: name, without: transfer.without)
    let spot = try spot(transfer.place, in: batch)
    let root = sections[Int(spot.section)].root
    for (offset, taken) in slots.enumerated() {
      let id = source.rows.id(taken)
      work.operation = offset
      do throws(TableFault) {
        try collect(taken, of: source, by: routes)
        let slot = try makeCollected(
          Batch.Row(cells: 0..<0), id: transfer.removes ? id : nil, in: batch, context)
        order.insert(slot, into: root, at: spot.index + offset)
        if let policy = source.rowPolicies[id] { try set(policy: policy, ofRow: rows.id(slot)) }
      } catch {
        var fault = error
        fault.row = fault.row ?? id
        throw fault
      }
      if transfer.removes { source.lift(taken) }
    }
    do throws(TableFault) {
      try judgeKeys()
    } catch {
      var fault = error
      if let offset = fault.operation { fault.row = source.rows.id(slots[offset]) }
      fault.operation = nil
      throw fault
    }
  }

  /// Collects the cells that a row of another table has here into `work.cells`, by rising column id.
  private func collect(
    _ slot: UInt32, of source: Table, by routes: CellRoutes
  ) throws(TableFault) {
    work.cells.empty()
    work.spare.empty()
    let result = source.withShown(slot) { image in
      Result { () throws(TableFault) in try collect(image, by: routes) }
    }
    try result.get()
  }

  private func collect(_ image: Span<UInt8>, by routes: CellRoutes) throws(TableFault) {
    var cells = RowImage.Cells(of: image)
    var next = cells.next(in: image)
    for route in routes.routes {
      while let cell = next, cell.column < route.source { next = cells.next(in: image) }
      let found = next.flatMap { $0.column == route.source ? $0 : nil }
      if route.way == .left { continue }
      guard let cell = found else {
        guard let target = route.target else { continue }
        if route.isRequired {
          throw TableFault(
            .required, column: route.name, value: "null", expected: "a value")
        }
        place(ImageCell(column: target, kind: .text, source: .null))
        continue
      }
      if let fault = route.fault(cell.value(in: image)) { throw fault }
      guard let target = route.target else { continue }
      var made = ImageCell(column: target, kind: cell.kind, source: .number)
      if cell.kind == .text {
        made.source = .spare
        made.start = work.spare.count
        made.count = cell.text.count
        work.spare.append(copying: image, cell.text)
      } else {
        made.number = try route.carry(cell.number)
      }
      place(made)
    }
  }

  /// Puts a cell among `work.cells`, which stand by rising column id.
  private func place(_ cell: ImageCell) {
    var index = work.cells.count
    while index > 0, work.cells[index - 1].column > cell.column { index -= 1 }
    work.cells.insert(cell, at: index)
  }
}

extension TransferOutcome {
  /// Lets the target's reply tell of the source as well: fields 13 to 15 of hp.v1.BatchReply, and
  /// counts of both tables.
  mutating func tell() {
    guard let source else { return }
    target.counts.rowsDeleted += source.counts.rowsDeleted
    var reply: [UInt8] = []
    reply.appendField(5, upTo: 99) { target.counts.append(to: &$0) }
    Self.copy(target.reply, to: &reply) { $0 == 5 ? nil : $0 }
    reply.appendField(13, varint: source.table)
    reply.appendField(14, varint: source.lastChanged)
    Self.copy(source.reply, to: &reply) { field in
      switch field {
      case 7: 15
      case 8: target.isTruncated ? nil : 8
      default: nil
      }
    }
    target.isTruncated = target.isTruncated || source.isTruncated
    target.reply = reply
  }

  /// Copies fields of a reply, under the numbers that `number` gives them; `nil` leaves one out.
  private static func copy(
    _ reply: [UInt8], to target: inout [UInt8], number: (UInt32) -> UInt32?
  ) {
    var reader = FieldReader(0..<reply.count)
    // The table's own bytes are sound.
    while let field = try? reader.next(in: reply.span) {
      guard let number = number(field.number) else { continue }
      switch field.type {
      case .lengthDelimited: target.appendField(number, bytes: Array(reply[field.range]))
      default: target.appendField(number, varint: field.value)
      }
    }
  }
}
