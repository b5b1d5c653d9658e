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

  /// Whether there is nothing left to undo.
  private func isAtTheEnd(_ actor: String = "anna") -> Bool {
    do throws(ServiceFault) { try steps.undo(actor) } catch {
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
    try steps.change("anna") { batch in
      for title in ["two", "three"] {
        batch.add(
          .insertSection(Batch.NewSection(place: .end, title: batch.append(text: title.utf8))))
      }
      batch.move(rows[1], .last(of: .index(1)))
      batch.move(rows[2], .last(of: .index(1)))
    }
    let before = steps.content
    try steps.change("anna") { batch in
      batch.add(.moveSection(.index(2), to: .index(0)))
      batch.add(.retitleSection(.index(1), title: batch.append(text: "one".utf8)))
      batch.add(.deleteSection(.index(2)))
    }
    #expect(steps.names == [[], ["a", "d"]])
    try steps.undo("anna")
    #expect(steps.content == before)
    try steps.restart()
    #expect(steps.content == before)
    try steps.undo("anna")
    #expect(steps.names == [["a", "b", "c", "d"]])
    #expect(isAtTheEnd())
  }

  @Test func everyActorUndoesItsOwn() throws {
    try steps.change("anna") { $0.update(rows[0], "A") }
    try steps.change("bert") { $0.update(rows[1], "B") }
    try steps.undo("anna")
    #expect(steps.names == [["a", "B", "c", "d"]])
    #expect(isAtTheEnd())
  }

  @Test func aCellThatIsNoLongerWhatTheStepLeft() throws {
    let step = try steps.change("anna") { $0.update(rows[0], "A") }
    let other = try steps.change("bert") { $0.update(rows[0], "Z") }
    let before = steps.content
    let conflicts = steps.conflicts("anna")
    #expect(
      conflicts == [
        StepConflict(
          revision: other.revision, uid: 1000, actor: "bert", row: rows[0], column: "name")
      ])
    #expect(steps.content == before)
    // Once the other step is taken back it counts as nothing.
    try steps.undo("bert")
    #expect(try steps.undo("anna").step == step.revision)
    #expect(steps.names == [["a", "b", "c", "d"]])
  }

  @Test func otherColumnsDoNotCount() throws {
    try steps.change("anna") { $0.update(rows[0], "A") }
    try steps.change("bert") { batch in
      batch.add(
        .updateRow(
          .id(rows[0]), cells: batch.cells("serial", .text(batch.append(text: "7".utf8)))))
    }
    try steps.undo("anna")
    #expect(steps.names == [["a", "b", "c", "d"]])
  }

  @Test func aRowThatIsGone() throws {
    try steps.change("anna") { $0.update(rows[0], "A") }
    let other = try steps.change("bert") { $0.delete(rows[0]) }
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
    #expect(steps.conflicts("anna")?.map(\.row) == [rows[0]])
    #expect(steps.conflicts("anna")?.map(\.isRemoved) == [true])
  }

  @Test func aRowToRemoveThatAnotherChanged() throws {
    let made = try steps.change("anna") { $0.insert("new") }
    let id = made.inserted[0].first
    let other = try steps.change("bert") { $0.update(id, "Bert's") }
    #expect(
      steps.conflicts("anna") == [
        StepConflict(revision: other.revision, uid: 1000, actor: "bert", row: id)
      ])
    try steps.undo("bert")
    try steps.undo("anna")
    #expect(steps.names == [["a", "b", "c", "d"]])
  }

  @Test func whatOneChangesOneselfIsNoConflict() throws {
    let made = try steps.change("anna") { $0.insert("new") }
    try steps.change("anna") { $0.update(made.inserted[0].first, "newer") }
    try steps.undo("anna", made.revision)
    #expect(steps.names == [["a", "b", "c", "d"]])
  }

  @Test func aRowToMoveBackThatAnotherMoved() throws {
    try steps.change("anna") { $0.move(rows[0], .last(of: .index(0))) }
    let other = try steps.change("bert") { $0.move(rows[0], .before(.id(rows[2]))) }
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
  }

  @Test func aSectionThatHoldsRowsOfOthers() throws {
    try steps.change("anna") { $0.add(.insertSection(Batch.NewSection(place: .end))) }
    let other = try steps.change("bert") { $0.move(rows[0], .last(of: .index(1))) }
    #expect(
      steps.conflicts("anna") == [
        StepConflict(revision: other.revision, uid: 1000, actor: "bert", row: rows[0])
      ])
    try steps.undo("bert")
    try steps.undo("anna")
    #expect(steps.table.sectionCount == 1)
  }

  @Test func aSectionThatRowsNeedIsGone() throws {
    let made = try steps.change("maker") { batch in
      batch.add(.insertSection(Batch.NewSection(place: .end)))
      batch.move(rows[3], .last(of: .index(1)))
    }
    try steps.change("anna") { $0.delete(rows[3]) }
    let other = try steps.change("bert") { $0.add(.deleteSection(.index(1))) }
    #expect(steps.conflicts("anna")?.map(\.section) == [made.insertedSections[0].first])
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
  }

  @Test func aTitleOfAnother() throws {
    try steps.change("anna") { batch in
      batch.add(.retitleSection(.index(0), title: batch.append(text: "one".utf8)))
    }
    let other = try steps.change("bert") { batch in
      batch.add(.retitleSection(.index(0), title: batch.append(text: "eins".utf8)))
    }
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
  }

  @Test func headersOfTheTable() throws {
    func header(_ batch: Batch, _ text: String) {
      batch.add(
        .setHeaderFooter(
          .absent, isFooter: false,
          value: Batch.HeaderFooterText(title: batch.append(text: text.utf8))))
    }
    let before = steps.content
    try steps.change("anna") { header($0, "one") }
    let after = steps.content
    try steps.undo("anna")
    #expect(steps.content == before)
    try steps.redo("anna")
    #expect(steps.content == after)
    let other = try steps.change("bert") { header($0, "two") }
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
  }

  @Test func columnsComeBackWithTheirValues() throws {
    let before = steps.content
    func drop(_ batch: Batch, _ name: String) {
      batch.add(.dropColumn(batch.append(text: name.utf8)))
    }
    try steps.change("anna") { drop($0, "name") }
    // A row that goes and comes back meanwhile keeps what is hidden.
    try steps.change("anna") { $0.delete(rows[1]) }
    try steps.restart()
    try steps.undo("anna")
    try steps.restart()
    try steps.undo("anna")
    #expect(steps.content == before)
    try steps.redo("anna")
    #expect(steps.table.schema.column(named: "name") == nil)
    try steps.undo("anna")
    #expect(steps.content == before)
  }

  @Test func aColumnThatHoldsValuesOfOthers() throws {
    let added = try steps.change("anna") { batch in
      batch.columns.append(Column(id: 0, name: "room", kind: .text))
      batch.add(.addColumn(0, before: nil))
    }
    let other = try steps.change("bert") { batch in
      batch.add(
        .updateRow(
          .id(rows[0]), cells: batch.cells("room", .text(batch.append(text: "attic".utf8)))))
    }
    #expect(steps.conflicts("anna", added.revision)?.map(\.revision) == [other.revision])
    #expect(steps.conflicts("anna", added.revision)?.map(\.column) == ["room"])
    try steps.undo("bert")
    try steps.undo("anna")
    #expect(steps.table.schema.column(named: "room") == nil)
  }

  @Test func aNameThatIsInUse() throws {
    func rename(_ batch: Batch, _ name: String, _ new: String) {
      batch.add(
        .renameColumn(batch.append(text: name.utf8), name: batch.append(text: new.utf8)))
    }
    try steps.change("anna") { rename($0, "serial", "code") }
    let other = try steps.change("bert") { batch in
      batch.columns.append(Column(id: 0, name: "Serial", kind: .text))
      batch.add(.addColumn(0, before: nil))
    }
    #expect(steps.conflicts("anna")?.map(\.revision) == [other.revision])
    try steps.undo("bert")
    try steps.undo("anna")
    #expect(steps.table.schema.column(named: "serial") != nil)
  }

  @Test func aUniqueValueThatIsTaken() throws {
    var code = Column(id: 1, name: "name", kind: .text)
    code.isUnique = true
    let steps = try StepTable(columns: [code])
    let made = try steps.change("maker") { $0.insert("k1") }
    try steps.change("anna") { $0.delete(made.inserted[0].first) }
    let other = try steps.change("bert") { $0.insert("k1") }
    #expect(
      steps.conflicts("anna") == [
        StepConflict(
          revision: other.revision, uid: 1000, actor: "bert", row: other.inserted[0].first,
          column: "name")
      ])
    try steps.undo("bert")
    try steps.undo("anna")
    #expect(steps.names == [["k1"]])
  }

  @Test func aNewStepEndsOnlyThatActorsRedo() throws {
    try steps.change("anna") { $0.update(rows[0], "A") }
    try steps.change("bert") { $0.update(rows[1], "B") }
    try steps.undo("anna")
    try steps.undo("bert")
    try steps.change("anna") { $0.update(rows[2], "C") }
    #expect(throws: ServiceFault.self) { try steps.redo("anna") }
    try steps.redo("bert")
    #expect(steps.names == [["a", "B", "C", "d"]])
  }

  @Test func redoIsJudgedLikeUndo() throws {
    let step = try steps.change("anna") { $0.delete(rows[1]) }
    try steps.undo("anna")
    let other = try steps.change("bert") { $0.update(rows[1], "B") }
    do throws(ServiceFault) {
      try steps.redo("anna", step.revision)
      Issue.record("Bert's change would be lost")
    } catch {
      guard case .table(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.conflicts.map(\.revision) == [other.revision])
    }
  }

  @Test func othersStepsNeedToBeMeant() throws {
    let step = try steps.change("bert") { $0.update(rows[0], "B") }
    #expect(
      throws: ServiceFault.notOwnStep(step: step.revision, uid: 1000, actor: "bert")
    ) { try steps.undo("anna", step.revision) }
    #expect(try steps.undo("anna", any: true).step == step.revision)
    // Who took it back can make it again, and so can its owner.
    try steps.redo("bert", step.revision)
    #expect(steps.names == [["B", "b", "c", "d"]])
  }

  @Test func whatIsNoStep() throws {
    let step = try steps.change("anna") { $0.update(rows[0], "A") }
    let undone = try steps.undo("anna")
    for revision in [step.revision, undone.outcome.revision, 0, 1, UInt64.max] {
      do throws(ServiceFault) {
        try steps.undo("anna", revision)
        Issue.record("\(revision)")
      } catch {
        guard case .nothingToUndo = error else {
          Issue.record("\(revision): \(error)")
          continue
        }
      }
    }
    // A reload that changes nothing is none, and leaves the redo.
    let reload = try steps.change("anna") { $0.add(.reloadRow(.id(rows[0]), cells: 0..<0)) }
    #expect(!reload.isStep && !reload.isUnchanged)
    #expect(try steps.redo("anna").step == step.revision)
  }

  @Test func anExpectedStepIsThatOne() throws {
    let step = try steps.change("anna") { $0.update(rows[0], "A") }
    while try !steps.service.catchUp() {}
    var wish = StepWish()
    wish.expectedStep = step.revision - 1
    #expect(
      throws: ServiceFault.otherStep(found: step.revision, expected: step.revision - 1)
    ) { try steps.service.undo(wish, by: StepTable.requester("anna")) }
    wish.expectedStep = step.revision
    #expect(
      try steps.service.undo(wish, by: StepTable.requester("anna")).step == step.revision)
    try steps.commit()
  }

  @Test func rowsThatPassedToAnotherTable() throws {
    let other = try steps.service.create(
      name: "other", columns: [Column(id: 0, name: "name", kind: .text)], titles: [nil],
      by: StepTable.requester("maker"))
    try steps.commit()
    let target = try #require(steps.service.table(id: other.table))
    let (before, beside) = (steps.content, StepTable.content(of: target))
    let batch = Batch()
    batch.basis = .current
    batch.ids = [rows[2], rows[0]]
    var transfer = Transfer(.ids(0..<2))
    transfer.removes = true
    transfer.without = ["created"]
    _ = try steps.service.transfer(
      transfer, batch, from: steps.table, to: target, by: StepTable.requester("anna"))
    try steps.commit()
    let (after, there) = (steps.content, StepTable.content(of: target))
    #expect(steps.names == [["b", "d"]])
    for _ in 0..<2 {
      try steps.undo("anna")
      #expect(steps.content == before && StepTable.content(of: target) == beside)
      try steps.redo("anna")
      #expect(steps.content == after && StepTable.content(of: target) == there)
    }
    let changed = try steps.change("bert", on: target) { $0.update(rows[0], "mine") }
    #expect(steps.conflicts("anna")?.map(\.revision) == [changed.revision])
    #expect(steps.content == after)
  }

  @Test func policiesOfTableSectionAndRow() throws {
    func policies() -> [String] {
      let section = steps.table.sectionOrder.element(steps.table.sectionRoot, at: 0)
      return [
        "\(steps.table.policy ?? [])", "\(steps.table.sections[Int(section)].record.policy ?? [])",
        "\(steps.table.rowPolicies[rows[0]] ?? [])",
      ]
    }
    var fixed = Policy()
    fixed.canEdit = false
    let before = policies()
    try steps.change("anna") { batch in
      for scope in [
        Batch.PolicyChange.Scope.table, .section(.index(0)), .row(.id(rows[0])),
      ] {
        var change = Batch.PolicyChange(scope)
        change.policy = fixed
        batch.policies.append(change)
        batch.add(.setPolicy(batch.policies.count - 1))
      }
    }
    let after = policies()
    #expect(before != after)
    try steps.undo("anna")
    #expect(policies() == before)
    try steps.redo("anna")
    #expect(policies() == after)
    // A row comes back with its own.
    try steps.change("anna") { $0.delete(rows[0]) }
    try steps.undo("anna")
    #expect(policies() == after)
    try steps.restart()
    #expect(policies() == after)
  }

  // Sections

  private func addSections(_ titles: String...) throws -> Outcome {
    try steps.change("anna") { batch in
      for title in titles {
        batch.add(
          .insertSection(Batch.NewSection(place: .end, title: batch.append(text: title.utf8))))
      }
    }
  }

  private func moveSection(_ actor: String, _ id: UInt64, to index: UInt64) throws -> UInt64 {
    try steps.change(actor) {
      $0.add(.moveSection(.id(id), to: .index(index)))
    }.revision
  }

  @Test func aSectionToMoveBackThatAnotherMoved() throws {
    let first = try addSections("two", "three", "four").insertedSections[0].first
    let step = try moveSection("anna", first + 2, to: 0)
    let other = try moveSection("bert", first + 2, to: 2)
    let before = steps.content
    #expect(
      steps.conflicts("anna") == [
        StepConflict(revision: other, uid: 1000, actor: "bert", section: first + 2)
      ])
    #expect(steps.content == before)
    // Another section's move, and another title of this one, do not stand in the way.
    try steps.undo("bert")
    _ = try moveSection("bert", first, to: 3)
    try steps.change("bert") {
      $0.add(.retitleSection(.id(first + 2), title: $0.append(text: "Bert's".utf8)))
    }
    #expect(try steps.undo("anna").step == step)
    // One's own move does not either.
    let own = try moveSection("anna", first + 2, to: 0)
    _ = try moveSection("anna", first + 2, to: 2)
    try steps.undo("anna", own)
  }

  /// What another did to a section that is removed would be lost.
  @Test func aSectionToRemoveThatAnotherTouched() throws {
    let made = try addSections("two", "three")
    let id = made.insertedSections[0].first
    var fixed = Policy()
    fixed.canEdit = false
    let touches: [(Batch) -> Void] = [
      { $0.add(.retitleSection(.id(id), title: $0.append(text: "Bert's".utf8))) },
      { batch in
        batch.add(
          .setHeaderFooter(
            .id(id), isFooter: false,
            value: Batch.HeaderFooterText(title: batch.append(text: "H".utf8))))
      },
      { batch in
        var change = Batch.PolicyChange(.section(.id(id)))
        change.policy = fixed
        batch.policies.append(change)
        batch.add(.setPolicy(batch.policies.count - 1))
      },
      { $0.add(.moveSection(.id(id), to: .index(0))) },
    ]
    for isRedo in [false, true] {
      for (index, touch) in touches.enumerated() {
        let other = try steps.change("bert", touch).revision
        let before = steps.content
        #expect(
          conflicts(isRedo: isRedo, "anna") == [
            StepConflict(revision: other, uid: 1000, actor: "bert", section: id)
          ], "\(index)")
        #expect(steps.content == before)
        try steps.undo("bert")
      }
      guard !isRedo else { break }
      // The other way: removed by Anna, and that was taken back.
      try steps.change("anna") { $0.add(.deleteSection(.id(id))) }
      try steps.undo("anna")
    }
    try steps.redo("anna")
    #expect(steps.table.sectionCount == 2)
  }

  private func conflicts(isRedo: Bool, _ actor: String) -> [StepConflict]? {
    do throws(ServiceFault) {
      if isRedo { try steps.redo(actor) } else { try steps.undo(actor) }
    } catch {
      if case .table(let fault) = error { return fault.conflicts }
    }
    return nil
  }
}
