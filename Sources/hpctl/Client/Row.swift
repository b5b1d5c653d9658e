internal import hpclient

/// A row with its cells in the order of the table's columns.
struct Row {
  var id: UInt64
  var revision: UInt64
  /// One for each column; absent cells are null.
  var cells: [CellValue]
  var path: IndexPath?
  var section: UInt64?
}

extension Row {
  /// Copies a row of a reply or event.
  ///
  /// - Complexity: O(cells + columns); both come by rising column id, mostly.
  init(_ row: hp_row, columns: [ColumnInfo]) {
    unsafe self.init(
      id: row.id, revision: row.revision,
      cells: columns.map { column in
        // Safe: the cells belong to the reply or event, which is alive during the call.
        let cells = unsafe UnsafeBufferPointer(start: row.cells, count: row.cell_count)
        guard let index = unsafe cells.firstIndex(where: { unsafe $0.column == column.id }) else {
          return .null
        }
        return unsafe CellValue(cells[index])
      }, path: row.placed ? IndexPath(row.path) : nil, section: row.placed ? row.section : nil)
  }
}

extension CellValue {
  /// Copies a cell.
  init(_ cell: hp_cell) {
    switch unsafe cell.kind {
    case HP_TEXT: self = .text(unsafe String(hp: cell.text) ?? "")
    case HP_INTEGER: self = .integer(unsafe cell.number)
    case HP_DECIMAL: self = .decimal(unsafe cell.number)
    case HP_DATE: self = .date(unsafe cell.number)
    case HP_TIMESTAMP: self = .timestamp(unsafe cell.number)
    case HP_BOOLEAN: self = .boolean(unsafe cell.number != 0)
    default: self = .null
    }
  }
}
