/// Every option of hpctl, by its long name.
enum OptionName: String, CaseIterable {
  case socket, table, format, json, quiet, verbose, actor, timeout, yes, color, utc, help, version
  case noInput = "no-input"
  case section, at, to, expect, key, delimiter, since, once, columns
  case dryRun = "dry-run"
  case idempotencyKey = "idempotency-key"
  case createSection = "create-section"
  case setCreated = "set-created"
  case sections, sql
  case required, unique, fill, scale, currency, before
  case readOnly = "read-only"
  case preset = "default"
  case allTables = "all-tables"
  case exec, reconnect, filter, window
  case `where`, sort, limit, skip
  case expectCount = "expect-count"
  case from, map, decimal, encoding, empty, round, rejects, order
  case dateFormat = "date-format"
  case keepGoing = "keep-going"
  case ignoreIDs = "ignore-ids"
  case spreadsheetSafe = "spreadsheet-safe"
  case noIDs = "no-ids"
  case revisions, bom, view, height
  case owner, controller, language, keep, header, footer
  case toTable = "to-table"
  case expectTo = "expect-to"
  case without
  case formatString = "format-string"
  case any, by
  case expectStep = "expect-step"
  case lease, exclusive, animated, leading, only, off, force, row, clear
  case duration = "for"
  case breakHold = "break"
  case event, scene, state
}

/// What help, completions and the manual say about an option.
struct OptionInfo {
  var name: OptionName
  var short: Character?
  /// The name of the value, where the option takes one.
  var value: String?
  var help: String
}

extension OptionName {
  /// The options that go with every verb.
  static let global: [OptionName] = [
    .socket, .table, .format, .json, .quiet, .verbose, .actor, .timeout, .yes, .noInput, .color,
    .utc, .help, .version, .formatString,
  ]

  /// The options that may be given several times.
  static let repeated: Set<OptionName> = [.map, .filter]

