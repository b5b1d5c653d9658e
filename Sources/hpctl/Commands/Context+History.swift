internal import hpclient

/// What happened: to tables, by actors, to rows.
extension Context {
  func history() throws(Fault) {
    guard let word = invocation.words.first else { return try tableHistory() }
    guard !invocation.has(.by), !invocation.has(.allTables) else {
      throw .usage("--by and --all-tables do not go with the history of a row")
    }
    guard case .id(let row) = try RowName(text: word) else {
      throw .usage("a row is named by its id, not \"\(TerminalSafety.shown(word))\"")
    }
    try rowHistory(row)
  }

  private func before() throws(Fault) -> UInt64 {
    guard let text = invocation[.before] else { return 0 }
    return try revision(text, "--before")
  }

  private func tableHistory() throws(Fault) {
    let client = try client()
    let text = CText()
    var names: [UInt64: String] = [:]
    var options = unsafe hp_history_options()
    if invocation.has(.allTables) {
      names = try client.tableNames()
    } else {
      let info = try client.describe(table)
      names[info.id] = info.name
      unsafe options.table = hp_table_with_id(info.id)
    }
    // Safe: the text lives in `text` until the end of this function.
    if let word = invocation[.by] {
      let (uid, name) = Self.actor(word)
      unsafe options.actor = text(name)
      unsafe options.has_uid = uid != nil
      unsafe options.uid = uid ?? 0
    }
    var list = JSONList(output, format: format)
    var grid = format.isJSON ? nil : grid(Self.tableTitles)
    let isShared = invocation.has(.allTables)
    try unsafe client.history(limit: number(.limit), before: before()) {
      connection, before, count in
      unsafe options.before = before
      unsafe options.limit = count
      return unsafe withUnsafePointer(to: options) {
        unsafe hp_send_history(connection, nil, $0)
      }
    } _: { entry in
      let name = names[entry.table]
      if format.isJSON {
        list.add(.object(entry.fields(table: name)))
      } else {
        let what =
          isShared ? "\(name ?? "table \(entry.table), dropped"): \(entry.summary)" : entry.summary
        grid?.add([String(entry.revision), shown(entry.time), entry.actor, what, entry.state])
      }
      return !output.isOver
    }
    if format.isJSON { list.finish() } else { grid?.finish() }
    withExtendedLifetime(text) {}
  }

  /// An actor, in another user's name as `uid:N/NAME`.
  private static func actor(_ word: String) -> (uid: UInt64?, name: String) {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("uid:"), let uid = UInt64(parts[0].dropFirst(4))
    else { return (nil, word) }
    return (uid, String(parts[1]))
  }

  private static let tableTitles: [Grid.Column] = [
    .init(title: "revision", isNumeric: true), .init(title: "time"), .init(title: "actor"),
    .init(title: "what"), .init(title: "state"),
  ]

  private func rowHistory(_ row: UInt64) throws(Fault) {
    let client = try client()
    let info = try client.describe(table)
    var list = JSONList(output, format: format)
    var grid = format.isJSON ? nil : grid(Self.rowTitles)
    try unsafe client.history(limit: number(.limit), before: before()) {
      connection, before, count in
      unsafe hp_send_row_history(
        connection, nil, hp_table_with_id(info.id), row, before, count)
    } _: { entry in
      if format.isJSON {
        list.add(.object(entry.fields(columns: info.columns)))
      } else {
        let head = [String(entry.revision), shown(entry.time), entry.actor, entry.fate]
        if entry.cells.isEmpty { grid?.add(head + [nil, nil, nil]) }
        for cell in entry.cells {
          let column = info.columns.first { $0.id == cell.column }
          grid?.add(
            head + [
              column?.name ?? "column \(cell.column)", shown(cell.old, column),
              shown(cell.new, column),
            ])
        }
      }
      return !output.isOver
    }
    if format.isJSON { list.finish() } else { grid?.finish() }
  }

  private static let rowTitles: [Grid.Column] = [
    .init(title: "revision", isNumeric: true), .init(title: "time"), .init(title: "actor"),
    .init(title: "what"), .init(title: "column"), .init(title: "old"), .init(title: "new"),
  ]

  /// A time as this format shows it.
  private func shown(_ time: Int64) -> String {
    format == .table && !invocation.has(.utc)
      ? Calendar.localText(timestamp: time) : Calendar.text(timestamp: time)
  }

  /// A value, also of a column that is gone.
  private func shown(_ value: CellValue, _ column: ColumnInfo?) -> String? {
    if let column { return text(value, in: column) }
    return value.plain
  }
}
