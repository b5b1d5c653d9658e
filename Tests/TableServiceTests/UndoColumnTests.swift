import Testing

@testable import TableService

/// The return of unique and required columns (contracts E9, E15).
@Suite struct UndoColumnTests {
  let steps: StepTable

  init() throws {
    var code = Column(id: 2, name: "code", kind: .integer)
    code.isUnique = true
    steps = try StepTable(columns: [Column(id: 1, name: "name", kind: .text), code])
  }

  private func insert(_ name: String, code: Int64, by actor: String) throws -> UInt64 {
    let outcome = try steps.change(actor) { batch in
      let start = batch.cells.count
      batch.cells.append(Batch.Cell(.id(1), .text(batch.append(text: name.utf8))))
      batch.cells.append(Batch.Cell(.id(2), .number(.integer, code)))
      batch.add(.insertRow(Batch.Row(cells: start..<batch.cells.count), at: .end))
    }
    return outcome.inserted[0].first
  }

  private func drop(_ name: String, by actor: String) throws {
    try steps.change(actor) { $0.add(.dropColumn($0.append(text: name.utf8))) }
  }

  @Test func aValueThatAnUndoneStepBroughtBackMeanwhile() throws {
    let first = try insert("a", code: 7, by: "maker")
    try steps.change("anna") { $0.delete(first) }
    _ = try insert("b", code: 7, by: "maker")
    try drop("code", by: "bert")
    // Anna's step and its undo count as nothing, and yet the row is back, its value hidden.
    let back = try steps.undo("anna").outcome
    let before = steps.content
    #expect(
      steps.conflicts("bert") == [
        StepConflict(
          revision: back.revision, uid: 1000, actor: "anna", row: first, column: "code")
      ])
    #expect(steps.content == before)
    try steps.restart()
    #expect(steps.conflicts("bert")?.map(\.row) == [first])
    #expect(steps.content == before)
    try steps.redo("anna")
    try steps.undo("bert")
    #expect(NaiveTable(steps.table).isSound)
    #expect(steps.names == [["b"]])
  }

  @Test func bothRowsThatCameBackAreNamed() throws {
    let first = try insert("a", code: 7, by: "maker")
    let gone = try steps.change("anna") { $0.delete(first) }
    let second = try insert("b", code: 7, by: "maker")
    let after = try steps.change("cleo") { $0.delete(second) }
    try drop("code", by: "bert")
    let backs = [try steps.undo("anna", gone.revision), try steps.undo("cleo", after.revision)]
    let conflicts = try #require(steps.conflicts("bert"))
    let named = Set(conflicts.map { "\($0.row ?? 0) \($0.revision) \($0.actor)" })
    #expect(
      named == [
        "\(first) \(backs[0].outcome.revision) anna",
        "\(second) \(backs[1].outcome.revision) cleo",
      ])
  }

  @Test func rowsThatComeBackTogether() throws {
    let first = try insert("a", code: 7, by: "maker")
    try steps.change("anna") { $0.delete(first) }
    let second = try insert("b", code: 7, by: "maker")
    try drop("code", by: "bert")
    try steps.undo("anna")
    try steps.change("cleo") { $0.delete(first, second) }
    // While both are away the column can return; then they can't.
    let back = try steps.undo("bert").outcome
    let before = steps.content
    let conflicts = try #require(steps.conflicts("cleo"))
    #expect(Set(conflicts.map(\.row)).isSubset(of: [first, second]) && !conflicts.isEmpty)
    #expect(conflicts.allSatisfy { $0.revision == back.revision && $0.column == "code" })
    #expect(steps.content == before)
    try steps.redo("bert")
    try steps.undo("cleo")
    #expect(steps.table.rowCount == 2)
  }

  @Test func aRedoOfTheDropAndItsUndo() throws {
    let first = try insert("a", code: 7, by: "maker")
    try steps.change("anna") { $0.delete(first) }
    _ = try insert("b", code: 7, by: "maker")
    try drop("code", by: "bert")
    try steps.undo("bert")
    try steps.redo("bert")
    try steps.undo("anna")
    #expect(steps.conflicts("bert")?.map(\.row) == [first])
    #expect(steps.table.schema.column(named: "code") == nil)
  }

  @Test func aRowWithoutTheValueThatIsRequired() throws {
    var room = Column(id: 2, name: "room", kind: .text)
    room.isRequired = true
    let steps = try StepTable(columns: [Column(id: 1, name: "name", kind: .text), room])
    try steps.change("bert") { $0.add(.dropColumn($0.append(text: "room".utf8))) }
    let other = try steps.change("anna") { $0.insert("a") }
    #expect(steps.conflicts("bert")?.map(\.revision) == [other.revision])
    try steps.undo("anna")
    try steps.undo("bert")
    #expect(steps.table.schema.column(named: "room") != nil)
  }
}
