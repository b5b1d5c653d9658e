import HouseSupport
import Testing

@testable import TableService

/// The board in random sequences, beside a model that knows nothing of it: copies folded from its
/// events, and the table as plain arrays.
@Suite struct EditingRandomTests {
  /// What a client knows from the events alone.
  struct Folded: Equatable {
    var isEditing = false
    var holders: [Holder] = []
    var exclusive: Holder?
    var swipe: UInt64?
    var confirm: UInt64?
    var drag: [UInt64] = []
    var selections: [Holder.ID: Set<UInt64>] = [:]
    var drafts: [DraftKey: String] = [:]

    init() {}

    init(_ state: TableEditing) {
      isEditing = state.isEditing
      holders = state.holders
      exclusive = state.exclusive
      swipe = state.swipe?.row
      confirm = state.confirm?.row
      if let drag = state.drag { self.drag = [drag.row, drag.target.section, drag.target.row] }
      selections = state.selections.mapValues(\.rows)
      drafts = state.drafts.mapValues { $0.text + ($0.rejection ?? "") }
    }

    mutating func fold(_ event: LiveEvent) {
      switch event.what {
      case .editingChanged(let flag, _, _):
        (isEditing, holders, exclusive) = (flag.isEditing, flag.holders, flag.exclusive)
        #expect(flag.title == (flag.isEditing ? "Done" : "Edit"))
      case .swipeOpened(let button):
        #expect(swipe == nil)
        swipe = button.row
      case .swipeClosed(let row):
        #expect(swipe == row)
        swipe = nil
      case .confirmOpened(let button):
        #expect(confirm == nil)
        confirm = button.row
      case .confirmClosed(let row):
        #expect(confirm == row)
        confirm = nil
      case .dragBegan(let slot), .dragMoved(let slot):
        drag = [slot.row, slot.target.section, slot.target.row]
      case .dragEnded(let row), .dragCancelled(let row):
        #expect(drag.first == row)
        drag = []
      case .selectionChanged(let holder, let cleared, let deselected, let selected):
        var rows = cleared ? [] : selections[holder.id] ?? []
        rows.subtract(deselected)
        rows.formUnion(selected)
        selections[holder.id] = rows.isEmpty ? nil : rows
      case .draftBegan(let draft), .draftText(let draft): drafts[draft.key] = draft.text
      case .draftRejected(let draft): drafts[draft.key] = draft.text + (draft.rejection ?? "")
      case .draftEnded(let draft): drafts[draft.key] = nil
      case .tableGone: self = Folded()
      case .willBeginEditing, .didEndEditing, .holderGone, .leaseEnded, .viewChanged: break
      }
    }
  }

  @Test(arguments: 1...40) func whatEventsTellIsWhatThereIs(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let edited = try EditedTable()
    try edited.policy(.table) { $0.policy.allowsMultipleSelection = true }
    let table = edited.table
    var board = EditingBoard()
    let lease = try board.takeLease(
      "l", seconds: nil, uid: 1, actor: "c", now: 0, makeID: { 9 })
    let holders = [Who.a, Who.b, lease.holder]
    var folded = Folded()
    let steps = EditingStateTests.steps.map(\.step).filter { !$0.hasPrefix("commit") }
    for _ in 0..<400 {
      let before = board
      let holder = holders[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try change(edited, &board, &random)
      case 1: if holder != lease.holder { board.release(holder) }
      default:
        let step = steps[Int.random(in: 0..<steps.count, using: &random)]
        do throws(EditingFault) {
          try EditingStateTests.take(step, edited, by: holder, on: &board)
        } catch { #expect(board == before, "\(step): \(error.code)") }
      }
      for event in board.takeEvents() { folded.fold(event) }
      let state = board.state(of: table.id)
      #expect(folded == Folded(state))
      check(state, table)
    }
    try board.endLease(id: lease.id, name: nil, uid: 1, isAdmin: false)
    for holder in holders { board.release(holder) }
    for event in board.takeEvents() { folded.fold(event) }
    #expect(board.tables.isEmpty && board.responders.isEmpty && folded == Folded())
  }

  private func change(
    _ edited: EditedTable, _ board: inout EditingBoard, _ random: inout SeededRandom
  ) throws {
    let table = edited.table
    let rows = (0..<2).flatMap { section in
      (0..<table.section(at: section).rows).compactMap {
        table.rowID(at: RowPath(section: UInt64(section), row: UInt64($0)))
      }
    }
    let row = rows.randomElement(using: &random) ?? 1
    let place = Batch.Place.first(of: .index(UInt64.random(in: 0..<2, using: &random)))
    let outcome = try edited.perform { batch in
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where rows.count > 3: batch.operations = [Batch.Operation(.deleteRow(.id(row)))]
      case 1 where !rows.isEmpty:
        batch.operations = [Batch.Operation(.moveRow(.id(row), to: place))]
      default:
        batch.operations = [Batch.Operation(.insertRow(Batch.Row(cells: 0..<0), at: place))]
      }
    }
    guard !outcome.isUnchanged else { return }
    board.revision = outcome.revision
    board.apply(outcome.effect, to: table, by: nil)
  }

