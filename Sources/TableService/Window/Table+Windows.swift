internal import Coding

/// Windows on a table.
extension Table {
  /// Judges what a window asks for.
  ///
  /// - Parameter spec: Which rows.
  /// - Throws: `noSuchSection`, `noSuchRow`, `outOfRange` for a position past the end, `badValue`
  ///   for a length that is none.
  public func check(_ spec: TableWindow.Spec) throws(TableFault) {
    guard (1...TableLimits.window).contains(spec.length) else {
      throw TableFault(
        .badValue, value: "\(spec.length)", expected: "1 to \(TableLimits.window) rows")
    }
    if let section = spec.section, sectionSlots[section] == nil {
      throw TableFault(.noSuchSection, section: section)
    }
    switch spec.anchor {
    case .position(let position):
      let total = rowCount(of: spec)
      if position > total {
        throw TableFault(
          .outOfRange, value: "\(position)", expected: "a position up to \(total)")
      }
    case .row(let id):
      guard let slot = rows.slot(of: id), isSeen(slot, by: spec) else {
        throw TableFault(.noSuchRow, row: id)
      }
    }
  }

  /// Opens a window, or opens it anew.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - revision: The store's newest revision.
  /// - Returns: All of it.
  /// - Complexity: O(*s*) in the number of sections, and its length.
  public func open(_ window: TableWindow, revision: UInt64) -> WindowDelta {
    if !windows.contains(where: { $0 === window }) { windows.append(window) }
    countSections()
    window.pending.removeAll()
    window.isStale = false
    return reset(window, revision)
  }

  /// The rows that a window shows.
  ///
  /// - Parameter window: An open window.
  /// - Returns: Their ids.
  /// - Complexity: O(*n*) in its length.
  public func rowIDs(in window: TableWindow) -> [UInt64] { window.slots.map { rows.id($0) } }

  /// Forgets a window.
  ///
  /// - Parameter window: The window.
  public func close(_ window: TableWindow) { windows.removeAll { $0 === window } }

  /// Lets a window look at other rows; those that stay are not told again.
  ///
  /// - Parameters:
  ///   - window: An open window.
  ///   - spec: Which rows.
  ///   - moves: How many moves that is: those that waited are one.
  ///   - revision: The store's newest revision.
  /// - Returns: The difference.
  public func move(
    _ window: TableWindow, to spec: TableWindow.Spec, moves: UInt64, revision: UInt64
  ) -> WindowDelta {
    window.retarget(spec, moves: moves)
    // No other window may have looked at the whole table so far.
    if spec.section == nil { countSections() }
    var delta = newDelta(window, revision)
    var next = place(window, &delta)
    fill(window, &next)
    tell(window, next, &delta)
    take(next, window)
    delta.sections = window.sites.map(encoded)
    if case .row(let id) = window.spec.anchor { delta.anchor = id }
    finish(window, &delta)
    return delta
  }

  /// What changes did to counts and positions around a window and was not told yet.
  ///
  /// - Parameters:
  ///   - window: An open window.
  ///   - revision: The store's newest revision.
  /// - Returns: Positions and counts alone.
  public func counts(of window: TableWindow, revision: UInt64) -> WindowDelta {
    var delta = newDelta(window, revision)
    delta.sections = window.sites.map(encoded)
    finish(window, &delta)
    return delta
  }

  func reset(_ window: TableWindow, _ revision: UInt64) -> WindowDelta {
    var delta = newDelta(window, revision)
    var next = place(window, &delta)
    fill(window, &next)
    window.slots = []
    delta.isReset = true
    tell(window, next, &delta)
    take(next, window)
    delta.sections = window.sites.map(encoded)
    for column in schema.columns where window.spec.columns?.contains(column.id) ?? true {
      var bytes: [UInt8] = []
      column.append(to: &bytes)
      delta.columns.append(bytes)
    }
    if case .row(let id) = window.spec.anchor { delta.anchor = id }
    finish(window, &delta)
    return delta
  }

  func newDelta(_ window: TableWindow, _ revision: UInt64) -> WindowDelta {
    var delta = WindowDelta(revision: revision)
    delta.generation = window.generation
    delta.schemaRevision = work.schemaChanged ? revision : schema.revision
    return delta
  }

  func take(_ next: WindowContent, _ window: TableWindow) {
    window.slots = next.slots
    window.sites = next.sites
    window.first = next.first
    window.total = next.total
  }

  /// Positions and counts; after this nothing is left to be told.
  func finish(_ window: TableWindow, _ delta: inout WindowDelta) {
    delta.first = window.first
    delta.after = window.total - window.first - window.slots.count
    window.hasNewCounts = false
  }

  func encoded(_ site: TableWindow.Site) -> [UInt8] {
    var bytes: [UInt8] = []
    sections[Int(site.slot)].record.append(to: &bytes, index: site.index, rows: site.rows)
    return bytes
  }
}
