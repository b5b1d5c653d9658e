internal import hpclient

extension Context {
  func batch() throws(Fault) {
    let bytes = try Input.read(invocation.words.first, verb: .batch)
    let text = try BatchFile.Text(bytes)
    if let named = text.table, let asked = invocation[.table], named != asked {
      throw .usage("the file is for table \"\(TerminalSafety.shown(named))\", not \"\(asked)\"")
    }
    let options = try change()
    let info = try client().describe(text.table ?? table)
    var request = try BatchFile.request(text, columns: info.columns)
    request.isDryRun = request.isDryRun || options.isDryRun
    request.expect = options.expect ?? request.expect
    request.key = options.key ?? request.key
    try unsafe send(request) { result throws(Fault) in
      unsafe show(result, ids: result.inserted, count: result.inserted_count)
    }
  }

  func importFile() throws(Fault) {
    let bytes = try Input.read(invocation.words.first, verb: .importFile)
    let file = try CSVReader(bytes, delimiter: try delimiter())
    let client = try client()
    let info = try client.describe(table)
    let key = try invocation[.key].map { name throws(Fault) in try info.columns.named(name) }
    let mapping = try ImportMapping(
      header: file.header, columns: info.columns, setsReadOnly: invocation.has(.setCreated))
    tell(file, mapping)
    let plan = try ImportPlan(file, mapping: mapping, key: key)
    var request = try change()
    let place = try importPlace(info, &request)
    let isLookedUp =
      key != nil
      && (invocation.has(.setCreated) || (place == nil && !plan.missingSections(info).isEmpty))
    let known = isLookedUp ? try keys(key, of: info) : nil
    let work = try plan.work(table: info, section: place, known: known)
    let prepared = request.operations.count
    request.operations += work.request.operations
    guard !plan.entries.isEmpty else {
      finish(new: 0, changed: 0, same: 0)
      return
    }
    do throws(Fault) {
      try unsafe send(request) { result throws(Fault) in
        let counts = unsafe result.counts
        let total = UInt64(plan.entries.count)
        let touched = counts.rows_inserted + counts.rows_updated
        let same = total >= touched ? total - touched : 0
        if format.isJSON {
          output.line(
            .object(
              unsafe JSON.outcome(result) + [
                ("new", .integer(counts.rows_inserted)),
                ("changed", .integer(counts.rows_updated)), ("same", .integer(same)),
                ("rejected", .integer(0)),
              ]))
        }
        finish(new: counts.rows_inserted, changed: counts.rows_updated, same: same)
      }
    } catch {
      throw Self.placed(error, plan, work, prepared)
    }
  }

  /// Names the line of the file that an operation came from.
  private static func placed(
    _ error: Fault, _ plan: ImportPlan, _ work: ImportPlan.Work, _ prepared: Int
  ) -> Fault {
    var fault = error
    if fault.code == ErrorCode.frameTooLarge.name {
      fault.message =
        "\(plan.entries.count) rows are more than one request may hold (1 MiB)"
      fault.hint = "split the file; with --key the parts can be imported one after the other"
      fault.operation = nil
    }
    guard let index = fault.operation.map({ Int($0) - prepared }),
      work.origins.indices.contains(index), let origin = work.origins[index]
    else { return fault }
    fault.operation = nil
    fault.line = plan.entries[origin].line
    fault.record = plan.entries[origin].record
    return fault
  }

  private func delimiter() throws(Fault) -> UInt8? {
    switch invocation[.delimiter] ?? "auto" {
    case "auto": return nil
    case "tab", "\\t", "\t": return UInt8(ascii: "\t")
    case let text where text.utf8.count == 1 && text != "\"" && text != "\n":
      return text.utf8.first
    default: throw .usage("--delimiter is auto, tab or one character")
    }
  }

  /// Where all rows go, with `--section`.
  private func importPlace(
    _ info: TableInfo, _ request: inout BatchRequest
  ) throws(Fault) -> Place? {
    guard let text = invocation[.section] else { return nil }
    let name = try SectionName(text: text)
    if case .title(let title) = name, invocation.has(.createSection),
      !info.sections.contains(where: { $0.title == title })
    {
      // No file has as many operations, so its handles stay below this one.
      request.operations.append(
        .insertSection(title: title, rows: [], handle: 1 << 40, .standard))
      return .last(.handle(1 << 40))
    }
    return .last(.id(try info.section(name, makes: true).id))
  }

  /// The values that the key column has in the table.
  private func keys(_ key: ColumnInfo?, of info: TableInfo) throws(Fault) -> Set<String>? {
    guard let key else { return nil }
    let client = try client()
    var keys: Set<String> = []
    var table = info
    table.columns = [key]
    try client.rows(client.sendList(info.name, section: nil), of: table, section: nil) { row in
      if let text = row.cells.first?.text(in: key) { keys.insert(text) }
      return true
    }
    return keys
  }

  /// Says what of the file is not read.
  private func tell(_ file: CSVReader, _ mapping: ImportMapping) {
    func quoted(_ names: [String]) -> String {
      names.map(TerminalSafety.shown).joined(separator: ", ")
    }
    if !mapping.dropped.isEmpty { note("not read: " + quoted(mapping.dropped)) }
    if !mapping.readOnly.isEmpty {
      note(
        "not read: " + quoted(mapping.readOnly)
          + " (set by hpd; --set-created takes it for new rows)")
    }
    if file.blank > 0 { note("\(file.blank) empty records skipped") }
  }

  private func finish(new: UInt64, changed: UInt64, same: UInt64) {
    let isDryRun = invocation.has(.dryRun) ? "dry run: " : ""
    note(isDryRun + "\(new) new, \(changed) changed, \(same) same, 0 rejected")
  }
}
