/// Operations on many rows: each is one operation of the batch, told by the same primitives as
/// operations on single rows (SPEC 3, contract E10).
extension Table {
  /// Removes the rows that a filter takes.
  func delete(where filter: Int, in batch: Batch) throws(TableFault) {
    try match(batch.filters[filter])
    for slot in work.matched {
      lift(slot)
      try checkpoint()
    }
  }

  /// Sets cells of the rows that a filter takes.
  ///
  /// - Parameters:
  ///   - filter: The filter, in the batch's `filters`.
  ///   - cells: The cells, in the batch's `cells`.
  ///   - batch: The batch.
  ///   - context: Gives the revision.
  /// - Throws: What filter and cells are refused for; `row` names the first row at fault.
  func update(
    where filter: Int, cells: Range<Int>, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try match(batch.filters[filter])
    try collect(cells, of: batch)
    for slot in work.matched {
      try checkpoint()
      do throws(TableFault) {
        try updateCollected(slot, in: batch, context)
      } catch {
        var fault = error
        fault.row = fault.row ?? rows.id(slot)
        throw fault
      }
    }
  }

  /// Moves rows to one place: they stand there one behind the other, in the order named.
  ///
  /// A path is the one that the first of them has afterwards. Where the anchor is one of them,
  /// they gather where it stands.
  ///
  /// - Parameters:
  ///   - selection: Which rows; those of a filter come in the table's order.
  ///   - place: Where they go.
  ///   - batch: The batch.
  /// - Throws: `noSuchRow`, `badRequest` for a row named twice, `badFilter`; what finding the
  ///   place throws.
  func move(
    _ selection: Batch.Selection, to place: Batch.Place, in batch: Batch
  ) throws(TableFault) {
    try select(selection, in: batch)
    var anchor: UInt32?
    var step = 0
    switch place {
    case .before(let reference): anchor = try row(reference, in: batch)
    case .after(let reference):
      anchor = try row(reference, in: batch)
      step = 1
    case .first(let reference), .last(let reference): _ = try section(reference, in: batch)
    case .end, .path: break
    }
    if work.matched.isEmpty { return }
    for slot in work.matched where slot != anchor {
      lift(slot)
      try checkpoint()
    }
    let spot: Spot
    if let anchor {
      let position = order.position(of: anchor)
      let isMoved = work.matched.contains(anchor)
      if isMoved { lift(anchor) }
      spot = Spot(section: position.owner, index: position.index + (isMoved ? 0 : step))
    } else {
      spot = try self.spot(place, in: batch)
    }
    let root = sections[Int(spot.section)].root
    for (offset, slot) in work.matched.enumerated() {
      order.insert(slot, into: root, at: spot.index + offset)
      try checkpoint()
    }
  }

  /// Fills `work.matched` with the rows that a selection names.
  func select(_ selection: Batch.Selection, in batch: Batch) throws(TableFault) {
    switch selection {
    case .filter(let filter): try match(batch.filters[filter])
    case .ids(let range): try select(batch.ids[range])
    case .run(let run):
      guard run.first > 0, run.count <= TableLimits.rows,
        run.first <= TableLimits.identifier - run.count
      else {
        throw TableFault(.badRequest, value: "a run of \(run.count)", expected: "a run of ids")
      }
      try select(run.first..<run.first + run.count)
    }
  }

  private func select(_ ids: some Collection<UInt64>) throws(TableFault) {
    work.matched.removeAll(keepingCapacity: true)
    var seen: Set<UInt32> = []
    for id in ids {
      try checkpoint()
      guard let slot = slot(of: id) else { throw TableFault(.noSuchRow, row: id) }
      guard seen.insert(slot).inserted else {
        throw TableFault(.badRequest, row: id, expected: "each row once")
      }
      work.matched.append(slot)
    }
    try noteMatches()
  }

  /// Fills `work.matched` with the rows that a filter takes, in the table's order.
  ///
  /// - Complexity: O(*n*) in the rows of the table.
  private func match(_ filter: RowFilter) throws(TableFault) {
    let filter = try filter.compiled(for: schema)
    work.matched.removeAll(keepingCapacity: true)
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        if withShown(slot, { filter.matches($0) }) { work.matched.append(slot) }
        breathe()
        return true
      }
    }
    try noteMatches()
  }

  private func noteMatches() throws(TableFault) {
    let count = UInt64(work.matched.count)
    work.matchedCount += count
    if let wanted = work.wantedMatches { try judge(matched: count, wanted) }
  }

  /// Judges how many rows were matched (contract E4).
  func judge(matched count: UInt64, _ wanted: UInt64) throws(TableFault) {
    guard count == wanted else {
      throw TableFault(.countMatched, value: "\(count)", expected: "\(wanted)")
    }
  }

  /// Sorts the rows of a section; rows that compare equal keep their order.
  ///
  /// - Parameters:
  ///   - section: The section's slot.
  ///   - keys: What to sort by, in the batch's `sortKeys`.
  ///   - batch: The batch.
  /// - Throws: `badRequest`, `noSuchColumn`, `wrongKind`; `tooManyRows` where the keys take
  ///   too much memory.
  /// - Complexity: O(*n* log *n*) in the rows of the section.
  func sort(_ section: UInt32, by keys: Range<Int>, in batch: Batch) throws(TableFault) {
    let sorter = try RowSorter(Array(batch.sortKeys[keys]), in: schema)
    let root = sections[Int(section)].root
    var slots: [UInt32] = []
    order.appendElements(root, 0..<order.count(root), to: &slots)
    for (index, slot) in slots.enumerated() {
      try checkpoint()
      guard withShown(slot, { sorter.add($0, section: 0, row: index) }) else {
        throw TableFault(.tooManyRows, expected: "fewer rows in the section")
      }
    }
    sorter.finish()
    var sorted: [UInt32] = []
    sorted.reserveCapacity(slots.count)
    while let next = sorter.first {
      sorted.append(slots[next.row])
      sorter.removeFirst()
      try checkpoint()
    }
    // What stands right at the front and at the end stays untouched.
    var (start, end) = (0, slots.count)
    while start < end, slots[start] == sorted[start] { start += 1 }
    while end > start, slots[end - 1] == sorted[end - 1] { end -= 1 }
    for slot in slots[start..<end] {
      lift(slot)
      try checkpoint()
    }
    for (offset, slot) in sorted[start..<end].enumerated() {
      order.insert(slot, into: root, at: start + offset)
      try checkpoint()
    }
  }
}
