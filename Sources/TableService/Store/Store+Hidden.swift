/// How far the removal of cells of dropped columns has come.
struct HiddenSweep {
  /// The table.
  var table: UInt64
  /// Its columns that no undo brings back.
  var columns: [UInt64]
  /// The rows in memory that were looked at, by slot; −1: all.
  var slots = 0
  /// The last row on disk that was looked at.
  var row: UInt64 = 0
}

/// Cells of dropped columns: kept as long as an undo can bring the column back, then removed a
/// slice at a time (contract E14).
extension Store {
  /// Finds columns whose cells can go.
  ///
  /// - Returns: The columns of one table; `nil` where there are none.
  /// - Throws: What SQLite says.
  func forgettableColumns() throws(StoreFault) -> HiddenSweep? {
    // Nothing is asked of a store whose columns are all there.
    guard try has("dropped > 0") else { return nil }
    if try has("dropped = 1") {
      // Written before the revision was noted: it is at most the newest one.
      let revision = max(2, materialisedRevision)
      try transaction(waits: false) { (database) throws(StoreFault) in
        try database.connection.run(
          "UPDATE hpd_columns SET dropped = \(revision) WHERE dropped = 1", .pruning)
      }
    }
    let row = try reading().connection.prepare(
      """
      SELECT c.table_id, c.id FROM hpd_columns AS c JOIN hpd_tables AS t ON t.id = c.table_id
      WHERE c.dropped BETWEEN 2 AND ?1 AND t.dropped = 0 ORDER BY c.table_id, c.id
      """, .pruning)
    row.bind(1, try undoStart())
    defer { row.reset() }
    var sweep: HiddenSweep?
    while try row.step(.pruning), sweep == nil || sweep?.table == row.unsigned(0) {
      sweep = sweep ?? HiddenSweep(table: row.unsigned(0), columns: [])
      sweep?.columns.append(row.unsigned(1))
    }
    return sweep
  }

  private func has(_ condition: String) throws(StoreFault) -> Bool {
    try reading().connection.number(
      "SELECT 1 FROM hpd_columns WHERE \(condition) LIMIT 1", .pruning) != nil
  }

  /// Removes cells from the rows on disk, one slice, and notes at the end that they are gone.
  ///
  /// - Parameters:
  ///   - sweep: What to remove, and where it goes on.
  ///   - limit: How many rows to look at.
  /// - Returns: Whether there are more rows.
  /// - Throws: What SQLite says.
  func removeHidden(_ sweep: inout HiddenSweep, limit: Int) throws(StoreFault) -> Bool {
    let rows = SQLView.rows(of: sweep.table)
    let last = try reading().connection.number(
      """
      SELECT max(_id) FROM
        (SELECT _id FROM \(rows) WHERE _id > \(sweep.row) ORDER BY _id LIMIT \(limit))
      """, .pruning)
    guard let last else {
      let ids = sweep.columns.map(String.init).joined(separator: ", ")
      let table = sweep.table
      try transaction(waits: false) { (database) throws(StoreFault) in
        try database.connection.run(
          "UPDATE hpd_columns SET dropped = -1 WHERE table_id = \(table) AND id IN (\(ids))",
          .pruning)
      }
      return false
    }
    let cells = sweep.columns.map { "c\($0) = NULL" }.joined(separator: ", ")
    let isThere = sweep.columns.map { "c\($0) NOT NULL" }.joined(separator: " OR ")
    let first = sweep.row
    try transaction(waits: false) { (database) throws(StoreFault) in
      try database.connection.run(
        "UPDATE \(rows) SET \(cells) WHERE _id > \(first) AND _id <= \(last) AND (\(isThere))",
        .pruning)
    }
    sweep.row = UInt64(bitPattern: last)
    return true
  }
}
