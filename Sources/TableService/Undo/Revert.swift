/// Taking a step back, while it is worked out: what it needs and what stands in its way.
struct Revert {
  /// More conflicts than these are not listed.
  static let listed = 100
  /// Elements that later steps are asked for at a time.
  static let asked = 4096

  let step: Reversal
  /// Who asks: their own later changes stand in nobody's way.
  let uid: UInt64
  let actor: String
  let later: any LaterSteps
  private(set) var conflicts: [StepConflict] = []
  private var seen: Set<StepConflict> = []

  /// Columns that the step made.
  var addedColumns: Set<UInt64> = []
  /// Ids of sections that the step made.
  var addedSections: [UInt64] = []
  /// Rows and sections that the step made, removed or moved: none of them is an anchor.
  var own: Set<Element> = []
  /// Anchors that were found, by the row or section they were looked for with.
  var anchors: [Element: UInt32?] = [:]

  /// Begins.
  ///
  /// - Parameters:
  ///   - step: What is taken back.
  ///   - later: What came after it.
  ///   - context: Who asks.
  ///   - rest: Called often.
  init(
    _ step: Reversal, _ later: any LaterSteps, _ context: borrowing ChangeContext,
    rest: () -> Void
  ) {
    self.step = step
    self.later = later
    uid = context.uid
    actor = context.actor
    let ends = Set(step.change.insertedSections)
    for (record, index) in step.change.records where ends.contains(index) {
      addedSections.append(record.id)
    }
    for id in addedSections { own.insert(.section(id)) }
    for place in step.sections where place.isPlaced { own.insert(.section(place.record.id)) }
    own.reserveCapacity(own.count + step.inserted.count + step.deleted.count)
    for id in step.inserted {
      own.insert(.row(id))
      rest()
    }
    for block in step.places {
      for id in block.ids {
        own.insert(.row(id))
        rest()
      }
    }
  }

  /// Notes a conflict with what last touched an element, or removed it.
  mutating func blame(
    _ element: Element, column: String? = nil, isRemoved: Bool = false
  ) throws(ServiceFault) {
    guard conflicts.count < Self.listed else { return }
    var touch = try lastTouch(of: element)
    if touch == nil { touch = try later.newestOfTable() }
    note(element, touch, column: column, isRemoved: isRemoved)
  }

  /// Notes conflicts with what last touched some rows; those that nothing touched since are only
  /// the others' counterparts.
  mutating func blame(rows: [UInt64], column: String) throws(ServiceFault) {
    let known = conflicts.count
    for id in rows where conflicts.count < Self.listed {
      guard let touch = try lastTouch(of: .row(id)) else { continue }
      note(.row(id), touch, column: column)
    }
    guard conflicts.count == known, let id = rows.first else { return }
    // Then it is the column that came or came back.
    note(.row(id), try later.newestOfTable(), column: column)
  }

  /// What last touched an element: of the steps that count, else of all revisions.
  private func lastTouch(of element: Element) throws(ServiceFault) -> Touch? {
    if let counting = try later.touches(of: [element]).last { return counting }
    return try later.newest(of: element)
  }

  /// Notes a conflict with what last touched the table itself.
  mutating func blameTable(
    column: String? = nil, isRemoved: Bool = false
  ) throws(ServiceFault) {
    let touch = try later.newestOfTable()
    var conflict = StepConflict(
      revision: touch?.revision ?? 0, uid: touch?.uid ?? 0, actor: touch?.actor ?? "",
      column: column)
    conflict.isRemoved = isRemoved
    add(conflict)
  }

  /// Notes a conflict with who touched a column.
  mutating func note(_ touch: ColumnTouch, column: String) {
    add(
      StepConflict(
        revision: touch.revision, uid: touch.uid, actor: touch.actor, column: column))
  }

