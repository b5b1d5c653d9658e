internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was
// scanned; unions are read as their case says.
extension BatchBuffer {
  /// Decodes a batch in place of what stood here, or behind it.
  mutating func decode(
    _ pointer: UnsafePointer<Hp__V1__Batch>, appends: Bool = false
  ) throws(WireFault) {
    if !appends { try unsafe decode(head: pointer) }
    try unsafe decode(operations: pointer)
  }

  private mutating func decode(head pointer: UnsafePointer<Hp__V1__Batch>) throws(WireFault) {
    reset()
    unsafe table = Unpacked.table(pointer.pointee.table)
    unsafe mode = BatchMode(rawValue: pointer.pointee.mode.rawValue) ?? .sequence
    unsafe basis = Unpacked.basis(pointer.pointee.basis)
    unsafe dryRun = pointer.pointee.dry_run != 0
    if unsafe pointer.pointee.n_section_counts > 0 {
      unsafe sectionCounts.append(
        contentsOf: UnsafeBufferPointer(
          start: pointer.pointee.section_counts, count: pointer.pointee.n_section_counts))
    }
    unsafe noSections = pointer.pointee.no_sections != 0
    unsafe conditions = try add(
      conditions: pointer.pointee.conditions, pointer.pointee.n_conditions, operation: nil)
  }

  private mutating func decode(
    operations pointer: UnsafePointer<Hp__V1__Batch>
  ) throws(WireFault) {
    for place in 0..<(unsafe pointer.pointee.n_operations) {
      guard let operation = unsafe pointer.pointee.operations[place] else { continue }
      let index = operations.count
      let action = try unsafe action(operation, index)
      let conditions = try unsafe add(
        conditions: operation.pointee.conditions, operation.pointee.n_conditions,
        operation: index)
      operations.append(BatchOperation(action: action, conditions: conditions))
    }
  }

  /// Decodes what an operation does.
  private mutating func action(
    _ pointer: UnsafePointer<Hp__V1__Operation>, _ operation: Int
  ) throws(WireFault) -> BatchOperation.Action {
    switch unsafe pointer.pointee.operation_case {
    case HP__V1__OPERATION__OPERATION_INSERT_ROW:
      let insert = unsafe pointer.pointee.insert_row.pointee
      return unsafe .insertRow(
        at: place(insert.at), row: try row(insert.row, operation),
        animation: animation(insert.has_animation, insert.animation))
    case HP__V1__OPERATION__OPERATION_DELETE_ROW:
      let delete = unsafe pointer.pointee.delete_row.pointee
      return unsafe .deleteRow(
        Unpacked.row(delete.row), animation: animation(delete.has_animation, delete.animation))
    case HP__V1__OPERATION__OPERATION_MOVE_ROW:
      let move = unsafe pointer.pointee.move_row.pointee
      return unsafe .moveRow(Unpacked.row(move.row), to: place(move.to))
    case HP__V1__OPERATION__OPERATION_UPDATE_ROW:
      let update = unsafe pointer.pointee.update_row.pointee
      return unsafe .updateRow(
        Unpacked.row(update.row), cells: try add(cells: update.cells, update.n_cells, operation))
    case HP__V1__OPERATION__OPERATION_RELOAD_ROW:
      let reload = unsafe pointer.pointee.reload_row.pointee
      return unsafe .reloadRow(
        Unpacked.row(reload.row), cells: try add(cells: reload.cells, reload.n_cells, operation),
        animation: animation(reload.has_animation, reload.animation))
    case HP__V1__OPERATION__OPERATION_UPSERT:
      let upsert = unsafe pointer.pointee.upsert.pointee
      return unsafe .upsert(
        column: text(upsert.column) ?? .empty, row: try row(upsert.row, operation),
        at: place(upsert.at))
    case HP__V1__OPERATION__OPERATION_ADD_TO_CELL:
      let add = unsafe pointer.pointee.add_to_cell.pointee
      return unsafe .addToCell(
        Unpacked.row(add.row), amount: try cell(add.amount, operation),
        floor: add.has_floor != 0 ? add.floor : nil,
        ceiling: add.has_ceiling != 0 ? add.ceiling : nil)
    default:
      if let action = try unsafe manyAction(pointer, operation) { return action }
      return try unsafe sectionAction(pointer, operation)
    }
  }

