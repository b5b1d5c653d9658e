import CSQLite
import HouseSupport
import Testing

@testable import TableService

/// Filters, sorting and sums (contract S7), held against SQLite on the same rows.
@Suite struct FilterTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func filtersAgreeWithSQLite(seed: UInt64) throws {
    var trial = try FilterTrial(seed: seed, rows: 90)
    defer { trial.close() }
    let view = trial.table.openView(revision: 2)
    defer { view.close() }
    var taken = 0
    for _ in 0..<2500 {
      let (nodes, sql) = trial.filter()
      let expected = trial.numbers("select pos from t where \(sql) order by pos")
      #expect(try trial.find(RowFilter(nodes), on: trial.table) == expected, "\(seed): \(sql)")
      taken += expected.count
      if taken % 5 == 0 {
        #expect(try trial.find(RowFilter(nodes), on: view) == expected, "\(seed): \(sql)")
      }
    }
    #expect(taken > 20_000)
  }

  @Test(arguments: 11...13 as ClosedRange<UInt64>) func sortsAgreeWithSQLite(seed: UInt64) throws {
    var trial = try FilterTrial(seed: seed, rows: 300)
    defer { trial.close() }
    for _ in 0..<300 {
      let (nodes, sql) = trial.filter(depth: 1)
      let (keys, order) = trial.sort()
      let limit = trial.random.below(2) == 0 ? trial.random.below(40) : nil
      let expected = trial.numbers(
        "select pos from t where \(sql) order by \(order) limit \(limit ?? -1)")
      let found = try trial.find(RowFilter(nodes), sort: keys, limit: limit, on: trial.table)
      #expect(found == expected, "\(seed): \(sql) \(order)")
    }
  }

  @Test func longSortsMergeTheirRuns() throws {
    var trial = try FilterTrial(seed: 21, rows: 20_001)
    defer { trial.close() }
    for limit in [nil, 0, 1, 4096, 4097, 9000] as [Int?] {
      let (keys, order) = trial.sort()
      let expected = trial.numbers("select pos from t order by \(order) limit \(limit ?? -1)")
      let found = try trial.find(RowFilter(), sort: keys, limit: limit, on: trial.table)
      #expect(found == expected, "\(order)")
    }
  }

  @Test func sumsAgreeWithSQLite() throws {
    var trial = try FilterTrial(seed: 31, rows: 200)
    defer { trial.close() }
    for _ in 0..<500 {
      let (nodes, sql) = trial.filter(depth: 2)
      var total = try ColumnTotal(of: "Value", in: FilterTrial.schema)
      var scan = RowScan(try RowFilter(nodes).compiled(for: FilterTrial.schema))
      _ = scan.run(trial.table, until: { false }) { image, _, _ in
        total.add(image)
        return true
      }
      #expect(
        [try total.value(), Int64(total.rows), Int64(total.nulls)]
          == [
            trial.numbers("select coalesce(sum(value), 0) from t where \(sql)")[0],
            trial.numbers("select count(value) from t where \(sql)")[0],
            trial.numbers("select count(*) - count(value) from t where \(sql)")[0],
          ])
    }
  }

  @Test func sumsAreExactOrRefused() throws {
    func image(_ number: Int64) -> [UInt8] {
      RowImage.make(id: 1, revision: 1, cells: [(column: 5, value: .integer(number))])
    }
    var total = try ColumnTotal(of: "count", in: FilterTrial.schema)
    for _ in 0..<3 { total.add(image(.max).span) }
    #expect(throws: TableFault.self) { try total.value() }
    for _ in 0..<3 { total.add(image(.min).span) }
    #expect(try total.value() == -3)
    #expect(throws: TableFault.self) { try ColumnTotal(of: "name", in: FilterTrial.schema) }
    #expect(throws: TableFault.self) { try ColumnTotal(of: "nothing", in: FilterTrial.schema) }
  }

  private func fault(_ nodes: [RowFilter.Node]) -> TableFault? {
    do throws(TableFault) {
      _ = try RowFilter(nodes).compiled(for: FilterTrial.schema)
    } catch { return error }
    return nil
  }

  @Test func whatIsNoExpressionIsRefusedWithItsPlace() {
    typealias Node = RowFilter.Node
    let test = Node(.isNull, "name")
    #expect(fault([test, test])?.code == .badFilter)
    #expect(fault([test, Node(.and)])?.value == "node 1")
    #expect(fault([Node(.not)])?.value == "node 0")
    #expect(fault([test, Node(nil)])?.value == "node 1")
    #expect(fault([test, Node(.not, "name")])?.code == .badFilter)
    #expect(fault([Node(.isNull, "name", [.text([])])])?.code == .badFilter)
    #expect(fault([Node(.isNull)])?.code == .badFilter)
    #expect(fault([Node(.equal, "name")])?.code == .badFilter)
    #expect(fault([Node(.oneOf, "name")])?.code == .badFilter)
    #expect(fault([Node(.equal, "nome", [.text([])])]) == TableFault(.noSuchColumn, column: "nome"))
    let kind = fault([Node(.equal, "value", [.integer(5)])])
    #expect(kind == TableFault(.wrongKind, column: "value", value: "5", expected: "decimal"))
    #expect(fault([Node(.contains, "value", [.decimal(5)])])?.code == .wrongKind)
    #expect(fault([Node(.equal, "day", [.date(5)], isFolded: true)])?.code == .wrongKind)
  }

  @Test func atMost256Nodes() throws {
    typealias Node = RowFilter.Node
    let test = Node(.equal, "good", [.boolean(true)])
    // The deepest one: 128 tests, then what joins them.
    let deep = Array(repeating: test, count: 128) + Array(repeating: Node(.and), count: 127)
    let image = RowImage.make(id: 1, revision: 1, cells: [(column: 9, value: .boolean(true))])
    let filter = try RowFilter(deep + [Node(.not)]).compiled(for: FilterTrial.schema)
    let isTaken = filter.matches(image.span)
    #expect(!isTaken)
    let isDeepTaken = try RowFilter(deep).compiled(for: FilterTrial.schema).matches(image.span)
    #expect(isDeepTaken)
    #expect(fault(deep + [Node(.not), Node(.not)])?.code == .badFilter)
  }

  @Test func scansPauseAndGoOn() throws {
    var trial = try FilterTrial(seed: 41, rows: 6000)
    defer { trial.close() }
    let (nodes, sql) = trial.filter(depth: 2)
    let expected = trial.numbers("select pos from t where \(sql)").count
    var scan = RowScan(try RowFilter(nodes).compiled(for: FilterTrial.schema))
    var count = 0
    var slices = 1
    while !scan.run(
      trial.table, until: { true },
      { _, _, _ in
        count += 1
        return true
      })
    { slices += 1 }
    #expect(count == expected && slices > 3)
  }
}
