import Testing

@testable import TableService

/// Every step in every state: what is said, and that a refused one changes nothing.
@Suite struct EditingStateTests {
  /// The states, each as `a` has brought it about.
  static let states = [
    "idle", "editing", "swipe", "confirm", "drag", "draft", "rejected", "exclusive",
  ]

  /// A step, and what it is answered in each of the states above: by `a`, by `b`.
  ///
  /// "." is done, "=" is done and changes nothing; else the fault.
  static let steps: [(step: String, answers: String)] = [
    ("on", ". = . = = . . =|. . . . . . . heldExclusively"),
    (
      "on exclusive",
      ". . . . . . . =|. heldByOthers heldByOthers heldByOthers heldByOthers heldByOthers . heldExclusively"
    ),
    ("off", "= . . . . = = .|= . . . . = = heldExclusively"),
    ("toggle", ". . . . . . . .|. . . . . . . heldExclusively"),
    (
      "toggle expecting off",
      ". conflict conflict conflict conflict . . conflict|"
        + ". conflict conflict conflict conflict . . heldExclusively"
    ),
    (
      "commit delete two",
      "notEditing . notEditing . . notEditing notEditing .|notEditing . notEditing . . notEditing notEditing heldExclusively"
    ),
    (
      "commit insert two",
      "notEditing styleMismatch notEditing styleMismatch styleMismatch notEditing notEditing styleMismatch|notEditing styleMismatch notEditing styleMismatch styleMismatch notEditing notEditing heldExclusively"
    ),
    (
      "commit insert insert",
      "notEditing . notEditing . . notEditing notEditing .|notEditing . notEditing . . notEditing notEditing heldExclusively"
    ),
    (
      "commit delete fixed",
      "notEditing notEditable notEditing notEditable notEditable notEditing notEditing notEditable|notEditing notEditable notEditing notEditable notEditable notEditing notEditing heldExclusively"
    ),
    (
      "commit delete gone",
      "notEditing noSuchRow notEditing noSuchRow noSuchRow notEditing notEditing noSuchRow|notEditing noSuchRow notEditing noSuchRow noSuchRow notEditing notEditing heldExclusively"
    ),
    (
      "swipe one",
      ". inEditingMode = inEditingMode inEditingMode . . inEditingMode|. inEditingMode . inEditingMode inEditingMode . . heldExclusively"
    ),
    (
      "swipe two",
      ". inEditingMode . inEditingMode inEditingMode . . inEditingMode|. inEditingMode . inEditingMode inEditingMode . . heldExclusively"
    ),
    (
      "swipe fixed",
      "notEditable inEditingMode notEditable inEditingMode inEditingMode notEditable notEditable inEditingMode|notEditable inEditingMode notEditable inEditingMode inEditingMode notEditable notEditable heldExclusively"
    ),
    (
      "swipe insert",
      "styleNotDelete inEditingMode styleNotDelete inEditingMode inEditingMode styleNotDelete styleNotDelete inEditingMode|styleNotDelete inEditingMode styleNotDelete inEditingMode inEditingMode styleNotDelete styleNotDelete heldExclusively"
    ),
    (
      "swipe gone",
      "noSuchRow inEditingMode noSuchRow inEditingMode inEditingMode noSuchRow noSuchRow inEditingMode|noSuchRow inEditingMode noSuchRow inEditingMode inEditingMode noSuchRow noSuchRow heldExclusively"
    ),
    (
      "use swipe",
      "noSwipe noSwipe = noSwipe noSwipe noSwipe noSwipe noSwipe|noSwipe noSwipe notHolder noSwipe noSwipe noSwipe noSwipe heldExclusively"
    ),
    (
      "cancel swipe",
      "noSwipe noSwipe . noSwipe noSwipe noSwipe noSwipe noSwipe|noSwipe noSwipe notHolder noSwipe noSwipe noSwipe noSwipe noSwipe"
    ),
    (
      "confirm one",
      "notEditing . notEditing = . notEditing notEditing .|notEditing . notEditing . . notEditing notEditing heldExclusively"
    ),
    (
      "use confirm",
      "noConfirm noConfirm noConfirm = noConfirm noConfirm noConfirm noConfirm|noConfirm noConfirm noConfirm notHolder noConfirm noConfirm noConfirm heldExclusively"
    ),
    (
      "cancel confirm",
      "noConfirm noConfirm noConfirm . noConfirm noConfirm noConfirm noConfirm|noConfirm noConfirm noConfirm notHolder noConfirm noConfirm noConfirm noConfirm"
    ),
    (
      "drag one",
      "notEditing . notEditing . = notEditing notEditing .|notEditing . notEditing . dragOpen notEditing notEditing heldExclusively"
    ),
    (
      "drag two",
      "notEditing . notEditing . dragOpen notEditing notEditing .|notEditing . notEditing . dragOpen notEditing notEditing heldExclusively"
    ),
    (
      "drag pinned",
      "notEditing notMovable notEditing notMovable notMovable notEditing notEditing notMovable|notEditing notMovable notEditing notMovable notMovable notEditing notEditing heldExclusively"
    ),
    (
      "drag gone",
      "notEditing noSuchRow notEditing noSuchRow noSuchRow notEditing notEditing noSuchRow|notEditing noSuchRow notEditing noSuchRow noSuchRow notEditing notEditing heldExclusively"
    ),
    (
      "hover",
      "noDrag noDrag noDrag noDrag . noDrag noDrag noDrag|noDrag noDrag noDrag noDrag notHolder noDrag noDrag heldExclusively"
    ),
    (
      "drop",
      "noDrag noDrag noDrag noDrag = noDrag noDrag noDrag|noDrag noDrag noDrag noDrag notHolder noDrag noDrag heldExclusively"
    ),
    (
      "abandon drag",
      "noDrag noDrag noDrag noDrag . noDrag noDrag noDrag|noDrag noDrag noDrag noDrag notHolder noDrag noDrag noDrag"
    ),
    (
      "select one",
      ". notSelectable . notSelectable notSelectable . . notSelectable|. notSelectable . notSelectable notSelectable . . notSelectable"
    ),
    (
      "select one two",
      "notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable|notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable notSelectable"
    ),
    ("deselect one", "= = = = = = = =|= = = = = = = ="),
    ("draft one", ". . . . . = . .|. . . . . . . heldExclusively"),
    ("draft two", ". . . . . draftOpen . .|. . . . . . . heldExclusively"),
    (
      "draft gone",
      "noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow|noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow noSuchRow heldExclusively"
    ),
    (
      "text",
      "noDraft noDraft noDraft noDraft noDraft . noDraft noDraft|noDraft noDraft noDraft noDraft noDraft noDraft noDraft heldExclusively"
    ),
    (
      "end",
      "noDraft noDraft noDraft noDraft noDraft = noDraft noDraft|noDraft noDraft noDraft noDraft noDraft noDraft noDraft noDraft"
    ),
    (
      "discard",
      "noDraft noDraft noDraft noDraft noDraft . noDraft noDraft|noDraft noDraft noDraft noDraft noDraft noDraft noDraft noDraft"
    ),
    (
      "discard one",
      "noDraft noDraft noDraft noDraft noDraft . . noDraft|noDraft noDraft noDraft noDraft noDraft noDraft noDraft noDraft"
    ),
  ]

