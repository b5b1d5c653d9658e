@testable import TableService

/// A table of plain arrays that a `Table` is held against.
struct NaiveTable: Equatable {
  struct Row: Equatable {
    var id: UInt64
    var revision: UInt64
    var cells: [UInt64: CellValue]
  }
  struct Section: Equatable {
    var id: UInt64
    var title: [UInt8]?
    var rows: [Row] = []
  }

  var columns: [Column] = []
  var sections: [Section] = []

  /// The same rows as other columns show them: no dropped cells, fills where there is no value.
  func projected(to columns: [Column]) -> NaiveTable {
    if columns == self.columns { return self }
    var result = self
    result.columns = columns
    for section in sections.indices {
      for row in sections[section].rows.indices {
        let old = sections[section].rows[row].cells
        var cells: [UInt64: CellValue] = [:]
        for column in columns { cells[column.id] = old[column.id] ?? column.fill }
        result.sections[section].rows[row].cells = cells
      }
    }
    return result
  }

  func find(_ id: UInt64) -> (section: Int, row: Int)? {
    for (section, content) in sections.enumerated() {
      if let row = content.rows.firstIndex(where: { $0.id == id }) { return (section, row) }
    }
    return nil
  }

  var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// As a client's copy.
  var copy: NaiveCopy {
    var copy = NaiveCopy()
    copy.columns = columns
    for section in sections {
      copy.sections.append(
        NaiveCopy.Section(
          id: section.id, title: section.title.map { String(decoding: $0, as: UTF8.self) },
          rows: section.rows.map(\.id)))
      for row in section.rows {
        copy.images[row.id] = RowImage.make(
          id: row.id, revision: row.revision,
          cells: row.cells.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) })
      }
    }
    return copy
  }
}

/// A batch in progress on a `NaiveTable`.
struct NaiveRun {
  struct Refusal: Error, Equatable {
    var code: TableFault.Code
  }
  enum Handle {
    case row(UInt64)
    case section(UInt64)
  }

  var schema: Schema
  let before: NaiveTable
  var table: NaiveTable
  var nextRow: UInt64
  var nextSection: UInt64
  let context: ChangeContext
  let batch: Batch
  var handles: [UInt64: Handle] = [:]
  var namedRows: Set<UInt64> = []
  var namedSections: Set<UInt64> = []
  var reloadedRows: Set<UInt64> = []
  var reloadedSections: Set<UInt64> = []
  var nextColumn: UInt64 = 1
  /// Rows that got another row's value in a unique column, with the operation.
  var suspects: [(row: UInt64, column: UInt64, operation: Int)] = []
  var wantedMatches: Int?
  var matched = 0

  func row(_ reference: Batch.RowRef) throws(Refusal) -> (section: Int, row: Int) {
    switch reference {
    case .absent: throw Refusal(code: .badRequest)
    case .id(let id):
      guard let place = table.find(id) else { throw Refusal(code: .noSuchRow) }
      return place
    case .handle(let handle):
      guard case .row(let id)? = handles[handle] else { throw Refusal(code: .noSuchHandle) }
      guard let place = table.find(id) else { throw Refusal(code: .noSuchRow) }
      return place
    case .path(let path):
      if batch.basis == .absent { throw Refusal(code: .pathsNeedBasis) }
      guard path.section < table.sections.count,
        path.row < table.sections[Int(path.section)].rows.count
      else { throw Refusal(code: .outOfRange) }
      return (Int(path.section), Int(path.row))
    }
  }

  func section(_ reference: Batch.SectionRef) throws(Refusal) -> Int {
    switch reference {
    case .absent: throw Refusal(code: .badRequest)
    case .id(let id):
      guard let index = table.sections.firstIndex(where: { $0.id == id }) else {
        throw Refusal(code: .noSuchSection)
      }
      return index
    case .title(let range):
      let title = Array(batch.text[range])
      let found = table.sections.indices.filter { table.sections[$0].title == title }
      guard let first = found.first else { throw Refusal(code: .noSuchSection) }
      if found.count > 1 { throw Refusal(code: .ambiguous) }
      return first
    case .handle(let handle):
      guard case .section(let id)? = handles[handle] else { throw Refusal(code: .noSuchHandle) }
      return try section(.id(id))
    case .index(let index):
      if batch.basis == .absent { throw Refusal(code: .pathsNeedBasis) }
      guard index < table.sections.count else { throw Refusal(code: .outOfRange) }
      return Int(index)
    }
  }

