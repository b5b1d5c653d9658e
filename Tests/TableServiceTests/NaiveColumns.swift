import HouseSupport

@testable import TableService

/// Columns and unique values by plain arrays (contracts E14, E15).
extension NaiveRun {
  mutating func applyToColumns(_ action: Batch.Action) throws(Refusal) {
    var columns = table.columns
    switch action {
    case .addColumn(let number, let before):
      let column = batch.columns[number]
      try judge(column)
      if columns.contains(where: { $0.name.lowercased() == column.name.lowercased() }) {
        throw Refusal(code: .nameInUse)
      }
      if column.isRequired, column.fill == nil, table.rowCount > 0 {
        throw Refusal(code: .required)
      }
      let index = try before.map { name throws(Refusal) in try self.column(name) }
      var made = column
      made.id = nextColumn
      nextColumn += 1
      columns.insert(made, at: index ?? columns.count)
    case .renameColumn(let column, let name):
      let index = try self.column(column)
      let text = String(decoding: batch.text[name], as: UTF8.self)
      if text.isEmpty || text == "_id" || text.contains("=") { throw Refusal(code: .badName) }
      for (other, column) in columns.enumerated()
      where other != index && column.name.lowercased() == text.lowercased() {
        throw Refusal(code: .nameInUse)
      }
      columns[index].name = text
    case .moveColumn(let column, let target):
      let index = try self.column(column)
      guard target < columns.count else { throw Refusal(code: .outOfRange) }
      columns.insert(columns.remove(at: index), at: Int(target))
    case .dropColumn(let column): columns.remove(at: try self.column(column))
    default: throw Refusal(code: .unsupported)
    }
    table = table.projected(to: columns)
    schema = Schema(columns: columns, revision: 1, nextColumn: nextColumn)
  }

  private func judge(_ column: Column) throws(Refusal) {
    if column.name.isEmpty || column.name == "_id" || column.name.contains("=") {
      throw Refusal(code: .badName)
    }
    if column.isUnique, [.boolean, .timestamp].contains(column.kind) {
      throw Refusal(code: .wrongKind)
    }
    if column.fill != nil, !column.isRequired || column.isUnique {
      throw Refusal(code: .badValue)
    }
  }

  private func column(_ name: Range<Int>) throws(Refusal) -> Int {
    let name = String(decoding: batch.text[name], as: UTF8.self).lowercased()
    guard let index = table.columns.firstIndex(where: { $0.name.lowercased() == name }) else {
      throw Refusal(code: .noSuchColumn)
    }
    return index
  }

  private func rows(_ table: NaiveTable) -> [NaiveTable.Row] { table.sections.flatMap(\.rows) }

  /// Notes the rows that an operation wrote and that share a unique value with another one.
  mutating func noteSuspects(since before: NaiveTable, _ operation: Int) {
    var old: [UInt64: NaiveTable.Row] = [:]
    for row in rows(before.projected(to: table.columns)) { old[row.id] = row }
    for row in rows(table) where old[row.id] != row {
      for column in duplicates(of: row) { suspects.append((row.id, column, operation)) }
    }
  }

  private func duplicates(of row: NaiveTable.Row) -> [UInt64] {
    table.columns.filter(\.isUnique).map(\.id).filter { column in
      row.cells[column] != nil
        && rows(table).contains { $0.id != row.id && $0.cells[column] == row.cells[column] }
    }
  }

  /// The operations that gave a row a value that another row has now, too.
  var guilty: Set<Int?> {
    var last: [[UInt64]: Int] = [:]
    for suspect in suspects {
      guard let row = rows(table).first(where: { $0.id == suspect.row }),
        duplicates(of: row).contains(suspect.column)
      else { continue }
      last[[suspect.row, suspect.column]] = suspect.operation
    }
    return Set(last.values)
  }
}

extension BatchGenerator {
  mutating func anyColumn(_ run: NaiveRun) -> Column? {
    let columns = run.schema.columns
    return columns.isEmpty ? nil : columns[random.below(columns.count)]
  }

  private mutating func newName() -> String {
    if chance(10) { return ["", "_id", "a=b"][random.below(3)] }
    if chance(10) { return ["Name", "value", "x1", "X2"][random.below(4)] }
    names += 1
    return "x\(names % 40)"
  }

  private mutating func name(_ run: NaiveRun) -> Range<Int> {
    guard let column = anyColumn(run), !chance(wrong) else {
      return run.batch.append(text: Array("nowhere".utf8))
    }
    return run.batch.append(text: Array((chance(3) ? column.name.uppercased() : column.name).utf8))
  }

  mutating func columnAction(_ run: NaiveRun) -> Batch.Action {
    switch random.below(run.schema.columns.count > 9 ? 6 : 4) {
    case 0, 1:
      var column = Column(
        id: 0, name: newName(), kind: ColumnKind.allCases[random.below(6)])
      if chance(3) {
        column.isRequired = true
        if !chance(8) { column.fill = value(column.kind) }
        if chance(2) { column.defaultValue = value(column.kind) }
      } else if chance(3) {
        column.isUnique = true
      } else if chance(12) {
        column.fill = value(column.kind)
      }
      run.batch.columns.append(column)
      return .addColumn(
        run.batch.columns.count - 1, before: chance(3) ? name(run) : nil)
    case 2:
      let old = name(run)
      return .renameColumn(old, name: run.batch.append(text: Array(newName().utf8)))
    case 3:
      let column = name(run)
      return .moveColumn(column, to: UInt64(random.below(run.schema.columns.count + 1)))
    default: return .dropColumn(name(run))
    }
  }

  /// Makes a unique column, or drops one.
  mutating func uniqueColumnAction(_ run: NaiveRun) -> Batch.Action {
    let unique = run.schema.columns.filter(\.isUnique)
    if unique.count > 2 || !unique.isEmpty && chance(2) {
      let column = unique[random.below(unique.count)]
      return .dropColumn(run.batch.append(text: Array(column.name.utf8)))
    }
    names += 1
    var column = Column(id: 0, name: "x\(names % 40)", kind: chance(2) ? .integer : .text)
    column.isUnique = true
    run.batch.columns.append(column)
    return .addColumn(run.batch.columns.count - 1, before: nil)
  }

  private mutating func value(_ kind: ColumnKind) -> CellValue {
    kind == .text
      ? .text(Array("fill".utf8)) : CellValue(kind: kind, number: Int64(random.below(2)))
  }
}
