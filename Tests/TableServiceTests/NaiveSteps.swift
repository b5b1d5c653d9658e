@testable import TableService

/// Undo and redo by whole copies of the table: contract E9 and decision 0021 said in plain arrays.
struct NaiveSteps {
  enum Kind {
    case step, undo, redo, other
  }

  /// A revision, with the table before and after it.
  struct Record {
    var revision: UInt64
    var actor: String
    var kind: Kind
    var target: UInt64
    var before: NaiveTable
    var after: NaiveTable
    /// Rows and sections that were told as moved.
    var movedRows: Set<UInt64>
    var movedSections: Set<UInt64> = []
    /// The revision that did the step last.
    var applied: UInt64
    /// The revision that took it back; 0: it stands.
    var undone: UInt64 = 0
    var undoer = ""
    var diff = Diff()

    /// Whether columns that stayed have another order.
    var movesColumns: Bool {
      let (old, new) = (before.columns.map(\.id), after.columns.map(\.id))
      return old.filter { new.contains($0) } != new.filter { old.contains($0) }
    }

    /// Whether a unique column comes back with its inverse.
    var bringsUnique: Bool {
      before.columns.contains { column in
        column.isUnique && !after.columns.contains { $0.id == column.id }
      }
    }
  }

  /// What is expected of an undo or a redo.
  enum Expected: Equatable {
    case nothing
    case notOwn
    case conflict
    case table(NaiveTable)
    /// Columns were changed before and after: only the rules of any table hold.
    case unjudged
  }

  var records: [UInt64: Record] = [:]
  var order: [UInt64] = []
  var lastStep: [String: UInt64] = [:]
  /// What rows have in columns that are dropped.
  var hidden: [UInt64: [UInt64: CellValue]] = [:]

  // What was done

  mutating func note(_ record: Record) {
    var record = record
    switch record.kind {
    case .step: lastStep[record.actor] = record.revision
    case .undo:
      records[record.target]?.undone = record.revision
      records[record.target]?.undoer = record.actor
    case .redo:
      records[record.target]?.undone = 0
      records[record.target]?.applied = record.revision
    case .other: break
    }
    record.applied = record.revision
    record.diff = Diff(record)
    // Rows come back with what they had in columns that are dropped by now.
    if record.kind != .step {
      for id in record.diff.inserted {
        guard let removal = order.last(where: { records[$0]?.diff.deleted.contains(id) == true }),
          let old = records[removal]?.before, let row = old.row(id)
        else { continue }
        for column in old.columns
        where !record.after.columns.contains(where: { $0.id == column.id }) {
          hidden[id, default: [:]][column.id] = row.cells[column.id]
        }
      }
    }
    records[record.revision] = record
    order.append(record.revision)
    for column in record.before.columns
    where !record.after.columns.contains(where: { $0.id == column.id }) {
      for row in record.before.sections.flatMap(\.rows) {
        hidden[row.id, default: [:]][column.id] = row.cells[column.id]
      }
    }
  }

  // Which step

  func choose(
    isRedo: Bool, _ actor: String, step: UInt64?, any: Bool
  ) -> Result<Record, Refused> {
    func mayRedo(_ record: Record) -> Bool {
      record.kind == .step && record.undone > lastStep[record.undoer, default: 0]
    }
    if let step {
      guard let record = records[step], record.kind == .step else { return .failure(.nothing) }
      if isRedo {
        guard record.undone != 0 else { return .failure(.nothing) }
        guard any || record.undoer == actor || record.actor == actor else {
          return .failure(.notOwn)
        }
        return mayRedo(record) ? .success(record) : .failure(.nothing)
      }
      guard record.undone == 0 else { return .failure(.nothing) }
      return any || record.actor == actor ? .success(record) : .failure(.notOwn)
    }
    let found =
      isRedo
      ? records.values.filter { mayRedo($0) && (any || $0.undoer == actor) }
        .max { $0.undone < $1.undone }
      : records.values.filter { $0.kind == .step && $0.undone == 0 && (any || $0.actor == actor) }
        .max { $0.applied < $1.applied }
    return found.map { .success($0) } ?? .failure(.nothing)
  }

  enum Refused: Error {
    case nothing, notOwn
  }

  /// The steps that count and came after a revision.
  func later(than revision: UInt64) -> [Record] {
    order.compactMap { records[$0] }.filter {
      $0.revision > revision && $0.kind == .step && $0.undone == 0
    }
  }