  mutating func spot(
    _ place: Batch.Place, moving: UInt64? = nil
  ) throws(Refusal) -> (section: Int, row: Int) {
    switch place {
    case .end:
      if table.sections.isEmpty { addSection(nil, at: 0) }
      return (table.sections.count - 1, table.sections[table.sections.count - 1].rows.count)
    case .path(let path):
      if batch.basis == .absent { throw Refusal(code: .pathsNeedBasis) }
      guard path.section < table.sections.count,
        path.row <= table.sections[Int(path.section)].rows.count
      else { throw Refusal(code: .outOfRange) }
      return (Int(path.section), Int(path.row))
    case .before(let reference): return try row(reference)
    case .after(let reference):
      let place = try row(reference)
      return (place.section, place.row + 1)
    case .first(let reference): return (try section(reference), 0)
    case .last(let reference):
      let index = try section(reference)
      return (index, table.sections[index].rows.count)
    }
  }

  private mutating func addSection(_ title: [UInt8]?, at index: Int) {
    table.sections.insert(NaiveTable.Section(id: nextSection, title: title), at: index)
    nextSection += 1
  }

  func cells(
    _ range: Range<Int>, admitsNull: Bool = false
  ) throws(Refusal) -> [UInt64: CellValue?] {
    var result: [UInt64: CellValue?] = [:]
    for cell in batch.cells[range] {
      let column: Column
      switch cell.column {
      case .id(let id):
        guard let found = schema.columns.first(where: { $0.id == id }) else {
          throw Refusal(code: .noSuchColumn)
        }
        column = found
      case .name(let range):
        let name = String(decoding: batch.text[range], as: UTF8.self).lowercased()
        guard let found = schema.columns.first(where: { $0.name.lowercased() == name }) else {
          throw Refusal(code: .noSuchColumn)
        }
        column = found
      }
      var value: CellValue?
      switch cell.value {
      case .null: if column.isRequired, !admitsNull { throw Refusal(code: .required) }
      case .text(let range):
        let bytes = Array(batch.text[range])
        if column.kind != .text { throw Refusal(code: .wrongKind) }
        if bytes.count > 65_536 { throw Refusal(code: .textTooLong) }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
          throw Refusal(code: .badText)
        }
        value = .text(bytes)
      case .number(let kind, let number):
        if column.kind != kind { throw Refusal(code: .wrongKind) }
        if kind == .date, number > 2_932_896 { throw Refusal(code: .badValue) }
        value = CellValue(kind: kind, number: number)
      }
      if result[column.id] != nil { throw Refusal(code: .duplicateColumn) }
      result[column.id] = .some(value)
    }
    return result
  }

  private mutating func insert(
    _ row: Batch.Row, _ given: [UInt64: CellValue?], at spot: (section: Int, row: Int)
  ) throws(Refusal) {
    var cells: [UInt64: CellValue] = [:]
    for column in schema.columns {
      if let value = given[column.id] {
        cells[column.id] = value
      } else if column.defaultsToNow {
        cells[column.id] = .timestamp(context.time)
      } else {
        cells[column.id] = column.defaultValue
      }
      if column.isRequired, cells[column.id] == nil { throw Refusal(code: .required) }
    }
    table.sections[spot.section].rows.insert(
      NaiveTable.Row(id: nextRow, revision: context.revision, cells: cells), at: spot.row)
    if let handle = row.handle {
      guard handles.updateValue(.row(nextRow), forKey: handle) == nil else {
        throw Refusal(code: .badRequest)
      }
    }
    nextRow += 1
  }

  mutating func update(
    _ place: (section: Int, row: Int), _ given: [UInt64: CellValue?]
  ) throws(Refusal) {
    let old = table.sections[place.section].rows[place.row]
    var new = old
    for (id, value) in given {
      let isReadOnly = schema.columns.first { $0.id == id }?.isReadOnly ?? false
      if isReadOnly, old.cells[id] != value { throw Refusal(code: .readOnly) }
      new.cells[id] = value
    }
    if new.cells != old.cells { new.revision = context.revision }
    table.sections[place.section].rows[place.row] = new
  }

  private mutating func take(_ place: (section: Int, row: Int)) -> NaiveTable.Row {
    let row = table.sections[place.section].rows.remove(at: place.row)
    namedRows.insert(row.id)
    return row
  }

  mutating func judge(_ condition: Batch.Condition) throws(Refusal) {
    switch condition {
    case .rowExists(let reference): _ = try row(reference)
    case .rowAbsent(let reference):
      do throws(Refusal) { _ = try row(reference) } catch {
        if error.code == .noSuchRow || error.code == .outOfRange { return }
        throw error
      }
      throw Refusal(code: .rowExists)
    case .rowRevision(let reference, let revision):
      let place = try row(reference)
      let id = table.sections[place.section].rows[place.row].id
      guard let old = before.find(id),
        before.sections[old.section].rows[old.row].revision == revision
      else { throw Refusal(code: .stale) }
    case .cellEquals(let reference, let cell):
      let place = try row(reference)
      let given = try cells(cell..<cell + 1, admitsNull: true)
      for (id, value) in given
      where table.sections[place.section].rows[place.row].cells[id] != value {
        throw Refusal(code: .conflict)
      }
    case .sectionCount(let reference, let count):
      guard table.sections[try section(reference)].rows.count == count else {
        throw Refusal(code: .countRows)
      }
    case .sectionTotal(let count):
      guard table.sections.count == count else { throw Refusal(code: .countSections) }
    case .matched(let count): wantedMatches = Int(count)
    }
  }

  mutating func apply(_ operation: Batch.Operation) throws(Refusal) {
    wantedMatches = nil
    for condition in operation.conditions { try judge(batch.conditionList[condition]) }
    if wantedMatches != nil, !operation.action.matches { throw Refusal(code: .badRequest) }
    switch operation.action {
    case .insertRow(let row, let place):
      let spot = try spot(place)
      try insert(row, try cells(row.cells), at: spot)
    case .deleteRow(let reference): _ = take(try row(reference))
    case .moveRow(let reference, let place): try move(try row(reference), place)
    case .updateRow(let reference, let range):
      let place = try row(reference)
      try update(place, try cells(range))
    case .reloadRow(let reference, let range):
      let place = try row(reference)
      if !range.isEmpty { try update(place, try cells(range)) }
      reloadedRows.insert(table.sections[place.section].rows[place.row].id)
    case .upsert(let name, let row, let place): try upsert(name, row, place)
    case .insertSection(let new): try insert(new)
    case .deleteSection(let reference):
      let index = try section(reference)
      for row in table.sections[index].rows { namedRows.insert(row.id) }
      namedSections.insert(table.sections.remove(at: index).id)
    case .moveSection(let reference, let place): try move(section: try section(reference), place)
    case .retitleSection(let reference, let title):
      let index = try section(reference)
      table.sections[index].title = try self.title(title)
    case .reloadSection(let reference, let rows):
      let index = try section(reference)
      reloadedSections.insert(table.sections[index].id)
      guard let rows else { return }
      for row in table.sections[index].rows { namedRows.insert(row.id) }
      table.sections[index].rows = []
      for (offset, row) in rows.enumerated() {
        let row = batch.rows[row]
        try insert(row, try cells(row.cells), at: (index, offset))
      }
    case .addColumn, .renameColumn, .moveColumn, .dropColumn:
      try applyToColumns(operation.action)
    case .moveMany(let selection, let place): try move(selection, to: place)
    case .deleteWhere(let filter): try delete(where: filter)
    case .updateWhere(let filter, let cells): try update(where: filter, cells)
    case .addToCell(let reference, let amount, let floor, let ceiling):
      try add(amount, to: reference, floor, ceiling)
    case .sortSection(let reference, let keys): try sort(reference, by: keys)
    case .setHeaderFooter, .setPolicy, .unsupported: throw Refusal(code: .unsupported)
    }
  }

  private func title(_ range: Range<Int>?) throws(Refusal) -> [UInt8]? {
    guard let range else { return nil }
    if range.count > 4096 { throw Refusal(code: .textTooLong) }
    return Array(batch.text[range])
  }

  private mutating func move(
    _ from: (section: Int, row: Int), _ place: Batch.Place
  ) throws(Refusal) {
    switch place {
    case .before(let reference), .after(let reference):
      let anchor = try row(reference)
      if anchor == from { return }
      let id = table.sections[anchor.section].rows[anchor.row].id
      let row = take(from)
      guard let spot = table.find(id) else { throw Refusal(code: .noSuchRow) }
      let step = if case .after = place { 1 } else { 0 }
      table.sections[spot.section].rows.insert(row, at: spot.row + step)
    case .path(let path):
      if batch.basis == .absent { throw Refusal(code: .pathsNeedBasis) }
      guard path.section < table.sections.count else { throw Refusal(code: .outOfRange) }
      let row = take(from)
      guard path.row <= table.sections[Int(path.section)].rows.count else {
        throw Refusal(code: .outOfRange)
      }
      table.sections[Int(path.section)].rows.insert(row, at: Int(path.row))
    case .end:
      table.sections[table.sections.count - 1].rows.append(take(from))
    case .first(let reference):
      let index = try section(reference)
      table.sections[index].rows.insert(take(from), at: 0)
    case .last(let reference):
      let index = try section(reference)
      table.sections[index].rows.append(take(from))
    }
  }

  private mutating func upsert(
    _ name: Range<Int>, _ row: Batch.Row, _ place: Batch.Place
  ) throws(Refusal) {
    let name = String(decoding: batch.text[name], as: UTF8.self).lowercased()
    guard let column = schema.columns.first(where: { $0.name.lowercased() == name }) else {
      throw Refusal(code: .noSuchColumn)
    }
    let given = try cells(row.cells)
    guard let key = given[column.id], let key else { throw Refusal(code: .required) }
    var found: [(section: Int, row: Int)] = []
    for (section, content) in table.sections.enumerated() {
      for (index, row) in content.rows.enumerated() where row.cells[column.id] == key {
        found.append((section, index))
      }
    }
    if found.count > 1 { throw Refusal(code: .ambiguous) }
    guard let place = found.first else {
      let spot = try spot(place)
      return try insert(row, given, at: spot)
    }
    try update(place, given)
    if let handle = row.handle {
      let id = table.sections[place.section].rows[place.row].id
      guard handles.updateValue(.row(id), forKey: handle) == nil else {
        throw Refusal(code: .badRequest)
      }
    }
  }

  private func sectionSpot(_ place: Batch.SectionPlace) throws(Refusal) -> Int {
    switch place {
    case .end: return table.sections.count
    case .index(let index):
      if batch.basis == .absent { throw Refusal(code: .pathsNeedBasis) }
      guard index <= table.sections.count else { throw Refusal(code: .outOfRange) }
      return Int(index)
    case .before(let reference): return try section(reference)
    case .after(let reference): return try section(reference) + 1
    }
  }

  private mutating func insert(_ new: Batch.NewSection) throws(Refusal) {
    let index = try sectionSpot(new.place)
    let id = nextSection
    addSection(try title(new.title), at: index)
    if let handle = new.handle {
      guard handles.updateValue(.section(id), forKey: handle) == nil else {
        throw Refusal(code: .badRequest)
      }
    }
    for (offset, row) in new.rows.enumerated() {
      let row = batch.rows[row]
      try insert(row, try cells(row.cells), at: (index, offset))
    }
  }

  private mutating func move(
    section from: Int, _ place: Batch.SectionPlace
  ) throws(Refusal) {
    switch place {
    case .before(let reference), .after(let reference):
      let anchor = try section(reference)
      if anchor == from { return }
      let id = table.sections[anchor].id
      let section = table.sections.remove(at: from)
      namedSections.insert(section.id)
      guard let index = table.sections.firstIndex(where: { $0.id == id }) else {
        throw Refusal(code: .noSuchSection)
      }
      let step = if case .after = place { 1 } else { 0 }
      table.sections.insert(section, at: index + step)
    case .end, .index:
      let section = table.sections.remove(at: from)
      namedSections.insert(section.id)
      table.sections.insert(section, at: try sectionSpot(place))
    }
  }

  /// Gives rows whose cells are what they were their old revision back (contract E7).
  mutating func settle() {
    let before = before.projected(to: table.columns)
    for section in table.sections.indices {
      for row in table.sections[section].rows.indices {
        let new = table.sections[section].rows[row]
        guard let place = before.find(new.id) else { continue }
        let old = before.sections[place.section].rows[place.row]
        if old.cells == new.cells { table.sections[section].rows[row] = old }
      }
    }
  }

  /// Whether there is nothing to tell (contract E6).
  var isUnchanged: Bool {
    table == before && !reloadedRows.contains { table.find($0) != nil && before.find($0) != nil }
      && !reloadedSections.contains { id in
        table.sections.contains { $0.id == id } && before.sections.contains { $0.id == id }
      }
  }

  /// The rows that must be told as moved, by pairs (contract E10).
  var movedRows: Set<UInt64> {
    var moved: Set<UInt64> = []
    for id in namedRows {
      guard let old = before.find(id), let new = table.find(id) else { continue }
      let (from, to) = (before.sections[old.section], table.sections[new.section])
      if from.id != to.id {
        moved.insert(id)
        continue
      }
      for (index, other) in from.rows.enumerated() where other.id != id {
        guard let now = to.rows.firstIndex(where: { $0.id == other.id }) else { continue }
        if (index < old.row) != (now < new.row) { moved.insert(id) }
      }
    }
    return moved
  }

  /// The sections that must be told as moved, by pairs.
  var movedSections: Set<UInt64> {
    var moved: Set<UInt64> = []
    for id in namedSections {
      guard let old = before.sections.firstIndex(where: { $0.id == id }),
        let new = table.sections.firstIndex(where: { $0.id == id })
      else { continue }
      for (index, other) in before.sections.enumerated() where other.id != id {
        guard let now = table.sections.firstIndex(where: { $0.id == other.id }) else { continue }
        if (index < old) != (now < new) { moved.insert(id) }
      }
    }
    return moved
  }
}
