internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was
// scanned; unions are read as their case says.
extension BatchBuffer {
  /// Copies a text into the batch's storage; `nil`: there is none.
  mutating func text(_ pointer: UnsafePointer<CChar>?) -> TextRange? {
    guard let pointer = unsafe pointer else { return nil }
    let start = text.count
    var end = unsafe pointer
    while unsafe end.pointee != 0 { unsafe end += 1 }
    let count = unsafe end - pointer
    unsafe UnsafeRawBufferPointer(start: pointer, count: count).withMemoryRebound(to: UInt8.self) {
      unsafe text.append(contentsOf: $0)
    }
    return TextRange(start: Int32(start), count: Int32(count))
  }

  /// Adds a row's cells.
  mutating func row(
    _ pointer: UnsafePointer<Hp__V1__NewRow>?, _ operation: Int
  ) throws(WireFault) -> BatchRow {
    guard let row = unsafe pointer?.pointee else {
      return BatchRow(cells: cells.count..<cells.count, handle: nil)
    }
    let range = try unsafe add(cells: row.cells, row.n_cells, operation)
    return unsafe BatchRow(cells: range, handle: row.has_as != 0 ? row.as : nil)
  }

  /// Adds rows; where they stand.
  mutating func add(
    rows list: UnsafePointer<UnsafeMutablePointer<Hp__V1__NewRow>?>?, _ count: Int,
    _ operation: Int
  ) throws(WireFault) -> Range<Int> {
    let start = rows.count
    for index in 0..<count {
      unsafe rows.append(try row(list?[index], operation))
    }
    return start..<rows.count
  }

  /// Adds cells; where they stand.
  mutating func add(
    cells list: UnsafePointer<UnsafeMutablePointer<Hp__V1__Cell>?>?, _ count: Int,
    _ operation: Int?
  ) throws(WireFault) -> Range<Int> {
    let start = cells.count
    for index in 0..<count { _ = unsafe try cell(list?[index], operation) }
    return start..<cells.count
  }

  /// Adds a cell; where it stands.
  mutating func cell(
    _ pointer: UnsafePointer<Hp__V1__Cell>?, _ operation: Int?
  ) throws(WireFault) -> Int? {
    guard let cell = unsafe pointer else { return nil }
    let column: BatchCell.Column
    switch unsafe (cell.pointee.has_column != 0, text(cell.pointee.column_name)) {
    case (true, nil): column = unsafe .id(cell.pointee.column)
    case (false, let name?): column = .name(name)
    case (true, .some): throw WireFault(.columnTwice, offset: 0, field: 8, operation: operation)
    case (false, nil): throw WireFault(.missingColumn, offset: 0, field: 1, operation: operation)
    }
    let value: BatchCell.Value =
      switch unsafe cell.pointee.value_case {
      case HP__V1__CELL__VALUE_TEXT: unsafe .text(text(cell.pointee.text) ?? .empty)
      case HP__V1__CELL__VALUE_INTEGER: unsafe .integer(cell.pointee.integer)
      case HP__V1__CELL__VALUE_DECIMAL: unsafe .decimal(cell.pointee.decimal)
      case HP__V1__CELL__VALUE_DATE: unsafe .date(cell.pointee.date)
      case HP__V1__CELL__VALUE_TIMESTAMP: unsafe .timestamp(cell.pointee.timestamp)
      case HP__V1__CELL__VALUE_BOOLEAN: unsafe .boolean(cell.pointee.boolean != 0)
      default: .null
      }
    cells.append(BatchCell(column: column, value: value))
    return cells.count - 1
  }

  mutating func section(_ pointer: UnsafePointer<Hp__V1__SectionRef>?) -> SectionReference {
    guard let section = unsafe pointer else { return .absent }
    switch unsafe section.pointee.ref_case {
    case HP__V1__SECTION_REF__REF_ID: return unsafe .id(section.pointee.id)
    case HP__V1__SECTION_REF__REF_TITLE:
      return unsafe .title(text(section.pointee.title) ?? .empty)
    case HP__V1__SECTION_REF__REF_HANDLE: return unsafe .handle(section.pointee.handle)
    case HP__V1__SECTION_REF__REF_INDEX:
      return unsafe .index(Unpacked.index(section.pointee.index))
    default: return .absent
    }
  }

  mutating func place(_ pointer: UnsafePointer<Hp__V1__Place>?) -> RowPlace {
    guard let place = unsafe pointer else { return .absent }
    switch unsafe place.pointee.place_case {
    case HP__V1__PLACE__PLACE_PATH:
      let path = unsafe place.pointee.path.pointee
      return unsafe .path(section: Unpacked.index(path.section), row: Unpacked.index(path.row))
    case HP__V1__PLACE__PLACE_BEFORE: return unsafe .before(Unpacked.row(place.pointee.before))
    case HP__V1__PLACE__PLACE_AFTER: return unsafe .after(Unpacked.row(place.pointee.after))
    case HP__V1__PLACE__PLACE_FIRST_OF: return unsafe .firstOf(section(place.pointee.first_of))
    case HP__V1__PLACE__PLACE_LAST_OF: return unsafe .lastOf(section(place.pointee.last_of))
    default: return .absent
    }
  }

  mutating func sectionPlace(_ pointer: UnsafePointer<Hp__V1__SectionPlace>?) -> SectionPlace {
    guard let place = unsafe pointer else { return .absent }
    switch unsafe place.pointee.place_case {
    case HP__V1__SECTION_PLACE__PLACE_INDEX:
      return unsafe .index(Unpacked.index(place.pointee.index))
    case HP__V1__SECTION_PLACE__PLACE_BEFORE:
      return unsafe .before(section(place.pointee.before))
    case HP__V1__SECTION_PLACE__PLACE_AFTER: return unsafe .after(section(place.pointee.after))
    default: return .absent
    }
  }

  mutating func headerFooter(
    _ pointer: UnsafePointer<Hp__V1__HeaderFooter>?
  ) -> BatchHeaderFooter? {
    guard let value = unsafe pointer?.pointee else { return nil }
    return unsafe BatchHeaderFooter(
      title: text(value.title), view: text(value.view),
      height: value.has_height != 0 ? value.height : nil, owner: text(value.owner),
      language: text(value.language))
  }

  func animation(_ has: Int32, _ value: Hp__V1__Animation) -> Animation? {
    has != 0 ? Animation(rawValue: value.rawValue) : nil
  }
}
