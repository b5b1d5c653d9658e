import Testing

@testable import TableService

/// What is told of a change, exactly (contracts E10, E12, semantics 2.4).
@Suite struct EmissionTests {
  typealias Stage = ProtoChange.Stage
  typealias Run = ProtoChange.Run
  typealias Move = ProtoChange.Move

  @Test func aMoveIsOneMoveHoweverManyRowsShift() throws {
    let bench = try Bench([("S", ["A", "B", "C", "D", "E"])])
    let id = bench.id("A")
    bench.add(.moveRow(bench.ref("A"), to: .last(of: bench.title("S"))))
    let stages = try bench.perform().stages
    #expect(bench.content == "S:B,C,D,E,A")
    #expect(
      stages == [
        Stage(
          kind: 1,
          moves: [Move(fromSection: 0, fromRow: 0, section: 0, row: 4, count: 1, id: id)])
      ])
  }

  @Test func aSwapIsTwoMoves() throws {
    let bench = try Bench()
    bench.add(.moveRow(bench.ref("A"), to: .path(RowPath(section: 0, row: 2))))
    bench.add(.moveRow(bench.ref("C"), to: .path(RowPath(section: 0, row: 0))))
    let stages = try bench.perform().stages
    #expect(bench.content == "S:C,B,A")
    #expect(stages.count == 1 && stages[0].moves.count == 2)
  }

  @Test func aMoveThatOthersImplyIsNotTold() throws {
    let bench = try Bench()
    // A goes behind B; naming B as first as well says nothing more.
    bench.add(.moveRow(bench.ref("A"), to: .after(bench.ref("B"))))
    bench.add(.moveRow(bench.ref("C"), to: .last(of: bench.title("S"))))
    let stages = try bench.perform().stages
    #expect(bench.content == "S:B,A,C")
    #expect(stages.count == 1 && stages[0].moves.map(\.id) == [bench.id("A")])
  }

  @Test func aMoveBackIsNoChange() throws {
    let bench = try Bench()
    bench.add(.moveRow(bench.ref("A"), to: .last(of: bench.title("S"))))
    bench.add(.moveRow(bench.ref("A"), to: .first(of: bench.title("S"))))
    bench.add(.moveRow(bench.ref("B"), to: .before(bench.ref("B"))))
    let before = bench.pending.count
    let outcome = try bench.perform()
    #expect(outcome.isUnchanged && outcome.change.isEmpty && bench.pending.count == before)
    #expect(outcome.revision == bench.revision)
  }

  @Test func neighboursMoveAsOneRun() throws {
    let bench = try Bench([("S", ["A", "B", "C", "D"]), ("T", [])])
    for name in ["B", "C"] {
      bench.add(.moveRow(bench.ref(name), to: .last(of: bench.title("T"))))
    }
    let stages = try bench.perform().stages
    #expect(
      stages == [
        Stage(
          kind: 1,
          moves: [
            Move(fromSection: 0, fromRow: 1, section: 1, row: 0, count: 2, id: bench.id("B"))
          ])
      ])
  }

  @Test func aNewSectionBringsItsRows() throws {
    let bench = try Bench()
    bench.section("N", ["X", "Y"], at: .index(0))
    let outcome = try bench.perform()
    #expect(
      outcome.stages == [
        Stage(
          kind: 1, insertSections: [0],
          contents: [Run(section: 0, row: 0, count: 2, id: bench.id("X"))])
      ])
    #expect(outcome.counts.rowsInserted == 2 && outcome.counts.sectionsInserted == 1)
  }

  @Test func aDeletedSectionTakesItsRowsAlong() throws {
    let bench = try Bench([("S", ["A", "B"]), ("T", ["C"])])
    let ids = [bench.id("A"), bench.id("B")]
    bench.add(.deleteSection(bench.title("S")))
    let outcome = try bench.perform()
    #expect(outcome.stages == [Stage(kind: 1, deleteSections: [0])])
    #expect(ProtoChange(parts: outcome.change)?.deleted == ids)
    #expect(outcome.counts.rowsDeleted == 2)
  }

  @Test func outOfADeletedSectionIsAnInsertThatMoved() throws {
    let bench = try Bench([("S", ["A", "B"]), ("T", ["C"])])
    let id = bench.id("A")
    bench.add(.moveRow(bench.ref("A"), to: .last(of: bench.title("T"))))
    bench.add(.deleteSection(bench.title("S")))
    let outcome = try bench.perform()
    #expect(
      outcome.stages == [
        Stage(
          kind: 1, deleteSections: [0],
          inserts: [Run(section: 0, row: 1, id: id, moved: true)])
      ])
    let change = ProtoChange(parts: outcome.change)
    #expect(change?.rows.first == bench.table.row(id) && change?.deleted.contains(id) == false)
  }

  @Test func intoANewSectionIsADeleteThatMoved() throws {
    let bench = try Bench([("S", ["A", "B"])])
    bench.section("N", ["X"])
    bench.add(.moveRow(bench.ref("A"), to: .last(of: bench.title("N"))))
    let outcome = try bench.perform()
    #expect(bench.content == "S:B / N:X,A")
    #expect(
      outcome.stages == [
        Stage(
          kind: 1, insertSections: [1],
          deletes: [Run(section: 0, row: 0, id: bench.id("A"), moved: true)],
          contents: [
            Run(section: 1, row: 0, id: bench.id("X")),
            Run(section: 1, row: 1, id: bench.id("A"), moved: true),
          ])
      ])
  }

  @Test func rowsOfAMovedSectionComeInTheSecondStage() throws {
    let bench = try Bench([("P", ["1", "2"]), ("Q", ["3"]), ("R", ["4", "5"])])
    let gone = bench.id("5")
    bench.add(.moveSection(bench.title("P"), to: .end))
    bench.add(.moveRow(bench.ref("1"), to: .first(of: bench.title("Q"))))
    bench.add(.moveRow(bench.ref("4"), to: .last(of: bench.title("P"))))
    bench.add(.deleteRow(bench.ref("5")))
    let outcome = try bench.perform()
    #expect(bench.content == "Q:1,3 / R: / P:2,4")
    #expect(
      outcome.stages == [
        Stage(kind: 1, moveSections: [[0, 2]], deletes: [Run(section: 2, row: 1, id: gone)]),
        Stage(
          kind: 2,
          moves: [
            Move(fromSection: 1, fromRow: 0, section: 2, row: 1, id: bench.id("4")),
            Move(fromSection: 2, fromRow: 0, section: 0, row: 0, id: bench.id("1")),
          ]),
      ])
    #expect(bench.copy == NaiveCopy(bench.table))
  }

  @Test func aSectionMoveResendsNoRow() throws {
    let bench = try Bench([("P", ["1", "2"]), ("Q", ["3"])])
    bench.add(.moveSection(bench.title("P"), to: .after(bench.title("Q"))))
    let outcome = try bench.perform()
    #expect(outcome.stages == [Stage(kind: 1, moveSections: [[0, 1]])])
    #expect(ProtoChange(parts: outcome.change)?.rows == [])
    // Field 12 alone: where the section was, but no row.
    #expect(outcome.oldRows.count == 1 && outcome.oldRows[0].first == 12 << 3 | 2)
  }

  @Test func anUpdateIsAReloadWithItsColumns() throws {
    let bench = try Bench()
    let id = bench.id("C")
    bench.add(.deleteRow(bench.ref("A")))
    bench.add(.updateRow(bench.ref("C"), cells: bench.cells([("value", .number(.decimal, 5))])))
    let outcome = try bench.perform()
    #expect(outcome.stages.count == 2)
    #expect(
      outcome.stages[1].reloads == [
        ProtoChange.Reload(oldSection: 0, oldRow: 2, section: 0, row: 1, id: id, columns: [3])
      ])
    #expect(ProtoChange(parts: outcome.change)?.rows.first == bench.table.row(id))
  }

  @Test func aRetitledSectionIsReloaded() throws {
    let bench = try Bench()
    bench.add(.retitleSection(bench.title("S"), title: bench.text("T")))
    let outcome = try bench.perform()
    #expect(outcome.stages == [Stage(kind: 3, reloadSections: [[0, 0]])])
    #expect(ProtoChange(parts: outcome.change)?.records.map(\.title) == ["T"])
    #expect(outcome.counts.sectionsUpdated == 1)
  }

  @Test func aTableWithoutSectionsGetsOneForTheRow() throws {
    let bench = try Bench([])
    bench.add(.insertRow(bench.row("A"), at: .end))
    let outcome = try bench.perform()
    #expect(bench.content == ":A" && bench.revision == 2)
    #expect(
      outcome.stages == [
        Stage(kind: 1, insertSections: [0], contents: [Run(section: 0, row: 0, id: 1)])
      ])
  }

  @Test func headersOfTheTableAreTold() throws {
    let bench = try Bench()
    let value = Batch.HeaderFooterText(title: bench.text("Homepwner"), height: 20)
    bench.add(.setHeaderFooter(.absent, isFooter: false, value: value))
    let outcome = try bench.perform()
    #expect(outcome.stages.isEmpty)
    #expect(ProtoChange(parts: outcome.change)?.headersChanged == true)
    let header = try HeaderFooter(#require(bench.table.header))
    #expect(header == HeaderFooter(title: "Homepwner", height: 20))
  }

  /// A change of any size comes in small parts, its reply in one page (contract K2).
  @Test func aLargeChangeIsCut() throws {
    let bench = try Bench([])
    let count = 100_000
    for index in 0..<count {
      // Every other row in front, so that no two make a run.
      let place: Batch.Place = index % 2 == 0 ? .end : .path(RowPath(section: 0, row: 0))
      bench.add(
        .insertRow(bench.row("row \(index) \(String(repeating: "x", count: 20))"), at: place))
    }
    let outcome = try bench.perform()
    #expect(outcome.change.count > 10)
    #expect(outcome.change.allSatisfy { $0.count < 300 * 1024 && isCanonical($0, .change) })
    #expect(outcome.reply.count <= TableLimits.replyPage + 64 && outcome.isTruncated)
    #expect(outcome.inserted == [IDRun(first: 1, count: UInt64(count))])
    #expect(bench.copy == NaiveCopy(bench.table))
    let other = Table(
      id: 1, name: "items", schema: bench.table.schema, lastChanged: 1,
      identifiers: Identifiers(), pending: PendingWrites())
    try other.fold(outcome.change)
    #expect(NaiveCopy(other) == NaiveCopy(bench.table))
  }
}
