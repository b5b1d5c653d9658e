/// The verbs about the feed.
extension CommandTable {
  static func feedInfo(_ verb: Verb) -> CommandInfo {
    switch verb {
    case .barrier:
      CommandInfo(
        verb, "feed", "wait until all earlier changes are on disk", options: [.sql],
        examples: [("hpctl barrier --sql", "then the store can be read with sqlite3")])
    default:
      CommandInfo(
        verb, "feed", "print every change",
        options: [
          .filter, .window, .section, .since, .once, .exec, .reconnect, .allTables, .scene,
        ],
        examples: [
          ("hpctl watch", "a line for each change"),
          ("hpctl watch --reconnect --exec 'jq -r .rows[].id'", "a command for each change"),
          ("hpctl watch --format ndjson --since 5e0c…:41", "go on where a program ended"),
          ("hpctl watch --once --timeout 60", "wait for one change"),
          ("hpctl watch --filter section=Kitchen --filter column=value", "a part of the table"),
          ("hpctl watch --filter row=7 --filter kind=delete --once", "wait until a row is gone"),
          ("hpctl watch --window 0,20 --section Kitchen", "the first rows of a section"),
        ], notes: watchNotes)
    }
  }

  private static let watchNotes = [
    "json and ndjson begin with the table as it is.",
    "--filter section=TITLE|id:N and column=NAME leave a part of the table. With row=ID and "
      + "kind=KIND (" + WatchFilter.kindNames.joined(separator: ", ") + ") changes of these "
      + "rows and kinds alone are told, from now on, without the table. Values of one name "
      + "add up. To go on later, --since takes EPOCH:REV:FINGERPRINT, and the same filter. "
      + "REV alone is one of the epoch that the store has.",
    "--scene tells what happens in a scene as well, in one order with the changes: first all of "
      + "it, then each event.",
    "--window shows COUNT rows from position FIRST (from 0) of the table, or of --section, "
      + "or from a row on, which takes it along; marks have places in the window, and = is a "
      + "row of it as it is shown anew. It takes --filter column=NAME. With --reconnect it is "
      + "shown anew; where its place is gone the watch ends. What is edited is told of the rows in "
      + "it alone. A change of counts and positions alone is told in JSON only; it does not end "
      + "--once, nor is --exec run for it.",
    "Ends with status 3 when the daemon goes, with 1 when --timeout passes without the "
      + "change of --once.",
    "--exec runs COMMAND by sh, one change after the other: the change as a line of ndjson is "
      + "its stdin, HPCTL_EPOCH, HPCTL_FROM, HPCTL_REVISION, HPCTL_TABLE and HPCTL_ACTOR are "
      + "set.",
  ]
}
