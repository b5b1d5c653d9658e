import CSQLite
import HouseSupport

@testable import TableService

/// Random rows in a table and in SQLite, and random filters for both.
struct FilterTrial {
  /// Texts and what they are when folded, by hand: NFC and full case folding.
  static let texts: [(text: String, folded: String)] = [
    ("", ""), ("a", "a"), ("A", "a"), ("Kettle", "kettle"), ("KETTLE lid", "kettle lid"),
    ("ett", "ett"), ("Bär", "bär"), ("BA\u{308}R", "bär"), ("ba\u{308}r", "bär"),
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("\u{212a}elvin", "kelvin"),
    ("Σίσυφος", "σίσυφοσ"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("É", "é"), ("e\u{301}", "é"), ("e", "e"),
    ("\u{1f600}", "\u{1f600}"), ("\u{ffff}", "\u{ffff}"), ("\u{fb01}n", "fin"), ("FIN", "fin"),
    ("aab", "aab"), ("aaab", "aaab"), ("İ", "i\u{307}"), ("100%", "100%"), ("_", "_"),
  ]
  static let schema: Schema = {
    var value = Column(id: 3, name: "value", kind: .decimal)
    value.scale = 2
    return Schema(
      columns: [
        value, Column(id: 1, name: "name", kind: .text), Column(id: 2, name: "serial", kind: .text),
        Column(id: 5, name: "count", kind: .integer), Column(id: 7, name: "day", kind: .date),
        Column(id: 8, name: "time", kind: .timestamp), Column(id: 9, name: "good", kind: .boolean),
      ], revision: 1)
  }()

  var random: SeededRandom
  let table: Table
  let database: OpaquePointer

  init(seed: UInt64, rows: Int, sections: Int = 3) throws {
    random = SeededRandom(seed: seed)
    table = Table(
      id: 1, name: "items", schema: FilterTrial.schema, lastChanged: 1,
      identifiers: Identifiers(), pending: PendingWrites())
    var handle: OpaquePointer?
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else {
      throw TableFault(.unsupported)
    }
    database = handle
    run(
      "create table t(pos integer primary key, section int, id int, value int, name text, "
        + "name_f text, serial text, serial_f text, count int, day int, time int, good int)")
    let batch = Batch()
    var statements: [String] = []
    for section in 0..<sections {
      let first = batch.rows.count
      for _ in 0..<rows / sections {
        let start = batch.cells.count
        var sql = "insert into t values(\(statements.count), \(section), 0"
        for column in FilterTrial.schema.columns {
          let value = cell(column)
          sql += ", " + literal(value?.value)
          if column.kind == .text { sql += ", " + literal(value?.folded) }
          guard let value = value?.value else { continue }
          let sent: Batch.Value =
            if case .text(let text) = value { .text(batch.append(text: text)) } else {
              .number(value.kind, value.number)
            }
          batch.cells.append(Batch.Cell(.id(column.id), sent))
        }
        statements.append(sql + ")")
        batch.rows.append(Batch.Row(cells: start..<batch.cells.count))
      }
      batch.operations.append(
        Batch.Operation(.insertSection(Batch.NewSection(rows: first..<batch.rows.count))))
    }
    _ = try table.perform(
      batch,
      ChangeContext(
        epoch: 1, revision: 2, time: 0, uid: 0, actor: "test", client: 1, request: 1))
    run("begin")
    for statement in statements { run(statement) }
    run("commit")
  }

  func close() { sqlite3_close(database) }

  private mutating func cell(_ column: Column) -> (value: CellValue, folded: CellValue)? {
    if random.below(5) == 0 { return nil }
    return value(column)
  }

  private mutating func value(_ column: Column) -> (value: CellValue, folded: CellValue) {
    if column.kind == .text {
      let text = FilterTrial.texts[random.below(FilterTrial.texts.count)]
      return (.text(Array(text.text.utf8)), .text(Array(text.folded.utf8)))
    }
    if column.kind == .boolean {
      let value = CellValue.boolean(random.below(2) == 1)
      return (value, value)
    }
    var number = Int64(random.below(20)) - 10
    if column.kind == .integer, random.below(20) == 0 {
      number = random.below(2) == 0 ? .min : .max
    }
    let value = CellValue(kind: column.kind, number: number)
    return (value, value)
  }

  private func literal(_ value: CellValue?) -> String {
    switch value {
    case nil: return "null"
    case .text(let text)?:
      return "cast(x'" + text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        + "' as text)"
    case .some(let value) where value.number == .min: return "(-9223372036854775807 - 1)"
    case .some(let value): return "\(value.number)"
    }
  }

  /// A filter and the same as SQL; null makes a comparison false.
  mutating func filter(depth: Int = 4) -> (nodes: [RowFilter.Node], sql: String) {
    if depth > 0, random.below(3) > 0 {
      let left = filter(depth: depth - 1)
      if random.below(4) == 0 {
        return (left.nodes + [RowFilter.Node(.not)], "(not \(left.sql))")
      }
      let right = filter(depth: depth - 1)
      let isAnd = random.below(2) == 0
      return (
        left.nodes + right.nodes + [RowFilter.Node(isAnd ? .and : .or)],
        "(\(left.sql) \(isAnd ? "and" : "or") \(right.sql))"
      )
    }
    let column = FilterTrial.schema.columns[random.below(FilterTrial.schema.columns.count)]
    let isText = column.kind == .text
    let isFolded = isText && random.below(2) == 0
    var name = column.name
    if random.below(4) == 0 { name = name.uppercased() }
    let operand = column.name + (isFolded ? "_f" : "")
    switch random.below(isText ? 10 : 8) {
    case 0:
      return ([RowFilter.Node(.isNull, name)], "(\(column.name) is null)")
    case 1:
      let values = (0..<1 + random.below(3)).map { _ in value(column) }
      let list = values.map { literal(isFolded ? $0.folded : $0.value) }
      var sent = values.map { CellValue?.some($0.value) }
      if random.below(4) == 0 { sent.append(nil) }
      return (
        [RowFilter.Node(.oneOf, name, sent, isFolded: isFolded)],
        "coalesce(\(operand) in (\(list.joined(separator: ", "))), 0)"
      )
    case 8:
      let wanted = value(column)
      let constant = literal(isFolded ? wanted.folded : wanted.value)
      return (
        [RowFilter.Node(.prefix, name, [wanted.value], isFolded: isFolded)],
        "coalesce(substr(\(operand), 1, length(\(constant))) = \(constant), 0)"
      )
    case 9:
      let wanted = value(column)
      return (
        [RowFilter.Node(.contains, name, [wanted.value], isFolded: isFolded)],
        "coalesce(instr(\(column.name)_f, \(literal(wanted.folded))) > 0, 0)"
      )
    default:
      let operators: [(RowFilter.Operator, String)] = [
        (.equal, "="), (.notEqual, "<>"), (.less, "<"), (.lessOrEqual, "<="), (.greater, ">"),
        (.greaterOrEqual, ">="),
      ]
      let (operation, sign) = operators[random.below(operators.count)]
      if random.below(30) == 0 { return ([RowFilter.Node(operation, name, [nil])], "0") }
      let wanted = value(column)
      return (
        [RowFilter.Node(operation, name, [wanted.value], isFolded: isFolded)],
        "coalesce(\(operand) \(sign) \(literal(isFolded ? wanted.folded : wanted.value)), 0)"
      )
    }
  }

  /// Sort keys and the same as SQL.
  mutating func sort() -> (keys: [SortKey], sql: String) {
    var keys: [SortKey] = []
    var sql = ""
    for _ in 0..<1 + random.below(3) {
      let column = FilterTrial.schema.columns[random.below(FilterTrial.schema.columns.count)]
      let isFolded = column.kind == .text && random.below(2) == 0
      let isDescending = random.below(2) == 0
      keys.append(SortKey(column.name, isDescending: isDescending, isFolded: isFolded))
      sql += "\(column.name) is null, \(column.name)\(isFolded ? "_f" : "")"
      sql += (isDescending ? " desc" : "") + ", "
    }
    return (keys, sql + "pos")
  }

  private func run(_ sql: String) {
    precondition(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, sql)
  }

  /// The numbers in the first column of a query's rows.
  func numbers(_ sql: String) -> [Int64?] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      return [-999]
    }
    defer { sqlite3_finalize(statement) }
    var found: [Int64?] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      found.append(
        sqlite3_column_type(statement, 0) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, 0))
    }
    return found
  }

  /// Positions of the rows that a filter takes.
  func find(
    _ filter: RowFilter, sort: [SortKey] = [], limit: Int? = nil, on source: some RowSource
  ) throws -> [Int64?] {
    var scan = RowScan(try filter.compiled(for: FilterTrial.schema))
    var found: [Int64?] = []
    var starts: [Int] = []
    for index in 0..<source.sectionCount {
      starts.append((starts.last ?? 0) + (index == 0 ? 0 : source.section(at: index - 1).rows))
    }
    guard !sort.isEmpty else {
      _ = scan.run(source, until: { false }) { _, section, row in
        if found.count == limit { return nil }
        found.append(Int64(starts[section] + row))
        return true
      }
      return found
    }
    let sorter = try RowSorter(sort, in: FilterTrial.schema, limit: limit)
    _ = scan.run(source, until: { false }) { image, section, row in
      sorter.add(image, section: section, row: row)
    }
    sorter.finish()
    while let next = sorter.first, found.count != limit {
      found.append(Int64(starts[next.section] + next.row))
      sorter.removeFirst()
    }
    return found
  }
}
