internal import hpclient

/// Verbs that change the rows a filter takes.
extension Context {
  func setWhere() throws(Fault) {
    let info = try client().describe(table)
    let filter = try filter(info.columns) ?? Filter()
    let cells = try Assignment.read(invocation.words, columns: info.columns)
    guard !cells.isEmpty else { throw .usage("set needs COLUMN=VALUE…") }
    try refuseReadOnly(cells, info)
    try send(.updateWhere(filter, cells), filter, info, "change")
  }

  func removeWhere() throws(Fault) {
    guard invocation.words.isEmpty else { throw .usage("rm takes ids or --where, not both") }
    let info = try client().describe(table)
    let filter = try filter(info.columns) ?? Filter()
    try send(.deleteWhere(filter), filter, info, "remove")
  }

  func moveWhere() throws(Fault) {
    guard invocation.words.isEmpty else { throw .usage("mv takes ids or --where, not both") }
    guard let option = invocation[.to] else {
      throw .usage("mv needs --to PLACE", hint: "first, last, an index, before:ID or after:ID")
    }
    let info = try client().describe(table)
    let filter = try filter(info.columns) ?? Filter()
    let place: Place
    switch try PlaceText(option) {
    case .before(let id): place = .before(try RowName(text: id))
    case .after(let id): place = .after(try RowName(text: id))
    case .first: place = .first(.id(try target(info).id))
    case .last: place = .last(.id(try target(info).id))
    case .index(let index):
      place = .path(IndexPath(section: try target(info).index, row: index))
    }
    if case .before = place, invocation.has(.section) { throw Self.sectionTwice }
    if case .after = place, invocation.has(.section) { throw Self.sectionTwice }
    try send(.moveWhere(filter, place), filter, info, "move")
  }

  private static var sectionTwice: Fault {
    .usage("--to before: or after: a row says the section already")
  }

  /// The section that rows move to.
  private func target(_ info: TableInfo) throws(Fault) -> SectionInfo {
    if let text = invocation[.section] { return try info.section(SectionName(text: text)) }
    guard info.sections.count == 1 else {
      throw .usage("mv --where needs --section, because the table has several")
    }
    return info.sections[0]
  }

  /// Sends one operation on the rows of a filter; asks first where that is much.
  private func send(
    _ operation: Operation, _ filter: Filter, _ info: TableInfo, _ action: String
  ) throws(Fault) {
    var request = try change()
    request.operations = [operation]
    request.matched[0] = try agreed(filter, info, action)
    try send(request)
  }

  /// Asks before much is done to the rows of a filter.
  ///
  /// - Returns: How many rows have to be taken, where that was said or agreed to.
  /// - Throws: COUNT_MATCHED, NOT_CONFIRMED, usage.
  func agreed(
    _ filter: Filter, _ info: TableInfo, _ action: String
  ) throws(Fault) -> UInt64? {
    let wanted = try number(.expectCount)
    if invocation.has(.dryRun) || invocation.has(.yes) { return wanted }
    let count = try client().count(table, section: nil, filter: filter).rows
    if let wanted, wanted != count {
      var fault = Fault.coded(.countMatched, "the filter takes \(count) rows, not \(wanted)")
      fault.expected = String(wanted)
      throw fault
    }
    guard count > 0, filter.isEmpty || count >= UInt64(CommandTable.bulk) else { return wanted }
    if Input.isTerminal, !invocation.has(.noInput) { try show(filter, info, count) }
    let what = filter.isEmpty ? "every row (\(count))" : "\(count) rows"
    try confirm("\(action) \(what)")
    // What was agreed to is what is done.
    return count
  }

  /// Shows the first rows of a filter beside a question.
  private func show(_ filter: Filter, _ info: TableInfo, _ count: UInt64) throws(Fault) {
    var shown = info
    shown.columns = Array(info.columns.prefix(3))
    var rows: [Row] = []
    try client().rows(FindRequest(filter: filter, limit: 3), of: shown) { row in
      rows.append(row)
      return true
    }
    for row in rows {
      let cells = zip(shown.columns, row.cells).compactMap { column, cell in
        text(cell, in: column).map { "\(column.name)=\(TerminalSafety.shown($0))" }
      }
      notes.line("  \(row.id)  " + cells.joined(separator: "  "))
    }
    if count > UInt64(rows.count) { notes.line("  … and \(count - UInt64(rows.count)) more") }
    notes.flush()
  }

  func sortSection() throws(Fault) {
    let info = try client().describe(table)
    let name = try SectionName(text: invocation.words[0])
    var keys: [SortKey] = []
    for word in invocation.words.dropFirst() {
      keys += try SortKey.list(word, columns: info.columns)
    }
    var request = try change()
    request.operations = [.sortSection(.id(try info.section(name).id), keys)]
    try send(request)
  }
}
