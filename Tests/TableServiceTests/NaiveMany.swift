@testable import TableService

extension RowFilter {
  /// Judges plain cells, node by node; texts are folded as ASCII.
  func takes(_ cells: [UInt64: CellValue], _ schema: Schema) -> Bool {
    if nodes.isEmpty { return true }
    var stack: [Bool] = []
    for node in nodes {
      switch node.operation {
      case .and?:
        let top = stack.removeLast()
        stack[stack.count - 1] = stack[stack.count - 1] && top
      case .or?:
        let top = stack.removeLast()
        stack[stack.count - 1] = stack[stack.count - 1] || top
      case .not?: stack[stack.count - 1].toggle()
      default:
        let column = schema.columns.first { $0.name == node.column }
        stack.append(node.takes(column.flatMap { cells[$0.id] }))
      }
    }
    return stack[0]
  }
}

extension RowFilter.Node {
  fileprivate func takes(_ cell: CellValue?) -> Bool {
    guard let cell else { return operation == .isNull }
    for value in values {
      guard let value else { continue }
      switch (operation, cell, value) {
      case (.equal, _, _), (.oneOf, _, _): if cell == value { return true }
      case (.notEqual, _, _): if cell != value { return true }
      case (.contains, .text(let text), .text(let part)):
        let (text, part) = (Self.lower(text), Self.lower(part))
        for start in 0...text.count where text[start...].starts(with: part) { return true }
      case (.less?, .text(let text), .text(let other)):
        if text.lexicographicallyPrecedes(other) { return true }
      case (.less?, _, _): if cell.number < value.number { return true }
      default: break
      }
    }
    return false
  }

  private static func lower(_ text: [UInt8]) -> [UInt8] {
    Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
  }
}

/// Operations on many rows, in the plainest way.
extension NaiveRun {
  /// The ids that a filter takes, in order.
  func ids(where filter: Int) -> [UInt64] {
    table.sections.flatMap(\.rows).filter { batch.filters[filter].takes($0.cells, schema) }
      .map(\.id)
  }

  mutating func noteMatches(_ count: Int) throws(Refusal) {
    matched += count
    if let wanted = wantedMatches, wanted != count { throw Refusal(code: .countMatched) }
  }

  mutating func move(
    _ selection: Batch.Selection, to place: Batch.Place
  ) throws(Refusal) {
    var moved: [UInt64] = []
    switch selection {
    case .filter(let filter): moved = ids(where: filter)
    case .ids(let range): moved = Array(batch.ids[range])
    case .run(let run): moved = (0..<run.count).map { run.first + $0 }
    }
    for (index, id) in moved.enumerated() {
      guard table.find(id) != nil else { throw Refusal(code: .noSuchRow) }
      if moved[..<index].contains(id) { throw Refusal(code: .badRequest) }
    }
    try noteMatches(moved.count)
    var anchor: UInt64?
    let isAfter = if case .after = place { true } else { false }
    switch place {
    case .before(let reference), .after(let reference):
      let place = try row(reference)
      anchor = table.sections[place.section].rows[place.row].id
    case .first(let reference), .last(let reference): _ = try section(reference)
    case .end, .path: break
    }
    if moved.isEmpty { return }
    var rows: [NaiveTable.Row] = []
    for id in moved {
      guard let place = table.find(id) else { continue }
      rows.append(table.sections[place.section].rows[place.row])
      namedRows.insert(id)
    }
    // The anchor stays until the others are gone, so that it tells the place.
    for id in moved where id != anchor { remove(id) }
    var spot: (section: Int, row: Int)
    if let anchor, let place = table.find(anchor) {
      spot = place
      if moved.contains(anchor) {
        remove(anchor)
      } else if isAfter {
        spot.row += 1
      }
    } else {
      spot = try self.spot(place)
    }
    for row in rows {
      table.sections[spot.section].rows.insert(row, at: spot.row)
      spot.row += 1
    }
  }

  private mutating func remove(_ id: UInt64) {
    if let place = table.find(id) { table.sections[place.section].rows.remove(at: place.row) }
  }

  mutating func delete(where filter: Int) throws(Refusal) {
    let ids = ids(where: filter)
    try noteMatches(ids.count)
    for id in ids {
      namedRows.insert(id)
      remove(id)
    }
  }

  mutating func update(where filter: Int, _ range: Range<Int>) throws(Refusal) {
    let ids = ids(where: filter)
    try noteMatches(ids.count)
    let given = try cells(range)
    for id in ids {
      if let place = table.find(id) { try update(place, given) }
    }
  }

  mutating func add(
    _ amount: Int, to reference: Batch.RowRef, _ floor: Int64?, _ ceiling: Int64?
  ) throws(Refusal) {
    let place = try row(reference)
    guard let (id, value) = try cells(amount..<amount + 1, admitsNull: true).first else { return }
    let kind = schema.columns.first { $0.id == id }?.kind
    guard kind == .integer || kind == .decimal else { throw Refusal(code: .wrongKind) }
    let old = table.sections[place.section].rows[place.row].cells[id]
    guard let value, let old else { throw Refusal(code: .required) }
    let (sum, overflows) = old.number.addingReportingOverflow(value.number)
    if overflows { throw Refusal(code: .overflow) }
    if let floor, sum < floor { throw Refusal(code: .outOfBounds) }
    if let ceiling, sum > ceiling { throw Refusal(code: .outOfBounds) }
    try update(place, [id: CellValue(kind: old.kind, number: sum)])
  }

