/// A verb as help, completions and the manual describe it.
struct CommandInfo {
  /// A command line and what it does.
  struct Example {
    var line: String
    var meaning: String
  }

  var verb: Verb
  /// The heading it stands under.
  var group: String
  var summary: String
  /// What follows the verb, in the manual's notation.
  var arguments: String
  var options: [OptionName]
  var examples: [Example]
  var notes: [String]
  /// How many words may follow the verb.
  var words: ClosedRange<Int>
}

extension CommandInfo {
  /// Describes a verb; an example is a command line and what it does.
  init(
    _ verb: Verb, _ group: String, _ summary: String, _ arguments: String = "",
    words: ClosedRange<Int> = 0...0, options: [OptionName] = [], examples: [(String, String)],
    notes: [String] = []
  ) {
    self.init(
      verb: verb, group: group, summary: summary, arguments: arguments, options: options,
      examples: examples.map { Example(line: $0.0, meaning: $0.1) }, notes: notes, words: words)
  }
}

/// The one table that describes hpctl.
enum CommandTable {
  static let changing: [OptionName] = [.expect, .dryRun, .idempotencyKey, .lease]

  static func info(_ verb: Verb) -> CommandInfo {
    func info(
      _ group: String, _ summary: String, _ arguments: String = "", words: ClosedRange<Int> = 0...0,
      options: [OptionName] = [], examples: [(String, String)], notes: [String] = []
    ) -> CommandInfo {
      CommandInfo(
        verb, group, summary, arguments, words: words, options: options, examples: examples,
        notes: notes)
    }
    let many = 1...Int.max
    switch verb {
    case .add:
      return info(
        "rows", "add a row", "[COLUMN=VALUE]…", words: 0...Int.max,
        options: [.section, .at, .createSection] + changing,
        examples: [
          ("hpctl add name=Kettle value=39.95", "at the end of the last section"),
          ("hpctl add name=Kettle --section Kitchen --at first", "at the top of a section"),
          ("hpctl add name=Lid --at after:7", "below row 7"),
        ],
        notes: [
          valueNote, "Without --section the row goes to the last one. Prints the new row's id.",
        ])
    case .new:
      return info(
        "rows", "add a random item, as the New button does",
        options: [.section, .at] + changing,
        examples: [("hpctl new", "prints the new row's id")])
    case .get:
      return info(
        "rows", "show rows by their ids", "ID…", words: many, options: [.columns],
        examples: [
          ("hpctl get 7", "one row"),
          ("hpctl get 7 --json | jq -r .cells.value", "one cell"),
        ],
        notes: [
          "JSON: an object for one id, an array for several. Exit status 4 if one is not there."
        ])
    case .list:
      return info(
        "rows", "show all rows in their order",
        options: [.section, .columns, .where, .sort, .limit, .skip],
        examples: [
          ("hpctl list", "the whole table"),
          ("hpctl list --section Kitchen --columns name,value", "a part of it"),
          ("hpctl list --format ndjson | jq -r .cells.name", "for a script"),
        ],
        notes: [
          "plain: id, section title, cells; tab, newline and backslash are escaped with a "
            + "backslash, null is \\N. csv and tsv have a header line; null is an empty field, "
            + "an empty text is \"\"."
        ])
    case .find:
      return info(
        "rows", "show the rows that a filter takes", "[FILTER]", words: 0...Int.max,
        options: [.where, .section, .columns, .sort, .limit, .skip],
        examples: [
          ("hpctl find 'value >= 100 and name ~ \"bear\"'", "in the table's order"),
          ("hpctl find 'serial is null' --sort value:desc --limit 10", "the dearest ten"),
        ], notes: [filterNote])
    case .count:
      return info(
        "rows", "count rows", options: [.section, .where],
        examples: [
          ("hpctl count", "of the table"), ("hpctl count --section Kitchen", "of one"),
          ("hpctl count --where 'value is null'", "of a filter"),
        ])
    case .sum:
      return info(
        "rows", "add up a column", "COLUMN", words: 1...1, options: [.where],
        examples: [
          ("hpctl sum value", "exact, or refused where it does not fit"),
          ("hpctl sum value --where 'name ^= K'", "of some rows"),
        ])
    case .sort:
      return info(
        "rows", "sort a section's rows", "SECTION COLUMN[:desc]…", words: 2...Int.max,
        options: changing,
        examples: [
          ("hpctl sort Kitchen name:nocase", "by name, whatever the case"),
          ("hpctl sort id:2 value:desc name", "the dearest first"),
        ],
        notes: ["One step of undo. Nulls come last; rows that are equal keep their order."])
    case .set:
      return info(
        "rows", "change cells of a row, or of all that a filter takes",
        "ID COLUMN=VALUE…", words: 1...Int.max, options: [.where, .expectCount] + changing,
        examples: [
          ("hpctl set 7 value=41", "a new value"), ("hpctl set 7 value=", "no value (null)"),
          ("hpctl set 7 serial!", "null, also for a text column"),
          ("hpctl set --where 'value < 0' value=0 --expect-count 2", "two rows, or none"),
        ], notes: [valueNote, bulkNote])
    case .rm:
      return info(
        "rows", "remove rows", "[ID…]", words: 0...Int.max,
        options: [.where, .expectCount] + changing,
        examples: [
          ("hpctl rm 7", "one row"), ("hpctl rm 7 8 9 --yes", "several at once, all or none"),
          ("hpctl rm --where 'name = Lid' --dry-run", "what a filter would remove"),
        ], notes: [bulkNote])
    case .mv:
      return info(
        "rows", "move rows", "[ID…] --to PLACE", words: 0...Int.max,
        options: [.to, .section, .toTable, .where, .expectCount, .expectTo, .without] + changing,
        examples: [
          ("hpctl mv 7 --to first", "to the top of its section"),
          ("hpctl mv 7 --to last --section Attic", "to the end of a section"),
          ("hpctl mv 7 8 --to before:3", "two rows, in this order"),
          ("hpctl mv --where 'value is null' --to last --section Attic", "those of a filter"),
          ("hpctl mv 7 8 --to-table tools", "to another table"),
        ],
        notes: [
          "Without --section rows move within the section of the first one. An index counts from "
            + "0 and says where the first row stands afterwards; the others follow it. Rows of a "
            + "filter come in the table's order.",
          "With --to-table, --section and --to are about the other table, and --expect about the "
            + "one that the rows leave. " + carryNote + " Rows keep their ids.", bulkNote,
        ])
    case .cp:
      return info(
        "rows", "copy rows", "[ID…]", words: 0...Int.max,
        options: [.toTable, .section, .at, .where, .expectCount, .expectTo, .without] + changing,
        examples: [
          ("hpctl cp 7", "at the end of the table"),
          ("hpctl cp 7 8 --to-table tools --section Garage --at first", "to another table"),
          ("hpctl cp --where 'value > 100' --to-table dear --without serial", "those of a filter"),
        ],
        notes: [
          "Prints the new rows' ids. --section and --at are about the table of --to-table, "
            + "--expect about the one that has the rows. " + carryNote, bulkNote,
        ])
    case .undo, .redo, .history, .restore: return stepInfo(verb)
    case .batch:
      return info(
        "batch", "apply a file of operations, all or none", "[FILE|-]", words: 0...1,
        options: changing,
        examples: [
          ("hpctl batch changes.json", "one document: {\"ops\":[…]}"),
          ("jq -c … | hpctl batch -", "one operation a line"),
        ],
        notes: [
          stdinNote,
          "Operations: " + operations.joined(separator: ", ") + ".",
        ])
    case .sectionAdd:
      return info(
        "sections", "add a section", "[TITLE]", words: 0...1, options: [.at] + changing,
        examples: [("hpctl section add Attic --at first", "prints the new section's id")],
        notes: ["PLACE: first, last, an index from 0, before:SECTION or after:SECTION."])
    case .sectionList:
      return info(
        "sections", "show the sections", examples: [("hpctl section list", "ids, titles, rows")],
        notes: [
          "A section is removed, with its rows, by a batch: "
            + "{\"op\":\"delete_section\",\"section_id\":\"Attic\"}"
        ])
    case .sectionTitle:
      return info(
        "sections", "give a section another title", "SECTION [TITLE]", words: 1...2,
        options: changing,
        examples: [
          ("hpctl section title Attic Loft", "by title"),
          ("hpctl section title id:2", "no title"),
        ])
    case .sectionMove:
      return info(
        "sections", "move a section with its rows", "SECTION --to PLACE", words: 1...1,
        options: [.to] + changing,
        examples: [("hpctl section mv Attic --to first", "before all others")],
        notes: ["PLACE: first, last, an index from 0, before:SECTION or after:SECTION."])
    case .sectionRemove:
      return info(
        "sections", "remove sections with their rows", "SECTION…", words: many,
        options: changing,
        examples: [
          ("hpctl section rm Attic", "by title"), ("hpctl section rm id:2 --yes", "do not ask"),
        ],
        notes: ["From \(bulk) rows on it asks first; without a terminal it needs --yes."])
    case .sectionHeader:
      return info(
        "sections", "set the header of a section", "SECTION [TEXT]", words: 1...2,
        options: [.view, .owner, .language, .height] + changing,
        examples: [
          ("hpctl section header Attic Upstairs", "a text"),
          ("hpctl section header Attic --view HeaderView --height 44", "a view"),
          ("hpctl section header Attic", "none"),
        ])
    case .sectionFooter:
      return info(
        "sections", "set the footer of a section", "SECTION [TEXT]", words: 1...2,
        options: [.view, .owner, .language, .height] + changing,
        examples: [
          ("hpctl section footer Attic Unsorted", "a text"), ("hpctl section footer Attic", "none"),
        ])
    case .tableHeader:
      return info(
        "tables", "set the header of the table", "[TEXT]", words: 0...1,
        options: [.view, .owner, .language, .height] + changing,
        examples: [
          ("hpctl table header --view HeaderView", "a view"), ("hpctl table header", "none"),
        ])
    case .tableFooter:
      return info(
        "tables", "set the footer of the table", "[TEXT]", words: 0...1,
        options: [.view, .owner, .language, .height] + changing,
        examples: [("hpctl table footer Inventory", "a text"), ("hpctl table footer", "none")])
    case .tableAdd:
      return info(
        "tables", "make a table", "NAME [COLUMN:KIND[,OPTION…]]…", words: many,
        options: [.sections, .idempotencyKey],
        examples: [
          ("hpctl table add tools --sections Garage,Cellar", "with the columns of an item"),
          ("hpctl table add parts code:text,unique price:decimal,currency=EUR", "with its own"),
        ],
        notes: [
          kindNote,
          "Options: required, unique, read-only, scale=N, currency=CODE, default=VALUE.",
        ])
    case .tableRemove:
      return info(
        "tables", "drop a table and all that is in it", "NAME", words: 1...1,
        options: [.expect, .idempotencyKey],
        examples: [("hpctl table rm tools --yes", "it can't be undone")],
        notes: ["It asks first; without a terminal it needs --yes."])
    case .tableRename:
      return info(
        "tables", "give a table another name", "NAME NEW-NAME", words: 2...2,
        options: [.expect, .idempotencyKey],
        examples: [("hpctl table rename tools workshop", "its id stays")])
    case .tableList:
      return info("tables", "show the tables", examples: [("hpctl table list", "names and rows")])
    case .importFile, .export, .completion: return fileInfo(verb)
    case .edit, .commit, .swipe, .minus, .drag, .select, .draft, .policyShow, .policySet,
      .sectionSentinel, .leaseTake, .leaseEnd, .leaseList:
      return editingInfo(verb)
    case .tableColumns:
      return info(
        "tables", "show the columns of a table", "[NAME]", words: 0...1,
        examples: [("hpctl table columns tools", "ids, names, kinds and rules")])
    case .columnAdd:
      return info(
        "tables", "add a column", "NAME KIND", words: 2...2,
        options: [
          .required, .unique, .readOnly, .preset, .fill, .scale, .currency, .before,
        ] + changing,
        examples: [
          ("hpctl column add note text", "older rows have no value there"),
          ("hpctl column add place text --required --fill Attic", "older rows read Attic"),
        ],
        notes: [
          kindNote, "A default is for new rows only. Unique are text, integer, decimal and date.",
        ])
    case .columnRename:
      return info(
        "tables", "give a column another name", "NAME NEW-NAME", words: 2...2, options: changing,
        examples: [("hpctl column rename serial number", "its id stays")])
    case .columnMove:
      return info(
        "tables", "move a column", "NAME --to PLACE", words: 1...1, options: [.to] + changing,
        examples: [("hpctl column mv value --to first", "before all others")],
        notes: ["PLACE: first, last, an index from 0, before:COLUMN or after:COLUMN."])
    case .columnRemove:
      return info(
        "tables", "drop a column", "NAME", words: 1...1, options: changing,
        examples: [("hpctl column rm serial --yes", "its cells are no longer shown")],
        notes: ["Where the table has rows it asks first; without a terminal it needs --yes."])
    case .watch, .barrier: return feedInfo(verb)
    case .view: return viewInfo(verb)
    case .node: return nodeInfo(verb)
    case .sceneList, .sceneMake, .sceneRemove, .sceneShow, .scenePush, .scenePop, .sceneRoot,
      .sceneTab, .sceneTap, .sceneEvent, .sceneSet, .sceneType, .sceneEnd, .sceneAttach:
      return sceneInfo(verb)
    case .ping:
      return info("daemon", "see whether the daemon answers", examples: [("hpctl ping", "")])
    case .info:
      return info("daemon", "show what the daemon is and has", examples: [("hpctl info", "")])
    case .clients:
      return info(
        "daemon", "show who is connected", examples: [("hpctl clients", "")],
        notes: [
          "plain: client, user id, process id, name, actor, subscriptions, bytes that wait for it, "
            + "seconds since it came."
        ])
    case .killClient:
      return info(
        "daemon", "end a client's connection", "CLIENT", words: 1...1,
        examples: [("hpctl kill-client 12", "the number is that of hpctl clients")])
    case .logLevel:
      return info(
        "daemon", "set how much the daemon logs", "LEVEL", words: 1...1,
        examples: [("hpctl log-level debug", "error, warning, info or debug")])
    case .version:
      return info("daemon", "print the version", examples: [("hpctl version", "")])
    case .help:
      return info(
        "daemon", "explain a verb", "[VERB]", words: 0...2,
        examples: [("hpctl help import", ""), ("hpctl help rows", "the verbs for rows")])
    }
  }

