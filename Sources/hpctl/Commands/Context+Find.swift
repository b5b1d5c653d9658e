internal import hpclient

/// Verbs that read by a filter.
extension Context {
  /// The filter of `--where`; `nil` where it is not given.
  func filter(_ columns: [ColumnInfo]) throws(Fault) -> Filter? {
    guard let text = invocation[.where] else { return nil }
    return try FilterParser.read(text, columns: columns)
  }

  /// What `list` or `find` asks for; `nil` for the whole table or section in its order.
  func find(_ columns: [ColumnInfo], section: SectionName?) throws(Fault) -> FindRequest? {
    var find = FindRequest(section: section)
    var text = invocation[.where]
    if invocation.verb == .find, !invocation.words.isEmpty {
      guard text == nil else { throw .usage("find takes a filter or --where, not both") }
      text = invocation.words.joined(separator: " ")
    }
    if let text { find.filter = try FilterParser.read(text, columns: columns) }
    if let sort = invocation[.sort] { find.sort = try SortKey.list(sort, columns: columns) }
    find.limit = try number(.limit)
    find.skip = try number(.skip) ?? 0
    let isPlain =
      find.filter.isEmpty && find.sort.isEmpty && find.limit == nil && find.skip == 0
    return isPlain ? nil : find
  }

  /// The number that an option has.
  func number(_ option: OptionName) throws(Fault) -> UInt64? {
    guard let text = invocation[option] else { return nil }
    guard let number = Number.unsigned(text), number < 1 << 53 else {
      throw .usage("--\(option.rawValue) takes a number, not \"\(TerminalSafety.shown(text))\"")
    }
    return number
  }

  func count() throws(Fault) {
    let client = try client()
    let section = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    var filter = Filter()
    if invocation.has(.where) {
      filter = try self.filter(client.describe(table).columns) ?? Filter()
    }
    let count = try client.count(table, section: section, filter: filter)
    if format.isJSON {
      output.line(
        .object([
          ("rows", .integer(count.rows)), ("epoch", .epoch(count.cursor.epoch)),
          ("revision", .integer(count.cursor.revision)),
        ]))
    } else {
      output.line(String(count.rows))
    }
  }

  func sum() throws(Fault) {
    let client = try client()
    let columns = try client.describe(table).columns
    let column = try columns.named(invocation.words[0])
    let sum = try client.sum(
      table, column: column.name, filter: try filter(columns) ?? Filter())
    let value: CellValue = column.kind == .decimal ? .decimal(sum.sum) : .integer(sum.sum)
    if format.isJSON {
      output.line(
        .object([
          ("sum", value.json(in: column)), ("rows", .integer(sum.rows)),
          ("nulls", .integer(sum.nulls)), ("epoch", .epoch(sum.cursor.epoch)),
          ("revision", .integer(sum.cursor.revision)),
        ]))
    } else {
      output.line(value.text(in: column) ?? "")
      detail("\(sum.rows) rows with a value, \(sum.nulls) without")
    }
  }
}
