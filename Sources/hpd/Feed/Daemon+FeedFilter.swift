internal import TableService
internal import Wire

/// What a subscriber asks to see, with the names resolved (contracts F1, F2, K9).
extension Daemon {
  /// The longest lists of a filter.
  private static let listed = 4096

  /// Resolves what a subscriber wants to see.
  ///
  /// - Throws: `badFilter`, `noSuchTable`, `noSuchSection`, `noSuchColumn`.
  func filter(_ wish: SubscribeRequest) throws(ErrorReply) -> ChangeFilter {
    var filter = ChangeFilter()
    filter.withOldRows = wish.oldRows
    var tables: [Table] = []
    if wish.table != .absent { tables.append(try table(wish.table)) }
    guard let request = wish.filter else {
      if let table = tables.first { filter.tables = [table.id] }
      return filter
    }
    try check(request, wish)
    for reference in request.tables { tables.append(try table(reference)) }
    if !tables.isEmpty { filter.tables = Set(tables.map(\.id)) }
    if !request.sections.isEmpty {
      filter.sections = Set(request.sections)
      // Of a copy that goes on the sections may be gone since.
      if wish.since == nil { try check(sections: request.sections, tables) }
    }
    if !request.columns.isEmpty { filter.columns = try columns(request.columns, tables) }
    if !request.rows.isEmpty { filter.rows = Set(request.rows) }
    if !request.kinds.isEmpty {
      let bits = request.kinds.reduce(UInt32(0)) { $0 | ($1 == 0 ? .max : 1 << $1) }
      filter.kinds = ChangeFilter.Kinds(rawValue: bits)
    }
    return filter
  }

  private func check(
    _ request: FeedFilterRequest, _ wish: SubscribeRequest
  ) throws(ErrorReply) {
    let lists = [
      ("tables", request.tables.count), ("sections", request.sections.count),
      ("columns", request.columns.count), ("notice_rows", request.rows.count),
      ("notice_kinds", request.kinds.count),
    ]
    if let long = lists.first(where: { $0.1 > Daemon.listed }) {
      throw badFilter(long.0, "at most \(Daemon.listed) of them", value: "\(long.1)")
    }
    if wish.table != .absent, !request.tables.isEmpty {
      throw badFilter("tables", "a table or a list of tables, not both")
    }
    guard wish.table == .absent, request.tables.isEmpty else { return }
    if !request.sections.isEmpty { throw badFilter("sections", "sections with their tables") }
    if !request.columns.isEmpty { throw badFilter("columns", "columns with their tables") }
  }

  private func badFilter(_ field: String, _ expected: String, value: String? = nil) -> ErrorReply {
    var error = ErrorReply(.badFilter, "the filter's \(field) can't be served")
    error.expected = expected
    error.value = value
    return error
  }

  private func check(sections: [UInt64], _ tables: [Table]) throws(ErrorReply) {
    for section in sections where !tables.contains(where: { $0.sectionIndex(of: section) != nil }) {
      var error = ErrorReply(.noSuchSection, "no section has the id \(section)")
      error.section = section
      throw error
    }
  }

  private func columns(
    _ names: [String], _ tables: [Table]
  ) throws(ErrorReply) -> Set<UInt64> {
    var ids: Set<UInt64> = []
    for name in names {
      for table in tables {
        guard let column = table.schema.column(named: name) else {
          var error = ErrorReply(.noSuchColumn, "the table \(table.name) has no such column")
          error.column = name
          throw error
        }
        ids.insert(column.id)
      }
    }
    return ids
  }
}

extension ChangeFilter {
  /// Names what is seen: a cursor is bound to it (contract F2).
  ///
  /// 0: everything. FNV-1a over the sorted ids, so that it is the same after a restart.
  var fingerprint: UInt64 {
    if tables == nil, isPlain || withOldRows && sections == nil && columns == nil && !isNotice {
      return 0
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ value: UInt64) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        hash = (hash ^ (value >> shift & 0xff)) &* 0x100_0000_01b3
      }
    }
    for (index, list) in [tables, sections, columns, rows].enumerated() {
      guard let list else { continue }
      add(UInt64(index + 1))
      for id in list.sorted() { add(id) }
    }
    if let kinds {
      add(5)
      add(UInt64(kinds.rawValue))
    }
    return max(hash & Limits.greatestNumber, 1)
  }

  /// Whether the cursor of a request was reached with this filter.
  func isOf(_ wish: SubscribeRequest) -> Bool {
    guard let named = wish.fingerprint else { return wish.filter == nil }
    return named == fingerprint
  }
}
