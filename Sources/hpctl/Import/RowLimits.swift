/// What a row may hold, judged where its place in a file is known (SPEC 9).
///
/// The daemon judges the same, but of a text it knows no more than the frame that it came in.
struct RowLimits {
  /// Bytes of one text.
  var text = 64 << 10
  /// Bytes of a row; its texts are counted here, what else it takes by the daemon.
  var row = 512 << 10
  /// Bytes of a section's title.
  var title = 4 << 10

  /// Judges the cells of a row.
  ///
  /// - Throws: TEXT_TOO_LONG with the column, or ROW_TOO_LARGE.
  /// - Complexity: O(cells).
  func check(_ cells: [Assignment], _ readOnly: [Assignment], _ columns: [ColumnInfo])
    throws(Fault)
  {
    var size = 0
    for cells in [cells, readOnly] {
      for cell in cells {
        guard case .text(let value) = cell.value else { continue }
        let count = value.utf8.count
        size += count
        guard count > text else { continue }
        var fault = Fault.coded(.textTooLong, "the text is too long: \(count) bytes")
        fault.column = columns.first { $0.id == cell.column }?.name
        fault.expected = "at most \(text) bytes"
        throw fault
      }
    }
    guard size > row else { return }
    var fault = Fault.coded(.rowTooLarge, "the row is too large: \(size) bytes")
    fault.expected = "at most \(row) bytes"
    throw fault
  }

  /// Judges the title of a section, from a column of the file.
  ///
  /// - Throws: TEXT_TOO_LONG with the column.
  func check(title: String?, _ name: String) throws(Fault) {
    guard let count = title?.utf8.count, count > self.title else { return }
    var fault = Fault.coded(.textTooLong, "the section's title is too long: \(count) bytes")
    fault.column = name
    fault.expected = "at most \(self.title) bytes"
    throw fault
  }
}
