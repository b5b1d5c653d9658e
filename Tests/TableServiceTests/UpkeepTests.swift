import Testing

@testable import TableService

/// What can wait, a piece at a time (contracts F10, S5).
@Suite struct UpkeepTests {
  @Test func aPartOfALargeRecordIsASliceOfTheIndex() throws {
    let table = try StepTable()
    try table.change("a") { batch in
      for number in 0..<4_000 {
        batch.insert("row \(number) " + String(repeating: "x", count: 400))
      }
    }
    let store = table.service.store
    while store.indexLag > 6 { _ = try store.indexSteps(limit: 500) }
    var lag = store.indexLag
    #expect(lag > 3, "the record has parts")
    while lag > 0 {
      _ = try store.indexSteps(limit: 500)
      #expect(lag - store.indexLag <= 2)
      lag = store.indexLag
    }
  }

  @Test func aRunOfManyRowsIsIndexedInSlices() throws {
    let table = try StepTable()
    let store = table.service.store
    while try store.indexSteps(limit: 500) {}
    let rows = 5_000
    let blocks = 30
    let batch = Batch()
    batch.basis = .current
    for _ in 0..<rows { batch.insert("x") }
    try table.service.performLong(
      batch, on: table.table, by: StepTable.requester("a"), expected: rows, Breath {}
    ) { _ in
      false
    } accepted: { _ in
    }
    try table.commit()
    func lines() throws -> Int {
      Int(try store.reading().connection.number("SELECT count(*) FROM hpd_touched", .reading) ?? 0)
    }
    var written = try lines()
    var slices = 0
    while store.indexLag > 0 {
      _ = try store.indexSteps(limit: 500, blocks: blocks)
      let count = try lines()
      #expect(count - written <= blocks)
      written = count
      slices += 1
      // Half of it is in no index that anybody reads.
      #expect((store.indexProgress.position == store.journal.last) == (store.indexLag == 0))
    }
    #expect(slices > 2)
    // Each row has its bit, and what was indexed in slices can be taken back.
    let marks = try store.reading().connection.prepare(
      "SELECT touched FROM hpd_touched WHERE block % 2 = 0", .reading)
    var bits = 0
    while try marks.step(.reading) { bits += marks.unsigned(0).nonzeroBitCount }
    #expect(bits == rows)
    _ = try table.undo("a")
    #expect(table.table.rowCount == 0)
  }
}