  /// From how many rows on a removal asks first.
  static let bulk = 10

  static let groups = [
    "rows", "batch", "history", "sections", "tables", "editing", "files", "feed", "screens",
    "daemon",
  ]

  private static let kindNote =
    "Kinds: text, integer, decimal, date, timestamp, boolean."
  private static let carryNote =
    "Columns are matched by name and kind; a value that can't be carried exactly is refused, "
    + "unless --without leaves its column behind."
  private static let bulkNote =
    "From \(bulk) rows on, rm asks first, and so does every verb with --where, also where the "
    + "filter is empty; without a terminal it needs --yes."

  private static let filterNote =
    "FILTER: COLUMN = != < <= > >= VALUE, COLUMN ^= TEXT (begins with), COLUMN ~ TEXT (contains, "
    + "whatever the case), COLUMN in (VALUE, …), COLUMN is null, joined by and, or, not and "
    + "parentheses. Values are written as for set; quotes (\" or ') are needed around spaces, "
    + "signs and the words of the filter itself. nocase after a test of a text folds case. A "
    + "comparison with null is false."

  private static let stdinNote = "Without FILE, or with -, it is read from standard input."

  private static let valueNote =
    "COLUMN=VALUE sets a cell; an empty VALUE is an empty text, or null in other columns; "
    + "COLUMN! is null in any column."
}
