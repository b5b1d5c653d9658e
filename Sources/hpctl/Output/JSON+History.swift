internal import hpclient

extension HistoryEntry {
  /// What JSON says of a revision of a table.
  ///
  /// - Parameter table: The table's name, if it is there.
  /// - Returns: The fields.
  func fields(table: String?) -> [(String, JSON)] {
    var fields = head
    fields.append(("table", table.map(JSON.string) ?? .integer(self.table)))
    switch event {
    case HP_TABLE_CREATED: fields.append(("event", .string("created")))
    case HP_TABLE_RENAMED: fields.append(("event", .string("renamed")))
    case HP_TABLE_DROPPED: fields.append(("event", .string("dropped")))
    case HP_TABLE_RELOADED: fields.append(("event", .string("reloaded")))
    default: break
    }
    fields.append(("counts", JSON.counts(counts)))
    if columnsChanged { fields.append(("columns_changed", .boolean(true))) }
    if headersChanged { fields.append(("headers_changed", .boolean(true))) }
    if policyChanged { fields.append(("policy_changed", .boolean(true))) }
    return fields
  }

  /// What JSON says of a revision of a row.
  ///
  /// - Parameter columns: The columns that there are.
  /// - Returns: The fields.
  func fields(columns: [ColumnInfo]) -> [(String, JSON)] {
    var fields = head
    if isInserted { fields.append(("inserted", .boolean(true))) }
    if isDeleted { fields.append(("deleted", .boolean(true))) }
    if isMoved { fields.append(("moved", .boolean(true))) }
    if policyChanged { fields.append(("policy_changed", .boolean(true))) }
    let cells = cells.map { cell in
      let column = columns.first { $0.id == cell.column }
      func json(_ value: CellValue) -> JSON {
        column.map { value.json(in: $0) } ?? value.plain.map(JSON.string) ?? .null
      }
      return (
        column?.name ?? "column \(cell.column)",
        JSON.object([("old", json(cell.old)), ("new", json(cell.new))])
      )
    }
    fields.append(("cells", .object(cells)))
    return fields
  }

  private var head: [(String, JSON)] {
    var fields: [(String, JSON)] = [
      ("revision", .integer(revision)), ("time", .string(Calendar.text(timestamp: time))),
      ("uid", .integer(uid)), ("actor", .string(actor)),
    ]
    if undoes > 0 { fields.append(("undoes", .integer(undoes))) }
    if redoes > 0 { fields.append(("redoes", .integer(redoes))) }
    fields.append(("undone", .boolean(undoneBy > 0)))
    if undoneBy > 0 { fields.append(("undone_by", .integer(undoneBy))) }
    fields.append(("undoable", .boolean(isUndoable)))
    return fields
  }

  /// What became of the row, in a word or two.
  var fate: String {
    var words: [String] = []
    if isInserted { words.append("added") }
    if isDeleted { words.append("removed") }
    if isMoved { words.append("moved") }
    if !cells.isEmpty, !isInserted, !isDeleted { words.append("changed") }
    if policyChanged { words.append("policy changed") }
    let what = words.isEmpty ? "touched" : words.joined(separator: ", ")
    if undoes > 0 { return "\(what) (undo of \(undoes))" }
    if redoes > 0 { return "\(what) (redo of \(redoes))" }
    return undoneBy > 0 ? "\(what) (undone by \(undoneBy))" : what
  }
}

extension CellValue {
  /// A value whose column is not known: without scale and unit.
  var plain: String? {
    switch self {
    case .null: return nil
    case .text(let text): return text
    case .integer(let number), .decimal(let number): return String(number)
    case .date(let day): return Calendar.text(day: day)
    case .timestamp(let time): return Calendar.text(timestamp: time)
    case .boolean(let flag): return flag ? "true" : "false"
    }
  }
}
