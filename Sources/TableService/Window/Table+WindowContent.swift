internal import Coding

/// What a window shows.
struct WindowContent {
  var first = 0
  var total = 0
  var slots: [UInt32] = []
  var sites: [TableWindow.Site] = []
}

/// Finding the rows of a window and comparing them with those it showed.
extension Table {
  /// How many rows a window's section or table has.
  func rowCount(of spec: TableWindow.Spec) -> Int {
    guard let section = spec.section else {
      var sum = 0
      sectionOrder.forEach(sectionRoot, from: 0) { slot in
        sum += order.count(sections[Int(slot)].root)
        return true
      }
      return sum
    }
    guard let slot = liveSection(section) else { return 0 }
    return order.count(sections[Int(slot)].root)
  }

  private func liveSection(_ id: UInt64) -> UInt32? {
    guard let slot = sectionSlots[id], sectionOrder.isLive(slot) else { return nil }
    return slot
  }

  /// Whether a row stands where a window looks.
  func isSeen(_ slot: UInt32, by spec: TableWindow.Spec) -> Bool {
    guard order.isLive(slot) else { return false }
    guard let section = spec.section else { return true }
    return sections[Int(order.position(of: slot).owner)].record.id == section
  }

  /// Takes the counts of all sections.
  func countSections() {
    var counts: [Int] = []
    sectionOrder.forEach(sectionRoot, from: 0) { slot in
      counts.append(order.count(sections[Int(slot)].root))
      return true
    }
    flat.rebuild(counts)
  }

  /// Takes the counts of the sections that the open batch changed.
  func recountSections() {
    guard windows.contains(where: { $0.spec.section == nil }) else { return }
    if !changes.insertedSections.isEmpty || !changes.deletedSections.isEmpty
      || !changes.movedSections.isEmpty
    {
      return countSections()
    }
    var last: UInt32?
    func recount(_ home: UInt32) {
      guard home != last else { return }
      last = home
      flat.set(sectionOrder.position(of: home).index, order.count(sections[Int(home)].root))
    }
    for rows in [changes.main, changes.moved] {
      for end in rows.deletes { recount(end.home) }
      for end in rows.inserts { recount(end.home) }
      for end in rows.contents { recount(end.home) }
      for move in rows.moves where move.from.home != move.to.home {
        recount(move.from.home)
        recount(move.to.home)
      }
    }
    for pair in changes.reloadedSections where pair.isReplaced {
      recount(sectionOrder.element(sectionRoot, at: Int(pair.new)))
    }
  }

  /// Where a window begins now; a row anchor that went is replaced by a neighbour.
  func place(_ window: TableWindow, _ delta: inout WindowDelta) -> WindowContent {
    var content = WindowContent()
    if let section = window.spec.section {
      content.total = liveSection(section).map { order.count(sections[Int($0)].root) } ?? 0
    } else {
      content.total = flat.total
    }
    switch window.spec.anchor {
    case .position(let position): content.first = min(position, content.total)
    case .row(let id):
      if let slot = rows.slot(of: id), isSeen(slot, by: window.spec) {
        content.first = position(of: slot, window.spec)
      } else if let slot = neighbour(of: id, window, content.total) {
        let id = rows.id(slot)
        window.spec.anchor = .row(id)
        delta.anchor = id
        content.first = position(of: slot, window.spec)
      }
    }
    return content
  }

  func position(of slot: UInt32, _ spec: TableWindow.Spec) -> Int {
    let place = order.position(of: slot)
    guard spec.section == nil else { return place.index }
    return flat.rows(before: sectionOrder.position(of: place.owner).index) + place.index
  }

  /// The row that takes over from an anchor that went: the first one behind it that stayed, else
  /// the last one before it.
  private func neighbour(of id: UInt64, _ window: TableWindow, _ total: Int) -> UInt32? {
    let behind = window.slots.dropFirst()
    let stays = { (slot: UInt32) in self.isSeen(slot, by: window.spec) }
    if let slot = behind.first(where: { stays($0) && !order.isFresh($0) }) { return slot }
    if order.isOpen, let slot = rows.slot(of: id), let old = order.oldPosition(of: slot) {
      let root = sections[Int(old.owner)].root
      let rank = order.oldPlainRank(of: slot)
      for candidate in [rank, rank - 1] {
        if let found = order.plainElement(root, at: candidate), stays(found) { return found }
      }
    }
    if let slot = behind.first(where: stays) { return slot }
    guard total > 0 else { return nil }
    var slots: [UInt32] = []
    append(min(window.first, total - 1), 1, window.spec, to: &slots)
    return slots.first
  }

