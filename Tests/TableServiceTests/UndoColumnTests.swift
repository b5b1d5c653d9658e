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

  private func add(_ name: String, by actor: String) throws {
    try steps.change(actor) { batch in
      batch.columns.append(Column(id: 0, name: name, kind: .integer))
      batch.add(.addColumn(batch.columns.count - 1, before: nil))
    }
  }

  private func move(_ name: String, to index: UInt64, by actor: String) throws -> UInt64 {
    try steps.change(actor) {
      $0.add(.moveColumn($0.append(text: name.utf8), to: index))
    }.revision
  }

  private var order: [String] { steps.table.schema.columns.map(\.name) }

  @Test func aColumnToMoveBackThatAnotherMoved() throws {
    for name in ["c", "d", "e"] { try add(name, by: "maker") }
    let step = try move("e", to: 0, by: "anna")
    let other = try move("e", to: 2, by: "bert")
    #expect(order == ["name", "code", "e", "c", "d"])
    #expect(
      steps.conflicts("anna") == [
        StepConflict(revision: other, uid: 1000, actor: "bert", column: "e")
      ])
    #expect(order == ["name", "code", "e", "c", "d"])
    try steps.undo("bert")
    // Another column's move and another name of this one stay.
    _ = try move("name", to: 3, by: "bert")
    try steps.change("bert") {
      $0.add(.renameColumn($0.append(text: "e".utf8), name: $0.append(text: "E".utf8)))
    }
    #expect(try steps.undo("anna").step == step)
    #expect(order == ["code", "c", "name", "d", "E"])
    // One's own move does not stand in the way.
    let own = try move("E", to: 0, by: "anna")
    _ = try move("E", to: 2, by: "anna")
    try steps.undo("anna", own)
  }

  @Test func aColumnToRemoveThatAnotherTouched() throws {
    try add("c", by: "maker")
    try add("room", by: "anna")
    for isRedo in [false, true] {
      for isMove in [false, true] {
        let other =
          isMove
          ? try move("room", to: 0, by: "bert")
          : try steps.change("bert") { batch in
            batch.add(
              .renameColumn(
                batch.append(text: "room".utf8), name: batch.append(text: "Bert's".utf8)))
          }.revision
        let before = steps.content
        do throws(ServiceFault) {
          if isRedo { try steps.redo("anna") } else { try steps.undo("anna") }
          Issue.record("\(isRedo) \(isMove)")
        } catch {
          guard case .table(let fault) = error else { throw error }
          #expect(
            fault.conflicts == [
              StepConflict(
                revision: other, uid: 1000, actor: "bert", column: isMove ? "room" : "Bert's")
            ])
        }
        #expect(steps.content == before)
        try steps.undo("bert")
      }
      guard !isRedo else { break }
      try drop("room", by: "anna")
      try steps.undo("anna")
    }
    try steps.redo("anna")
    #expect(order == ["name", "code", "c"])
  }

  @Test func neighboursThatChangedPlaces() {
    #expect(ColumnOrder.moved(from: [1, 2, 3, 4], to: [1, 3, 2, 4]) == [2, 3])
    #expect(ColumnOrder.moved(from: [1, 2, 3, 4], to: [2, 3, 1, 4]) == [1])
    #expect(ColumnOrder.moved(from: [1, 2, 3], to: [4, 2, 3]) == [])
  }
}
