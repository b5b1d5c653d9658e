import Testing

@testable import TableService

/// Rules of transitions, each by an example (semantics 2.1–2.4, contracts E1–E4, E6, E12).
@Suite struct TransitionRuleTests {
  typealias Stage = ProtoChange.Stage
  typealias Run = ProtoChange.Run

  private func bench(_ start: Bench.Rows = [("S", ["A", "B", "C"])]) throws -> Bench {
    let bench = try Bench(start)
    bench.batch.mode = .transition
    return bench
  }

  private func path(_ section: UInt64, _ row: UInt64) -> RowPath {
    RowPath(section: section, row: row)
  }

  /// The fault of a batch, which is a transition again afterwards.
  private func refusal(_ bench: Bench, _ basis: Batch.Basis = .current) -> TableFault? {
    defer { bench.batch.mode = .transition }
    return bench.refusal(basis)
  }

  @Test func pathsNeedABasis() throws {
    let bench = try bench()
    let actions: [Batch.Action] = [
      .deleteRow(.path(path(0, 0))), .insertRow(bench.row("X"), at: .path(path(0, 0))),
      .moveRow(bench.ref("A"), to: .path(path(0, 2))), .deleteSection(.index(0)),
      .insertSection(Batch.NewSection(place: .index(0))),
    ]
    for action in actions {
      bench.add(action)
      let fault = refusal(bench, .absent)
      #expect(fault?.code == .pathsNeedBasis && fault?.operation == 0, "\(action)")
    }
  }

  @Test func aCursorHoldsWhileTheTableIsTheSame() throws {
    let bench = try bench()
    let cursor = StoreCursor(epoch: 9, revision: bench.revision)
    bench.add(.deleteRow(.path(path(0, 0))))
    try bench.perform(.at(cursor))
    bench.batch.mode = .transition
    bench.add(.deleteRow(.path(path(0, 0))))
    #expect(refusal(bench, .at(cursor))?.code == .stale)
    bench.add(.deleteRow(.path(path(0, 0))))
    #expect(refusal(bench, .at(StoreCursor(epoch: 8, revision: 2)))?.code == .wrongEpoch)
    bench.add(.deleteRow(.path(path(0, 0))))
    #expect(refusal(bench, .at(StoreCursor(epoch: 9, revision: 9)))?.code == .futureRevision)
    #expect(bench.content == "S:B,C")
  }

  /// Conditions of operations judge the old table, not what the operations before left.
  @Test func conditionsJudgeTheOldTable() throws {
    let bench = try bench()
    bench.batch.conditionList = [.sectionCount(.index(0), 3), .rowExists(.path(path(0, 2)))]
    bench.add(.deleteRow(.path(path(0, 2))))
    bench.batch.operations.append(
      Batch.Operation(.deleteRow(.path(path(0, 0))), conditions: 0..<2))
    try bench.perform()
    #expect(bench.content == "S:B")
    bench.batch.mode = .transition
    bench.batch.conditionList = [.sectionCount(.index(0), 0)]
    bench.add(.deleteRow(.path(path(0, 0))))
    bench.batch.operations.append(
      Batch.Operation(
        .insertRow(bench.row("X"), at: .path(path(0, 0))), conditions: 0..<1))
    let fault = refusal(bench)
    #expect(fault?.code == .countRows && fault?.operation == 1)
  }

  @Test func placesOfTheNewTableArePaths() throws {
    let bench = try bench()
    let actions: [Batch.Action] = [
      .insertRow(bench.row("X"), at: .end), .insertRow(bench.row("X"), at: .after(bench.ref("A"))),
      .moveRow(.path(path(0, 0)), to: .last(of: .index(0))),
      .insertSection(Batch.NewSection(place: .end)),
      .moveSection(.index(0), to: .before(.index(0))),
    ]
    for action in actions {
      bench.add(action)
      #expect(refusal(bench)?.code == .badRequest, "\(action)")
    }
    bench.add(.upsert(column: bench.text("name"), row: bench.row("A"), at: .end))
    #expect(refusal(bench)?.code == .unsupported)
    bench.add(.deleteRow(.handle(1)))
    #expect(refusal(bench)?.code == .noSuchHandle)
    bench.add(.unsupported(18))
    #expect(refusal(bench)?.code == .unsupported)
  }

