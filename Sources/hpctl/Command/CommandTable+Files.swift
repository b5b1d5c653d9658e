/// The verbs about files.
extension CommandTable {
  static func fileInfo(_ verb: Verb) -> CommandInfo {
    switch verb {
    case .export:
      CommandInfo(
        verb, "files", "write the table to a file that import reads back", "[FILE|-]",
        words: 0...1,
        options: [.section, .columns, .noIDs, .revisions, .bom, .spreadsheetSafe],
        examples: [
          ("hpctl export items.csv", "all rows, in their order"),
          ("hpctl export --no-ids copy.ndjson", "for another table or store"),
          ("hpctl export --format tsv | cut -f 3", "to stdout"),
        ],
        notes: [
          "csv, tsv, json or ndjson: as --format says, else as the file is called, else csv. "
            + "Importing it again changes nothing. The file is there whole or not at all; one that "
            + "was there is replaced.",
          "Columns _id, _section (the section's title) and, where titles stand twice, "
            + "_section_index, then the cells; decimals are exact. Sections without rows are "
            + "not in the file. With --revisions an import of it refuses (exit 5) rows that "
            + "somebody has changed since.",
        ])
    case .completion:
      CommandInfo(
        verb, "daemon", "print completions for a shell", "bash|zsh|fish", words: 1...1,
        examples: [
          ("hpctl completion bash", "for ~/.local/share/bash-completion/completions/hpctl")
        ])
    default:
      CommandInfo(
        verb, "files", "read rows from a CSV, TSV, JSON or NDJSON file, all or none", "[FILE|-]",
        words: 0...1,
        options: [
          .key, .map, .section, .createSection, .setCreated, .from, .delimiter, .encoding,
          .decimal, .dateFormat, .empty, .round, .spreadsheetSafe, .ignoreIDs, .order, .keepGoing,
          .rejects,
        ] + changing,
        examples: [
          ("hpctl import homebox.csv --key name", "a second run changes nothing"),
          ("hpctl import homebox.csv --key name --dry-run", "what it would do"),
          ("hpctl import parts.csv --map Maker=serial --decimal ,", "a file of another program"),
        ], notes: importNotes)
    }
  }

  private static let importNotes = [
    "The header names the columns: by --map, by their own names, or by those of exports of Homebox "
      + "(all versions), Snipe-IT, Shelf.nu, Part-DB and DumbAssets. Other columns are dropped, "
      + "and said to be. A location becomes a section, made where it is missing.",
    "An export of hpctl knows its rows by their ids: they are changed, and moved where the file "
      + "has them in another section; lines without an id are new rows at their place. With "
      + "--order rows are moved, too, until they stand as in the file. "
      + "Otherwise --key names a column (of the table or the file), and known rows stay where "
      + "they are. Without either all rows are new.",
    "An empty field is null (an empty text stays one); --empty keep leaves the cells of known "
      + "rows alone. Nothing is rounded or guessed: a value that can be read in two ways is an "
      + "error that names line, record and column, and nothing is written then. With --keep-going "
      + "the good records are brought in, the others go to a file, and the status is 6.",
    "A dry run prints a line for each row that would be made (+), changed or moved (~); with -v a "
      + "real run prints the same.",
    "--map takes _section for the section, _id for ids, and nothing to leave a column out.",
  ]
}
