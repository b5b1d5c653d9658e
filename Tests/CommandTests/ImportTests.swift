import Testing

@testable import hpctl

@Suite struct ImportTests {
  private func mapping(
    _ header: [String], setsReadOnly: Bool = false, map: [(file: String, column: String)] = []
  ) throws -> ImportMapping {
    try ImportMapping(
      header: header, line: 1, columns: Sample.columns, setsReadOnly: setsReadOnly, map: map)
  }

  private func plan(
    _ text: String, key: ImportPlan.Key? = nil, setsReadOnly: Bool = false,
    values: ImportValues = ImportValues()
  ) throws -> ImportPlan {
    let file = try ImportFile(Array(text.utf8), delimiter: nil, isJSON: nil)
    let mapping = try ImportMapping(
      header: file.header, line: 1, columns: Sample.columns, setsReadOnly: setsReadOnly)
    return try ImportPlan(file, mapping: mapping, key: key, values: values)
  }

  @Test(arguments: ["section", "Section", "location", " Location "])
  func mapsPlainNamesOfSections(name: String) throws {
    let some = try mapping([name, "NAME", "Serial No"])
    #expect(some.targets.first == .section && some.dropped.isEmpty)
  }

  @Test func mapsHomeboxByName() throws {
    let header = [
      "HB.location", "HB.tags", "HB.name", "HB.purchase_price", "HB.serial_number",
      "HB.purchase_time",
    ]
    let some = try mapping(header)
    #expect(
      some.targets == [
        .section, nil, .column(Sample.name), .column(Sample.value), .column(Sample.serial), nil,
      ])
    #expect(some.dropped == ["HB.tags"])
    #expect(some.readOnly == ["HB.purchase_time"])
    #expect(try mapping(header, setsReadOnly: true).targets.last == .column(Sample.created))
  }

  static let headers: [(header: [String], names: [String?])] = [
    // Homebox of the years before its columns had a prefix.
    (
      ["Import Ref", "Location", "Name", "Serial Number", "Mode Number", "Purchased Price"],
      [nil, "section", "name", "serial", nil, "value"]
    ),
    (["HB.purchase_date", "HB.name", "HB.location"], ["created", "name", "section"]),
    (
      ["Company", "Item Name", "Purchase Cost", "Serial number", "Purchase Date"],
      [nil, "name", "value", "serial", "created"]
    ),
    (
      ["title", "location", "valuation", "cf: Serial number,type:text", "cf:brand, type:option"],
      ["name", "section", "value", "serial", nil]
    ),
    (["name", "storage_location", "price", "ipn"], ["name", "section", "value", nil]),
    (
      ["Type", "Name", "Serial", "Purchase Price", "Currency", "Location"],
      [nil, "name", "serial", "value", "currency", "section"]
    ),
  ]

  @Test(arguments: headers) func knowsOtherProgramsHeaders(
    header: [String], names: [String?]
  ) throws {
    let found = try mapping(header, setsReadOnly: true).targets.map { target -> String? in
      switch target {
      case nil: nil
      case .column(let column): column.name
      case .section: "section"
      case .currency: "currency"
      case .sectionIndex, .id, .revision: "own"
      }
    }
    #expect(found == names)
  }

  @Test func mapGoesBeforeNames() throws {
    let some = try mapping(
      ["Name", "Maker", "a=b"],
      map: [(file: "Maker", column: "serial"), (file: "a=b", column: "name")])
    #expect(some.targets == [nil, .column(Sample.serial), .column(Sample.name)])
    #expect(some.dropped == ["Name"])
    let fault = try #require(throws: Fault.self) {
      try mapping(["Name"], map: [(file: "Nmae", column: "name")])
    }
    #expect(fault.status == .usage && fault.hint == "did you mean Name?")
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
    let plan = try plan("HB.location,name\nOld,x\nNew,y\n", key: .column(Sample.name))
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
      "name,created\nx,2020-01-02\ny,2020-01-02\n", key: .column(Sample.name), setsReadOnly: true)
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
    ("name,value\nx,1\ny\n", "1 field where the header has 2", 3),
    ("name,value\nx,1\n\ny,1,2\n", "3 fields where the header has 2", 4),
    ("name,value,Currency\nx,1,EUR\n", "the amount is in EUR", 2),
    ("[{\"name\":\"x\",\"value\":\"1\"},\n{\"name\":7}]", "not a text", 2),
    ("name,created\nx,03/04/2023\n", "is not a time", 2),
    ("name,created\nx,2023-02-29\n", "is not a time", 2),
  ]

  @Test(arguments: refused) func namesTheLineAtFault(
    text: String, says: String, line: Int
  ) throws {
    let reject = try #require(
      plan(text, key: .column(Sample.name), setsReadOnly: true).rejects.first)
    #expect(reject.fault.status == .badInput)
    #expect(reject.fault.message.contains(says), "\(reject.fault.message)")
    #expect(reject.fault.line == line)
  }

  @Test func takesGoodRecordsBesideBadOnes() throws {
    let plan = try plan("name,value\nx,1\ny,z\nw,2\n,3\n", key: .column(Sample.name))
    #expect(plan.entries.map(\.record) == [1, 3])
    #expect(plan.rejects.map(\.fault.record) == [2, 4])
  }

  @Test func keepsOrClearsByEmptyFields() throws {
    let text = "name,serial,value\nx,,\ny,\"\",\n"
    let cleared = try plan(text).entries.map { $0.cells.map(\.value) }
    #expect(cleared == [[.text("x"), .null, .null], [.text("y"), .text(""), .null]])
    let kept = try plan(text, values: ImportValues(keepsEmpty: true)).entries.map {
      $0.cells.map(\.value)
    }
    #expect(kept == [[.text("x")], [.text("y")]])
  }

  private static func places(_ sections: [UInt64: UInt64]) -> [UInt64: RowPlace] {
    sections.mapValues { RowPlace(section: $0, index: 0) }
  }

  static let lists: [(values: [UInt64], count: Int)] = [
    ([], 0), ([5], 1), ([1, 2, 3], 3), ([3, 2, 1], 1), ([2, 0, 1, 3], 3), ([4, 0, 1, 2, 3], 4),
    ([1, 2, 3, 4, 0], 4), ([2, 5, 3, 7, 1, 8, 0], 4),
  ]

  @Test(arguments: lists) func findsTheRowsThatMayStay(values: [UInt64], count: Int) {
    let isIn = ImportPlan.longestRise(values)
    let kept = zip(values, isIn).filter(\.1).map(\.0)
    #expect(kept.count == count)
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func takesTheOrderOfTheFileWhenAsked() throws {
    let plan = try plan("_id,_section,name\n9,Attic,c\n7,Attic,a\n8,Attic,b\n", key: .id)
    let places: [UInt64: RowPlace] = [
      7: RowPlace(section: 1, index: 0), 8: RowPlace(section: 1, index: 1),
      9: RowPlace(section: 1, index: 2),
    ]
    func moves(_ isOrdered: Bool) throws -> [hpctl.Operation] {
      try plan.work(table: Sample.table(["Attic"]), places: places, isOrdered: isOrdered)
        .request.operations.filter { if case .moveRow = $0 { true } else { false } }
    }
    #expect(try moves(true) == [.moveRow(.id(9), .first(.id(1)))])
    #expect(try moves(false) == [])
  }

  @Test func changesRowsByTheirIDs() throws {
    let plan = try plan(
      "_id,_section,name\n7,Attic,a\n,Attic,new\n8,Attic,b\n9,Cellar,c\n", key: .id)
    let work = try plan.work(
      table: Sample.table(["Attic", "Cellar"]), places: Self.places([7: 1, 8: 2, 9: 2]))
    func cells(_ name: String) -> [Assignment] {
      [Assignment(column: 1, value: .text(name))]
    }
    let handle = UInt64(1) << 32 + 1
    #expect(
      work.request.operations == [
        .updateRow(.id(7), cells("a")),
        .insertRow(NewRow(cells: cells("new"), handle: handle), .after(.id(7))),
        .updateRow(.id(8), cells("b")), .moveRow(.id(8), .after(.handle(handle))),
        .updateRow(.id(9), cells("c")),
      ])
    let fault = try #require(throws: Fault.self) {
      try plan.work(table: Sample.table(["Attic", "Cellar"]), places: Self.places([7: 1, 8: 2]))
    }
    #expect(fault.status == .notFound && fault.line == 5 && fault.row == 9)
  }

  @Test func makesSectionsOfAnExportAtTheirPlace() throws {
    let plan = try plan("_section,name\nA,1\nB,2\nC,3\nD,4\n")
    let work = try plan.work(table: Sample.table(["B", "D"]))
    #expect(
      work.request.operations.prefix(2) == [
        .insertSection(title: "A", rows: [], handle: 1, .before(.id(1))),
        .insertSection(title: "C", rows: [], handle: 2, .after(.id(1))),
      ])
  }

  @Test func tellsSectionsWithTheSameTitleApart() throws {
    let plan = try plan("_section,_section_index,name\nA,0,1\nB,1,2\nA,2,3\n")
    let work = try plan.work(table: Sample.table())
    let places = work.request.operations.compactMap { operation -> Place? in
      guard case .insertRow(_, let place) = operation else { return nil }
      return place
    }
    #expect(places == [.last(.handle(1)), .last(.handle(2)), .last(.handle(3))])
    let known = try plan.work(table: Sample.table(["A", "B", "A"])).request.operations
    #expect(known.count == 3)
  }

  @Test(arguments: [
    ("6.37702E+15", true), ("6E+15", true), ("1E5", false), ("7E12", false), ("12.3E+4", false),
    ("6.3E+", false), ("E+15", false), ("6.E+15", false),
  ]) func seesNumbersThatWereShortened(text: String, isShortened: Bool) {
    #expect(Context.isShortened(text) == isShortened)
  }

  @Test(arguments: ["=1+1", "-2", "+3", "@x", "'quoted", "\tx", "plain", "", "a=b", "'", "''="])
  func takesTheApostropheAwayAgain(text: String) {
    #expect(SpreadsheetSafety.bare(SpreadsheetSafety.guarded(text)) == text)
  }
}
