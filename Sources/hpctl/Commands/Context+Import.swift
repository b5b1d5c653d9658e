internal import hpclient

/// `import`: rows of a file, all or none.
extension Context {
  func importFile() throws(Fault) {
    let options = try ImportOptions(invocation)
    let name = invocation.words.first
    let bytes = try options.encoding.decode(Input.read(name, verb: .importFile))
    if try streamImport(bytes, options) { return }
    let file = try ImportFile(
      bytes, delimiter: options.delimiter, isJSON: options.isJSON(bytes, of: name))
    let client = try client()
    let info = try client.describe(table)
    guard !file.isNothing else {
      summarise(0, 0, new: 0, changed: 0, moved: 0)
      return
    }
    let header =
      options.values.isSpreadsheetSafe ? file.header.map(SpreadsheetSafety.bare) : file.header
    var mapping = try ImportMapping(
      header: header, line: file.headerLine, columns: info.columns,
      setsReadOnly: invocation.has(.setCreated), map: options.map)
    if invocation.has(.ignoreIDs) { mapping.ignoreIDs() }
    let key = try importKey(file, mapping, info)
    // Ids beside another key say nothing.
    if key != .id { mapping.ignoreIDs() }
    tell(mapping, blank: file.blank)
    var plan = try ImportPlan(
      file, mapping: mapping, key: key, values: options.values, limits: client.hello.rows)
    tellShortened(plan, info)
    let rejects = try options.keepsGoing ? rejectsFile(options, name, file) : nil
    if !options.keepsGoing { try refuse(plan.rejects) }
    // The rows as they are before, and the plan without what the daemon refuses.
    var diff = try diff(plan, info)
    try bringIn(&plan, info, options)
    diff?.plan = plan
    for line in diff?.lines ?? [] { output.line(line) }
    try finish(rejects, plan, file, name)
    Kept.keep(file)
    Kept.keep(plan)
  }

  /// What happens to each row, for people: of a dry run, and with `-v` of a real one.
  private func diff(_ plan: ImportPlan, _ info: TableInfo) throws(Fault) -> ImportDiff? {
    guard invocation.has(.dryRun) || invocation.has(.verbose), !format.isJSON, !isQuiet else {
      return nil
    }
    var diff = ImportDiff(plan, table: info, isOrdered: invocation.has(.order))
    if plan.key != nil {
      let client = try client()
      try client.rows(client.sendList(info.name, section: nil), of: info, section: nil) { row in
        diff.add(row)
        return true
      }
    }
    return diff
  }

  /// What rows are known again by: `--key`, else the ids of an export.
  private func importKey(
    _ file: ImportFile, _ mapping: ImportMapping, _ info: TableInfo
  ) throws(Fault) -> ImportPlan.Key? {
    guard let name = invocation[.key] else { return mapping.targets.contains(.id) ? .id : nil }
    if name == ImportMapping.idName {
      guard mapping.targets.contains(.id) else {
        throw .badInput("the file has no column for the key \"\(name)\"")
      }
      return .id
    }
    if info.columns.place(named: name) == nil,
      let index = file.header.firstIndex(of: name),
      case .column(let column) = mapping.targets[index]
    {
      return .column(column)
    }
    return .column(try info.columns.named(name))
  }

  /// Sends the rows; with `--keep-going` again without those that the daemon refuses.
  private func bringIn(
    _ plan: inout ImportPlan, _ info: TableInfo, _ options: ImportOptions
  ) throws(Fault) {
    while true {
      var request = try change()
      let place = try importPlace(info, &request)
      let prepared = request.operations.count
      guard !plan.entries.isEmpty else {
        summarise(0, plan.rejects.count, new: 0, changed: 0, moved: 0)
        return
      }
      do throws(Fault) {
        let work = try work(plan, info, place)
        if prepared == 0 {
          request.operations = work.request.operations
        } else {
          request.operations += work.request.operations
        }
        request.revisions = work.request.revisions
        do throws(Fault) {
          try sendImport(request, plan)
          Kept.keep(request.operations)
          return
        } catch {
          throw placed(error, plan, work, prepared)
        }
      } catch {
        guard options.keepsGoing, let record = error.record,
          let index = plan.entries.firstIndex(where: { $0.record == record })
        else { throw error }
        plan.reject(index, error)
      }
    }
  }

  /// The operations, with what has to be looked up in the table first.
  private func work(
    _ plan: ImportPlan, _ info: TableInfo, _ place: Place?
  ) throws(Fault) -> ImportPlan.Work {
    switch plan.key {
    case .id:
      return try plan.work(
        table: info, section: place,
        places: client().places(of: plan.entries.compactMap(\.id), table: table),
        isOrdered: invocation.has(.order))
    case .column(let column)
    where invocation.has(.setCreated) || (place == nil && !plan.missingSections(info).isEmpty):
      return try plan.work(table: info, section: place, known: keys(column, of: info))
    case .column, nil: return try plan.work(table: info, section: place)
    }
  }

  /// Sends all rows as one batch, however many they are.
  private func sendImport(_ request: BatchRequest, _ plan: ImportPlan) throws(Fault) {
    do throws(Fault) {
      try unsafe send(request) { result throws(Fault) in
        unsafe report(result, total: plan.entries.count, rejected: plan.rejects.count)
      }
    } catch {
      guard error.code == ErrorCode.uploadTooLarge.name else { throw error }
      var fault = error
      fault.hint = Self.tooLargeHint
      throw fault
    }
  }

  static let tooLargeHint =
    "split the file; with --key the parts can be imported one after the other"

  /// Tells what came of it.
  ///
  /// - Parameters:
  ///   - result: The outcome.
  ///   - total: Rows of the file.
  ///   - rejected: Records that are none.
  func report(_ result: hp_batch_result, total: Int, rejected: Int) {
    let counts = unsafe result.counts
    if format.isJSON, !isQuiet {
      let touched = counts.rows_inserted + counts.rows_updated
      let same = UInt64(total) >= touched ? UInt64(total) - touched : 0
      output.line(
        .object(
          unsafe JSON.outcome(result) + [
            ("new", .integer(counts.rows_inserted)), ("changed", .integer(counts.rows_updated)),
            ("same", .integer(same)), ("rejected", .integer(rejected)),
            ("moved", .integer(counts.rows_moved)),
          ]))
    }
    summarise(
      total, rejected, new: counts.rows_inserted, changed: counts.rows_updated,
      moved: counts.rows_moved)
  }

  /// Names the line of the file that an operation came from.
  private func placed(
    _ error: Fault, _ plan: ImportPlan, _ work: ImportPlan.Work, _ prepared: Int
  ) -> Fault {
    var fault = error
    var origin: Int?
    if let index = fault.operation.map({ Int($0) - prepared }), work.origins.indices.contains(index)
    {
      origin = work.origins[index]
    } else if plan.key == .id, let row = fault.row {
      origin = plan.entries.firstIndex { $0.id == row }
    }
    guard let origin else { return fault }
    fault.operation = nil
    fault.line = plan.entries[origin].line
    fault.record = plan.entries[origin].record
    return fault
  }

  /// Where all rows go, with `--section`.
  func importPlace(
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
  private func keys(_ key: ColumnInfo, of info: TableInfo) throws(Fault) -> Set<String> {
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
}
