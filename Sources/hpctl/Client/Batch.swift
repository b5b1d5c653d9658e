internal import hpclient

/// A batch in the C library's form: encoded as its operations are added.
@safe final class Batch {
  let handle: OpaquePointer
  private let text = CText()

  /// Makes the batch of a request.
  ///
  /// - Parameters:
  ///   - request: The operations, in order.
  ///   - table: The table's name.
  ///   - basis: What paths mean (contract E2).
  /// - Throws: BAD_INPUT for a text that can't be sent; FRAME_TOO_LARGE for an operation past 1 MiB.
  init(_ request: BatchRequest, table: String, basis: hp_basis) throws(Fault) {
    // Safe: the name is copied by the library; the handle is owned here and freed in deinit.
    guard let handle = unsafe hp_batch_new(hp_table_named(text(table)), nil) else {
      throw Fault(.refused, "OUT_OF_MEMORY", "out of memory")
    }
    unsafe self.handle = handle
    // Safe: until deinit the handle is valid; what is passed lives in `text` or in this call.
    unsafe hp_batch_set_mode(handle, request.mode == .transition ? HP_TRANSITION : HP_SEQUENCE)
    unsafe hp_batch_set_basis(handle, basis)
    unsafe hp_batch_set_dry_run(handle, request.isDryRun)
    if let counts = request.counts {
      _ = unsafe counts.withUnsafeBufferPointer { buffer in
        unsafe hp_batch_set_section_counts(handle, buffer.baseAddress, buffer.count)
      }
    }
    if let total = request.sectionTotal {
      _ = unsafe hp_batch_require_section_total(handle, HP_FIRST, total)
    }
    for condition in request.revisions {
      _ = unsafe hp_batch_require_revision(
        handle, HP_FIRST, hp_row_ref(condition.row), condition.revision)
    }
    for (index, operation) in request.operations.enumerated() {
      if let matched = request.matched[index] {
        _ = unsafe hp_batch_require_matched(handle, HP_NEXT, matched)
      }
      guard add(operation) else {
        var fault = unsafe Fault(error: hp_batch_error(handle).pointee, seconds: 0)
        fault.operation = UInt64(index)
        throw fault
      }
      // It is encoded: a file of a million rows would leave as many texts behind.
      text.clear()
    }
  }

  deinit { unsafe hp_batch_free(handle) }

  /// Bytes that the operations take.
  var size: Int { unsafe hp_batch_size(handle) }