  /// Whether what came after a revision was taken back, so that the table is as it was then.
  func isAsAfter(_ revision: UInt64) -> Bool {
    var standing: Set<UInt64> = []
    var then: Set<UInt64>?
    for number in order {
      guard let record = records[number] else { continue }
      switch record.kind {
      case .step: standing.insert(number)
      case .undo: standing.remove(record.target)
      case .redo: standing.insert(record.target)
      case .other: break
      }
      if number == revision { then = standing }
    }
    return then == standing
  }

  // The inverse

  func expected(
    isRedo: Bool, _ actor: String, step: UInt64?, any: Bool, now: NaiveTable
  ) -> Expected {
    switch choose(isRedo: isRedo, actor, step: step, any: any) {
    case .failure(.nothing): return .nothing
    case .failure(.notOwn): return .notOwn
    case .success(let found):
      guard let record = records[isRedo ? found.undone : found.applied] else { return .nothing }
      return inverse(of: record, actor, now)
    }
  }

  private func inverse(of record: Record, _ actor: String, _ now: NaiveTable) -> Expected {
    let later = later(than: record.revision)
    let (before, left) = (record.before, record.after)
    var result = now
    var added: Set<UInt64> = []
    if before.columns != left.columns {
      guard now.columns == left.columns else { return .unjudged }
      added = Set(left.columns.map(\.id)).subtracting(before.columns.map(\.id))
      for step in later where step.actor != actor && step.before.columns != step.after.columns {
        for column in step.after.columns where added.contains(column.id) {
          let old = step.before.columns.first { $0.id == column.id }
          if let old, old != column { return .conflict }
        }
        // Which column of two was moved is not told.
        if step.movesColumns { return .unjudged }
      }
      for column in left.columns where added.contains(column.id) {
        for row in now.sections.flatMap(\.rows) {
          guard let value = row.cells[column.id], value != column.fill else { continue }
          if left.row(row.id)?.cells[column.id] != value { return .conflict }
        }
      }
      result = result.projected(to: before.columns)
      for column in before.columns where !left.columns.contains(where: { $0.id == column.id }) {
        for section in result.sections.indices {
          for row in result.sections[section].rows.indices {
            let id = result.sections[section].rows[row].id
            result.sections[section].rows[row].cells[column.id] =
              hidden[id]?[column.id] ?? column.fill
          }
        }
      }
    }
    let places = record.diff
    guard judge(places, record, now, actor, later, added) else { return .conflict }
    // Cells.
    for id in places.updated {
      guard let place = result.find(id), let old = before.row(id) else { return .conflict }
      for (column, value) in changes(record, id) where !added.contains(column) {
        guard result.columns.contains(where: { $0.id == column }) else { continue }
        _ = value
        result.sections[place.section].rows[place.row].cells[column] =
          old.cells[column] ?? result.columns.first { $0.id == column }?.fill
      }
    }
    let placedLater = Self.placed(later)
    restore(places, record, now, placedLater, &result)
    for id in places.insertedSections {
      guard let index = result.sections.firstIndex(where: { $0.id == id }) else { continue }
      if !result.sections[index].rows.isEmpty { return .conflict }
      result.sections.remove(at: index)
    }
    for section in result.sections.indices {
      let id = result.sections[section].id
      guard let old = before.section(id), let new = left.section(id), old.title != new.title
      else { continue }
      result.sections[section].title = old.title
    }
    return result.isSound ? .table(result) : .conflict
  }

  /// Which cells of a row a revision changed, and what it left there.
  private func changes(_ record: Record, _ id: UInt64) -> [(UInt64, CellValue?)] {
    guard let old = record.before.projected(to: record.after.columns).row(id),
      let new = record.after.row(id)
    else { return [] }
    return record.after.columns.map(\.id).filter { old.cells[$0] != new.cells[$0] }
      .map { ($0, new.cells[$0]) }
  }

  private func judge(
    _ places: Diff, _ record: Record, _ now: NaiveTable, _ actor: String, _ later: [Record],
    _ added: Set<UInt64>
  ) -> Bool {
    for id in places.inserted.union(places.moved) {
      guard now.find(id) != nil else { return false }
      for step in later where step.actor != actor {
        let touched = step.diff
        if touched.placed.contains(id) || touched.updated.contains(id) { return false }
      }
    }
    for id in places.deleted where now.find(id) != nil { return false }
    for id in places.deleted.union(places.moved) {
      guard let home = record.before.home(of: id) else { return false }
      if now.section(home) == nil, !places.deletedSections.contains(home) { return false }
    }
    for id in places.updated {
      guard let row = now.row(id) else { return false }
      for (column, left) in changes(record, id) where !added.contains(column) {
        guard now.columns.contains(where: { $0.id == column }) else { return false }
        if row.cells[column] != left { return false }
      }
    }
    for id in places.insertedSections.union(places.movedSections) where now.section(id) == nil {
      return false
    }
    for step in later where step.actor != actor {
      let touched = step.diff.placedSections.union(step.diff.retitledSections)
      if !touched.isDisjoint(with: places.insertedSections) { return false }
      if !step.diff.placedSections.isDisjoint(with: places.movedSections) { return false }
    }
    for id in places.deletedSections where now.section(id) != nil { return false }
    for section in record.before.sections {
      guard let left = record.after.section(section.id), left.title != section.title else {
        continue
      }
      guard let now = now.section(section.id), now.title == left.title else { return false }
    }
    return true
  }

