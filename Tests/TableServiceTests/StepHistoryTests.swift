import CHPProto
import Testing

@testable import TableService

/// History, the return of removed rows, and what is kept for undo (contracts E9, F5).
@Suite struct StepHistoryTests {
  /// An entry as protobuf-c reads it.
  struct Entry: Equatable {
    var revision: UInt64
    var actor: String
    var undone = false
    var undoes: UInt64 = 0
    var undoable = false
    var counts: [UInt64] = []
    var old: [UInt64: String] = [:]
    var new: [UInt64: String] = [:]
    var fate = ""

    init(_ bytes: [UInt8]) throws {
      let message = try #require(hp__v1__history_entry__unpack(nil, bytes.count, bytes))
      defer { hp__v1__history_entry__free_unpacked(message, nil) }
      let entry = message.pointee
      revision = entry.revision
      actor = String(cString: entry.actor)
      undone = entry.undone != 0
      undoes = entry.undoes
      undoable = entry.undoable != 0
      if let counts = entry.counts?.pointee {
        self.counts = [
          counts.rows_inserted, counts.rows_deleted, counts.rows_moved, counts.rows_updated,
        ]
      }
      for index in 0..<entry.n_old_cells {
        if let cell = entry.old_cells[index]?.pointee {
          old[cell.column] = Self.text(cell)
        }
      }
      for index in 0..<entry.n_new_cells {
        if let cell = entry.new_cells[index]?.pointee {
          new[cell.column] = Self.text(cell)
        }
      }
      if entry.inserted != 0 { fate += "i" }
      if entry.deleted != 0 { fate += "d" }
      if entry.moved != 0 { fate += "m" }
    }

    private static func text(_ cell: Hp__V1__Cell) -> String? {
      switch cell.value_case {
      case HP__V1__CELL__VALUE_TEXT: cell.text.map { String(cString: $0) }
      case HP__V1__CELL__VALUE_INTEGER: "\(cell.integer)"
      default: nil
      }
    }
  }

  static func history(
    _ steps: StepTable, by actor: String? = nil, before: UInt64 = .max, limit: Int = 100
  ) throws -> (entries: [Entry], next: UInt64?) {
    while try !steps.service.catchUp() {}
    let page = try steps.service.stepHistory(
      of: steps.tableID, by: actor.map { (uid: 1000, name: $0) }, before: before, limit: limit)
    return (try page.entries.map { try Entry($0) }, page.next)
  }

  private func rowHistory(
    _ steps: StepTable, of row: UInt64, before: UInt64 = .max, limit: Int = 100
  ) throws -> (entries: [Entry], next: UInt64?) {
    while try !steps.service.catchUp() {}
    let page = try steps.service.rowHistory(
      of: row, in: steps.table, before: before, limit: limit)
    return (try page.entries.map { try Entry($0) }, page.next)
  }

  @Test func aTableTellsWhatHappened() throws {
    let steps = try StepTable()
    let made = try steps.change("anna") { $0.insert("a", "b") }
    let row = made.inserted[0].first
    let changed = try steps.change("bert") { batch in
      batch.update(row, "A")
      batch.move(row, .last(of: .index(0)))
    }
    let undone = try steps.undo("bert").outcome.revision
    var entries = try Self.history(steps).entries
    #expect(entries.map(\.revision).prefix(3) == [undone, changed.revision, made.revision])
    #expect(entries[0].undoes == changed.revision && !entries[0].undoable)
    #expect(entries[1].undone && !entries[1].undoable && entries[1].counts == [0, 0, 1, 1])
    #expect(entries[2].undoable && entries[2].counts == [2, 0, 0, 0] && entries[2].actor == "anna")
    #expect(!entries[3].undoable, "the table's creation is no step")
    entries = try Self.history(steps, by: "bert").entries
    #expect(entries.map(\.revision) == [undone, changed.revision])
    #expect(try Self.history(steps, by: "nobody").entries.isEmpty)
    // Pages.
    let first = try Self.history(steps, limit: 2)
    #expect(first.entries.count == 2 && first.next == changed.revision)
    let second = try Self.history(steps, before: first.next ?? 0)
    #expect(second.entries.first?.revision == made.revision && second.next == nil)
    try steps.restart()
    #expect(try Self.history(steps).entries.count == 4)
  }

  @Test func aRowTellsWhoGaveItWhat() throws {
    let steps = try StepTable()
    let made = try steps.change("anna") { $0.insert("a", "b") }
    let row = made.inserted[0].first
    try steps.change("bert") { $0.update(row + 1, "not it") }
    let changed = try steps.change("bert") { batch in
      batch.update(row, "A")
      batch.move(row, .last(of: .index(0)))
    }
    let gone = try steps.change("cleo") { $0.delete(row) }
    let entries = try rowHistory(steps, of: row).entries
    #expect(entries.map(\.revision) == [gone.revision, changed.revision, made.revision])
    #expect(entries.map(\.fate) == ["d", "m", "i"])
    #expect(entries.map { $0.old[1] } == ["A", "a", nil])
    #expect(entries.map { $0.new[1] } == [nil, "A", "a"])
    #expect(throws: ServiceFault.self) { try rowHistory(steps, of: row + 99) }
    let page = try rowHistory(steps, of: row, limit: 1)
    #expect(page.next == gone.revision)
    #expect(try rowHistory(steps, of: row, before: page.next ?? 0).entries.count == 2)
  }

