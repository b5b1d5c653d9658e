import Testing

@testable import TableService

/// Operations on many rows, by example; TableRandomTests holds them against plain arrays.
@Suite struct ManyRowsTests {
  private func bench() throws -> Bench {
    try Bench([("S", ["A", "B", "C"]), ("T", ["D", "E", "a"])])
  }

  private func filter(_ bench: Bench, _ nodes: [RowFilter.Node]) -> Int {
    bench.batch.filters.append(RowFilter(nodes))
    return bench.batch.filters.count - 1
  }

  private func named(_ bench: Bench, _ names: String...) -> Int {
    filter(
      bench, [RowFilter.Node(.oneOf, "name", names.map { .text(Array($0.utf8)) })])
  }

  @Test func deleteWhereTakesAndCounts() throws {
    let bench = try bench()
    let part = [RowFilter.Node(.contains, "name", [.text(Array("A".utf8))])]
    bench.add(.deleteWhere(filter: filter(bench, part)))
    let outcome = try bench.perform()
    #expect(bench.content == "S:B,C / T:D,E")
    #expect(outcome.counts.matched == 2 && outcome.counts.rowsDeleted == 2)
    bench.add(.deleteWhere(filter: filter(bench, part)))
    let none = try bench.perform()
    #expect(none.isUnchanged && none.counts.matched == 0)
  }

  @Test func matchedIsJudgedForTheOperationAndTheBatch() throws {
    let bench = try bench()
    func run(_ operation: UInt64?, _ batch: UInt64?) -> TableFault? {
      bench.add(.deleteWhere(filter: named(bench, "A", "B")))
      bench.add(.moveMany(.filter(named(bench, "D")), to: .first(of: bench.title("S"))))
      if let operation {
        bench.batch.conditionList.append(.matched(operation))
        bench.batch.operations[0].conditions = 0..<1
      }
      if let batch { bench.batch.conditions.append(.matched(batch)) }
      bench.batch.isDryRun = true
      return bench.refusal()
    }
    #expect(run(2, 3) == nil)
    let fault = run(3, 3)
    #expect(fault?.code == .countMatched && fault?.operation == 0)
    #expect(fault?.value == "2" && fault?.expected == "3")
    let whole = run(2, 2)
    #expect(whole?.code == .countMatched && whole?.operation == nil && whole?.value == "3")
    bench.add(.deleteRow(bench.ref("A")))
    bench.batch.conditionList.append(.matched(1))
    bench.batch.operations[0].conditions = 0..<1
    #expect(bench.refusal()?.code == .badRequest)
  }

  @Test func rowsGatherWhereTheAnchorStands() throws {
    let bench = try bench()
    bench.add(.moveMany(.filter(named(bench, "A", "C", "E")), to: .before(bench.ref("C"))))
    try bench.perform()
    #expect(bench.content == "S:B,A,C,E / T:D,a")
    bench.batch.ids = [bench.id("E"), bench.id("D")]
    bench.add(.moveMany(.ids(0..<2), to: .path(RowPath(section: 0, row: 1))))
    try bench.perform()
    #expect(bench.content == "S:B,E,D,A,C / T:a")
    bench.add(.moveMany(.run(IDRun(first: bench.id("A"), count: 2)), to: .end))
    try bench.perform()
    #expect(bench.content == "S:E,D,C / T:a,A,B")
    bench.batch.ids = [bench.id("E"), bench.id("E")]
    bench.add(.moveMany(.ids(0..<2), to: .end))
    #expect(bench.refusal()?.code == .badRequest)
    bench.add(.moveMany(.run(IDRun(first: 1, count: .max)), to: .end))
    #expect(bench.refusal()?.code == .badRequest)
  }

  @Test func updateWhereNamesTheRowAtFault() throws {
    let bench = try bench()
    let cells = bench.cells([("created", .number(.timestamp, 5))])
    bench.add(.updateWhere(filter: named(bench, "B", "D"), cells: cells))
    let fault = bench.refusal()
    #expect(fault?.code == .readOnly && fault?.row == bench.id("B"))
    let value = bench.cells([("value", .number(.decimal, 100))])
    bench.add(.updateWhere(filter: filter(bench, []), cells: value))
    let outcome = try bench.perform()
    #expect(outcome.counts.rowsUpdated == 6 && outcome.counts.matched == 6)
  }

  @Test func additionsStayInBounds() throws {
    let bench = try bench()
    func add(_ amount: Int64, floor: Int64? = nil, ceiling: Int64? = nil) -> TableFault? {
      let cells = bench.cells([("value", .number(.decimal, amount))])
      bench.add(
        .addToCell(bench.ref("A"), amount: cells.lowerBound, floor: floor, ceiling: ceiling))
      do { try bench.perform() } catch { return error as? TableFault }
      return nil
    }
    #expect(add(1)?.code == .required)
    bench.add(
      .updateRow(bench.ref("A"), cells: bench.cells([("value", .number(.decimal, 5))])))
    try bench.perform()
    #expect(add(-5, floor: 0) == nil)
    let below = add(-1, floor: 0)
    #expect(below?.code == .outOfBounds && below?.value == "-1" && below?.column == "value")
    #expect(add(11, ceiling: 10)?.expected == "at most 10")
    #expect(add(10, ceiling: 10) == nil)
    #expect(add(.max)?.code == .overflow)
    let wrong = bench.cells([("name", .text(bench.text("x")))])
    bench.add(.addToCell(bench.ref("A"), amount: wrong.lowerBound, floor: nil, ceiling: nil))
    #expect(bench.refusal()?.code == .wrongKind)
  }

  @Test func aSectionIsSortedInOneStep() throws {
    let bench = try bench()
    bench.batch.sortKeys = [SortKey("name", isFolded: true)]
    bench.add(.sortSection(bench.title("T"), by: 0..<1))
    let outcome = try bench.perform()
    #expect(bench.content == "S:A,B,C / T:a,D,E")
    #expect(outcome.revision == bench.revision && outcome.counts.rowsMoved == 3)
    bench.batch.sortKeys = [SortKey("name", isFolded: true)]
    bench.add(.sortSection(bench.title("T"), by: 0..<1))
    #expect(try bench.perform().isUnchanged)
    bench.add(.sortSection(bench.title("T"), by: 0..<0))
    #expect(bench.refusal()?.code == .badRequest)
  }
}