  /// Rows and sections that steps placed.
  private static func placed(_ steps: [Record]) -> (rows: Set<UInt64>, sections: Set<UInt64>) {
    var placed: (rows: Set<UInt64>, sections: Set<UInt64>) = ([], [])
    for step in steps {
      let diff = step.diff
      placed.rows.formUnion(diff.placed)
      placed.sections.formUnion(diff.placedSections)
    }
    return placed
  }

  /// The nearest element before an old place that stands where it stood, found as decision 0021
  /// says: from the one that stayed, over those before *its* old places.
  private func anchor(
    behind id: UInt64, _ record: Record, list: (NaiveTable) -> [UInt64],
    placed: (Diff) -> Set<UInt64>, _ now: NaiveTable, _ later: Set<UInt64>
  ) -> UInt64? {
    func before(_ id: UInt64, in step: Record) -> UInt64? {
      let moved = placed(step.diff)
      return list(step.before).prefix { $0 != id }.last { !moved.contains($0) }
    }
    let own = placed(record.diff)
    var element = before(id, in: record)
    var moment = record.revision
    var walks = false
    while let one = element {
      let stands = list(now).contains(one)
      if stands, !own.contains(one), !later.contains(one) { return one }
      let next = order.lazy.compactMap { self.records[$0] }.first {
        $0.revision > moment && placed($0.diff).contains(one)
      }
      if !walks, let next {
        guard list(next.before).contains(one) else { return nil }
        element = before(one, in: next)
        moment = next.revision
      } else {
        walks = true
        element = stands ? list(now).prefix { $0 != one }.last : nil
      }
    }
    return nil
  }

  private func restore(
    _ places: Diff, _ record: Record, _ now: NaiveTable,
    _ later: (rows: Set<UInt64>, sections: Set<UInt64>), _ result: inout NaiveTable
  ) {
    let before = record.before
    let back = result
    // Sections first: those that come back are empty for now.
    var sections = result.sections.filter { !places.movedSections.contains($0.id) }
    let homes = before.sections.filter {
      places.movedSections.contains($0.id) || places.deletedSections.contains($0.id)
    }
    var used: [UInt64: Int] = [:]
    for home in homes {
      let anchor = anchor(
        behind: home.id, record, list: { $0.sections.map(\.id) }, placed: \.placedSections, now,
        later.sections)
      let base = anchor.flatMap { one in sections.firstIndex { $0.id == one } }.map { $0 + 1 }
      let place = (base ?? 0) + used[anchor ?? 0, default: 0]
      used[anchor ?? 0, default: 0] += 1
      sections.insert(
        back.section(home.id) ?? NaiveTable.Section(id: home.id, title: home.title), at: place)
    }
    result.sections = sections
    // Rows that leave.
    for index in result.sections.indices {
      result.sections[index].rows.removeAll {
        places.inserted.contains($0.id) || places.moved.contains($0.id)
      }
    }
    let shown = before.projected(to: result.columns)
    for home in before.sections {
      guard let index = result.sections.firstIndex(where: { $0.id == home.id }) else { continue }
      var used: [UInt64: Int] = [:]
      for row in home.rows
      where places.deleted.contains(row.id) || places.moved.contains(row.id) {
        let anchor = anchor(
          behind: row.id, record, list: { $0.section(home.id)?.rows.map(\.id) ?? [] },
          placed: \.placed, now, later.rows)
        let base = anchor.flatMap { one in
          result.sections[index].rows.firstIndex { $0.id == one }
        }
        let at = (base.map { $0 + 1 } ?? 0) + used[anchor ?? 0, default: 0]
        used[anchor ?? 0, default: 0] += 1
        var value = back.row(row.id) ?? shown.row(row.id) ?? row
        if places.deleted.contains(row.id) {
          for column in result.columns {
            let isKnown = before.columns.contains { $0.id == column.id }
            let cell = isKnown ? row.cells[column.id] : hidden[row.id]?[column.id]
            value.cells[column.id] = cell ?? column.fill
          }
        }
        result.sections[index].rows.insert(value, at: at)
      }
    }
  }

