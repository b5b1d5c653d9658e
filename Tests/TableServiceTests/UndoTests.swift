import Testing

@testable import TableService

/// Undo and redo, rule by rule (contract E9).
@Suite struct UndoTests {
  let steps: StepTable
  /// The rows a, b, c, d in one section, made by somebody else.
  let rows: [UInt64]

  init() throws {
    steps = try StepTable()
    let outcome = try steps.change("maker") { $0.insert("a", "b", "c", "d") }
    rows = (0..<4).map { outcome.inserted[0].first + $0 }
  }

  private var nothingToUndo: Bool {
    do throws(ServiceFault) { try steps.undo("anna") } catch {
      if case .nothingToUndo = error { return true }
    }
    return false
  }

  @Test func oneStepIsTakenBackAndMadeAgain() throws {
    let before = steps.content
    let step = try steps.change("anna") { batch in
      batch.update(rows[0], "A")
      batch.delete(rows[1])
      batch.move(rows[3], .first(of: .index(0)))
      batch.insert("e", at: .after(.id(rows[2])))
    }
    #expect(step.isStep)
    let after = steps.content
    for _ in 0..<3 {
      let undone = try steps.undo("anna")
      #expect(undone.step == step.revision)
      #expect(steps.content == before)
      try steps.restart()
      #expect(steps.content == before)
      let redone = try steps.redo("anna")
      #expect(redone.step == step.revision)
      #expect(steps.content == after)
      try steps.restart()
      #expect(steps.content == after)
    }
  }

  @Test func sectionsComeBackWithTheirRows() throws {
    let made = try steps.change("anna") { batch in
      batch.add(
        .insertSection(Batch.NewSection(place: .end, title: batch.append(text: "two".utf8))))
      batch.add(
        .insertSection(Batch.NewSection(place: .end, title: batch.append(text: "three".utf8))))
      batch.move(rows[1], .last(of: .index(1)))
      batch.move(rows[2], .last(of: .index(1)))
    }
    let before = steps.content
    #expect(made.insertedSections.count == 1)
    try steps.change("anna") { batch in
      batch.add(.moveSection(.index(2), to: .index(0)))
      batch.add(.retitleSection(.index(1), title: batch.append(text: "one".utf8)))
      batch.add(.deleteSection(.index(2)))
    }
    #expect(steps.names == [[], ["a", "d"].map { "\"\($0)\"" }] || steps.table.sectionCount == 2)
    try steps.undo("anna")
    #expect(steps.content == before)
    try steps.restart()
    #expect(steps.content == before)
    try steps.undo("anna")
    #expect(steps.table.sectionCount == 1)
    #expect(nothingToUndo)
  }

  @Test func everyActorUndoesItsOwn() throws {
    try steps.change("anna") { $0.update(rows[0], "A") }
    try steps.change("bert") { $0.update(rows[1], "B") }
    try steps.undo("anna")
    #expect(steps.names == [["a", "B", "c", "d"]])
    #expect(nothingToUndo)
  }
}
