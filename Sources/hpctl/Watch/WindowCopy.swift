internal import hpclient

/// A window's rows, kept by the C library's fold.
@safe final class WindowCopy {
  private let handle: OpaquePointer

  init() throws(Fault) {
    guard let handle = unsafe hp_copy_new(0, nil, nil, nil) else {
      throw Fault(.refused, "OUT_OF_MEMORY", "out of memory")
    }
    // Safe: owned by this object alone and freed in deinit.
    unsafe self.handle = handle
  }

  deinit { unsafe hp_copy_free(handle) }

  /// Folds the next event of the subscription.
  ///
  /// - Throws: The event does not fit what is here.
  func take(_ event: UnsafePointer<hp_event>) throws(Fault) {
    let gap = unsafe hp_copy_take(handle, event)
    guard gap != HP_GAP_NONE else { return }
    // Safe: names and reasons are static.
    let name = unsafe String(cString: hp_gap_name(gap))
    let reason = unsafe String(cString: hp_copy_reason(handle))
    throw Fault(
      .refused, name.uppercased(),
      "the window can't be kept: " + (reason.isEmpty ? name : reason))
  }

  /// The columns of its rows.
  var columns: [ColumnInfo] {
    // Safe: the table lives until the next event; everything is copied.
    let table = unsafe hp_copy_table(handle).pointee
    return unsafe UnsafeBufferPointer(start: table.columns, count: table.column_count)
      .compactMap { column in unsafe ColumnInfo(column) }
  }

  /// The sections that have rows in it.
  var sections: [SectionInfo] {
    // Safe: the place lives until the next event; everything is copied.
    guard let place = unsafe hp_copy_window(handle)?.pointee else { return [] }
    return unsafe UnsafeBufferPointer(start: place.sections, count: place.section_count)
      .map { section in unsafe SectionInfo(section) }
  }

  /// How many rows are in it.
  var count: UInt64 { unsafe UInt64(hp_copy_row_count(handle)) }

  /// The id of the row at an index, or 0.
  func id(at index: UInt64) -> UInt64 {
    unsafe hp_copy_id_at(handle, hp_path(section: 0, row: index))
  }

  /// The row of an id, with the id of its section; its path is the table's, and not known.
  func row(_ id: UInt64, _ columns: [ColumnInfo]) -> Row? {
    // Safe: the row lives until the next event; everything is copied.
    guard let found = unsafe hp_copy_row(handle, id) else { return nil }
    var row = unsafe Row(found.pointee, columns: columns)
    row.path = nil
    return row
  }
}
