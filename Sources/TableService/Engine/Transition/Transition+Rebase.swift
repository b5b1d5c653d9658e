/// Paths that are meant as the table was at an earlier revision (contract E3).
extension Table {
  /// Opens the past that a rebased transition is written for.
  ///
  /// - Parameters:
  ///   - cursor: The point.
  ///   - batch: Has the changes since.
  ///   - context: The store's epoch and next revision.
  /// - Throws: `wrongEpoch`, `futureRevision`, `unsupported`; `stale` without the changes.
  func openPast(
    at cursor: StoreCursor, _ batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    guard batch.mode == .transition else {
      throw TableFault(.unsupported, value: "rebase", expected: "a transition")
    }
    try Table.judgeReach(cursor, context)
    if lastChanged <= cursor.revision { return }
    do throws(FoldFault) {
      let past = try Past(cursor.revision, changes: batch.since, table: id, rest: breathe)
      if past.newest == lastChanged { work.past = past }
    } catch {}
    if work.past == nil {
      throw TableFault(
        .stale, value: "\(cursor.revision)", expected: "a revision that is kept",
        revision: lastChanged)
    }
  }

  private func pastSectionCount(_ past: Past) -> Int {
    sectionOrder.oldCount(sectionRoot) + past.lostSections
  }

  private func slot(_ index: Int) -> UInt32 { sectionOrder.oldElement(sectionRoot, at: index) }

  private func stale(
    _ past: Past, path: RowPath? = nil, row: UInt64? = nil, value: String? = nil
  ) -> TableFault {
    TableFault(
      .stale, path: path, row: row, value: value,
      expected: "what was there at revision \(past.revision)", revision: lastChanged)
  }

  /// The section that had an index then.
  func section(
    at index: UInt64, path: RowPath?, _ past: Past
  ) throws(TableFault) -> UInt32 {
    let count = pastSectionCount(past)
    guard index < UInt64(count) else {
      throw TableFault(
        .outOfRange, path: path, value: path == nil ? "\(index)" : nil,
        expected: "a section below \(count)")
    }
    guard let now = past.section(Int(index)) else {
      throw stale(past, path: path, value: path == nil ? "\(index)" : nil)
    }
    return slot(now.index)
  }

  /// The slot of the section in which a row of then stood, where it is still there.
  func pastSlot(_ path: RowPath, _ past: Past) -> UInt32? {
    past.section(Int(path.section)).map { slot($0.index) }
  }

  /// The row that had a path then.
  func row(at path: RowPath, _ past: Past) throws(TableFault) -> UInt32 {
    let sectionCount = pastSectionCount(past)
    guard path.section < UInt64(sectionCount) else {
      throw TableFault(.outOfRange, path: path, expected: "a section below \(sectionCount)")
    }
    let index = Int(path.section)
    if let home = past.section(index), let lost = past.lostRows(ofSection: index) {
      let count = order.oldCount(sections[Int(slot(home.index))].root) + lost
      guard path.row < UInt64(count) else {
        throw TableFault(.outOfRange, path: path, expected: "a row below \(count)")
      }
    }
    switch past.row(index, Int(clamping: path.row)) {
    case .here(let section, let row):
      return order.oldElement(sections[Int(slot(section))].root, at: row)
    case .named(let id):
      guard let slot = slot(of: id) else { throw stale(past, path: path, row: id) }
      return slot
    case .gone: throw stale(past, path: path)
    }
  }

  /// A section whose rows go must hold none that came since.
  func judgeArrivals(_ reference: Batch.SectionRef) throws(TableFault) {
    guard let past = work.past, case .index(let index) = reference else { return }
    if past.hasArrivals(inSection: Int(index)) { throw stale(past, value: "\(index)") }
  }

  /// What is meant as it was then is named by paths alone.
  func judgeReference(_ isPath: Bool) throws(TableFault) {
    if work.past != nil, !isPath {
      throw TableFault(.badRequest, expected: "a path, because it is rebased")
    }
  }

  // Sections

