/// The verbs about steps and history.
extension CommandTable {
  static func stepInfo(_ verb: Verb) -> CommandInfo {
    switch verb {
    case .undo:
      CommandInfo(
        verb, "history", "take your last command back, or the one that is named", "[STEP]",
        words: 0...1, options: [.any, .expectStep] + changing,
        examples: [
          ("hpctl undo", "the last thing that you did, in any table"),
          ("hpctl undo --dry-run --json", "what it would change"),
          ("hpctl undo 41", "step 41; hpctl history shows the numbers"),
          ("hpctl undo --any --table items", "the last thing that anybody did there"),
        ],
        notes: [
          "One command is one step, however many rows it changed; the order comes back as well. "
            + "Only steps of your own actor (--actor) are taken back, unless --any is given. Exit "
            + "5 where later changes stand in the way: they are listed.",
          "With --table only steps of that table; without, of any.",
        ])
    case .redo:
      CommandInfo(
        verb, "history", "do again what was undone", "[STEP]", words: 0...1,
        options: [.any, .expectStep] + changing,
        examples: [
          ("hpctl redo", "the step that you undid last"), ("hpctl redo 41", "step 41"),
        ],
        notes: ["A new change of yours ends what you can redo, and nobody else's."])
    case .history:
      CommandInfo(
        verb, "history", "show what happened to the table, or to a row", "[ID]", words: 0...1,
        options: [.limit, .before, .by, .allTables],
        examples: [
          ("hpctl history --limit 10", "the last ten changes: who, when, how much"),
          ("hpctl history 7", "who gave row 7 which value, and what it was before"),
          ("hpctl history --by anna/hpctl --all-tables", "what one actor did"),
          ("hpctl history --before 41 --limit 10", "the ten before revision 41"),
        ],
        notes: [
          "Newest first. Rows that are gone have a history as well; restore brings them back."
        ])
    case .restore:
      CommandInfo(
        verb, "history", "bring a removed row back", "ID", words: 1...1, options: changing,
        examples: [("hpctl restore 7", "under its id, at its old place")],
        notes: ["A step of yours that undo takes back. Works while the history has the removal."])
    default: preconditionFailure("no verb about steps")
    }
  }
}