  mutating func sort(_ reference: Batch.SectionRef, by range: Range<Int>) throws(Refusal) {
    let index = try section(reference)
    let keys = batch.sortKeys[range].map { key in
      (key, schema.columns.first { $0.name == key.column }?.id ?? 0)
    }
    if keys.isEmpty { throw Refusal(code: .badRequest) }
    for (key, column) in keys where key.isFolded {
      if schema.columns.first(where: { $0.id == column })?.kind != .text {
        throw Refusal(code: .wrongKind)
      }
    }
    let rows = table.sections[index].rows
    // An insertion sort: stable, and nothing clever about it.
    var sorted: [NaiveTable.Row] = []
    for row in rows {
      var place = sorted.count
      while place > 0, comes(row, before: sorted[place - 1], keys) { place -= 1 }
      sorted.insert(row, at: place)
    }
    table.sections[index].rows = sorted
    // Named are the rows from the first to the last that stand elsewhere now.
    let changed = rows.indices.filter { rows[$0].id != sorted[$0].id }
    if let first = changed.first, let last = changed.last {
      for row in rows[first...last] { namedRows.insert(row.id) }
    }
  }

  private func comes(
    _ one: NaiveTable.Row, before other: NaiveTable.Row, _ keys: [(SortKey, UInt64)]
  ) -> Bool {
    for (key, column) in keys {
      switch (one.cells[column], other.cells[column]) {
      case (nil, nil): continue
      case (nil, _): return false
      case (_, nil): return true
      case (let left?, let right?):
        if case .text(var a) = left, case .text(var b) = right {
          if key.isFolded {
            a = Array(String(decoding: a, as: UTF8.self).lowercased().utf8)
            b = Array(String(decoding: b, as: UTF8.self).lowercased().utf8)
          }
          if a == b { continue }
          return a.lexicographicallyPrecedes(b) != key.isDescending
        }
        if left == right { continue }
        return (left.number < right.number) != key.isDescending
      }
    }
    return false
  }
}

extension BatchGenerator {
  /// A filter over the table's columns.
  mutating func filter(_ run: NaiveRun) -> Int {
    var nodes: [RowFilter.Node] = []
    let tests = random.below(4)
    for index in 0..<tests {
      guard let column = anyColumn(run) else { break }
      let value: CellValue =
        column.kind == .text
        ? .text(Array(["a", "b", "Kettle", "kett", "none"][random.below(5)].utf8))
        : CellValue(kind: column.kind, number: Int64(random.below(column.kind == .boolean ? 2 : 4)))
      var operations: [RowFilter.Operator] = [.equal, .notEqual, .less, .oneOf]
      if column.kind == .text { operations.append(.contains) }
      if chance(6) {
        nodes.append(RowFilter.Node(.isNull, column.name))
      } else {
        nodes.append(
          RowFilter.Node(operations[random.below(operations.count)], column.name, [value]))
      }
      if chance(4) { nodes.append(RowFilter.Node(.not)) }
      if index > 0 { nodes.append(RowFilter.Node(chance(3) ? .or : .and)) }
    }
    run.batch.filters.append(RowFilter(nodes))
    return run.batch.filters.count - 1
  }

  /// An operation on many rows, or one that adds to a cell.
  mutating func manyAction(_ run: NaiveRun) -> Batch.Action {
    switch random.below(8) {
    case 0: return .deleteWhere(filter: filter(run))
    case 1: return .updateWhere(filter: filter(run), cells: cells(run))
    case 2:
      let start = run.batch.sortKeys.count
      for _ in 0..<(chance(20) ? 0 : 1 + random.below(2)) {
        guard let column = anyColumn(run) else { break }
        run.batch.sortKeys.append(
          SortKey(
            column.name, isDescending: chance(2), isFolded: column.kind == .text && chance(2)))
      }
      return .sortSection(sectionRef(run), by: start..<run.batch.sortKeys.count)
    case 3: return .moveMany(.filter(filter(run)), to: place(run))
    case 4:
      let count = UInt64(random.below(3))
      return .moveMany(.run(IDRun(first: rowID(run), count: count)), to: place(run))
    case 5:
      let start = run.batch.ids.count
      for _ in 0..<random.below(5) { run.batch.ids.append(rowID(run)) }
      return .moveMany(.ids(start..<run.batch.ids.count), to: place(run))
    default:
      let numbers = run.schema.columns.filter { $0.kind == .decimal || $0.kind == .integer }
      guard let column = chance(9) ? anyColumn(run) : numbers.first ?? anyColumn(run) else {
        return .deleteRow(rowRef(run))
      }
      run.batch.cells.append(cell(column, run))
      return .addToCell(
        rowRef(run), amount: run.batch.cells.count - 1,
        floor: chance(3) ? 0 : nil, ceiling: chance(3) ? 3 : nil)
    }
  }

  private mutating func rowID(_ run: NaiveRun) -> UInt64 {
    let rows = run.table.sections.flatMap(\.rows)
    return rows.isEmpty || chance(wrong) ? 7_000 : rows[random.below(rows.count)].id
  }
}