  /// Finds the rows of a window that begins at `content.first`.
  func fill(_ window: TableWindow, _ content: inout WindowContent) {
    let count = min(window.spec.length, content.total - content.first)
    guard count > 0 else { return }
    content.slots.reserveCapacity(count)
    content.sites = append(content.first, count, window.spec, to: &content.slots)
  }

  @discardableResult
  private func append(
    _ first: Int, _ count: Int, _ spec: TableWindow.Spec, to slots: inout [UInt32]
  ) -> [TableWindow.Site] {
    if let section = spec.section {
      guard let slot = liveSection(section) else { return [] }
      let root = sections[Int(slot)].root
      order.appendElements(root, first..<first + count, to: &slots)
      let index = sectionOrder.position(of: slot).index
      return [TableWindow.Site(slot: slot, index: index, rows: order.count(root))]
    }
    var sites: [TableWindow.Site] = []
    var (index, row) = flat.path(of: first)
    sectionOrder.forEach(sectionRoot, from: index) { slot in
      let root = sections[Int(slot)].root
      let rows = order.count(root)
      let end = min(rows, row + count - slots.count)
      if end > row {
        order.appendElements(root, row..<end, to: &slots)
        sites.append(TableWindow.Site(slot: slot, index: index, rows: rows))
      }
      index += 1
      row = 0
      return slots.count < count
    }
    return sites
  }

  /// Tells what came, went and moved between what a window showed and shows now.
  ///
  /// - Parameters:
  ///   - window: What it showed.
  ///   - next: What it shows.
  ///   - named: Rows that moved and are told as such.
  ///   - places: Where these are in the new content, rising.
  ///   - told: Where rows of the new content changed, rising.
  ///   - delta: Takes the difference.
  func tell(
    _ window: TableWindow, _ next: WindowContent, named: Set<UInt32> = [],
    at places: [Int] = [], told: [Int] = [], _ delta: inout WindowDelta
  ) {
    if let shift = WindowShift(from: window.slots, to: next.slots, named: named, at: places) {
      for index in shift.inserts { insert(next.slots[index], index, window.spec, &delta) }
      delta.deletes = shift.deletes
      delta.moves = shift.moves.map { ($0.from, $0.to, home(of: next.slots[$0.to])) }
      let entered = Set(shift.inserts)
      for index in told where !entered.contains(index) {
        reload(next.slots[index], index, window.spec, &delta)
      }
      return
    }
    windowBudget.rows += next.slots.count * WindowBudget.lookup
    var before: [UInt32: Int] = [:]
    for (index, slot) in window.slots.enumerated() { before[slot] = index }
    var latest = -1
    var rest = told[...]
    for (index, slot) in next.slots.enumerated() {
      let isTold = rest.first == index
      if isTold { rest.removeFirst() }
      guard let old = before.removeValue(forKey: slot) else {
        insert(slot, index, window.spec, &delta)
        continue
      }
      // What is not named keeps its order, but for rows of sections that moved.
      if named.contains(slot) || old < latest {
        delta.moves.append((old, index, home(of: slot)))
      } else {
        latest = old
      }
      if isTold { reload(slot, index, window.spec, &delta) }
    }
    delta.deletes = before.values.sorted()
  }

  private func insert(
    _ slot: UInt32, _ index: Int, _ spec: TableWindow.Spec, _ delta: inout WindowDelta
  ) {
    delta.inserts.append(
      WindowDelta.Insert(index: index, section: home(of: slot), row: rows.id(slot)))
    delta.rows.append(shown(slot, spec.columns))
  }

  private func reload(
    _ slot: UInt32, _ index: Int, _ spec: TableWindow.Spec, _ delta: inout WindowDelta
  ) {
    delta.reloads.append(index)
    delta.rows.append(shown(slot, spec.columns))
  }

  private func home(of slot: UInt32) -> UInt64 {
    sections[Int(order.position(of: slot).owner)].record.id
  }

  private func shown(_ slot: UInt32, _ columns: Set<UInt64>?) -> [UInt8] {
    var image: [UInt8] = []
    withShown(slot) { RowImage.append($0, columns: columns, to: &image) }
    return image
  }
}