  @Test func rowsOfTheOldTableMayBeNamedByID() throws {
    let bench = try bench()
    bench.add(.moveRow(bench.ref("C"), to: .path(path(0, 0))))
    bench.add(.deleteRow(bench.ref("A")))
    try bench.perform()
    #expect(bench.content == "S:C,B")
    bench.batch.mode = .transition
    bench.add(.deleteRow(.path(path(0, 1))))
    bench.add(.moveRow(bench.ref("B"), to: .path(path(0, 0))))
    let fault = refusal(bench)
    #expect(fault?.code == .deleteAndMove && fault?.operation == 1)
    #expect(fault?.path == path(0, 1) && fault?.otherPath == path(0, 1))
  }

  /// The later operation and the paths of both (contract E12).
  @Test func aPairNamesTheLaterOperationAndBothPaths() throws {
    let bench = try bench([("S", ["A", "B", "C"]), ("T", ["D"])])
    bench.add(.moveRow(.path(path(0, 0)), to: .path(path(0, 2))))
    bench.add(.deleteRow(.path(path(1, 0))))
    bench.add(.moveRow(.path(path(0, 1)), to: .path(path(0, 2))))
    var fault = refusal(bench)
    #expect(fault?.code == .moveCollision && fault?.operation == 2)
    #expect(fault?.path == path(0, 1) && fault?.otherPath == path(0, 0))
    bench.add(.insertRow(bench.row("X"), at: .path(path(0, 1))))
    bench.add(.moveRow(.path(path(0, 2)), to: .path(path(0, 1))))
    fault = refusal(bench)
    #expect(fault?.code == .insertAndMove && fault?.operation == 1)
    #expect(fault?.path == path(0, 2) && fault?.otherPath == path(0, 1))
    bench.add(.moveRow(.path(path(0, 2)), to: .path(path(0, 1))))
    bench.add(.deleteSection(.index(0)))
    fault = refusal(bench)
    #expect(fault?.code == .moveFromDeletedSection && fault?.operation == 1)
    #expect(fault?.path == path(0, 0) && fault?.otherPath == path(0, 2))
  }

  @Test(arguments: [1 << 31, 1 << 32, 1 << 53, 1 << 63, .max] as [UInt64])
  func indicesBeyondAnyTableAreOutOfRange(index: UInt64) throws {
    let bench = try bench()
    let actions: [Batch.Action] = [
      .deleteRow(.path(path(index, 0))), .deleteRow(.path(path(0, index))),
      .reloadRow(.path(path(index, index)), cells: 0..<0),
      .insertRow(bench.row("X"), at: .path(path(0, index))),
      .insertRow(bench.row("X"), at: .path(path(index, 0))),
      .moveRow(.path(path(0, 0)), to: .path(path(0, index))),
      .moveRow(.path(path(0, 0)), to: .path(path(index, 0))), .deleteSection(.index(index)),
      .moveSection(.index(0), to: .index(index)), .moveSection(.index(index), to: .index(0)),
      .insertSection(Batch.NewSection(place: .index(index))),
      .reloadSection(.index(index), rows: nil),
    ]
    for action in actions {
      bench.add(action)
      bench.add(.reloadRow(.path(path(0, 1)), cells: 0..<0))
      let fault = refusal(bench)
      #expect(fault?.code == .outOfRange && fault?.operation == 0, "\(action)")
    }
    #expect(bench.content == "S:A,B,C")
  }

