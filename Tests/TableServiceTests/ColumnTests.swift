import Testing

@testable import TableService

/// Columns that change while rows are there, and unique values (contracts E6, E7, E14, E15, F8).
@Suite struct ColumnTests {
  final class Fixture {
    let identifiers = Identifiers()
    let pending = PendingWrites()
    let table: Table
    let batch = Batch()
    var revision: UInt64 = 1

    init(_ columns: [Column]) {
      table = Table(
        id: 7, name: "items", schema: Schema(columns: columns, revision: 1), lastChanged: 1,
        identifiers: identifiers, pending: pending)
    }

    func text(_ text: String) -> Range<Int> { batch.append(text: Array(text.utf8)) }

    func cell(_ column: String, _ value: String?) -> Batch.Cell {
      Batch.Cell(.name(text(column)), value.map { .text(text($0)) } ?? .null)
    }

    func insert(_ cells: (String, String?)...) -> Batch.Action {
      let start = batch.cells.count
      for (column, value) in cells { batch.cells.append(cell(column, value)) }
      return .insertRow(Batch.Row(cells: start..<batch.cells.count), at: .end)
    }

    func update(_ row: UInt64, _ column: String, _ value: String?) -> Batch.Action {
      batch.cells.append(cell(column, value))
      return .updateRow(.id(row), cells: batch.cells.count - 1..<batch.cells.count)
    }

    func add(_ column: Column) -> Batch.Action {
      batch.columns.append(column)
      return .addColumn(batch.columns.count - 1, before: nil)
    }

    @discardableResult
    func run(_ actions: Batch.Action..., isDryRun: Bool = false) throws(TableFault) -> Outcome {
      batch.operations = actions.map { Batch.Operation($0) }
      batch.isDryRun = isDryRun
      defer { batch.removeAll() }
      let context = ChangeContext(
        epoch: 3, revision: revision + 1, time: 0, uid: 0, actor: "", client: 0, request: 0)
      let outcome = try table.perform(batch, context)
      revision = outcome.revision
      table.checkInvariants()
      return outcome
    }

    func value(_ row: UInt64, _ column: String) -> CellValue? {
      var found: CellValue?
      guard let id = table.schema.column(named: column)?.id, let image = table.row(row) else {
        return nil
      }
      RowImage.forEachCell(of: image.span) { if $0 == id { found = $1 } }
      return found
    }
  }

  static let name = Column(id: 1, name: "name", kind: .text)
  static let code: Column = {
    var code = Column(id: 2, name: "code", kind: .text)
    code.isUnique = true
    return code
  }()

  static func text(_ text: String) -> CellValue { .text(Array(text.utf8)) }

