import Testing

@testable import TableService

@Suite struct StoreMaterialiseTests {
  static let columns: [Column] = [
    .make(1, "name", .text), .make(2, "the \"value\"", .decimal, scale: 2),
    .make(3, "count", .integer), .make(4, "day", .date), .make(5, "at", .timestamp),
    .make(6, "ok", .boolean), .make(7, "fine", .decimal, scale: 9), .make(8, "whole", .decimal),
  ]

  /// A store with one table, one section and the rows given by cells.
  private func filled(
    _ folder: StoreFolder, _ rows: [[(column: UInt64, value: CellValue)]], name: String = "items"
  ) throws -> (Store, PendingWrites) {
    let store = try folder.open()
    let pending = PendingWrites()
    let revision = store.lastRevision + 1
    pending.append(.table, table: 1, bytes: table(1, name, Self.columns))
    pending.append(.section, table: 1, id: 1, label: 0, bytes: section(1, "Kitchen"))
    for (index, cells) in rows.enumerated() {
      let id = UInt64(index) + 1
      pending.append(
        .row, table: 1, id: id, section: 1, label: Int64(-index),
        bytes: RowImage.make(id: id, revision: revision, cells: cells))
    }
    pending.close(revision: revision)
    #expect(store.append([record(revision, "made")]) == .durable(position: 1))
    #expect(try store.materialise(pending, limit: .max, through: revision))
    return (store, pending)
  }

