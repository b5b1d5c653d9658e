import Testing

@testable import TableService

/// Cells of dropped columns are kept while an undo may bring the column back, and go after that
/// (contract E14).
@Suite struct HiddenCellTests {
  /// A table of 2,500 rows of which every second has a note.
  final class Fixture {
    let table: StepTable
    private var time: Int64 = 1 << 40

    init(history: UInt64) throws {
      var retention = Service.Retention()
      retention.historyRevisions = history
      table = try StepTable(
        columns: [
          Column(id: 1, name: "name", kind: .text), Column(id: 2, name: "note", kind: .text),
          Column(id: 3, name: "count", kind: .integer),
        ], retention: retention)
      try table.change("a") { $0.add(.insertSection(Batch.NewSection())) }
      try table.change("a") { batch in
        for number in 0..<2_500 {
          let start = batch.cells.count
          _ = batch.named("row \(number)")
          if number % 2 == 0 {
            _ = batch.cells("note", .text(batch.append(text: "note \(number)".utf8)))
          }
          batch.operations.append(
            Batch.Operation(.insertRow(Batch.Row(cells: start..<batch.cells.count), at: .end)))
        }
      }
    }

    func dropNote() throws {
      try table.change("a") { $0.add(.dropColumn($0.append(text: "note".utf8))) }
    }

    /// Steps by others, so that the history has others alone.
    func fillHistory() throws {
      for number in 0..<12 {
        try table.change("b\(number)") { $0.insert("later \(number)") }
      }
    }

    /// Lets all that can wait be done.
    func rest() throws {
      repeat {
        time += 100_000_000
        _ = try table.service.work(now: time)
      } while !table.service.leftUpkeep.isEmpty || table.service.pending.count > 0
        || table.service.store.indexLag > 0
    }

    /// How many rows have a cell of the column in memory, shown or not.
    var inMemory: Int {
      let rows = table.table.rows
      return (0..<UInt32(rows.images.slotCount)).filter { slot in
        table.table.order.isLive(slot) && rows.withImage(slot) { RowImage.cell(2, in: $0) != nil }
      }.count
    }

    /// The same on disk.
    func onDisk() throws -> Int64? {
      try table.service.store.reading().connection.number(
        "SELECT count(*) FROM \(SQLView.rows(of: table.tableID)) WHERE c2 NOT NULL", .reading)
    }
  }

  @Test func cellsStayWhileTheDropCanBeUndone() throws {
    let fixture = try Fixture(history: 1_000)
    try fixture.rest()
    let before = fixture.table.content
    try fixture.dropNote()
    try fixture.fillHistory()
    try fixture.rest()
    #expect(fixture.inMemory == 1_250)
    #expect(try fixture.onDisk() == 1_250)
    for number in 0..<12 { try fixture.table.undo("b\(number)") }
    try fixture.table.undo("a")
    #expect(fixture.table.content == before)
  }

  @Test func cellsGoOnceHistoryHasTheDropNoMore() throws {
    let fixture = try Fixture(history: 10)
    try fixture.dropNote()
    try fixture.rest()
    #expect(fixture.inMemory == 1_250)
    try fixture.table.change("a") { $0.insert("the newest of the one who dropped it") }
    try fixture.fillHistory()
    let shown = fixture.table.content
    let revision = fixture.table.service.revision
    try fixture.rest()
    #expect(fixture.inMemory == 0)
    #expect(try fixture.onDisk() == 0)
    #expect(fixture.table.content == shown)
    #expect(fixture.table.service.revision == revision)
    try fixture.table.restart()
    #expect(fixture.table.content == shown)
    // An id of a column is not used again (contract K9).
    try fixture.table.change("a") { batch in
      batch.columns.append(Column(id: 0, name: "note", kind: .text))
      batch.add(.addColumn(batch.columns.count - 1, before: nil))
    }
    #expect(fixture.table.table.schema.column(named: "note")?.id == 4)
  }

  @Test func aStopInTheMiddleIsMadeGoodByTheNextStart() throws {
    let fixture = try Fixture(history: 10)
    try fixture.dropNote()
    try fixture.rest()
    try fixture.table.change("a") { $0.insert("the newest of the one who dropped it") }
    try fixture.fillHistory()
    let shown = fixture.table.content
    var time: Int64 = 1 << 41
    for _ in 0..<100 where try fixture.onDisk() != 250 {
      // All of memory and a part of what is on disk.
      time += 100_000_000
      _ = try fixture.table.service.work(now: time)
    }
    #expect(try fixture.onDisk() == 250)
    #expect(fixture.inMemory == 0)
    try fixture.table.restart()
    #expect(fixture.table.content == shown)
    #expect(fixture.inMemory == 250)
    try fixture.rest()
    #expect(fixture.inMemory == 0)
    #expect(try fixture.onDisk() == 0)
  }

  @Test func rowsThatChangeMeanwhileKeepWhatTheyShow() throws {
    let fixture = try Fixture(history: 10)
    try fixture.dropNote()
    try fixture.table.change("a") { $0.insert("the newest of the one who dropped it") }
    try fixture.fillHistory()
    let view = fixture.table.table.openView(revision: fixture.table.service.revision)
    let ids = fixture.table.table.rows
    let first = ids.id(0)
    let last = ids.id(2_499)
    var time: Int64 = 1 << 41
    var changes = 0
    repeat {
      time += 100_000_000
      _ = try fixture.table.service.work(now: time)
      try fixture.table.change("c") { batch in
        batch.update(first, "changed \(changes)")
        batch.update(last, "changed \(changes)")
      }
      changes += 1
    } while changes < 40
    try fixture.rest()
    #expect(fixture.inMemory == 0)
    #expect(try fixture.onDisk() == 0)
    let value = fixture.table.table.row(first).map {
      RowImage.cell(1, in: $0.span)?.value(in: $0.span)
    }
    #expect(value == .text(Array("changed 39".utf8)))
    // Who reads an older view sees the rows of then.
    var seen = 0
    _ = view.forEachRow(inSection: 0, from: 0) { image in
      if RowImage.id(of: image) == first {
        #expect(RowImage.cell(1, in: image)?.value(in: image) == .text(Array("row 0".utf8)))
      }
      seen += 1
      return true
    }
    view.close()
    #expect(seen == 2_513)
    fixture.table.table.checkInvariants()
  }
}
