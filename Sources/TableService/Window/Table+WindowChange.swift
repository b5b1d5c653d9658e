internal import Coding

/// What a batch does to windows, worked out before it is final.
extension Table {
  /// The most changed rows that are looked for in each window; of more, each row of a window is
  /// looked up.
  private static let fewRows = 256

  /// Begins a turn: windows may cost something again.
  public func renewWindowBudget() { windowBudget = WindowBudget() }

  /// Works out what the open batch did to the windows, before it is final.
  ///
  /// - Complexity: O(*w* log *n*) in the windows, and the lengths of those whose rows may have
  ///   other places, up to a budget: beyond it a window is stale.
  func updateWindows(_ revision: UInt64) {
    recountSections()
    let pass = windowPass()
    for window in windows where !window.isStale { update(window, revision, pass) }
  }

  private func update(_ window: TableWindow, _ revision: UInt64, _ pass: WindowPass) {
    if work.schemaChanged {
      guard !windowBudget.isSpent else { return abandon(window) }
      let delta = reset(window, revision)
      windowBudget.bytes += delta.size
      window.pending.append(delta)
      return
    }
    var delta = newDelta(window, revision)
    var next = place(window, &delta)
    if pass.hasOtherPlaces {
      guard !windowBudget.isSpent else { return abandon(window) }
      windowBudget.rows += window.spec.length
      fill(window, &next)
    } else {
      (next.slots, next.sites) = (window.slots, window.sites)
    }
    let told = toldIndices(in: next, window.spec, pass)
    let isSame = !pass.hasOtherPlaces || next.slots == window.slots
    let isRetitled = changes.records.contains { record in
      next.sites.contains { $0.slot == record.slot }
    }
    let moved = movedIndices(in: next, window.spec, pass)
    guard !isSame || !told.isEmpty || isRetitled || !moved.isEmpty || delta.anchor != nil else {
      if next.first != window.first || next.total != window.total || next.sites != window.sites {
        window.hasNewCounts = true
      }
      take(next, window)
      return
    }
    guard !windowBudget.isSpent else { return abandon(window) }
    tell(window, next, named: pass.named, at: moved, told: told, &delta)
    windowBudget.bytes += delta.size
    let hasOtherSites = next.sites != window.sites || isRetitled || window.hasNewCounts
    take(next, window)
    if hasOtherSites { delta.sections = window.sites.map(encoded) }
    finish(window, &delta)
    window.pending.append(delta)
  }

  /// Follows a window no longer; what it holds is given back.
  private func abandon(_ window: TableWindow) {
    window.isStale = true
    window.pending = []
    window.slots = []
    window.sites = []
  }

  private func windowPass() -> WindowPass {
    var pass = WindowPass()
    pass.hasOtherPlaces =
      !changes.main.isEmpty || !changes.moved.isEmpty || !changes.insertedSections.isEmpty
      || !changes.deletedSections.isEmpty || !changes.movedSections.isEmpty
      || !changes.crossings.isEmpty || changes.reloadedSections.contains { $0.isReplaced }
    pass.named = movedSlots()
    var told: [UInt32] = []
    for row in work.rows where isTold(row) {
      told.append(row.slot)
      if told.count > Table.fewRows { break }
    }
    pass.told = told.count > Table.fewRows ? nil : told
    return pass
  }

  /// Whether a row is told where it is seen; one whose cells came out as they were has no old image
  /// any more.
  private func isTold(_ row: Work.Row) -> Bool { row.isReloaded || !row.oldImage.isEmpty }

  /// Where rows of a window's new content changed or were reloaded, rising.
  ///
  /// New ones may be among them: they enter, and are told with that.
  private func toldIndices(
    in next: WindowContent, _ spec: TableWindow.Spec, _ pass: WindowPass
  ) -> [Int] {
    if let few = pass.told { return indices(of: few, in: next, spec) }
    guard !windowBudget.isSpent else { return next.slots.isEmpty ? [] : [0] }
    windowBudget.rows += next.slots.count * WindowBudget.lookup
    return next.slots.indices.filter { index in
      guard let row = work.rowIndex[next.slots[index]] else { return false }
      return isTold(work.rows[row])
    }
  }

  /// Where rows that the batch moved are in a window's new content, rising.
  private func movedIndices(
    in next: WindowContent, _ spec: TableWindow.Spec, _ pass: WindowPass
  ) -> [Int] {
    guard !pass.named.isEmpty else { return [] }
    if pass.named.count <= Table.fewRows { return indices(of: pass.named, in: next, spec) }
    windowBudget.rows += next.slots.count * WindowBudget.lookup
    return next.slots.indices.filter { pass.named.contains(next.slots[$0]) }
  }

  private func indices(
    of slots: some Sequence<UInt32>, in next: WindowContent, _ spec: TableWindow.Spec
  ) -> [Int] {
    var indices: [Int] = []
    for slot in slots where isSeen(slot, by: spec) {
      let index = position(of: slot, spec) - next.first
      if next.slots.indices.contains(index), next.slots[index] == slot { indices.append(index) }
    }
    return indices.sorted()
  }

  /// The rows in windows that the batch moved; what else it moved is looked at, not kept.
  private func movedSlots() -> Set<UInt32> {
    var slots: Set<UInt32> = []
    let count =
      changes.main.moves.count + changes.moved.moves.count + changes.crossings.count
    guard count > 0 else { return slots }
    var touched: Set<UInt32>?
    if count > Table.fewRows {
      var seen: Set<UInt32> = []
      for window in windows where !window.isStale {
        guard !windowBudget.isSpent else { break }
        windowBudget.rows += window.slots.count * WindowBudget.lookup
        for slot in window.slots where work.rowIndex[slot] != nil { seen.insert(slot) }
      }
      touched = seen
    }
    for rows in [changes.main, changes.moved] {
      for move in rows.moves where touched?.contains(move.from.slot) ?? true {
        slots.insert(move.from.slot)
      }
    }
    for crossing in changes.crossings where touched?.contains(crossing.slot) ?? true {
      slots.insert(crossing.slot)
    }
    return slots
  }
}