  /// The rules that hold in every state.
  private func check(_ state: TableEditing, _ table: Table) {
    if !state.holders.isEmpty { #expect(state.swipe == nil) }
    if state.holders.isEmpty { #expect(state.drag == nil && state.confirm == nil) }
    if let exclusive = state.exclusive { #expect(state.holders == [exclusive]) }
    var rows = state.drafts.keys.map(\.row)
    for slot in state.selections.values { rows += slot.rows }
    rows += [state.swipe?.row, state.confirm?.row, state.drag?.row].compactMap { $0 }
    for row in rows { #expect(table.path(of: row) != nil, "row \(row) is gone") }
    if let drag = state.drag {
      #expect(EditingBoard.clamped(drag.target, row: drag.row, table) == drag.target)
    }
  }

  /// Policies through journal and disk: a table folded from the changes, and one loaded.
  @Test(arguments: 1...20) func policiesAreFoldedAndLoaded(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let edited = try EditedTable()
    var disk = NaiveDisk()
    disk.write(edited.pending)
    for _ in 0..<60 {
      let names = EditedTable.names.map { edited.row($0) }
        .filter { edited.table.path(of: $0) != nil }
      guard let row = names.randomElement(using: &random) else { break }
      if Int.random(in: 0..<25, using: &random) == 0 {
        try edited.perform { $0.operations = [Batch.Operation(.deleteRow(.id(row)))] }
      } else {
        let scopes: [Batch.PolicyChange.Scope] = [.row(.id(row)), .section(.index(0)), .table]
        try edited.policy(scopes[Int.random(in: 0..<3, using: &random)]) { change in
          change.clears = Bool.random(using: &random)
          if Bool.random(using: &random) { change.policy.canEdit = Bool.random(using: &random) }
          if Bool.random(using: &random) { change.policy.deleteTitle = "Remove" }
          if Bool.random(using: &random) { change.policy.style = EditingStyle.none }
        }
      }
      disk.write(edited.pending)
      let loaded = Table(
        id: edited.table.id, name: "t", schema: edited.table.schema, lastChanged: 0,
        identifiers: Identifiers(), pending: PendingWrites())
      try disk.load(into: loaded)
      #expect(loaded.rowPolicies == edited.table.rowPolicies)
      #expect(
        (0..<2).allSatisfy { loaded.section(at: $0) == edited.table.section(at: $0) })
    }
  }

  @Test func textsOfDraftsAreValuesOfTheirColumns() throws {
    let cases: [(ColumnKind, UInt32, String, CellValue?, Bool)] = [
      (.text, 0, " as it is ", .text(Array(" as it is ".utf8)), true),
      (.integer, 0, " -12 ", .integer(-12), true), (.integer, 0, "", nil, true),
      (.integer, 0, "9223372036854775807", .integer(.max), true),
      (.integer, 0, "-9223372036854775808", .integer(.min), true),
      (.integer, 0, "9223372036854775808", nil, false), (.integer, 0, "1.0", nil, false),
      (.integer, 0, "-", nil, false), (.decimal, 2, "39.95", .decimal(3995), true),
      (.decimal, 2, "-.5", .decimal(-50), true), (.decimal, 2, "39.955", nil, false),
      (.decimal, 2, "1e3", nil, false), (.date, 0, "2024-02-29", .date(19782), true),
      (.date, 0, "2023-02-29", nil, false), (.date, 0, "0001-01-01", .date(-719_162), true),
      (.timestamp, 0, "1969-12-31T23:59:59.5Z", .timestamp(-500_000), true),
      (.timestamp, 0, "2026-11-30 22:52Z", .timestamp(1_796_079_120_000_000), true),
      (.timestamp, 0, "2026-11-30T22:52:00", nil, false),
      (.boolean, 0, "Yes", .boolean(true), true), (.boolean, 0, "2", nil, false),
    ]
    for (kind, scale, text, wanted, isValid) in cases {
      var column = Column(id: 1, name: "c", kind: kind)
      column.scale = scale
      do throws(DraftText.Refusal) {
        let value = try DraftText.value(of: text, in: column)
        #expect(isValid && value == wanted, "\(text)")
        let again = try DraftText.value(of: DraftText.text(of: value, in: column), in: column)
        #expect(again == value, "\(text)")
      } catch { #expect(!isValid, "\(text): \(error.expected)") }
    }
  }
}