  /// Notes what later steps of others did to elements that are removed or moved back.
  ///
  /// - Parameters:
  ///   - elements: Rows or sections.
  ///   - placed: Whether only another place counts.
  ///   - rest: Called often.
  /// - Throws: Where the store can't be read.
  mutating func noteOthers(
    touching elements: [Element], placed: Bool = false, rest: () -> Void
  ) throws(ServiceFault) {
    for start in stride(from: 0, to: elements.count, by: Self.asked) {
      let some = Array(elements[start..<min(start + Self.asked, elements.count)])
      for touch in try later.touches(of: some)
      where touch.uid != uid || touch.actor != actor {
        if touch.isPlaced || !placed { note(touch.element, touch) }
      }
      rest()
    }
  }

  /// Notes a conflict.
  mutating func note(
    _ element: Element, _ touch: Touch?, column: String? = nil, isRemoved: Bool = false
  ) {
    var conflict = StepConflict(
      revision: touch?.revision ?? 0, uid: touch?.uid ?? 0, actor: touch?.actor ?? "",
      column: column)
    conflict.isRemoved = isRemoved
    switch element {
    case .row(let id): conflict.row = id
    case .section(let id): conflict.section = id
    }
    add(conflict)
  }

  private mutating func add(_ conflict: StepConflict) {
    guard conflicts.count < Self.listed, seen.insert(conflict).inserted else { return }
    conflicts.append(conflict)
  }

  /// Ends the work where anything stands in its way.
  func judge(expected: String = "what the step left") throws(ServiceFault) {
    guard let first = conflicts.first else { return }
    var fault = TableFault(
      .conflict, row: first.row, section: first.section, column: first.column,
      expected: expected)
    fault.revision = first.revision == 0 ? nil : first.revision
    fault.conflicts = conflicts
    throw .table(fault)
  }
}

extension Table {
  /// Takes a revision back: its inverse, carried to now (contract E9).
  ///
  /// - Parameters:
  ///   - step: The revision.
  ///   - later: What came after it.
  ///   - isDryRun: Whether nothing is to change.
  ///   - context: Revision, time, who asks, and what the change says of itself.
  /// - Returns: What changed.
  /// - Throws: `conflict` with what stands in the way; what the store says.
  /// - Complexity: O(*k* log *n*) for a step that touched *k* rows; O(*n*) where a column comes
  ///   back or one with later values goes.
  func revert(
    _ step: Reversal, _ later: any LaterSteps, isDryRun: Bool,
    _ context: borrowing ChangeContext
  ) throws(ServiceFault) -> Outcome {
    try openRevert(step, later, context)
    return finish(isDryRun: isDryRun, context)
  }

  /// Opens a batch that takes a revision back; `finish` or `rollback` closes it.
  ///
  /// - Throws: As `revert`; the batch is closed then.
  func openRevert(
    _ step: Reversal, _ later: any LaterSteps, _ context: borrowing ChangeContext
  ) throws(ServiceFault) {
    begin()
    work.isRevert = true
    work.placesLater = true
    do throws(ServiceFault) {
      var revert = Revert(step, later, context, rest: breathe)
      try revertColumns(&revert, context)
      try judgeRows(&revert)
      try judgeSections(&revert)
      try judgeTable(&revert)
      try judgePolicies(&revert)
      try revert.judge()
      try findAnchors(&revert)
      try restoreSections(&revert)
      try revertUpdates(revert, context)
      for id in step.inserted {
        try goOn()
        if let slot = slot(of: id) { lift(slot) }
      }
      try restoreRows(&revert, context)
      try placeRows(&revert)
      try revertPolicies(revert)
      try removeSections(&revert)
      revertAttributes(revert)
      try closeRevert(&revert)
      try revert.judge()
    } catch {
      rollback()
      throw error
    }
  }

  /// As `checkpoint`.
  @inline(__always)
  func goOn() throws(ServiceFault) {
    do throws(TableFault) { try checkpoint() } catch { throw .table(error) }
  }

  /// Judges columns and keys by the result.
  func closeRevert(_ revert: inout Revert) throws(ServiceFault) {
    do throws(TableFault) {
      try judgeColumns()
      try judgeKeys()
    } catch {
      guard error.code == .duplicateKey else { throw .table(error) }
      try blameKey(error, &revert)
    }
    try judgeReturned(&revert)
  }
}