  var info: OptionInfo {
    func info(_ value: String?, _ help: String, short: Character? = nil) -> OptionInfo {
      OptionInfo(name: self, short: short, value: value, help: help)
    }
    switch self {
    case .socket:
      return info("PATH", "the daemon's socket (else HPD_SOCKET, then the usual places)")
    case .table: return info("NAME", "the table to work on (items)")
    case .format:
      return info(
        Format.allCases.map(\.rawValue).joined(separator: "|"),
        "table on a terminal, else plain: one row a line, tabs between fields")
    case .json: return info(nil, "the same as --format json")
    case .quiet: return info(nil, "print nothing on success", short: "q")
    case .verbose: return info(nil, "say on stderr what was sent and answered", short: "v")
    case .actor: return info("NAME", "who changes are signed by (else HPCTL_ACTOR, USER/hpctl)")
    case .timeout: return info("SECONDS", "give up after this time (10; for watch: never)")
    case .yes: return info(nil, "do not ask, do it", short: "y")
    case .noInput: return info(nil, "never ask; where a question is needed, fail")
    case .color: return info("auto|always|never", "colours (auto: on a terminal, unless NO_COLOR)")
    case .utc: return info(nil, "show times in UTC in table format, too")
    case .help: return info(nil, "explain a verb", short: "h")
    case .version: return info(nil, "print the version")
    case .section: return info("TITLE|id:N", "the section, by its title or id")
    case .at: return info("PLACE", "first, last, an index from 0, before:ID or after:ID")
    case .to: return info("PLACE", "first, last, an index from 0, before:ID or after:ID")
    case .expect:
      return info("EPOCH:REV", "refuse (exit 5) if the table changed after this point")
    case .key: return info("COLUMN", "the column by which rows of the file are known again")
    case .delimiter: return info("auto|,|;|tab", "what stands between the fields (auto), or |")
    case .since: return info("EPOCH:REV", "go on after this point instead of a snapshot")
    case .once: return info(nil, "end after the first change")
    case .exec:
      return info("COMMAND", "run this for each change, on its stdin, instead of printing")
    case .reconnect: return info(nil, "when the daemon goes, wait for it and go on without a gap")
    case .filter:
      return info(
        "NAME=VALUE", "only this section, column, row or kind (may be repeated)")
    case .window:
      return info("FIRST,COUNT", "only this run of rows; row:ID,COUNT hangs on a row")
    case .columns: return info("NAME,…", "show these columns only")
    case .dryRun: return info(nil, "check and show what would happen, change nothing")
    case .idempotencyKey: return info("KEY", "a repeated run with the same key changes nothing")
    case .createSection: return info(nil, "make the section if it is not there")
    case .setCreated: return info(nil, "take the created column from the file for new rows")
    case .sections: return info("TITLE,…", "the sections to start with")
    case .required: return info(nil, "null is refused; older rows need --fill")
    case .unique: return info(nil, "a value may stand in one row only")
    case .readOnly: return info(nil, "the cell can't change after the insert")
    case .preset: return info("VALUE", "what a new row without a value gets; now for times")
    case .fill: return info("VALUE", "what is read where an older row has no value")
    case .scale: return info("N", "the places of a decimal, 0 to 9 (2)")
    case .currency: return info("CODE", "the currency of a decimal")
    case .before:
      return info("COLUMN", "the column that it goes before")
    case .sql: return info(nil, "wait until the rows can be read by SQL, too")
    case .where: return info("FILTER", "the rows that a filter takes")
    case .sort: return info("COLUMN[:desc],…", "sort by columns (nulls last); :nocase folds case")
    case .limit: return info("N", "this many rows at most")
    case .skip: return info("N", "leave out this many rows in front")
    case .expectCount: return info("N", "refuse (exit 5) unless the filter takes N rows")
    case .from:
      return info("auto|csv|tsv|json|ndjson", "how the file is written (auto: look at it)")
    case .map:
      return info(
        "FILE_COLUMN=COLUMN", "read a column of the file into this one (may be repeated)")
    case .decimal:
      return info(".|,", "what parts the fraction off; the other may part thousands")
    case .encoding:
      return info(
        TextEncoding.allCases.map(\.rawValue).joined(separator: "|"),
        "how the file's text is encoded (utf-8)")
    case .empty:
      return info("keep|clear", "what an empty field does to a known row's cell (clear)")
    case .round: return info(nil, "round amounts with too many decimals (half away from zero)")
    case .rejects:
      return info("FILE", "where rejected records go (the name of the file + .rejects)")
    case .dateFormat: return info("FORM", "how dates are written, for example %d.%m.%Y (iso)")
    case .keepGoing: return info(nil, "bring in the good records, write the others to a file")
    case .ignoreIDs: return info(nil, "all rows are new ones, whatever ids the file has")
    case .spreadsheetSafe:
      return info(nil, "an apostrophe keeps text from being a formula")
    case .order: return info(nil, "rows with ids take the order of the file, too")
    case .noIDs: return info(nil, "leave the ids of rows out")
    case .revisions: return info(nil, "add the revisions of rows; an import then checks them")
    case .bom: return info(nil, "begin with a byte order mark")
    case .view: return info("NAME", "show this view instead of a text")
    case .owner: return info("CLASS", "the class that owns what is loaded")
    case .controller: return info("CLASS", "look for the view of a controller of this class")
    case .language: return info("CODE", "the language whose folders come first: fr, fr-CA")
    case .header: return info(nil, "what the header shows, of the table or of --section")
    case .footer: return info(nil, "what the footer shows")
    case .keep: return info(nil, "show objects, too, that no outlet of the owner keeps")
    case .height: return info("POINTS", "how high it is (automatic)")
    case .formatString:
      return info(
        "TEMPLATE", "for --format template: '{{name}} {{value}}' (else HPCTL_FORMAT)", short: "f")
    case .lease:
      return info("NAME", "your lease, which holds or allows it (else HPCTL_LEASE)")
    case .duration: return info("SECONDS", "how long the lease lasts; 0: until it is ended (600)")
    case .exclusive: return info(nil, "nobody else may edit meanwhile")
    case .scene: return info("NAME", "a scene: watch tells its events, node sets what it shows")
    case .state:
      return info("STATE", "the state of a title: normal, highlighted, disabled, selected")
    case .event: return info("NAME", "the event that is sent (touchUpInside)")
    case .breakHold: return info(nil, "also where somebody else holds it alone (admins)")
    case .animated: return info(nil, "tell clients to animate it")
    case .leading: return info(nil, "the button of the other edge")
    case .only: return info(nil, "deselect all others")
    case .off: return info(nil, "deselect them")
    case .force: return info(nil, "end in any case, and keep a text that can't be written")
    case .row: return info("ID,…", "of these rows")
    case .clear: return info(nil, "take away first what was set here")
    case .toTable: return info("NAME", "the table that the rows go to")
    case .expectTo:
      return info("EPOCH:REV", "refuse (exit 5) if the other table changed after this point")
    case .without: return info("NAME,…", "leave the values of these columns behind")
    case .allTables: return info(nil, "every table of the store")
    case .any: return info(nil, "also steps of other actors")
    case .by: return info("ACTOR", "only what this actor did; uid:N/ACTOR: of another user")
    case .expectStep: return info("REV", "refuse unless this is the step")
    }
  }
}

extension OptionName {
  /// The same for one verb, where it means something else there.
  func info(for verb: Verb) -> OptionInfo {
    switch (verb, self) {
    case (.history, .before):
      OptionInfo(name: self, short: nil, value: "REV", help: "only what is older than this")
    case (.history, .limit):
      OptionInfo(name: self, short: nil, value: "N", help: "this many changes at most")
    default: info
    }
  }
}