  @Test func aReloadWithRowsIsToldAsOne() throws {
    let bench = try bench([("S", ["A", "B"]), ("T", ["C"])])
    let section = bench.table.section(at: 0).record.id
    let old = [bench.id("A"), bench.id("B")]
    bench.batch.rows = ["X", "Y"].map { bench.row($0) }
    bench.add(.reloadSection(.index(0), rows: 0..<2))
    bench.add(.insertRow(bench.row("Z"), at: .path(path(1, 0))))
    let outcome = try bench.perform()
    #expect(bench.content == "S:X,Y / T:Z,C")
    #expect(bench.table.section(at: 0).record.id == section)
    #expect(ProtoChange(parts: outcome.change)?.deleted == old)
    #expect(outcome.inserted == [IDRun(first: bench.id("X"), count: 3)])
    #expect(
      outcome.stages == [
        Stage(kind: 1, inserts: [Run(section: 1, row: 0, id: bench.id("Z"))]),
        Stage(
          kind: 3, reloadSections: [[0, 0]], replacedSections: [0],
          contents: [Run(section: 0, row: 0, count: 2, id: bench.id("X"))]),
      ])
  }

  @Test func aReloadWithoutRowsKeepsThem() throws {
    let bench = try bench()
    let image = bench.table.row(bench.id("A"))
    bench.add(.reloadSection(.index(0), rows: nil))
    let outcome = try bench.perform()
    #expect(outcome.stages == [Stage(kind: 3, reloadSections: [[0, 0]])])
    #expect(bench.table.row(bench.id("A")) == image && bench.content == "S:A,B,C")
  }

  @Test func aMovedRowMayBeReloaded() throws {
    let bench = try bench()
    let id = bench.id("A")
    bench.add(
      .reloadRow(.path(path(0, 0)), cells: bench.cells([("serial", .text(bench.text("7")))])))
    bench.add(.moveRow(.path(path(0, 0)), to: .path(path(0, 1))))
    let outcome = try bench.perform()
    #expect(bench.content == "S:B,A,C")
    #expect(outcome.stages.count == 2)
    #expect(
      outcome.stages.last?.reloads == [
        ProtoChange.Reload(oldSection: 0, oldRow: 0, section: 0, row: 1, id: id, columns: [2])
      ])
  }

  @Test func attributesOfSectionsGoByTheOldIndex() throws {
    let bench = try bench([("S", ["A"]), ("T", [])])
    bench.add(.moveSection(.index(0), to: .index(1)))
    bench.add(.retitleSection(.index(0), title: bench.text("U")))
    let footer = Batch.HeaderFooterText(title: bench.text("end"))
    bench.add(.setHeaderFooter(.index(1), isFooter: true, value: footer))
    try bench.perform()
    #expect(bench.content == "T: / U:A")
    #expect(bench.table.section(at: 0).record.footer != nil)
    bench.batch.mode = .transition
    bench.add(.retitleSection(.index(0), title: nil))
    bench.add(.retitleSection(.index(0), title: bench.text("V")))
    #expect(refusal(bench)?.code == .duplicate)
    bench.add(.retitleSection(.index(0), title: nil))
    bench.add(.deleteSection(.index(0)))
    #expect(refusal(bench)?.code == .deleteAndReload)
  }

  @Test func nothingAskedIsNothingChanged() throws {
    let bench = try bench()
    #expect(try bench.perform().isUnchanged)
    bench.batch.mode = .transition
    bench.add(.moveRow(.path(path(0, 1)), to: .path(path(0, 1))))
    bench.add(.moveSection(.index(0), to: .index(0)))
    #expect(try bench.perform().isUnchanged)
  }

  @Test func anUpdateIsAReloadWhereACellChanges() throws {
    let bench = try bench()
    let same = bench.cells([("name", .text(bench.text("B")))])
    bench.add(.updateRow(.path(path(0, 1)), cells: same))
    #expect(try bench.perform().isUnchanged)
    bench.batch.mode = .transition
    bench.add(.deleteRow(.path(path(0, 0))))
    bench.add(
      .updateRow(.path(path(0, 1)), cells: bench.cells([("name", .text(bench.text("X")))])))
    try bench.perform()
    #expect(bench.content == "S:X,C")
    bench.batch.mode = .transition
    bench.add(.updateRow(.path(path(0, 1)), cells: 0..<0))
    bench.add(.deleteRow(.path(path(0, 1))))
    #expect(refusal(bench)?.code == .deleteAndReload)
  }

  @Test func anAbsorbedRowTakesNoID() throws {
    let bench = try bench([("S", ["A"])])
    bench.batch.rows = [bench.row("X")]
    bench.add(.insertSection(Batch.NewSection(place: .index(0), rows: 0..<1)))
    bench.add(.insertRow(bench.row("Y"), at: .path(path(0, 0))))
    let mark = bench.identifiers.mark.row
    let outcome = try bench.perform()
    #expect(outcome.counts.rowsInserted == 1 && bench.identifiers.mark.row == mark + 1)
    #expect(outcome.stages.count == 1 && outcome.stages[0].inserts.isEmpty)
  }

  @Test func aFaultInACellNamesItsOperation() throws {
    let bench = try bench()
    bench.add(.deleteRow(.path(path(0, 0))))
    bench.add(
      .insertRow(
        Batch.Row(cells: bench.cells([("colour", .null)])), at: .path(path(0, 0))))
    let fault = refusal(bench)
    #expect(fault?.code == .noSuchColumn && fault?.operation == 1)
    #expect(bench.content == "S:A,B,C")
  }
}
