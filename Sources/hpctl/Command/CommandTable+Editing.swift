/// The verbs of editing.
extension CommandTable {
  /// The options of a verb that holds something.
  private static let holding: [OptionName] = [.lease, .duration, .expect, .idempotencyKey]

  private static let leaseNote =
    "It is held through your lease, so that it lasts beyond the command: the one of --lease (else "
    + "HPCTL_LEASE, hpctl), for --for seconds from now (600). Without --for the end of one that "
    + "is there stays; hpctl's own lasts 600 seconds more at least."

  static func editingInfo(_ verb: Verb) -> CommandInfo {
    switch verb {
    case .commit:
      CommandInfo(
        verb, "editing", "use a row's delete or insert control",
        "delete ID | insert ID [COLUMN=VALUE]…",
        words: 2...Int.max, options: holding,
        examples: [
          ("hpctl commit delete 7", "as the policy of the row allows"),
          ("hpctl commit insert 7 name=Lid", "a new row in the place of row 7; prints its id"),
        ],
        notes: ["The table has to be in editing mode, and the row's style the one that is used."])
    case .swipe:
      CommandInfo(
        verb, "editing", "swipe a row, and use or close its delete button",
        "ID | confirm | cancel", words: 1...1, options: [.leading] + holding,
        examples: [
          ("hpctl swipe 7", "prints what the button says"),
          ("hpctl swipe confirm", "deletes the row"),
          ("hpctl swipe cancel", "closes it"),
        ], notes: ["Not in editing mode; a second swipe closes the first.", leaseNote])
    case .minus:
      CommandInfo(
        verb, "editing", "use the minus control of editing mode, which asks first",
        "ID | confirm | cancel", words: 1...1, options: holding,
        examples: [
          ("hpctl minus 7", "prints what the button says"),
          ("hpctl minus confirm", "deletes the row"),
        ], notes: [leaseNote])
    case .drag:
      CommandInfo(
        verb, "editing", "drag a row by its reorder control",
        "ID | hover SECTION,ROW | drop [SECTION,ROW] | cancel", words: 1...2, options: holding,
        examples: [
          ("hpctl drag 7", "takes it up"),
          ("hpctl drag hover 0,3", "prints where it would land"),
          ("hpctl drag drop", "moves it there"),
        ],
        notes: [
          "Section and row count from 0. A place where the row may not land becomes the nearest one "
            + "where it may. The table has to be in editing mode.", leaseNote,
        ])
    case .select:
      CommandInfo(
        verb, "editing", "select rows, for others to see", "ID… | none", words: 1...Int.max,
        options: [.only, .off] + holding,
        examples: [
          ("hpctl select 7 8", "these too"), ("hpctl select --only 7", "this one alone"),
          ("hpctl select none", "no row any more"),
        ], notes: [leaseNote])
    case .draft:
      CommandInfo(
        verb, "editing", "edit a cell as a person types, for others to see",
        "ID COLUMN [TEXT] | text TEXT | end [--force] | discard [ID COLUMN]", words: 1...3,
        options: [.force] + holding,
        examples: [
          ("hpctl draft 7 name", "begins with the cell's value, and prints it"),
          ("hpctl draft text Kettle", "what was typed so far"),
          ("hpctl draft end", "writes it"),
          ("hpctl draft discard", "leaves the cell as it is"),
        ],
        notes: [
          "Where the cell was changed meanwhile, or the text is no value of the column, nothing is "
            + "written and the draft stays; with --force it ends, and the text is kept aside.",
          leaseNote,
        ])
    case .policyShow:
      CommandInfo(
        verb, "editing", "show what may be done by hand", options: [.section, .row],
        examples: [
          ("hpctl policy show", "of the table"), ("hpctl policy show --row 7", "of a row"),
        ], notes: [policyNote])
    case .policySet:
      CommandInfo(
        verb, "editing", "say what may be done by hand", "[NAME=VALUE]…", words: 0...Int.max,
        options: [.section, .row, .clear] + changing,
        examples: [
          ("hpctl policy set delete-title=Remove", "for the whole table"),
          ("hpctl policy set can-move=no --section Kitchen", "for a section"),
          ("hpctl policy set can-edit= --row 7", "for a row: as its section says"),
        ], notes: [policyNote])
    case .sectionSentinel:
      CommandInfo(
        verb, "sections", "set the last line of a section, which is no row", "SECTION [TEXT]",
        words: 1...2, options: [.height] + changing,
        examples: [
          ("hpctl section sentinel Attic 'No more items!'", "nothing lands below it"),
          ("hpctl section sentinel Attic", "none"),
        ])
    case .leaseTake:
      CommandInfo(
        verb, "editing", "take a lease, or renew it", "[NAME]", words: 0...1,
        options: [.lease, .duration],
        examples: [
          ("hpctl lease take desk --for 3600", "prints its id; for an hour from now"),
          ("hpctl lease take desk --for 0", "until it is ended"),
        ],
        notes: ["What a lease holds lasts beyond the connection, a restart included for editing."])
    case .leaseEnd:
      CommandInfo(
        verb, "editing", "end a lease and all that it holds", "[NAME|id:N]", words: 0...1,
        options: [.lease],
        examples: [
          ("hpctl lease end desk", "one of yours"), ("hpctl lease end id:7", "as an admin"),
        ])
    case .leaseList:
      CommandInfo(
        verb, "editing", "show the leases", examples: [("hpctl lease list", "everybody's")])
    default:
      CommandInfo(
        verb, "editing", "switch the table's editing mode, or show who edits what",
        "on|off|toggle|status", words: 1...1,
        options: [.exclusive, .breakHold, .animated] + holding,
        examples: [
          ("hpctl edit on", "for all clients"),
          ("hpctl edit on --exclusive --lease desk", "others can't edit meanwhile"),
          ("hpctl edit toggle", "as the Edit button does; prints on or off"),
          ("hpctl edit status", "holders, swipe, drag, selections, drafts"),
        ], notes: ["off ends everybody's hold.", leaseNote])
    }
  }

  private static let policyNote =
    "Names: "
    + Policy.Field.allCases.map { "\($0.rawValue) (\($0.values))" }.joined(separator: ", ")
    + ". What a row does not say its section says, what that does not say the table."
}
