import Testing

@testable import TableService

/// The rules of sequence batches, one by one.
@Suite struct TableRuleTests {
  @Test func pathsNeedABasis() throws {
    let bench = try Bench()
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 0))))
    #expect(bench.refusal(.absent)?.code == .pathsNeedBasis)
    bench.add(.deleteSection(.index(0)))
    #expect(bench.refusal(.absent)?.code == .pathsNeedBasis)
    bench.add(.insertRow(bench.row("X"), at: .path(RowPath(section: 0, row: 0))))
    #expect(bench.refusal(.absent)?.code == .pathsNeedBasis)
    bench.add(.deleteRow(bench.ref("A")))
    #expect(bench.refusal(.absent) == nil)
  }

  @Test func anExpectationHoldsWhileTheTableIsUnchanged() throws {
    let bench = try Bench()
    let cursor = StoreCursor(epoch: 9, revision: bench.revision)
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 0))))
    try bench.perform(.at(cursor))
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 0))))
    let stale = bench.refusal(.at(cursor))
    #expect(stale?.code == .stale && stale?.revision == bench.revision)
    bench.batch.expect = StoreCursor(epoch: 8, revision: 1)
    #expect(bench.refusal()?.code == .wrongEpoch)
    bench.batch.expect = StoreCursor(epoch: 9, revision: 99)
    #expect(bench.refusal()?.code == .futureRevision)
    bench.add(.deleteRow(bench.ref("B")))
    #expect(bench.refusal(.rebased(cursor))?.code == .unsupported)
    #expect(bench.content == "S:B,C")
  }

  @Test func aFaultNamesItsPlaceAndChangesNothing() throws {
    let bench = try Bench()
    bench.add(.deleteRow(bench.ref("A")))
    bench.add(.moveRow(bench.ref("B"), to: .path(RowPath(section: 0, row: 9))))
    let fault = bench.refusal()
    #expect(fault?.code == .outOfRange && fault?.operation == 1)
    #expect(fault?.path == RowPath(section: 0, row: 9) && fault?.expected == "a row up to 1")
    bench.add(.updateRow(.id(77), cells: bench.cells([])))
    #expect(bench.refusal() == refusal(.noSuchRow, operation: 0) { $0.row = 77 })
    let wrong = bench.cells([("value", .text(bench.text("many")))])
    bench.add(.updateRow(bench.ref("B"), cells: wrong))
    let kind = bench.refusal()
    #expect(kind?.code == .wrongKind && kind?.column == "value" && kind?.value == "many")
    #expect(kind?.row == bench.id("B") && kind?.expected == "decimal")
    #expect(bench.content == "S:A,B,C" && bench.identifiers.mark.row == 4)
  }

  private func refusal(
    _ code: TableFault.Code, operation: Int, _ set: (inout TableFault) -> Void
  ) -> TableFault {
    var fault = TableFault(code)
    fault.operation = operation
    set(&fault)
    return fault
  }

  @Test func readOnlyMayBeGivenAtTheInsertOnly() throws {
    let bench = try Bench()
    let row = Batch.Row(cells: bench.cells([("created", .number(.timestamp, 5))]))
    bench.add(.insertRow(row, at: .end))
    let id = try bench.perform().inserted[0].first
    let image = try #require(bench.table.row(id))
    let created = RowImage.cell(4, in: image.span)?.number
    #expect(created == 5)
    bench.add(.updateRow(.id(id), cells: bench.cells([("created", .number(.timestamp, 6))])))
    #expect(bench.refusal()?.code == .readOnly)
    bench.add(.updateRow(.id(id), cells: bench.cells([("created", .number(.timestamp, 5))])))
    #expect(try bench.perform().isUnchanged)
  }

  @Test func createdIsTheTimeOfTheBatch() throws {
    let bench = try Bench()
    let image = try #require(bench.table.row(bench.id("A")))
    let created = RowImage.cell(4, in: image.span)?.number
    #expect(created == 1_000_000)
  }

  @Test func insertAndDeleteLeaveNothing() throws {
    let bench = try Bench()
    bench.add(.insertRow(bench.row("X", handle: 1), at: .end))
    bench.add(.deleteRow(.handle(1)))
    let outcome = try bench.perform()
    #expect(outcome.isUnchanged && outcome.inserted.isEmpty)
    #expect(bench.identifiers.mark.row == 4)
  }

  @Test func anExplicitReloadIsAChange() throws {
    let bench = try Bench()
    let image = bench.table.row(bench.id("A"))
    bench.add(.reloadRow(bench.ref("A"), cells: 0..<0))
    let outcome = try bench.perform()
    #expect(!outcome.isUnchanged && outcome.counts.rowsUpdated == 0)
    #expect(outcome.stages.map(\.reloads.count) == [1])
    #expect(bench.table.row(bench.id("A")) == image && outcome.oldRows.isEmpty)
    #expect(bench.table.lastChanged == bench.revision)
  }

  @Test func aRowKeepsItsRevisionWhereItsCellsAreTheSame() throws {
    let bench = try Bench()
    let image = bench.table.row(bench.id("A"))
    bench.add(.updateRow(bench.ref("A"), cells: bench.cells([("serial", .text(bench.text("1")))])))
    bench.add(.updateRow(bench.ref("A"), cells: bench.cells([("serial", .null)])))
    bench.add(.moveRow(bench.ref("A"), to: .end))
    let outcome = try bench.perform()
    #expect(outcome.counts.rowsMoved == 1 && outcome.counts.rowsUpdated == 0)
    #expect(bench.table.row(bench.id("A")) == image)
  }

  @Test func handlesNameWhatTheBatchMade() throws {
    let bench = try Bench([])
    var new = Batch.NewSection(title: bench.text("N"))
    new.handle = 1
    bench.add(.insertSection(new))
    bench.add(.insertRow(bench.row("A", handle: 2), at: .last(of: .handle(1))))
    bench.add(.insertRow(bench.row("B"), at: .before(.handle(2))))
    try bench.perform()
    #expect(bench.content == "N:B,A")
    bench.add(.deleteRow(.handle(2)))
    #expect(bench.refusal()?.code == .noSuchHandle)
    bench.add(.insertRow(bench.row("C", handle: 2), at: .end))
    bench.add(.insertRow(bench.row("D", handle: 2), at: .end))
    #expect(bench.refusal()?.code == .badRequest)
  }

  @Test func aTitleOfTwoSectionsIsAmbiguous() throws {
    let bench = try Bench([("S", []), ("S", [])])
    bench.add(.insertRow(bench.row("A"), at: .first(of: bench.title("S"))))
    let fault = bench.refusal()
    #expect(fault?.code == .ambiguous && fault?.expected == "one of id:1, id:2")
    bench.add(.insertRow(bench.row("A"), at: .first(of: bench.title("s"))))
    #expect(bench.refusal()?.code == .noSuchSection)
  }

  @Test func aDryRunGivesPlaceholders() throws {
    let bench = try Bench()
    bench.batch.isDryRun = true
    bench.section("N", ["X"])
    bench.add(.insertRow(bench.row("Y"), at: .end))
    let outcome = try bench.perform()
    #expect(outcome.isDryRun && outcome.revision == bench.revision && outcome.change.isEmpty)
    #expect(outcome.inserted.map { Int64(bitPattern: $0.first) } == [-1, -2])
    #expect(outcome.insertedSections.map { Int64(bitPattern: $0.first) } == [-1])
    #expect(outcome.counts.rowsInserted == 2 && bench.content == "S:A,B,C")
  }

  @Test func upsertChangesOrMakes() throws {
    let bench = try Bench()
    func upsert(_ name: String, _ value: Int64) {
      let cells = bench.cells([
        ("name", .text(bench.text(name))), ("value", .number(.decimal, value)),
      ])
      bench.add(.upsert(column: bench.text("NAME"), row: Batch.Row(cells: cells), at: .end))
    }
    upsert("A", 5)
    upsert("X", 6)
    upsert("X", 7)
    let outcome = try bench.perform()
    #expect(bench.content == "S:A,B,C,X")
    #expect(outcome.counts.rowsInserted == 1 && outcome.counts.rowsUpdated == 1)
    upsert("A", 5)
    upsert("X", 7)
    #expect(try bench.perform().isUnchanged)
    bench.add(.insertRow(bench.row("A"), at: .end))
    upsert("A", 9)
    #expect(bench.refusal()?.code == .ambiguous)
    bench.add(
      .upsert(column: bench.text("name"), row: Batch.Row(cells: bench.cells([])), at: .end))
    #expect(bench.refusal()?.code == .required)
  }

  @Test func limitsRefuse() throws {
    let bench = try Bench()
    let long = String(repeating: "x", count: TableLimits.text + 1)
    bench.add(.insertRow(bench.row(long), at: .end))
    #expect(bench.refusal()?.code == .textTooLong)
    bench.add(.insertSection(Batch.NewSection(title: bench.text(String(long.prefix(4097))))))
    #expect(bench.refusal()?.code == .textTooLong)
    bench.add(.insertRow(Batch.Row(cells: bench.cells([("colour", .null)])), at: .end))
    #expect(bench.refusal()?.column == "colour")
    let twice = bench.cells([("name", .null), ("Name", .null)])
    bench.add(.insertRow(Batch.Row(cells: twice), at: .end))
    #expect(bench.refusal()?.code == .duplicateColumn)
    bench.add(.unsupported(23))
    #expect(bench.refusal()?.code == .unsupported)
    bench.batch.sectionCounts = [2]
    #expect(bench.refusal()?.code == .countRows)
    bench.batch.sectionCounts = [3, 1]
    #expect(bench.refusal()?.code == .countSections)
    bench.batch.hasNoSections = true
    #expect(bench.refusal()?.code == .countSections)
    bench.batch.hasNoSections = true
    bench.batch.sectionCounts = [3]
    #expect(bench.refusal()?.code == .badRequest)
    bench.add(.deleteSection(bench.title("S")))
    bench.batch.hasNoSections = true
    try bench.perform()
    #expect(bench.content == "")
  }

  @Test func aRowIsBounded() throws {
    var columns: [Column] = []
    for index in 1...9 { columns.append(Column(id: 1, name: "c\(index)", kind: .text)) }
    let bench = try Bench([])
    let (table, made) = try Table.make(
      name: "wide", columns: columns, titles: ["S", nil], identifiers: bench.identifiers,
      pending: bench.pending, bench.context)
    #expect(table.schema.columns.map(\.id) == Array(1...9))
    #expect(
      made.counts.sectionsInserted == 2 && made.change.allSatisfy { isCanonical($0, .change) })
    let text = bench.text(String(repeating: "x", count: TableLimits.text))
    let cells = bench.cells((1...9).map { ("c\($0)", .text(text)) })
    bench.add(.insertRow(Batch.Row(cells: cells), at: .end))
    bench.revision += 1
    #expect(throws: TableFault.self) { try table.perform(bench.batch, bench.context) }
    bench.batch.operations[0].action = .insertRow(
      Batch.Row(cells: cells.lowerBound..<cells.upperBound - 2), at: .end)
    #expect(try table.perform(bench.batch, bench.context).counts.rowsInserted == 1)
  }

  @Test func tablesAreMadeRenamedAndDropped() throws {
    let identifiers = Identifiers()
    let pending = PendingWrites()
    var context = ChangeContext(
      epoch: 9, revision: 1, time: 5, uid: 1, actor: "a", client: 1, request: 1)
    let (table, made) = try Table.make(
      name: "items", columns: [], titles: [nil], identifiers: identifiers, pending: pending,
      context)
    #expect(table.schema.columns == Schema.homepwnerColumns && table.sectionCount == 1)
    let change = try #require(ProtoChange(parts: made.change))
    #expect(change.event == 1 && change.name == "items" && change.columnsChanged)
    #expect(change.columns == ["name", "serial", "value", "created"])
    let folded = try Table(
      folding: table.id, made.change, identifiers: Identifiers(), pending: PendingWrites())
    #expect(folded.schema.columns == table.schema.columns && folded.name == "items")
    #expect(folded.schema.revision == 1 && NaiveCopy(folded) == NaiveCopy(table))
    context.revision = 2
    let renamed = try table.rename(to: "things", context)
    try folded.fold(renamed.change)
    #expect(folded.name == "things" && folded.lastChanged == 2)
    #expect(try ChangeHead(renamed.change[0]).tables.map(\.event) == [.renamed])
    context.revision = 3
    #expect(try table.rename(to: "things", context).isUnchanged)
    for name in ["", "hpd_x", "SQLite_x", "a\u{1}", String(repeating: "n", count: 65)] {
      #expect(throws: TableFault.self) { try table.rename(to: name, context) }
    }
    let dropped = table.drop(context)
    #expect(try ChangeHead(dropped.change[0]).tables.map(\.event) == [.dropped])
    #expect(isCanonical(dropped.change[0], .change))
    var kinds: [PendingWrite.Kind] = []
    let reached = pending.forEach { write, _ in
      kinds.append(write.kind)
      return true
    }
    #expect(reached == 3)
    #expect(kinds == [.table, .section, .changed, .table, .changed, .dropTable])
  }

  @Test func columnsOfANewTableAreJudged() throws {
    func refused(_ columns: [Column]) throws -> TableFault.Code? {
      let context = ChangeContext(
        epoch: 9, revision: 1, time: 5, uid: 1, actor: "a", client: 1, request: 1)
      do throws(TableFault) {
        _ = try Table.make(
          name: "t", columns: columns, identifiers: Identifiers(), pending: PendingWrites(),
          context)
        return nil
      } catch { return error.code }
    }
    let text = Column(id: 0, name: "Ä", kind: .text)
    #expect(try refused([text]) == nil)
    #expect(try refused([text, Column(id: 0, name: "ä", kind: .date)]) == .nameInUse)
    #expect(try refused([Column(id: 0, name: "_Id", kind: .text)]) == .badName)
    #expect(try refused([Column(id: 0, name: "a=b", kind: .text)]) == .badName)
    #expect(try refused([Column(id: 0, name: "a+", kind: .text)]) == .badName)
    var decimal = Column(id: 0, name: "d", kind: .decimal)
    decimal.scale = 10
    #expect(try refused([decimal]) == .badValue)
    var now = text
    now.defaultsToNow = true
    #expect(try refused([now]) == .wrongKind)
    var unique = text
    unique.isUnique = true
    #expect(try refused([unique]) == nil)
    unique.kind = .boolean
    #expect(try refused([unique]) == .wrongKind)
    var filled = text
    filled.fill = .text([])
    #expect(try refused([filled]) == .badValue)
    let many = (0...256).map { Column(id: 0, name: "c\($0)", kind: .text) }
    #expect(try refused(many) == .tooManyColumns)
  }

  @Test func foldRefusesWhatDoesNotFit() throws {
    let bench = try Bench()
    bench.add(.deleteRow(bench.ref("A")))
    let change = try bench.perform().change
    let before = NaiveCopy(bench.table)
    #expect(throws: FoldFault.self) { try bench.table.fold(change) }
    #expect(NaiveCopy(bench.table) == before)
    #expect(throws: FoldFault.coding(.truncated)) {
      try bench.table.fold([Array(change[0].dropLast(3))])
    }
    bench.table.checkInvariants()
  }
}