  /// The sections as they were to be then, and from it their places now: each behind the
  /// nearest one before it that is still there and was neither named nor moved.
  func rebaseSections(_ past: Past, _ transition: inout Transition) {
    var old: [(slot: UInt32, isAnchor: Bool)] = []
    var stay: [Int] = []
    for index in 0..<pastSectionCount(past) {
      breathe()
      guard let now = past.section(index) else {
        old.append((Transition.none, false))
        stay.append(index)
        continue
      }
      let use = transition.sectionUses[slot(now.index)]
      old.append((slot(now.index), use == nil && !now.wasMoved))
      if use.map({ $0.delete < 0 && $0.move < 0 }) ?? true { stay.append(index) }
    }
    var groups: [UInt32: [Int]] = [:]
    var anchor = Transition.none
    var next = 0
    transition.pastSections = []
    for index in 0..<stay.count + transition.sectionTargets.count {
      if next < transition.sectionTargets.count,
        transition.sectionTargets[next].index == UInt64(index)
      {
        let operation = transition.sectionTargets[next].operation
        groups[anchor, default: []].append(operation)
        transition.pastSections.append(.init(operation: operation))
        next += 1
      } else {
        let place = stay[index - next]
        if old[place].isAnchor { anchor = old[place].slot }
        transition.pastSections.append(.init(index: place, slot: old[place].slot))
      }
    }
    var targets: [Transition.SectionTarget] = []
    var place: UInt64 = 0
    func put(after slot: UInt32) {
      for operation in groups[slot] ?? [] {
        targets.append(Transition.SectionTarget(index: place, operation: operation))
        place += 1
      }
    }
    put(after: Transition.none)
    sectionOrder.forEach(sectionRoot, from: 0) { slot in
      if let use = transition.sectionUses[slot], use.delete >= 0 || use.move >= 0 { return true }
      place += 1
      put(after: slot)
      return true
    }
    transition.sectionTargets = targets
  }

  /// The section that was to have an index then.
  func pastTarget(
    _ path: RowPath, _ past: Past, _ transition: Transition
  ) throws(TableFault) -> UInt32 {
    guard path.section < UInt64(transition.pastSections.count) else {
      throw TableFault(
        .outOfRange, path: path,
        expected: "a section below \(transition.pastSections.count) in the new table")
    }
    let target = transition.pastSections[Int(path.section)]
    if target.operation >= 0 { return transition.slots[target.operation] }
    guard target.slot != Transition.none else { throw stale(past, path: path) }
    return target.slot
  }

  // Rows

  /// Judges the rows that were to stand in one section then, and finds their places now: each
  /// directly behind the nearest row before it that was neither named nor moved since.
  ///
  /// - Parameters:
  ///   - range: The section's targets, rising by their places then.
  ///   - past: The past.
  ///   - batch: The batch.
  ///   - transition: The transition, whose rows are lifted.
  /// - Throws: `outOfRange`.
  func rebaseRows(
    _ range: Range<Int>, _ past: Past, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    let home = transition.rowTargets[range.lowerBound].section
    let root = sections[Int(home)].root
    guard let then = pastIndex(of: home, in: batch, transition) else { return }
    let removed = transition.pastRemoved[then] ?? PlaceRuns()
    let lost = past.lostRows(ofSection: then)
    if let lost {
      let count = order.oldCount(root) + lost - removed.count + range.count
      let last = transition.rowTargets[range.upperBound - 1]
      guard last.row < UInt64(count) else {
        throw pastEnd(last.operation, count, in: batch).at(last.operation)
      }
    }
    var floor = 0
    var anchor: UInt32?
    for (offset, index) in range.enumerated() {
      breathe()
      let target = Int(clamping: transition.rowTargets[index].row)
      var place = target - 1
      while lost != nil, place >= floor {
        // All places from `floor` on hold rows that are not targets.
        let row = removed.free(place - offset)
        if !transition.pastReloaded.contains(RowPath(section: UInt64(then), row: UInt64(row))),
          case .here(let section, let now) = past.row(then, row)
        {
          anchor = order.oldElement(sections[Int(slot(section))].root, at: now)
          break
        }
        place -= 1
      }
      floor = lost == nil ? 0 : target + 1
      let base = anchor.map { order.position(of: $0).index + 1 } ?? 0
      transition.rowTargets[index].row = UInt64(base + offset)
    }
  }

  private func pastIndex(
    of home: UInt32, in batch: Batch, _ transition: Transition
  ) -> Int? {
    if let use = transition.sectionUses[home], use.move >= 0,
      case .moveSection(.index(let index), _) = batch.operations[use.move].action
    {
      return Int(index)
    }
    return transition.pastIndices[home]
  }

  /// Notes which places of then the batch names.
  func notePast(_ batch: Batch, _ transition: inout Transition) {
    for (index, section) in transition.pastSections.enumerated() where section.operation < 0 {
      transition.pastIndices[section.slot] = transition.pastSections[index].index
    }
    for (index, operation) in batch.operations.enumerated()
    where transition.slots[index] != Transition.none {
      switch operation.action {
      case .deleteRow(.path(let path)), .moveRow(.path(let path), _):
        transition.pastRemoved[Int(path.section), default: PlaceRuns()].append(Int(path.row), 1)
      case .reloadRow(.path(let path), _), .updateRow(.path(let path), _):
        transition.pastReloaded.insert(path)
      default: break
      }
    }
    for section in transition.pastRemoved.keys { transition.pastRemoved[section]?.sort() }
  }
}