  @Test func duplicatesNameRowColumnValueAndTheOther() throws {
    let fixture = Fixture([Self.name, Self.code])
    try fixture.run(fixture.insert(("code", "a")), fixture.insert(("code", "b")))
    try fixture.run(fixture.insert(("code", nil)), fixture.insert())
    let inserted = #expect(throws: TableFault.self) {
      try fixture.run(fixture.insert(("code", "c")), fixture.insert(("code", "a")))
    }
    #expect(inserted?.code == .duplicateKey && inserted?.operation == 1 && inserted?.row == nil)
    #expect(inserted?.column == "code" && inserted?.value == "a")
    #expect(inserted?.expected?.contains("row 1 has it") == true)
    let updated = #expect(throws: TableFault.self) {
      try fixture.run(fixture.update(2, "code", "a"))
    }
    #expect(updated?.row == 2 && updated?.expected?.contains("row 1") == true)
    let both = #expect(throws: TableFault.self) {
      try fixture.run(fixture.insert(("code", "z")), fixture.insert(("code", "z")))
    }
    #expect(both?.operation == 1)
    // Bytes are compared (contract S7).
    try fixture.run(fixture.insert(("code", "A")))
    #expect(fixture.table.row(with: Self.text("A"), inUnique: 2) == 5)
    #expect(fixture.table.row(with: Self.text("a"), inUnique: 2) == 1)
    #expect(fixture.table.row(with: Self.text("c"), inUnique: 2) == nil)
    #expect(fixture.table.row(with: Self.text("a"), inUnique: 1) == nil)
  }

  @Test func aSwapIsJudgedByItsResult() throws {
    let fixture = Fixture([Self.name, Self.code])
    try fixture.run(fixture.insert(("code", "a")), fixture.insert(("code", "b")))
    let dry = try fixture.run(
      fixture.update(1, "code", "b"), fixture.update(2, "code", "a"), isDryRun: true)
    #expect(dry.counts.rowsUpdated == 2)
    #expect(fixture.table.row(with: Self.text("a"), inUnique: 2) == 1)
    try fixture.run(fixture.update(1, "code", "b"), fixture.update(2, "code", "a"))
    #expect(fixture.table.row(with: Self.text("a"), inUnique: 2) == 2)
    // A value that a deleted row had is free in the same batch.
    try fixture.run(fixture.insert(("code", "b")), .deleteRow(.id(1)))
    #expect(fixture.table.row(with: Self.text("b"), inUnique: 2) == 3)
  }

  @Test func upsertFindsByTheIndexWhatTheBatchDid() throws {
    let fixture = Fixture([Self.name, Self.code])
    try fixture.run(fixture.insert(("code", "a")), fixture.insert(("code", "b")))
    func upsert(_ code: String, _ name: String) -> Batch.Action {
      let start = fixture.batch.cells.count
      fixture.batch.cells.append(fixture.cell("code", code))
      fixture.batch.cells.append(fixture.cell("name", name))
      return .upsert(
        column: fixture.text("code"), row: Batch.Row(cells: start..<start + 2), at: .end)
    }
    let outcome = try fixture.run(
      fixture.update(1, "code", "c"), upsert("c", "one"), upsert("a", "three"),
      .deleteRow(.id(2)), upsert("b", "four"), upsert("a", "three again"))
    #expect(outcome.counts.rowsInserted == 2)
    #expect(fixture.value(1, "name") == Self.text("one"))
    #expect(fixture.value(3, "name") == Self.text("three again"))
    #expect(fixture.value(4, "code") == Self.text("b"))
  }

  @Test func aFillIsReadForOlderRowsAndKeepsTheirRevision() throws {
    let fixture = Fixture([Self.name])
    try fixture.run(fixture.insert(("name", "x")))
    var column = Column(id: 0, name: "place", kind: .text)
    column.isRequired = true
    let refused = #expect(throws: TableFault.self) { try fixture.run(fixture.add(column)) }
    #expect(refused?.code == .required && refused?.operation == 0)
    column.fill = Self.text("attic")
    column.defaultValue = Self.text("hall")
    let outcome = try fixture.run(fixture.add(column))
    #expect(outcome.counts == ChangeCounts())
    #expect(fixture.value(1, "place") == Self.text("attic"))
    let image = try #require(fixture.table.row(1))
    #expect(RowImage.revision(of: image.span) == 2)
    // To give a row the value that it shows is no change (contract E6).
    #expect(try fixture.run(fixture.update(1, "place", "attic")).isUnchanged)
    try fixture.run(fixture.insert(("name", "y")))
    #expect(fixture.value(2, "place") == Self.text("hall"))
    let null = #expect(throws: TableFault.self) {
      try fixture.run(fixture.update(1, "place", nil))
    }
    #expect(null?.code == .required)
  }

  @Test func aDroppedColumnsCellsStayHidden() throws {
    let fixture = Fixture([Self.name, Self.code])
    try fixture.run(fixture.insert(("name", "x"), ("code", "a")))
    let view = fixture.table.openView(revision: fixture.revision)
    try fixture.run(.dropColumn(fixture.text("code")))
    #expect(fixture.value(1, "code") == nil && fixture.table.schema.columns.count == 1)
    try fixture.run(fixture.update(1, "name", "y"))
    let slot = try #require(fixture.table.rows.slot(of: 1))
    let hidden = fixture.table.rows.withImage(slot) { RowImage.cell(2, in: $0)?.value(in: $0) }
    #expect(hidden == Self.text("a"))
    // A new column of that name is another one.
    try fixture.run(fixture.add(Self.code))
    #expect(fixture.table.schema.column(named: "code")?.id == 3)
    #expect(fixture.value(1, "code") == nil)
    // The view still shows the columns of its revision.
    #expect(view.schema.columns.count == 2)
    var cells: [UInt64: CellValue] = [:]
    _ = view.forEachRow(inSection: 0, from: 0) { image in
      RowImage.forEachCell(of: image) { cells[$0] = $1 }
      return true
    }
    #expect(cells == [1: Self.text("x"), 2: Self.text("a")])
    view.close()
  }

  @Test func thereAndBackIsNoChange() throws {
    let fixture = Fixture([Self.name, Self.code])
    try fixture.run(fixture.insert(("name", "x")))
    let rename = try fixture.run(
      .renameColumn(fixture.text("name"), name: fixture.text("title")),
      .renameColumn(fixture.text("TITLE"), name: fixture.text("name")))
    #expect(rename.isUnchanged)
    let column = Column(id: 0, name: "extra", kind: .text)
    let added = try fixture.run(
      fixture.add(column), fixture.update(1, "extra", "v"), .dropColumn(fixture.text("extra")))
    #expect(added.isUnchanged && fixture.table.schema.nextColumn == 3)
    #expect(fixture.table.schema.revision == 1)
  }

  @Test func columnsThatAreRefused() throws {
    let fixture = Fixture([Self.name, Self.code])
    func refusal(_ change: (inout Column) -> Void) -> TableFault.Code? {
      var column = Column(id: 0, name: "new", kind: .text)
      change(&column)
      return #expect(throws: TableFault.self) { try fixture.run(fixture.add(column)) }?.code
    }
    #expect(refusal { $0.name = "NAME" } == .nameInUse)
    #expect(refusal { $0.name = "_order" } == .badName)
    #expect(refusal { $0.name = "a+" } == .badName)
    #expect(
      refusal {
        $0.kind = .boolean; $0.isUnique = true
      } == .wrongKind)
    #expect(
      refusal {
        $0.kind = .timestamp; $0.isUnique = true
      } == .wrongKind)
    #expect(refusal { $0.fill = .text([]) } == .badValue)
    #expect(
      refusal {
        $0.fill = .text([]); $0.isRequired = true; $0.isUnique = true
      } == .badValue)
    #expect(refusal { $0.defaultValue = .integer(1) } == .wrongKind)
    #expect(refusal { $0.scale = 1 } == .wrongKind)
    let missing = #expect(throws: TableFault.self) {
      try fixture.run(.dropColumn(fixture.text("nowhere")))
    }
    #expect(missing?.code == .noSuchColumn)
    let far = #expect(throws: TableFault.self) {
      try fixture.run(.moveColumn(fixture.text("name"), to: 2))
    }
    #expect(far?.code == .outOfRange)
  }
}
