internal import hpclient

/// One revision of the history.
struct HistoryEntry {
  /// A cell before and after.
  struct Cell {
    var column: UInt64
    var old: CellValue
    var new: CellValue
  }

  var revision: UInt64
  var time: Int64
  var uid: UInt64
  var actor: String
  var table: UInt64
  var event: hp_table_event
  var undoes: UInt64
  var redoes: UInt64
  var undoneBy: UInt64
  var isUndoable: Bool
  var columnsChanged: Bool
  var headersChanged: Bool
  var policyChanged: Bool
  var counts: hp_counts
  var isInserted: Bool
  var isDeleted: Bool
  var isMoved: Bool
  var cells: [Cell]
}

extension HistoryEntry {
  /// Copies an entry of a page.
  init(_ entry: hp_history_entry) {
    // Safe: the lists belong to the reply, which is alive during the call.
    unsafe self.init(
      revision: entry.revision, time: entry.time, uid: entry.uid,
      actor: String(hp: entry.actor) ?? "", table: entry.table, event: entry.event,
      undoes: entry.undoes, redoes: entry.redoes, undoneBy: entry.undone_by,
      isUndoable: entry.undoable, columnsChanged: entry.columns_changed,
      headersChanged: entry.headers_changed, policyChanged: entry.policy_changed,
      counts: entry.counts, isInserted: entry.inserted, isDeleted: entry.deleted,
      isMoved: entry.moved, cells: [])
    var order: [UInt64] = []
    var old: [UInt64: CellValue] = [:]
    var new: [UInt64: CellValue] = [:]
    // Safe: as above.
    unsafe UnsafeBufferPointer(start: entry.old_cells, count: entry.old_cell_count).forEach {
      unsafe order.append($0.column)
      unsafe old[$0.column] = CellValue($0)
    }
    // Safe: as above.
    unsafe UnsafeBufferPointer(start: entry.new_cells, count: entry.new_cell_count).forEach {
      if unsafe old[$0.column] == nil { unsafe order.append($0.column) }
      unsafe new[$0.column] = CellValue($0)
    }
    cells = order.map {
      Cell(column: $0, old: old[$0] ?? .null, new: new[$0] ?? .null)
    }
  }

  /// What happened, in few words.
  var summary: String {
    if undoes > 0 { return "undo of \(undoes)" }
    if redoes > 0 { return "redo of \(redoes)" }
    switch event {
    case HP_TABLE_CREATED: return "table made"
    case HP_TABLE_RENAMED: return "table renamed"
    case HP_TABLE_DROPPED: return "table dropped"
    default: break
    }
    var parts: [String] = []
    func add(_ count: UInt64, _ what: String, _ done: String) {
      if count > 0 { parts.append("\(count) \(what)\(count == 1 ? "" : "s") \(done)") }
    }
    add(counts.rows_inserted, "row", "added")
    add(counts.rows_updated, "row", "changed")
    add(counts.rows_moved, "row", "moved")
    add(counts.rows_deleted, "row", "removed")
    add(counts.sections_inserted, "section", "added")
    add(counts.sections_updated, "section", "changed")
    add(counts.sections_moved, "section", "moved")
    add(counts.sections_deleted, "section", "removed")
    if columnsChanged { parts.append("columns changed") }
    if headersChanged { parts.append("header or footer changed") }
    if policyChanged { parts.append("policy changed") }
    return parts.isEmpty ? "reload" : parts.joined(separator: ", ")
  }

  /// What became of it since: nothing to say of one that stands.
  var state: String { undoneBy > 0 ? "undone by \(undoneBy)" : "" }
}