  /// What a revision did.
  struct Diff {
    var inserted: Set<UInt64> = []
    var deleted: Set<UInt64> = []
    var moved: Set<UInt64> = []
    var updated: Set<UInt64> = []
    var insertedSections: Set<UInt64> = []
    var deletedSections: Set<UInt64> = []
    var movedSections: Set<UInt64> = []
    var retitledSections: Set<UInt64> = []

    var placed: Set<UInt64> { inserted.union(deleted).union(moved) }
    var placedSections: Set<UInt64> {
      insertedSections.union(deletedSections).union(movedSections)
    }

    init() {}

    init(_ record: Record) {
      let old = Set(record.before.sections.flatMap(\.rows).map(\.id))
      let new = Set(record.after.sections.flatMap(\.rows).map(\.id))
      inserted = new.subtracting(old)
      deleted = old.subtracting(new)
      moved = record.movedRows
      let oldSections = Set(record.before.sections.map(\.id))
      let newSections = Set(record.after.sections.map(\.id))
      insertedSections = newSections.subtracting(oldSections)
      deletedSections = oldSections.subtracting(newSections)
      movedSections = record.movedSections
      for section in record.after.sections {
        guard let old = record.before.section(section.id) else { continue }
        if old.title != section.title { retitledSections.insert(section.id) }
      }
      let shown = record.before.projected(to: record.after.columns)
      for row in record.after.sections.flatMap(\.rows) {
        guard let before = shown.row(row.id), before.cells != row.cells else { continue }
        // Cells of a column that came back were there all the time.
        if before.revision != row.revision { updated.insert(row.id) }
      }
    }
  }
}

extension NaiveTable {
  func row(_ id: UInt64) -> Row? { find(id).map { sections[$0.section].rows[$0.row] } }

  func section(_ id: UInt64) -> Section? { sections.first { $0.id == id } }

  func home(of id: UInt64) -> UInt64? { find(id).map { sections[$0.section].id } }

  /// Whether unique columns are, and required ones have values.
  var isSound: Bool {
    for column in columns {
      let values = sections.flatMap(\.rows).map { $0.cells[column.id] }
      if column.isRequired, values.contains(nil) { return false }
      let known = values.compactMap(\.self)
      if column.isUnique, Set(known).count != known.count { return false }
    }
    return true
  }

  /// Where another table differs first, for people.
  func difference(from other: NaiveTable) -> String {
    if columns != other.columns {
      return "columns \(columns.map(\.name)) \(other.columns.map(\.name))"
    }
    let (ours, theirs) = (sections.map(\.id), other.sections.map(\.id))
    if ours != theirs { return "sections \(ours) \(theirs)" }
    for (one, two) in zip(sections, other.sections) where one != two {
      if one.title != two.title { return "titles of \(one.id)" }
      let (ours, theirs) = (one.rows.map(\.id), two.rows.map(\.id))
      if ours != theirs { return "rows of \(one.id): \(ours) \(theirs)" }
      for (row, twin) in zip(one.rows, two.rows) where row != twin {
        let columns = columns.map(\.id).filter { row.cells[$0] != twin.cells[$0] }
        return "row \(row.id): "
          + columns.map {
            "\($0): \(String(describing: row.cells[$0])) \(String(describing: twin.cells[$0]))"
          }
          .joined(separator: ", ")
      }
    }
    return "nothing"
  }

  /// The same without the revisions of rows.
  var unstamped: NaiveTable {
    var copy = self
    for section in copy.sections.indices {
      for row in copy.sections[section].rows.indices {
        copy.sections[section].rows[row].revision = 0
      }
    }
    return copy
  }

  /// What an engine's table shows.
  init(_ table: Table) {
    columns = table.schema.columns
    for index in 0..<table.sectionCount {
      let slot = table.sections[Int(table.sectionOrder.element(table.sectionRoot, at: index))]
      var section = Section(id: slot.record.id, title: slot.record.title)
      table.order.forEach(slot.root, from: 0) { row in
        table.withShown(row) { image in
          var cells: [UInt64: CellValue] = [:]
          RowImage.forEachCell(of: image) { cells[$0] = $1 }
          section.rows.append(
            Row(id: RowImage.id(of: image), revision: RowImage.revision(of: image), cells: cells))
        }
        return true
      }
      sections.append(section)
    }
  }
}
