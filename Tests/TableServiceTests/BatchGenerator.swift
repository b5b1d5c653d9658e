import HouseSupport

@testable import TableService

/// Random operations that are mostly possible, some of them not.
struct BatchGenerator {
  var random: SeededRandom
  /// Numbers for the names of new columns.
  var names = 0
  /// One of so many references is to something that is not there.
  var wrong = 60

  mutating func chance(_ count: Int) -> Bool { random.below(count) == 0 }

  mutating func rowRef(_ run: NaiveRun) -> Batch.RowRef {
    if chance(wrong) {
      switch random.below(4) {
      case 0: return .absent
      case 1: return .id(UInt64(random.below(500)) + 1)
      case 2: return .handle(UInt64(random.below(20)))
      default: return .path(RowPath(section: UInt64(random.below(6)), row: 40))
      }
    }
    let handles = run.handles.sorted { $0.key < $1.key }.compactMap { handle, target in
      if case .row = target { handle } else { nil }
    }
    if !handles.isEmpty, chance(4) { return .handle(handles[random.below(handles.count)]) }
    guard run.table.rowCount > 0 else { return .id(1) }
    while true {
      let section = random.below(run.table.sections.count)
      let rows = run.table.sections[section].rows
      if rows.isEmpty { continue }
      let row = random.below(rows.count)
      if run.batch.basis != .absent, chance(2) {
        return .path(RowPath(section: UInt64(section), row: UInt64(row)))
      }
      return .id(rows[row].id)
    }
  }

  mutating func sectionRef(_ run: NaiveRun) -> Batch.SectionRef {
    if chance(wrong) {
      switch random.below(4) {
      case 0: return .absent
      case 1: return .id(UInt64(random.below(500)) + 1)
      case 2: return .handle(UInt64(random.below(20)))
      default: return .index(77)
      }
    }
    let handles = run.handles.sorted { $0.key < $1.key }.compactMap { handle, target in
      if case .section = target { handle } else { nil }
    }
    if !handles.isEmpty, chance(4) { return .handle(handles[random.below(handles.count)]) }
    guard !run.table.sections.isEmpty else { return .id(1) }
    let index = random.below(run.table.sections.count)
    if run.batch.basis != .absent, chance(2) { return .index(UInt64(index)) }
    if let title = run.table.sections[index].title, chance(3) {
      return .title(run.batch.append(text: title))
    }
    return .id(run.table.sections[index].id)
  }

  mutating func place(_ run: NaiveRun) -> Batch.Place {
    switch random.below(6) {
    case 0: return .end
    case 1:
      guard !run.table.sections.isEmpty else { return .end }
      let section = random.below(run.table.sections.count)
      let row = random.below(run.table.sections[section].rows.count + 1)
      return .path(RowPath(section: UInt64(section), row: UInt64(row)))
    case 2: return .before(rowRef(run))
    case 3: return .after(rowRef(run))
    case 4: return .first(of: sectionRef(run))
    default: return .last(of: sectionRef(run))
    }
  }

  mutating func sectionPlace(_ run: NaiveRun) -> Batch.SectionPlace {
    switch random.below(4) {
    case 0: .end
    case 1: .index(UInt64(random.below(run.table.sections.count + 1)))
    case 2: .before(sectionRef(run))
    default: .after(sectionRef(run))
    }
  }

  mutating func cell(_ column: Column, _ run: NaiveRun) -> Batch.Cell {
    let batch = run.batch
    var reference = Batch.ColumnRef.id(column.id)
    if chance(3) {
      let name = chance(2) ? column.name : column.name.uppercased()
      reference = .name(batch.append(text: Array(name.utf8)))
    }
    if chance(wrong) { reference = .id(99) }
    if chance(6), !column.isRequired || chance(20) { return Batch.Cell(reference, .null) }
    if chance(wrong) { return Batch.Cell(reference, .number(.integer, 5)) }
    switch column.kind {
    case .text:
      if chance(wrong) {
        return Batch.Cell(reference, .text(batch.append(text: [0x61, 0xff])))
      }
      if chance(wrong) { return Batch.Cell(reference, .text(batch.append(text: [0x61, 0]))) }
      var text = ["a", "b", "Kettle", "Bär", ""][random.below(5)]
      if column.isUnique { text += "\(random.below(12))" }
      return Batch.Cell(reference, .text(batch.append(text: Array(text.utf8))))
    case .date:
      return Batch.Cell(
        reference, .number(.date, chance(wrong) ? 9_000_000 : Int64(random.below(5))))
    case .boolean: return Batch.Cell(reference, .number(.boolean, Int64(random.below(2))))
    default:
      let range = column.isUnique ? 60 : 4
      return Batch.Cell(reference, .number(column.kind, Int64(random.below(range)) - 1))
    }
  }