  @Test(arguments: steps) func isAnsweredInEveryState(
    _ line: (step: String, answers: String)
  ) throws {
    let sides = line.answers.split(separator: "|")
    #expect(sides.count == 2)
    for (side, holder) in zip(sides, [Who.a, Who.b]) {
      let answers = side.split(separator: " ").map(String.init)
      #expect(answers.count == Self.states.count, "\(line.step)")
      for (state, wanted) in zip(Self.states, answers) {
        let edited = try EditedTable()
        var board = try Self.board(state, edited)
        _ = board.takeEvents()
        let before = board
        let found: String
        do throws(EditingFault) {
          try Self.take(line.step, edited, by: holder, on: &board)
          found = board.events.isEmpty ? "=" : "."
        } catch { found = "\(error.code)" }
        #expect(found == wanted, "\(line.step) by \(holder.actor) while \(state)")
        if found != "." { #expect(board == before, "\(line.step) while \(state)") }
      }
    }
  }

  static func board(_ state: String, _ edited: EditedTable) throws -> EditingBoard {
    var board = EditingBoard()
    let steps: [String]
    switch state {
    case "idle": steps = []
    case "editing": steps = ["on"]
    case "swipe": steps = ["swipe one"]
    case "confirm": steps = ["on", "confirm one"]
    case "drag": steps = ["on", "drag one"]
    case "draft": steps = ["draft one"]
    case "rejected": steps = ["draft one", "reject"]
    default: steps = ["on exclusive"]
    }
    for step in steps { try take(step, edited, by: Who.a, on: &board) }
    return board
  }

  /// Takes a step as it is written above.
  static func take(
    _ step: String, _ edited: EditedTable, by holder: Holder, on board: inout EditingBoard
  ) throws(EditingFault) {
    let words = step.split(separator: " ").map(String.init)
    let table = edited.table
    let row = edited.row(words.last ?? "")
    var wish = EditingBoard.FlagWish(on: words[0] == "on")
    if words.last == "exclusive" { wish.isExclusive = true }
    switch words[0] {
    case "on", "off": _ = try board.setEditing(wish, table: table.id, by: holder)
    case "toggle":
      try board.toggleEditing(
        expected: words.count > 1 ? false : nil, table: table.id, by: holder, isAnimated: false)
    case "commit":
      try board.judgeCommit(
        words[1] == "insert" ? .insert : .delete, row: row, of: table, by: holder)
      if !board.tables.isEmpty { board.emit(.willBeginEditing(row: row), table: table.id, by: nil) }
    case "swipe": _ = try board.openSwipe(row: row, isLeading: false, of: table, by: holder)
    case "confirm": _ = try board.openConfirm(row: row, of: table, by: holder)
    case "use":
      if words[1] == "swipe" {
        _ = try board.judgeSwipeConfirm(row: nil, of: table, by: holder)
      } else {
        _ = try board.judgeConfirm(row: nil, of: table, by: holder)
      }
    case "cancel":
      if words[1] == "swipe" {
        try board.cancelSwipe(row: nil, of: table, by: holder)
      } else {
        try board.cancelConfirm(row: nil, of: table, by: holder)
      }
    case "drag": _ = try board.beginDrag(row: row, of: table, by: holder)
    case "hover":
      _ = try board.hover(RowPath(section: 1, row: 9), over: table, by: holder)
    case "drop": _ = try board.judgeDrop(at: nil, of: table, by: holder)
    case "abandon": try board.abandonDrag(of: table, by: holder)
    default: try takeMore(words, edited, by: holder, on: &board)
    }
  }

  private static func takeMore(
    _ words: [String], _ edited: EditedTable, by holder: Holder, on board: inout EditingBoard
  ) throws(EditingFault) {
    let table = edited.table
    let rows = words.dropFirst().map { edited.row($0) }
    switch words[0] {
    case "select", "deselect":
      _ = try board.select(
        rows, isOn: words[0] == "select", clearsOthers: false, of: table, by: holder)
    case "draft":
      _ = try board.beginDraft(row: rows[0], column: "name", text: nil, of: table, by: holder)
    case "text": _ = try board.setDraft("typed", .init(), of: table, by: holder)
    case "end": _ = try board.judgeDraft(.init(), of: table, by: holder)
    case "reject":
      let draft = try board.draft(.init(), of: table, by: holder)
      board.rejectDraft(draft.key, reason: "BAD_VALUE", table.id, by: holder)
    case "discard":
      let wish = EditingBoard.DraftWish(row: rows.first, column: rows.isEmpty ? nil : "name")
      try board.discardDraft(wish, of: table, by: holder)
    default: preconditionFailure("no such step: \(words)")
    }
  }
}
