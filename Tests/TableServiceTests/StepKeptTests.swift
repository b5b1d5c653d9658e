import Testing

@testable import TableService

/// What outlives the history, and what is left of it in the index (contracts E9, F5).
@Suite struct StepKeptTests {
  private func table(
    history: UInt64, _ columns: [Column]? = nil
  ) throws -> StepTable {
    var retention = Service.Retention()
    retention.historyRevisions = history
    return try StepTable(columns: columns, retention: retention)
  }

  /// Lets so many revisions come that those before are removed from history.
  private func outgrow(_ steps: StepTable, _ count: Int = 60) throws {
    for number in 0..<count { try steps.change("bert") { $0.insert("\(number)") } }
    try steps.tidy()
  }

  private func undoable(_ steps: StepTable, by actor: String) throws -> [Bool] {
    try StepHistoryTests.history(steps, by: actor).entries.map(\.undoable)
  }

  @Test func theNewestStepOfAnActorOutlivesTheHistory() throws {
    let steps = try table(history: 40)
    try steps.change("anna") { $0.insert("a", "b", "c") }
    let step = try steps.change("anna") { batch in
      batch.delete(steps.rowIDs[1])
      batch.update(steps.rowIDs[0], "A")
    }
    try outgrow(steps)
    #expect(steps.service.oldestRevision > step.revision, "the history is gone")
    #expect(try undoable(steps, by: "anna") == [true])
    try steps.restart()
    #expect(try undoable(steps, by: "anna") == [true])
    try steps.undo("anna")
    #expect(steps.names[0].prefix(3) == ["a", "b", "c"])
    try outgrow(steps)
    // What took it back is kept in its place.
    try steps.redo("anna")
    #expect(steps.names[0].prefix(2) == ["A", "c"])
    try steps.change("anna") { $0.insert("newer") }
    try outgrow(steps)
    #expect(throws: ServiceFault.stepExpired(step: step.revision)) {
      try steps.undo("anna", step.revision)
    }
    #expect(steps.folder.sql("SELECT count(*) FROM hpd_kept") == "1")
  }

  @Test func aKeptStepIsJudgedByAllThatCameAfterIt() throws {
    let steps = try table(history: 40)
    try steps.change("anna") { $0.insert("a", "b") }
    let row = steps.rowIDs[0]
    try steps.change("anna") { $0.update(row, "A") }
    let other = try steps.change("bert") { $0.update(row, "B") }
    try outgrow(steps)
    #expect(steps.service.oldestRevision > other.revision, "the history is gone")
    // Nothing of Bert's change is left but that it was.
    #expect(
      steps.conflicts("anna") == [
        StepConflict(
          revision: other.revision, uid: 1000, actor: "bert", row: row, column: "name")
      ])
    #expect(steps.names[0][0] == "B")
  }

  @Test func aKeptDropBringsItsCellsBack() throws {
    let steps = try table(
      history: 40,
      [Column(id: 1, name: "name", kind: .text), Column(id: 2, name: "room", kind: .text)])
    try steps.change("anna") { batch in
      batch.add(
        .insertRow(
          Batch.Row(cells: batch.cells("room", .text(batch.append(text: "attic".utf8)))),
          at: .end))
    }
    let before = steps.content
    try steps.change("anna") { $0.add(.dropColumn($0.append(text: "room".utf8))) }
    try outgrow(steps)
    try steps.undo("anna")
    #expect(steps.content[0] == before[0])
    #expect(steps.content.contains(before[3]) || steps.content[3] == before[3])
    // Once nothing can bring it back its cells go.
    try steps.change("anna") { $0.add(.dropColumn($0.append(text: "room".utf8))) }
    try steps.change("anna") { $0.insert("newer") }
    try outgrow(steps)
    try outgrow(steps)
    #expect(steps.folder.sql("SELECT count(*) FROM hpd_columns WHERE dropped = -1") == "1")
  }

  @Test func theIndexShrinksWithTheHistory() throws {
    let steps = try table(history: 40)
    for turn in 0..<12 {
      for number in 0..<30 {
        try steps.change("actor \(turn)") { $0.insert("\(number)") }
      }
      try steps.tidy()
    }
    // The newest step of each actor that made one within twice the bound is kept, and whatever
    // they have to be judged by.
    #expect(Int(steps.folder.sql("SELECT count(*) FROM hpd_steps")) ?? 999 <= 110)
    #expect(Int(steps.folder.sql("SELECT count(*) FROM hpd_touched")) ?? 999 <= 110)
    #expect(Int(steps.folder.sql("SELECT count(*) FROM hpd_actors")) ?? 999 <= 5)
    #expect(Int(steps.folder.sql("SELECT count(*) FROM hpd_kept")) ?? 999 <= 3)
    // What is left of history is whole.
    let entries = try StepHistoryTests.history(steps).entries
    #expect(entries.count >= 40 && entries.prefix(30).allSatisfy(\.undoable))
    try steps.restart()
    for _ in 0..<30 { try steps.undo("actor 11") }
    #expect(steps.names[0].count == 330)
  }

  @Test func aLargeStepIsKeptUpToTheQuota() throws {
    let steps = try table(history: 40)
    try steps.change("anna") { batch in
      for number in 0..<3_000 {
        batch.insert(String(repeating: "x", count: 2_000) + "\(number)")
      }
    }
    try outgrow(steps)
    #expect(Int64(steps.folder.sql("SELECT sum(length(body)) FROM hpd_kept")) ?? 0 > 6_000_000)
    #expect(try undoable(steps, by: "anna") == [true])
    try steps.restart()
    try steps.undo("anna")
    #expect(steps.table.rowCount == 60)
    try outgrow(steps)
    try steps.redo("anna")
    #expect(steps.table.rowCount == 3_120)
  }
}