  /// A removed row had what was read of its columns then, also by a fill (contract E14).
  @Test func aRemovedRowTellsItsFills() throws {
    let steps = try StepTable()
    let row = try steps.change("anna") { $0.insert("a", "b") }.inserted[0].first
    func add(_ name: String, fill: Int64) throws -> UInt64 {
      try steps.change("anna") { batch in
        var column = Column(id: 0, name: name, kind: .integer)
        column.isRequired = true
        column.fill = .integer(fill)
        batch.columns.append(column)
        batch.add(.addColumn(batch.columns.count - 1, before: nil))
      }
      return try #require(steps.table.schema.column(named: name)).id
    }
    func drop(_ name: String) throws {
      try steps.change("anna") { $0.add(.dropColumn($0.append(text: name.utf8))) }
    }
    let weight = try add("weight", fill: 15)
    let height = try add("height", fill: 3)
    try drop("height")
    try steps.change("bert") { $0.delete(row) }
    let later = try add("later", fill: 9)
    try drop("weight")
    for _ in 0..<2 {
      let gone = try #require(try rowHistory(steps, of: row).entries.first)
      #expect(gone.fate == "d" && gone.old[1] == "a")
      #expect(gone.old[weight] == "15" && gone.old[height] == nil && gone.old[later] == nil)
      try steps.restart()
    }
    // What removes the row and the column at once.
    try steps.change("bert") { batch in
      batch.delete(row + 1)
      batch.add(.dropColumn(batch.append(text: "later".utf8)))
    }
    let gone = try #require(try rowHistory(steps, of: row + 1).entries.first)
    #expect(gone.old[later] == "9" && gone.old[weight] == nil)
    // An update tells the fill that it replaced, also once the column is gone.
    let next = try steps.change("anna") { $0.insert("c") }.inserted[0].first
    let extra = try add("extra", fill: 4)
    try steps.change("bert") { batch in
      batch.add(
        .updateRow(.id(next), cells: batch.cells("extra", .number(.integer, 5))))
    }
    try drop("extra")
    let changed = try #require(try rowHistory(steps, of: next).entries.first)
    #expect(changed.old[extra] == "4" && changed.new[extra] == "5")
  }

  @Test func aRemovedRowComesBack() throws {
    let steps = try StepTable()
    let made = try steps.change("anna") { $0.insert("a", "b", "c", "d") }
    let rows = (0..<4).map { made.inserted[0].first + $0 }
    let before = steps.content
    try steps.change("bert") { $0.delete(rows[1], rows[2]) }
    while try !steps.service.catchUp() {}
    func restore(_ row: UInt64, isDryRun: Bool = false) throws(ServiceFault) -> Outcome {
      while try !steps.service.catchUp() {}
      let outcome = try steps.service.restore(
        row, in: steps.table, isDryRun: isDryRun, by: StepTable.requester("cleo"))
      if steps.service.hasPending { _ = steps.service.commit() }
      return outcome
    }
    let planned = try restore(rows[2], isDryRun: true)
    #expect(planned.inserted == [IDRun(first: rows[2])])
    #expect(steps.table.rowCount == 2)
    // In any order they come to their places.
    try #expect(restore(rows[2]).isStep)
    #expect(throws: ServiceFault.self) { try restore(rows[2]) }
    _ = try restore(rows[1])
    #expect(steps.content == before)
    #expect(throws: ServiceFault.self) { try restore(rows[3] + 50) }
    try steps.undo("cleo")
    #expect(steps.table.rowCount == 3)
    try steps.redo("cleo")
    #expect(steps.content == before)
    // Its section has to be there.
    try steps.change("anna") { batch in
      batch.add(.insertSection(Batch.NewSection(place: .end)))
      batch.move(rows[0], .last(of: .index(1)))
    }
    try steps.change("anna") { $0.delete(rows[0]) }
    try steps.change("anna") { $0.add(.deleteSection(.index(1))) }
    #expect(throws: ServiceFault.self) { try restore(rows[0]) }
  }

  @Test func aStepBeyondTheBoundsIsGoneButForTheNewestOfAnActor() throws {
    var retention = Service.Retention()
    retention.undoRevisions = 3
    let steps = try StepTable(retention: retention)
    let first = try steps.change("anna") { $0.insert("a") }
    let second = try steps.change("anna") { $0.insert("b") }
    for name in ["c", "d", "e", "f"] { try steps.change("bert") { $0.insert(name) } }
    #expect(throws: ServiceFault.stepExpired(step: first.revision)) {
      try steps.undo("anna", first.revision)
    }
    #expect(
      try Self.history(steps).entries.map(\.undoable).prefix(6) == [
        true, true, true, false, true, false,
      ])
    try steps.undo("anna", second.revision)
    #expect(steps.names == [["a", "c", "d", "e", "f"]])
  }
}