  private mutating func sectionAction(
    _ pointer: UnsafePointer<Hp__V1__Operation>, _ operation: Int
  ) throws(WireFault) -> BatchOperation.Action {
    switch unsafe pointer.pointee.operation_case {
    case HP__V1__OPERATION__OPERATION_INSERT_SECTION:
      let insert = unsafe pointer.pointee.insert_section.pointee
      return unsafe .insertSection(
        BatchOperation.NewSection(
          place: sectionPlace(insert.at), title: text(insert.title),
          rows: try add(rows: insert.rows, insert.n_rows, operation),
          handle: insert.has_as != 0 ? insert.as : nil, header: headerFooter(insert.header),
          footer: headerFooter(insert.footer),
          animation: animation(insert.has_animation, insert.animation)))
    case HP__V1__OPERATION__OPERATION_DELETE_SECTION:
      let delete = unsafe pointer.pointee.delete_section.pointee
      return unsafe .deleteSection(
        section(delete.section), animation: animation(delete.has_animation, delete.animation))
    case HP__V1__OPERATION__OPERATION_MOVE_SECTION:
      let move = unsafe pointer.pointee.move_section.pointee
      return unsafe .moveSection(section(move.section), to: sectionPlace(move.to))
    case HP__V1__OPERATION__OPERATION_RETITLE_SECTION:
      let retitle = unsafe pointer.pointee.retitle_section.pointee
      return unsafe .retitleSection(section(retitle.section), title: text(retitle.title))
    case HP__V1__OPERATION__OPERATION_RELOAD_SECTION:
      let reload = unsafe pointer.pointee.reload_section.pointee
      let rows = unsafe try add(rows: reload.rows, reload.n_rows, operation)
      return unsafe .reloadSection(
        section(reload.section), rows: reload.with_rows != 0 ? rows : nil,
        animation: animation(reload.has_animation, reload.animation))
    case HP__V1__OPERATION__OPERATION_SET_HEADER_FOOTER:
      let set = unsafe pointer.pointee.set_header_footer.pointee
      return unsafe .setHeaderFooter(
        section(set.section), footer: set.footer != 0, value: headerFooter(set.value))
    case HP__V1__OPERATION__OPERATION__NOT_SET: return .absent
    default: return try unsafe columnAction(pointer, operation)
    }
  }

  private mutating func columnAction(
    _ pointer: UnsafePointer<Hp__V1__Operation>, _ operation: Int
  ) throws(WireFault) -> BatchOperation.Action {
    switch unsafe pointer.pointee.operation_case {
    case HP__V1__OPERATION__OPERATION_ADD_COLUMN:
      let add = unsafe pointer.pointee.add_column.pointee
      guard let column = unsafe add.column else { return .absent }
      unsafe columns.append(Unpacked.column(column))
      return unsafe .addColumn(columns.count - 1, before: text(add.before))
    case HP__V1__OPERATION__OPERATION_RENAME_COLUMN:
      let rename = unsafe pointer.pointee.rename_column.pointee
      return unsafe .renameColumn(
        text(rename.column) ?? .empty, name: text(rename.name) ?? .empty)
    case HP__V1__OPERATION__OPERATION_MOVE_COLUMN:
      let move = unsafe pointer.pointee.move_column.pointee
      return unsafe .moveColumn(text(move.column) ?? .empty, to: Unpacked.index(move.index))
    case HP__V1__OPERATION__OPERATION_DROP_COLUMN:
      let drop = unsafe pointer.pointee.drop_column.pointee
      return unsafe .dropColumn(text(drop.column) ?? .empty)
    case HP__V1__OPERATION__OPERATION_SET_POLICY:
      return unsafe .setPolicy(add(policy: pointer.pointee.set_policy))
    default: return unsafe .unsupported(pointer.pointee.operation_case.rawValue)
    }
  }

  /// Adds conditions; where they stand.
  private mutating func add(
    conditions list: UnsafePointer<UnsafeMutablePointer<Hp__V1__Condition>?>?, _ count: Int,
    operation: Int?
  ) throws(WireFault) -> Range<Int> {
    let start = conditionList.count
    for index in 0..<count {
      guard let condition = unsafe list?[index]?.pointee else { continue }
      unsafe conditionList.append(try self.condition(condition, operation))
    }
    return start..<conditionList.count
  }

  private mutating func condition(
    _ condition: Hp__V1__Condition, _ operation: Int?
  ) throws(WireFault) -> BatchCondition {
    switch unsafe condition.condition_case {
    case HP__V1__CONDITION__CONDITION_ROW_EXISTS:
      return unsafe .rowExists(Unpacked.row(condition.row_exists))
    case HP__V1__CONDITION__CONDITION_ROW_ABSENT:
      return unsafe .rowAbsent(Unpacked.row(condition.row_absent))
    case HP__V1__CONDITION__CONDITION_ROW_REVISION:
      let given = unsafe condition.row_revision.pointee
      return unsafe .rowRevision(Unpacked.row(given.row), given.revision)
    case HP__V1__CONDITION__CONDITION_CELL_EQUALS:
      let given = unsafe condition.cell_equals.pointee
      return unsafe .cellEquals(Unpacked.row(given.row), cell: try cell(given.cell, operation))
    case HP__V1__CONDITION__CONDITION_SECTION_COUNT:
      let given = unsafe condition.section_count.pointee
      return unsafe .sectionCount(section(given.section), given.rows)
    case HP__V1__CONDITION__CONDITION_SECTION_TOTAL:
      return unsafe .sectionTotal(condition.section_total)
    case HP__V1__CONDITION__CONDITION_MATCHED: return unsafe .matched(condition.matched)
    default: return .absent
    }
  }
}
