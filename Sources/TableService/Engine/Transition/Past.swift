/// A table as it was at an earlier revision, known by what changed since (contract E3).
///
/// Places of then are carried through one stage after the other, each in O(log *k*) of what the
/// stage changed.
struct Past {
  /// What became of a row.
  enum RowFate: Equatable {
    /// It stands where it was put before; its place now.
    case here(section: Int, row: Int)
    /// It was moved or removed; its id.
    case named(UInt64)
    /// It went with its section.
    case gone
  }

  /// One stage of a change.
  private struct Stage {
    var removedSections = PlaceRuns()
    var addedSections = PlaceRuns()
    var movedSections: [Int: Int] = [:]
    var removed: [Int: PlaceRuns] = [:]
    var added: [Int: PlaceRuns] = [:]
    var replaced: Set<Int> = []
  }

  /// The revision.
  let revision: UInt64
  private var stages: [Stage] = []
  /// The last revision that changed something.
  private(set) var newest: UInt64
  /// How many sections there are less now than then.
  private(set) var lostSections = 0

  /// Reads what changed.
  ///
  /// - Parameters:
  ///   - revision: The revision of the table as it was.
  ///   - changes: All changes of the table after it, in order, each in its parts.
  ///   - table: The table's id.
  ///   - rest: Called after each change.
  /// - Throws: Any `CodingFault`.
  init(
    _ revision: UInt64, changes: [[[UInt8]]], table: UInt64, rest: () -> Void = {}
  ) throws(FoldFault) {
    self.revision = revision
    newest = revision
    for parts in changes {
      let change: ChangeReader
      do { change = try ChangeReader(parts, table: table) } catch { throw .coding(error) }
      newest = change.revision
      var main = Stage()
      for index in change.deletedSections { main.removedSections.append(index, 1) }
      for (from, to) in change.movedSections {
        main.removedSections.append(from, 1)
        main.addedSections.append(to, 1)
        main.movedSections[from] = to
      }
      for index in change.insertedSections { main.addedSections.append(index, 1) }
      lostSections += change.deletedSections.count - change.insertedSections.count
      Self.add(change.main, to: &main)
      var moved = Stage()
      Self.add(change.moved, to: &moved)
      var replaced = Stage()
      replaced.replaced = Set(change.replacedSections)
      Self.add(change.replaced, to: &replaced)
      stages += [main, moved, replaced]
      rest()
    }
  }

  private static func add(_ rows: ChangeReader.Stage, to stage: inout Stage) {
    for run in rows.deletes {
      stage.removed[run.section, default: PlaceRuns()].append(run.row, run.count, id: run.id)
    }
    for run in rows.inserts + rows.contents {
      stage.added[run.section, default: PlaceRuns()].append(run.row, run.count, id: run.id)
    }
    for run in rows.moves {
      stage.removed[run.fromSection, default: PlaceRuns()]
        .append(run.fromRow, run.count, id: run.id)
      stage.added[run.section, default: PlaceRuns()].append(run.row, run.count, id: run.id)
    }
    stage.removedSections.sort()
    stage.addedSections.sort()
    for section in stage.removed.keys { stage.removed[section]?.sort() }
    for section in stage.added.keys { stage.added[section]?.sort() }
  }

  private static func section(_ index: Int, after stage: Stage) -> Int? {
    if let to = stage.movedSections[index] { return to }
    if stage.removedSections.contains(index) { return nil }
    return stage.addedSections.free(index - stage.removedSections.count(before: index))
  }

  /// Where a section stands now.
  ///
  /// - Parameter index: Its index then.
  /// - Returns: Its index now and whether it was moved; `nil` where it is gone.
  func section(_ index: Int) -> (index: Int, wasMoved: Bool)? {
    var (now, wasMoved) = (index, false)
    for stage in stages {
      if stage.movedSections[now] != nil { wasMoved = true }
      guard let next = Self.section(now, after: stage) else { return nil }
      now = next
    }
    return (now, wasMoved)
  }

  /// How many rows a section has less now than then.
  ///
  /// - Parameter index: The section's index then; it is still there.
  /// - Returns: The number; `nil` where it was reloaded with other rows.
  func lostRows(ofSection index: Int) -> Int? {
    var now = index
    var lost = 0
    for stage in stages {
      lost += stage.removed[now]?.count ?? 0
      guard let next = Self.section(now, after: stage) else { return nil }
      now = next
      if stage.replaced.contains(now) { return nil }
      lost -= stage.added[now]?.count ?? 0
    }
    return lost
  }

  /// What became of a row.
  ///
  /// - Parameters:
  ///   - section: Its section's index then.
  ///   - row: Its index then.
  /// - Returns: Its fate.
  func row(_ section: Int, _ row: Int) -> RowFate {
    var (section, row) = (section, row)
    for stage in stages {
      if let id = stage.removed[section]?.id(at: row) { return .named(id) }
      let rank = row - (stage.removed[section]?.count(before: row) ?? 0)
      guard let next = Self.section(section, after: stage), !stage.replaced.contains(next) else {
        return .gone
      }
      section = next
      row = stage.added[section]?.free(rank) ?? rank
    }
    return .here(section: section, row: row)
  }

  /// Whether a section holds a row now that was not in it then.
  ///
  /// - Parameter index: The section's index then; it is still there.
  /// - Returns: Whether it does.
  func hasArrivals(inSection index: Int) -> Bool {
    var now = index
    var arrived: Set<UInt64> = []
    var left: Set<UInt64> = []
    for stage in stages {
      for run in stage.removed[now]?.runs ?? [] {
        for id in run.id..<run.id + UInt64(run.count) where arrived.remove(id) == nil {
          left.insert(id)
        }
      }
      guard let next = Self.section(now, after: stage) else { return true }
      now = next
      if stage.replaced.contains(now) { arrived = [] }
      for run in stage.added[now]?.runs ?? [] {
        for id in run.id..<run.id + UInt64(run.count) where left.remove(id) == nil {
          arrived.insert(id)
        }
      }
    }
    return !arrived.isEmpty
  }
}
