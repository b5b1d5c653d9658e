import Testing

@testable import TableService

/// Changes of other tables beside a long one (contract F10, decision 0020).
@Suite struct LongChangeTests {
  /// What was tried at the pauses of a long change.
  private final class Tried {
    var before: [UInt64] = []
    var after: [UInt64] = []
    var held = 0
    var revision: UInt64 = 0
    var isAccepted = false
  }

  @Test(arguments: [4_200, 20_000])
  func othersGoOnUntilItIsDoneAndAfterItStands(rows: Int) throws {
    let table = try StepTable()
    let (other, tried) = try changeBoth(table, rows: rows)
    #expect(tried.held == 0, "nobody waits for another table")
    #expect(!tried.before.isEmpty && !tried.after.isEmpty)
    #expect(tried.before.allSatisfy { $0 < tried.revision })
    #expect(tried.after.allSatisfy { $0 > tried.revision })
    #expect(table.table.rowCount == rows)
    // What is on disk is the same in the end, and after a start.
    try table.restart()
    #expect(table.table.rowCount == rows)
    #expect(
      table.service.table(id: other)?.rowCount == tried.before.count + tried.after.count)
  }

  /// Inserts rows as a long change, and at each of its pauses a row into another table.
  private func changeBoth(_ table: StepTable, rows: Int) throws -> (other: UInt64, Tried) {
    let service = table.service
    let other = try service.create(
      name: "other", columns: [Column(id: 1, name: "name", kind: .text)], titles: [],
      by: StepTable.requester("maker")
    ).table
    try table.commit()
    try table.change("b", on: service.table(id: other)) {
      $0.add(.insertSection(Batch.NewSection()))
    }
    let tried = Tried()
    var clock = 0
    let breath = Breath {
      clock += 1
      return clock % 64 == 0
    } pause: {
      do {
        let other = try #require(service.table(id: other))
        let outcome = try table.change("b", on: other) { $0.insert("beside") }
        if tried.isAccepted {
          tried.after.append(outcome.revision)
        } else {
          tried.before.append(outcome.revision)
        }
      } catch { tried.held += 1 }
    }
    let batch = Batch()
    batch.basis = .current
    for number in 0..<rows { batch.insert("row \(number)") }
    try service.performLong(
      batch, on: table.table, by: StepTable.requester("a"), expected: rows, breath
    ) { _ in
      false
    } accepted: { outcome in
      tried.isAccepted = true
      tried.revision = outcome.revision
    }
    try table.commit()
    return (other, tried)
  }
}