  mutating func cells(
    _ run: NaiveRun, key: UInt64? = nil, isInsert: Bool = false
  ) -> Range<Int> {
    var cells: [Batch.Cell] = []
    for column in run.schema.columns {
      let isWanted = isInsert && column.isRequired ? !chance(40) : chance(3)
      guard column.id == key || isWanted else { continue }
      if column.isReadOnly, !chance(8) { continue }
      cells.append(cell(column, run))
      if chance(150) { cells.append(cell(column, run)) }
    }
    cells.shuffle(using: &random)
    let start = run.batch.cells.count
    run.batch.cells += cells
    return start..<run.batch.cells.count
  }

  mutating func newRow(_ run: NaiveRun, key: UInt64? = nil) -> Batch.Row {
    let cells = cells(run, key: key, isInsert: true)
    let handle = chance(3) ? UInt64(random.below(2000)) + 100 : nil
    return Batch.Row(cells: cells, handle: handle)
  }

  mutating func title(_ run: NaiveRun) -> Range<Int>? {
    if chance(4) { return nil }
    let text = ["Kitchen", "Garage", "Attic", "Bath", "Hall", "Cellar"][random.below(6)]
    return run.batch.append(text: Array(text.utf8))
  }

  mutating func condition(_ run: NaiveRun) -> Batch.Condition {
    let row = rowRef(run)
    switch random.below(6) {
    case 0: return .rowExists(row)
    case 1: return .rowAbsent(chance(3) ? row : .id(4000))
    case 2:
      var revision: UInt64 = 1
      if case .id(let id) = row, let place = run.before.find(id), !chance(8) {
        revision = run.before.sections[place.section].rows[place.row].revision
      }
      return .rowRevision(row, revision)
    case 3:
      guard let column = anyColumn(run) else { return .rowExists(row) }
      run.batch.cells.append(cell(column, run))
      return .cellEquals(row, cell: run.batch.cells.count - 1)
    case 4:
      let reference = sectionRef(run)
      var count = UInt64(random.below(4))
      if case .id(let id) = reference {
        count = UInt64(run.table.sections.first { $0.id == id }?.rows.count ?? 0)
      }
      return .sectionCount(reference, count)
    default:
      return .sectionTotal(UInt64(run.table.sections.count + (chance(8) ? 1 : 0)))
    }
  }

  mutating func operation(_ run: NaiveRun) -> Batch.Operation {
    var conditions = 0..<0
    if chance(25) {
      let start = run.batch.conditionList.count
      run.batch.conditionList.append(condition(run))
      conditions = start..<start + 1
    }
    let action = action(run)
    if case .deleteWhere(let filter) = action, chance(3) {
      let start = run.batch.conditionList.count
      let count = run.ids(where: filter).count + (chance(6) ? 1 : 0)
      run.batch.conditionList.append(.matched(UInt64(count)))
      conditions = start..<start + 1
    }
    return Batch.Operation(action, conditions: conditions)
  }

  private mutating func action(_ run: NaiveRun) -> Batch.Action {
    if chance(40) { return columnAction(run) }
    let crowded = run.table.rowCount > 40
    switch random.below(28) {
    case 0...5: return crowded ? .deleteRow(rowRef(run)) : .insertRow(newRow(run), at: place(run))
    case 6, 7: return .deleteRow(rowRef(run))
    case 8...12: return .moveRow(rowRef(run), to: place(run))
    case 13, 14: return .updateRow(rowRef(run), cells: cells(run))
    case 15: return .reloadRow(rowRef(run), cells: chance(2) ? 0..<0 : cells(run))
    case 16, 17:
      if run.table.sections.count > 6 { return .deleteSection(sectionRef(run)) }
      var new = Batch.NewSection(place: sectionPlace(run), title: title(run))
      let start = run.batch.rows.count
      for _ in 0..<random.below(3) { run.batch.rows.append(newRow(run)) }
      new.rows = start..<run.batch.rows.count
      if chance(2) { new.handle = UInt64(random.below(2000)) + 3000 }
      return .insertSection(new)
    case 18: return .deleteSection(sectionRef(run))
    case 19, 20: return .moveSection(sectionRef(run), to: sectionPlace(run))
    case 21: return .retitleSection(sectionRef(run), title: title(run))
    case 22:
      if chance(3) {
        let section = sectionRef(run)
        if chance(2) { return .reloadSection(section, rows: nil) }
        let start = run.batch.rows.count
        for _ in 0..<random.below(3) { run.batch.rows.append(newRow(run)) }
        return .reloadSection(section, rows: start..<run.batch.rows.count)
      }
      guard let column = anyColumn(run) else { return .deleteRow(rowRef(run)) }
      let name = run.batch.append(text: Array(column.name.utf8))
      return .upsert(column: name, row: newRow(run, key: column.id), at: place(run))
    case 23...26: return manyAction(run)
    default: return chance(10) ? .unsupported(18) : .moveRow(rowRef(run), to: place(run))
    }
  }
}
