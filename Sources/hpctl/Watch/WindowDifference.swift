internal import hpclient

/// What happened to a window, collected from the parts of one change (contract F3).
struct WindowDifference {
  var first: UInt64 = 0
  var before: UInt64 = 0
  var after: UInt64 = 0
  var generation: UInt64 = 0
  var revision: UInt64 = 0
  /// The row that it hangs on, or 0.
  var anchor: UInt64 = 0
  /// Where the subscription was before.
  var from: UInt64 = 0
  /// All of the window: what was there before is gone.
  var isReset = false
  /// Indices in the window before, with the rows' ids.
  var deletes: [(index: UInt64, id: UInt64)] = []
  /// Indices in the window after.
  var inserts: [(index: UInt64, id: UInt64)] = []
  var moves: [(from: UInt64, to: UInt64, id: UInt64)] = []
  var reloads: [UInt64] = []
  /// Rows that came in and rows with new cells, as the change has them.
  var rows: [UInt64] = []
  /// Rows inside as they were before.
  var old: [UInt64: Row] = [:]
  var tellsSections = false
  /// Who changed the table; empty where only the window was moved, or counts were merged.
  var actor = ""
  var uid: UInt64 = 0
  var client: UInt64 = 0
  var request: UInt64 = 0
  var time: Int64 = 0

  /// Whether positions and counts alone are other ones.
  var isCountsAlone: Bool {
    !isReset && deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty
      && rows.isEmpty
  }

  /// Takes a part, before the copy folds it.
  ///
  /// - Parameters:
  ///   - event: The event, alive during the call.
  ///   - change: The part of the change in it.
  ///   - copy: The window before the change.
  ///   - columns: Those of the rows before.
  mutating func add(
    _ event: hp_event, _ change: hp_window_change, _ copy: WindowCopy, _ columns: [ColumnInfo]
  ) {
    unsafe take(event, change)
    // Safe: the lists belong to the event, which is alive during the call.
    let gone = unsafe UnsafeBufferPointer(start: change.deletes, count: change.delete_count)
      .map { (index: $0, id: isReset ? 0 : copy.id(at: $0)) }
    deletes += gone
    unsafe UnsafeBufferPointer(start: change.inserts, count: change.insert_count).forEach {
      inserts.append((index: $0.index, id: $0.id))
    }
    unsafe UnsafeBufferPointer(start: change.moves, count: change.move_count).forEach {
      moves.append((from: $0.from, to: $0.to, id: copy.id(at: $0.from)))
    }
    reloads += unsafe Array(
      UnsafeBufferPointer(start: change.reloads, count: change.reload_count))
    rows += unsafe UnsafeBufferPointer(start: change.rows, count: change.row_count)
      .map { unsafe $0.id }
    guard !isReset else { return }
    for id in rows + deletes.map(\.id) + moves.map(\.id) where old[id] == nil {
      old[id] = copy.row(id, columns)
    }
  }

  /// Takes what stands beside the lists; the last part has the last word.
  private mutating func take(_ event: hp_event, _ change: hp_window_change) {
    // Safe: the event is alive during the call; everything is copied.
    unsafe first = change.first
    unsafe before = change.before
    unsafe after = change.after
    unsafe generation = change.generation
    unsafe revision = change.revision
    unsafe anchor = change.anchor
    unsafe from = event.from
    if unsafe change.reset { isReset = true }
    if unsafe change.section_count > 0 { tellsSections = true }
    guard let name = unsafe String(hp: change.actor), !name.isEmpty else { return }
    actor = name
    unsafe uid = change.uid
    unsafe client = change.client
    unsafe request = change.request
    unsafe time = change.time
  }
}
