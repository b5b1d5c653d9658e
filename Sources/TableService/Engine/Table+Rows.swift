/// Operations on rows.
extension Table {
  /// Makes a row.
  ///
  /// - Parameters:
  ///   - row: The row as asked for.
  ///   - spot: Where it goes.
  ///   - batch: The batch.
  ///   - context: Gives revision and time.
  /// - Returns: The row's slot.
  /// - Throws: What its cells or its size are refused for, `tooManyRows`.
  @discardableResult
  func insert(
    _ row: Batch.Row, at spot: Spot, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) -> UInt32 {
    try collect(row.cells, of: batch)
    return try insertCollected(row, at: spot, in: batch, context)
  }

  /// Makes a row of `work.cells`.
  func insertCollected(
    _ row: Batch.Row, at spot: Spot, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) -> UInt32 {
    let slot = try makeCollected(row, in: batch, context)
    order.insert(slot, into: sections[Int(spot.section)].root, at: spot.index)
    return slot
  }

  /// Makes a row of `work.cells` that stands nowhere yet, with a new id or the one that it had in
  /// another table.
  func makeCollected(
    _ row: Batch.Row, id known: UInt64? = nil, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) -> UInt32 {
    try addDefaults(now: context.time)
    guard rows.count < TableLimits.rows, let id = known ?? identifiers.nextRow() else {
      throw TableFault(.tooManyRows, expected: "at most \(TableLimits.rows) rows")
    }
    try buildImage(id: id, revision: context.revision, of: batch)
    let slot =
      breath != nil && known == nil
      ? rows.insert(unlisted: id, image: work.image) : rows.insert(id: id, image: work.image)
    work.newRows.append(slot)
    if !rows.keys.isEmpty { suspect(slot) }
    if let handle = row.handle { try give(handle, .row(slot)) }
    return slot
  }

  /// Gives a handle to what an operation made.
  func give(_ handle: UInt64, _ target: Work.Handle) throws(TableFault) {
    guard work.handles.updateValue(target, forKey: handle) == nil else {
      throw TableFault(.badRequest, value: "\(handle)", expected: "a handle given once")
    }
  }

  /// Moves a row.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - place: Where it goes; a path is the one it has afterwards (semantics 2.6).
  ///   - batch: The batch.
  /// - Throws: What finding the place throws.
  func move(_ slot: UInt32, to place: Batch.Place, in batch: Batch) throws(TableFault) {
    switch place {
    case .before(let reference), .after(let reference):
      let anchor = try row(reference, in: batch)
      if anchor == slot { return }
      lift(slot)
      let position = order.position(of: anchor)
      let step = if case .after = place { 1 } else { 0 }
      put(slot, Spot(section: position.owner, index: position.index + step))
    case .path(let path):
      let section = try self.section(at: path.section, path: path, in: batch)
      lift(slot)
      let count = order.count(sections[Int(section)].root)
      guard path.row <= UInt64(count) else {
        throw TableFault(.outOfRange, path: path, expected: "a row up to \(count)")
      }
      put(slot, Spot(section: section, index: Int(path.row)))
    case .end:
      let count = sectionOrder.count(sectionRoot)
      let section = sectionOrder.element(sectionRoot, at: count - 1)
      lift(slot)
      put(slot, Spot(section: section, index: order.count(sections[Int(section)].root)))
    case .first(let reference):
      let section = try self.section(reference, in: batch)
      lift(slot)
      put(slot, Spot(section: section, index: 0))
    case .last(let reference):
      let section = try self.section(reference, in: batch)
      lift(slot)
      put(slot, Spot(section: section, index: order.count(sections[Int(section)].root)))
    }
  }

  private func put(_ slot: UInt32, _ spot: Spot) {
    order.insert(slot, into: sections[Int(spot.section)].root, at: spot.index)
  }

  /// Sets cells of a row.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - cells: The cells, in the batch's `cells`.
  ///   - batch: The batch.
  ///   - context: Gives the revision.
  /// - Throws: What its cells or its size are refused for, `readOnly`.
  func update(
    _ slot: UInt32, cells: Range<Int>, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    do throws(TableFault) {
      try collect(cells, of: batch)
      try updateCollected(slot, in: batch, context)
    } catch {
      var fault = error
      fault.row = fault.row ?? rows.id(slot)
      throw fault
    }
  }

  /// Sets cells of a row to `work.cells`.
  func updateCollected(
    _ slot: UInt32, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    for cell in work.cells {
      guard let index = schema.index(of: cell.column), schema.columns[index].isReadOnly else {
        continue
      }
      let old = value(of: index, slot)
      guard old == value(cell, of: batch) else {
        throw TableFault(
          .readOnly, row: rows.id(slot), column: schema.columns[index].name,
          value: value(cell, of: batch)?.described, expected: old?.described ?? "null")
      }
    }
    try mergeImage(slot, revision: context.revision, of: batch)
    let image = work.image
    let same = rows.withImage(slot) { RowImage.haveEqualCells($0, image.span) }
    if !same { replace(slot, image: image) }
  }
}