  private func add(_ operation: Operation) -> Bool {
    // Safe: structs and lists are read during each call only; texts live in `text`.
    switch operation {
    case .insertRow(let row, let place):
      return unsafe withRow(row) { row in
        unsafe hp_batch_insert_new_row(handle, hp_place(place, text), &row, HP_ANIMATION_DEFAULT)
      }
    case .deleteRow(let row):
      return unsafe hp_batch_delete_row(handle, hp_row_ref(row), HP_ANIMATION_DEFAULT)
    case .moveRow(let row, let place):
      return unsafe hp_batch_move_row(handle, hp_row_ref(row), hp_place(place, text))
    case .updateRow(let row, let cells):
      return unsafe self.cells(cells).withUnsafeBufferPointer { buffer in
        unsafe hp_batch_update_row(handle, hp_row_ref(row), buffer.baseAddress, buffer.count)
      }
    case .reloadRow(let row, let cells):
      return unsafe self.cells(cells).withUnsafeBufferPointer { buffer in
        unsafe hp_batch_reload_row(
          handle, hp_row_ref(row), buffer.baseAddress, buffer.count, HP_ANIMATION_DEFAULT)
      }
    case .insertSection(let title, let rows, let handleNumber, let place):
      return unsafe withRows(rows) { rows in
        var section = unsafe hp_new_section()
        unsafe section.title = text(optional: title)
        unsafe section.rows = rows.baseAddress
        unsafe section.row_count = rows.count
        unsafe section.as = handleNumber
        return unsafe hp_batch_insert_section(
          handle, hp_section_place(place, text), &section, HP_ANIMATION_DEFAULT)
      }
    case .deleteSection(let section):
      return unsafe hp_batch_delete_section(
        handle, hp_section_ref(section, text), HP_ANIMATION_DEFAULT)
    case .moveSection(let section, let place):
      return unsafe hp_batch_move_section(
        handle, hp_section_ref(section, text), hp_section_place(place, text))
    case .titleSection(let section, let title):
      return unsafe hp_batch_retitle_section(
        handle, hp_section_ref(section, text), text(optional: title))
    case .setHeader(let section, let value):
      let owner = unsafe section.map { unsafe hp_section_ref($0, text) } ?? hp_section_none()
      return unsafe with(value) { value in unsafe hp_batch_set_header(handle, owner, value) }
    case .setFooter(let section, let value):
      let owner = unsafe section.map { unsafe hp_section_ref($0, text) } ?? hp_section_none()
      return unsafe with(value) { value in unsafe hp_batch_set_footer(handle, owner, value) }
    case .reloadSection(let section, let rows):
      guard let rows else {
        return unsafe hp_batch_reload_section(
          handle, hp_section_ref(section, text), HP_ANIMATION_DEFAULT)
      }
      return unsafe withRows(rows) { rows in
        unsafe hp_batch_reload_section_rows(
          handle, hp_section_ref(section, text), rows.baseAddress, rows.count, HP_ANIMATION_DEFAULT)
      }
    case .upsert(let column, let row, let place):
      return unsafe withRow(row) { row in
        unsafe hp_batch_upsert(handle, text(column), &row, hp_place(place, text))
      }
    case .addColumn(let column, let before):
      return unsafe [column].withColumns(text) { columns in
        unsafe hp_batch_add_column(handle, columns.baseAddress, text(optional: before))
      }
    case .renameColumn(let column, let name):
      return unsafe hp_batch_rename_column(handle, text(column), text(name))
    case .moveColumn(let column, let index):
      return unsafe hp_batch_move_column(handle, text(column), index)
    case .dropColumn(let column): return unsafe hp_batch_drop_column(handle, text(column))
    case .updateWhere(let filter, let cells):
      return unsafe filter.with(text) { filter in
        unsafe self.cells(cells).withUnsafeBufferPointer { buffer in
          unsafe hp_batch_update_where(handle, filter, buffer.baseAddress, buffer.count)
        }
      }
    case .deleteWhere(let filter):
      return unsafe filter.with(text) { unsafe hp_batch_delete_where(handle, $0) }
    case .moveWhere(let filter, let place):
      return unsafe filter.with(text) {
        unsafe hp_batch_move_where(handle, $0, hp_place(place, text))
      }
    case .moveRows(let ids, let place):
      return unsafe ids.withUnsafeBufferPointer { buffer in
        unsafe hp_batch_move_ids(
          handle, buffer.baseAddress, buffer.count, hp_place(place, text))
      }
    case .addToCell(let row, let amount, let floor, let ceiling):
      return unsafe withNumber(floor) { floor in
        unsafe withNumber(ceiling) { ceiling in
          unsafe hp_batch_add_to_cell(
            handle, hp_row_ref(row), cells([amount])[0], floor, ceiling)
        }
      }
    case .sortSection(let section, let keys):
      return unsafe keys.made(text).withUnsafeBufferPointer { buffer in
        unsafe hp_batch_sort_section(
          handle, hp_section_ref(section, text), buffer.baseAddress, buffer.count)
      }
    case .setPolicy(let scope, let policy, let clears):
      var made = unsafe policy.made(text)
      switch scope {
      case .table:
        return unsafe clears
          ? hp_batch_replace_table_policy(handle, &made) : hp_batch_set_table_policy(handle, &made)
      case .section(let name):
        let section = unsafe hp_section_ref(name, text)
        return unsafe clears
          ? hp_batch_replace_section_policy(handle, section, &made)
          : hp_batch_set_section_policy(handle, section, &made)
      case .row(let name):
        let row = hp_row_ref(name)
        return unsafe clears
          ? hp_batch_replace_row_policy(handle, row, &made)
          : hp_batch_set_row_policy(handle, row, &made)
      }
    case .setSentinel(let section, let sentinel):
      guard let sentinel else {
        return unsafe hp_batch_set_sentinel(handle, hp_section_ref(section, text), nil)
      }
      var made = unsafe hp_sentinel(
        text: text(sentinel.text), has_height: sentinel.height != nil,
        height: sentinel.height ?? 0)
      return unsafe hp_batch_set_sentinel(handle, hp_section_ref(section, text), &made)
    }
  }

  private func withNumber(_ number: Int64?, _ body: (UnsafePointer<Int64>?) -> Bool) -> Bool {
    guard var number else { return body(nil) }
    // Safe: the number lives until `body` returns.
    return unsafe body(&number)
  }

  private func with(
    _ value: HeaderFooter?, _ body: (UnsafePointer<hp_header_footer>?) -> Bool
  ) -> Bool {
    guard let value else { return body(nil) }
    // Safe: the texts live in `text`, the struct until `body` returns.
    var made = unsafe hp_header_footer(
      title: text(optional: value.title), view: text(optional: value.view),
      has_height: value.height != nil, height: value.height ?? 0,
      owner: text(optional: value.owner), language: text(optional: value.language))
    return unsafe body(&made)
  }

  private func withRow(_ row: NewRow, _ body: (inout hp_new_row) -> Bool) -> Bool {
    // Safe: the cells live until `body` returns, and so does the struct that points at them.
    unsafe cells(row.cells).withUnsafeBufferPointer { buffer in
      var made = unsafe hp_new_row(
        cells: buffer.baseAddress, cell_count: buffer.count, as: row.handle)
      return unsafe body(&made)
    }
  }

  private func withRows(
    _ rows: [NewRow], _ body: (UnsafeBufferPointer<hp_new_row>) -> Bool
  ) -> Bool {
    var flat: [hp_cell] = unsafe []
    for row in rows { unsafe flat.append(contentsOf: cells(row.cells)) }
    // Safe: both lists live until `body` returns.
    return unsafe flat.withUnsafeBufferPointer { all in
      var start = 0
      var made: [hp_new_row] = unsafe []
      for row in rows {
        unsafe made.append(
          hp_new_row(
            cells: all.baseAddress?.advanced(by: start), cell_count: row.cells.count,
            as: row.handle))
        start += row.cells.count
      }
      return unsafe made.withUnsafeBufferPointer { buffer in unsafe body(buffer) }
    }
  }

  private func cells(_ assignments: [Assignment]) -> [hp_cell] {
    unsafe assignments.map { assignment in
      var cell = unsafe hp_cell(assignment.value, text)
      unsafe cell.column = assignment.column
      unsafe cell.column_name = text(optional: assignment.name)
      return unsafe cell
    }
  }
}