  @Test(
    arguments: [
      ([(2, .decimal(-5))], "the \\\"value\\\"", "-0.05"),
      ([(2, .decimal(0))], "the \\\"value\\\"", "0.00"),
      ([(2, .decimal(3995))], "the \\\"value\\\"", "39.95"),
      ([(2, .decimal(-12345))], "the \\\"value\\\"", "-123.45"),
      ([(2, .decimal(.min))], "the \\\"value\\\"", "-92233720368547758.08"),
      ([(2, .decimal(.max))], "the \\\"value\\\"", "92233720368547758.07"),
      ([(7, .decimal(-1))], "fine", "-0.000000001"),
      ([(7, .decimal(1_000_000_000))], "fine", "1.000000000"),
      ([(8, .decimal(-7))], "whole", "-7"),
      ([], "the \\\"value\\\"", "NULL"), ([], "name", "NULL"), ([], "day", "NULL"),
      ([], "at", "NULL"), ([], "whole", "NULL"), ([], "ok", "NULL"),
      ([(1, .text([]))], "name", "''"),
      ([(1, .text(Array("it's \u{1F43B}".utf8)))], "name", "'it''s \u{1F43B}'"),
      ([(3, .integer(.min))], "count", "-9223372036854775808"),
      ([(4, .date(0))], "day", "'1970-01-01'"), ([(4, .date(-719_162))], "day", "'0001-01-01'"),
      ([(4, .date(2_932_896))], "day", "'9999-12-31'"), ([(4, .date(-1))], "day", "'1969-12-31'"),
      ([(5, .timestamp(0))], "at", "'1970-01-01T00:00:00Z'"),
      ([(5, .timestamp(-1))], "at", "'1969-12-31T23:59:59.999999Z'"),
      ([(5, .timestamp(1_796_079_120_050_000))], "at", "'2026-11-30T22:52:00.050000Z'"),
      ([(5, .timestamp(-62_135_596_800_000_000))], "at", "'0001-01-01T00:00:00Z'"),
      ([(5, .timestamp(253_402_300_799_999_999))], "at", "'9999-12-31T23:59:59.999999Z'"),
      ([(6, .boolean(true))], "ok", "1"), ([(6, .boolean(false))], "ok", "0"),
    ] as [([(column: UInt64, value: CellValue)], String, String)])
  func viewsShowCellsExactly(
    cells: [(column: UInt64, value: CellValue)], column: String, expected: String
  ) throws {
    let folder = StoreFolder()
    let (store, _) = try filled(folder, [cells])
    let shown = folder.sql(
      "SELECT quote(\\\"\(column.replacing("\\\"", with: "\\\"\\\""))\\\") FROM items")
    let isDecimal = ["the \\\"value\\\"", "fine", "whole"].contains(column) && expected != "NULL"
    #expect(shown == (isDecimal ? "'\(expected)'" : expected))
    try store.close(now: .now())
  }

  @Test func viewsNameThePlaceAndKeepTheOrder() throws {
    let folder = StoreFolder()
    let (store, pending) = try filled(folder, (0..<3).map { _ in [] })
    #expect(folder.sql("SELECT _id, _section, _order FROM items") == "3|1|-2\n2|1|-1\n1|1|0")
    let revision = store.lastRevision + 1
    pending.append(.section, table: 1, id: 2, label: -1, bytes: section(2, nil))
    pending.append(.place, table: 1, id: 2, section: 2, label: 50, bytes: [])
    pending.append(.deleteRow, table: 1, id: 3, bytes: [])
    pending.close(revision: revision)
    _ = store.append([record(revision, "x")])
    #expect(folder.sql("SELECT revision - materialised FROM hpd_status") == "1")
    #expect(try store.materialise(pending, limit: 1, through: revision))
    #expect(pending.count == 0)
    #expect(folder.sql("SELECT _id, _section, _order FROM items") == "2|2|50\n1|1|0")
    #expect(folder.sql("SELECT revision - materialised FROM hpd_status") == "0")
    #expect(folder.sql("SELECT title IS NULL FROM hpd_sections ORDER BY label") == "1\n0")
    #expect(
      folder.sql("SELECT revision FROM hpd_status") == String(store.lastRevision))
  }

  @Test func rowsComeBackByteForByte() throws {
    let folder = StoreFolder()
    var images: [UInt64: [UInt8]] = [:]
    let rows: [[(column: UInt64, value: CellValue)]] = [
      [],
      [
        (1, .text(Array("Bär".utf8))), (2, .decimal(-5)), (3, .integer(.max)), (4, .date(-3)),
        (5, .timestamp(.max / 9)), (6, .boolean(false)), (7, .decimal(.min)), (8, .decimal(0)),
      ],
      [(1, .text([])), (6, .boolean(true))],
      [(1, .text([UInt8](repeating: 0x61, count: 60_000)))],
    ]
    do {
      let (store, pending) = try filled(folder, rows)
      for index in rows.indices {
        let id = UInt64(index) + 1
        images[id] = RowImage.make(id: id, revision: store.lastRevision, cells: rows[index])
      }
      // Dropping a column hides its cells but keeps them (contract E14).
      let revision = store.lastRevision + 1
      // The engine lists a changed table after its rows.
      let things = table(1, "Things", Self.columns.filter { $0.id != 2 } + [.make(9, "new", .text)])
      let changed = RowImage.make(
        id: 3, revision: revision,
        cells: [(1, .text([65])), (2, .decimal(4)), (9, .text([66]))])
      pending.append(.row, table: 1, id: 3, section: 1, label: -2, bytes: changed)
      images[3] = changed
      pending.append(.table, table: 1, bytes: things)
      pending.append(.changed, table: 1, id: revision, bytes: [])
      pending.close(revision: revision)
      _ = store.append([record(revision, "x")])
      _ = try store.materialise(pending, limit: .max, through: .max)
      #expect(folder.sql("SELECT * FROM items").contains("no such table"))
      let names = folder.sql("SELECT group_concat(name) FROM pragma_table_info('things')")
      #expect(names == "_id,_section,_order,name,count,day,at,ok,fine,whole,new")
      #expect(folder.sql("SELECT \\\"new\\\" FROM things WHERE _id = 3") == "B")
    }
    let store = try folder.open()
    let tables = try store.loadTables()
    #expect(tables.map(\.id) == [1])
    #expect(tables[0].nextColumn == 10)
    #expect(tables[0].lastChanged == store.lastRevision)
    #expect(tables[0].sections.map(\.id) == [1])
    #expect(tables[0].sections[0].content == section(1, "Kitchen"))
    var found: [UInt64: [UInt8]] = [:]
    var labels: [UInt64: Int64] = [:]
    try store.loadRows(table: 1) { section, label, image in
      #expect(section == 1)
      found[RowImage.id(of: image.span)] = image
      labels[RowImage.id(of: image.span)] = label
    }
    #expect(found == images)
    #expect(labels == [1: 0, 2: -1, 3: -2, 4: -3])
    #expect(throws: StoreFault.damaged(.loading)) {
      try store.loadRows(table: 1) { (_, _, _) throws(FoldFault) in throw .duplicate }
    }
    #expect(try store.check() == [])
  }

  @Test func olderRowsReadTheFill() throws {
    let folder = StoreFolder()
    let (store, pending) = try filled(folder, [[], [(2, .decimal(7))]])
    let revision = store.lastRevision + 1
    pending.append(
      .table, table: 1,
      bytes: table(
        1, "items",
        [
          .make(2, "v", .decimal, scale: 2, fill: .decimal(-150)),
          .make(9, "t", .text, fill: .text(Array("it's".utf8))),
        ]))
    pending.close(revision: revision)
    _ = store.append([record(revision, "x")])
    _ = try store.materialise(pending, limit: .max, through: .max)
    #expect(folder.sql("SELECT v, t FROM items ORDER BY _id") == "-1.50|it's\n0.07|it's")
  }

  @Test func droppedTablesGoInSlices() throws {
    let folder = StoreFolder()
    let (store, pending) = try filled(folder, (0..<10).map { _ in [] })
    let revision = store.lastRevision + 1
    pending.append(.dropTable, table: 1, bytes: [])
    pending.append(.table, table: 2, bytes: table(2, "items", Self.columns))
    pending.close(revision: revision)
    _ = store.append([record(revision, "x")])
    _ = try store.materialise(pending, limit: .max, through: .max)
    #expect(folder.sql("SELECT count(*) FROM items") == "0", "the name is free at once")
    #expect(try store.loadTables().map(\.id) == [2])
    var slices = 1
    while try store.removeDropped(limit: 4) { slices += 1 }
    #expect(slices == 3)
    #expect(folder.sql("SELECT count(*) FROM hpd_rows_1").contains("no such table"))
    #expect(
      folder.sql(
        "SELECT count(*) FROM hpd_sections; SELECT count(*) FROM hpd_columns WHERE table_id = 1")
        == "0\n0")
    #expect(try store.check() == [])
  }

  @Test func onlyWholeRevisionsAreWritten() throws {
    let folder = StoreFolder()
    let (store, pending) = try filled(folder, [])
    let base = store.lastRevision
    for number in 1...4 {
      for row in 0..<3 {
        let id = UInt64(number * 3 + row)
        pending.append(
          .row, table: 1, id: id, section: 1, label: Int64(id),
          bytes: RowImage.make(id: id, revision: base + UInt64(number), cells: []))
      }
      pending.close(revision: base + UInt64(number))
      _ = store.append([record(base + UInt64(number), "x")])
    }
    #expect(try store.materialise(pending, limit: 4, through: base + 3))
    #expect(store.materialisedRevision == base + 2)
    #expect(folder.sql("SELECT count(*) FROM items") == "6")
    #expect(try store.materialise(pending, limit: .max, through: base + 3))
    #expect(store.materialisedRevision == base + 3)
    #expect(try !store.materialise(pending, limit: .max, through: base + 3))
    #expect(pending.firstRevision == base + 4)
    #expect(folder.sql("SELECT materialised FROM hpd_status") == String(base + 3))
  }

  @Test func aBadWriteChangesNothing() throws {
    let folder = StoreFolder()
    let (store, pending) = try filled(folder, [[]])
    let revision = store.lastRevision + 1
    pending.append(.deleteRow, table: 1, id: 1, bytes: [])
    pending.append(
      .row, table: 1, id: 2, section: 1, label: 9,
      bytes: RowImage.make(id: 2, revision: revision, cells: [(77, .integer(1))]))
    pending.close(revision: revision)
    _ = store.append([record(revision, "x")])
    #expect(throws: StoreFault.damaged(.materialising)) {
      try store.materialise(pending, limit: .max, through: .max)
    }
    #expect(pending.count == 2)
    #expect(folder.sql("SELECT _id FROM items") == "1")
    #expect(store.append([record(revision + 1, "y")]) == .durable(position: 3))
  }

  @Test func checkFindsContradictions() throws {
    let folder = StoreFolder()
    let (store, _) = try filled(folder, (0..<3).map { _ in [] })
    for number in 1...3 { _ = store.append([record(store.lastRevision + UInt64(number), "x")]) }
    #expect(try store.check() == [])
    _ = folder.sql(
      "UPDATE hpd_rows_1 SET _order = 0; DELETE FROM hpd_journal WHERE position = 2; UPDATE hpd_rows_1 SET _section = 9 WHERE _id = 3; INSERT INTO hpd_rows_1 VALUES(9000000000000000, 1, 5, 1, 'x', 1, 1, 1, 1, 1, 1, 1); UPDATE hpd_journal SET revision = 1 WHERE position = 4"
    )
    #expect(
      try store.check() == [
        .journalGap(after: 1), .journalOrder(at: 4), .labelTwice(table: 1),
        .rowWithoutSection(table: 1), .idAboveCeiling(table: 1),
      ])
  }
}
