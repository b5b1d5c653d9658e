internal import hpclient

/// `export`: the table as a file that `import` reads back without a change.
extension Context {
  func export() throws(Fault) {
    let name = invocation.words.first
    var options = RowWriter.Options()
    options.format = try exportFormat(name)
    options.hasIDs = !invocation.has(.noIDs)
    options.hasRevisions = invocation.has(.revisions)
    options.hasMark = invocation.has(.bom)
    options.isSpreadsheetSafe = invocation.has(.spreadsheetSafe)
    guard !options.format.isJSON || !(options.hasMark || options.isSpreadsheetSafe) else {
      throw .usage("--bom and --spreadsheet-safe go with csv and tsv")
    }
    guard options.hasIDs || !options.hasRevisions else {
      throw .usage("--revisions needs the ids of the rows")
    }
    guard let name, name != "-" else {
      _ = try write(options, to: output)
      return
    }
    let file = try WholeFile(name)
    let count = try write(options, to: file.output)
    try file.finish()
    note("\(count) rows in \(TerminalSafety.shown(name))")
  }

  /// What `--format` says, else the file's name, else CSV.
  private func exportFormat(_ name: String?) throws(Fault) -> Format {
    if invocation.has(.format) || invocation.has(.json) {
      guard [.csv, .tsv, .json, .ndjson].contains(format) else {
        throw .usage(
          "an export cannot be \(format.rawValue)", hint: "it is csv, tsv, json or ndjson")
      }
      return format
    }
    switch name.flatMap({ $0.split(separator: ".").last })?.lowercased() {
    case "tsv", "tab": return .tsv
    case "json": return .json
    case "ndjson", "jsonl": return .ndjson
    default: return .csv
    }
  }

  /// Writes all rows at one revision.
  ///
  /// - Returns: How many there were.
  /// - Throws: STALE when sections or columns changed while it was written.
  private func write(_ options: RowWriter.Options, to output: Output) throws(Fault) -> Int {
    let client = try client()
    let section = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    let described = try client.sendDescribe(table)
    let asked = try client.sendList(table, section: section)
    let info = try client.tableInfo(client.receive(described))
    var shown = info
    shown.columns = try columns(of: info)
    var writer = RowWriter(output, table: info, columns: shown.columns, options: options)
    var isWhole = true
    writer.begin()
    try client.rows(asked, of: shown, section: section) { row in
      isWhole = writer.add(row)
      return isWhole && !output.isReaderGone && output.failure == nil
    }
    writer.end()
    guard !output.isReaderGone, output.failure == nil else { return writer.count }
    let now = try client.describe(table)
    guard isWhole, now.schemaRevision == info.schemaRevision,
      now.sections.map(\.id) == info.sections.map(\.id),
      now.sections.map(\.title) == info.sections.map(\.title)
    else {
      throw .coded(
        .stale, "sections or columns changed while it was written", hint: "export it again")
    }
    return writer.count
  }
}
