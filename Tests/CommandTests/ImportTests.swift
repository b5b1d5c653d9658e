import Testing

@testable import hpctl

@Suite struct ImportTests {
  private func plan(
    _ text: String, key: ColumnInfo? = nil, setsReadOnly: Bool = false
  ) throws -> ImportPlan {
    let file = try CSVReader(Array(text.utf8), delimiter: nil)
    let mapping = try ImportMapping(
      header: file.header, columns: Sample.columns, setsReadOnly: setsReadOnly)
    return try ImportPlan(file, mapping: mapping, key: key)
  }

  @Test func mapsHomeboxByName() throws {
    let header = CSVRecord(
      line: 1,
      fields: [
        "HB.location", "HB.tags", "HB.name", "HB.purchase_price", "HB.serial_number",
        "HB.purchase_time",
      ])
    let mapping = try ImportMapping(
      header: header, columns: Sample.columns, setsReadOnly: false)
    #expect(
      mapping.targets == [
        .section, nil, .column(Sample.name), .column(Sample.value), .column(Sample.serial), nil,
      ])
    #expect(mapping.dropped == ["HB.tags"])
    #expect(mapping.readOnly == ["HB.purchase_time"])
    let all = try ImportMapping(header: header, columns: Sample.columns, setsReadOnly: true)
    #expect(all.targets.last == .column(Sample.created))
  }

  @Test func refusesTwoColumnsForOne() throws {
    let fault = try #require(throws: Fault.self) { try plan("HB.name,name\na,b\n") }
    #expect(fault.message.contains("\"HB.name\" and \"name\""))
  }

  @Test func refusesAHeaderWithoutAKnownName() throws {
    let fault = try #require(throws: Fault.self) { try plan("a,b\n1,2\n") }
    #expect(fault.message.contains("no column of the file"))
  }

  @Test func makesSectionsInTheOrderOfTheFile() throws {
    let plan = try plan("HB.location,name,value\nB,x,1\nA / C,y,\nB,z,2.50\n,w,\n")
    let work = try plan.work(table: Sample.table([nil]), section: nil, known: nil)
    func row(_ name: String, _ value: CellValue) -> NewRow {
      NewRow(cells: [
        Assignment(column: 1, value: .text(name)), Assignment(column: 3, value: value),
      ])
    }
    #expect(
      work.request.operations == [
        .insertSection(title: "B", rows: [], handle: 1, .standard),
        .insertSection(title: "A / C", rows: [], handle: 2, .standard),
        .insertRow(row("x", .decimal(100)), .last(.handle(1))),
        .insertRow(row("y", .null), .last(.handle(2))),
        .insertRow(row("z", .decimal(250)), .last(.handle(1))),
        .insertRow(row("w", .null), .last(.id(1))),
      ])
    #expect(work.origins == [nil, nil, 0, 1, 2, 3])
  }

  @Test func makesNoSectionForRowsThatAreThere() throws {
    let plan = try plan("HB.location,name\nOld,x\nNew,y\n", key: Sample.name)
    let work = try plan.work(table: Sample.table([nil]), section: nil, known: ["x"])
    #expect(
      work.request.operations == [
        .insertSection(title: "New", rows: [], handle: 1, .standard),
        .upsert(
          column: "name", NewRow(cells: [Assignment(column: 1, value: .text("x"))]), .standard),
        .upsert(
          column: "name", NewRow(cells: [Assignment(column: 1, value: .text("y"))]),
          .last(.handle(1))),
      ])
  }

  @Test func setsReadOnlyCellsOfNewRowsOnly() throws {
    let plan = try plan(
      "name,created\nx,2020-01-02\ny,2020-01-02\n", key: Sample.name, setsReadOnly: true)
    let work = try plan.work(table: Sample.table([nil]), section: nil, known: ["x"])
    let counts = work.request.operations.map { operation in
      guard case .upsert(_, let row, _) = operation else { return 0 }
      return row.cells.count
    }
    #expect(counts == [1, 2])
  }

  @Test func takesTheSectionThatHoldsTheTitle() throws {
    let plan = try plan("_section,name\nKitchen,x\n")
    let work = try plan.work(table: Sample.table(["Attic", "Kitchen"]), section: nil, known: nil)
    #expect(
      work.request.operations == [
        .insertRow(
          NewRow(cells: [Assignment(column: 1, value: .text("x"))]), .last(.id(2)))
      ])
    let fault = try #require(throws: Fault.self) {
      try plan.work(table: Sample.table(["Kitchen", "Kitchen"]), section: nil, known: nil)
    }
    #expect(fault.message.contains("id:1 and id:2"))
  }

  static let refused: [(text: String, says: String, line: Int)] = [
    ("name,value\nx,1\ny,\"12,34\"\n", "is not an amount", 3),
    ("name,value\nx,1\nx,2\n", "stands in line 2 too", 3), ("name,value\n,1\n", "key is empty", 2),
    ("name,value\n\"a\nb\",1\ny,z\n", "is not an amount", 4),
  ]

  @Test(arguments: refused) func namesTheLineAtFault(
    text: String, says: String, line: Int
  ) throws {
    let fault = try #require(throws: Fault.self) { try plan(text, key: Sample.name) }
    #expect(fault.status == .badInput)
    #expect(fault.message.contains(says), "\(fault.message)")
    #expect(fault.line == line)
  }
}
