/// Taking back what a step did to columns (contracts E9, E14).
extension Table {
  /// Gives the table the columns that it had, except for what others changed since.
  func revertColumns(
    _ revert: inout Revert, _ context: borrowing ChangeContext
  ) throws(ServiceFault) {
    guard revert.step.change.columnsChanged else { return }
    let (before, left) = (revert.step.columns, revert.step.change.columns)
    guard !before.isEmpty || left.isEmpty || revert.step.change.event == 1 else {
      throw .table(TableFault(.stale, expected: "a step whose old columns are kept"))
    }
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: left.map { ($0.id, $0) })
    var columns = schema.columns
    for column in left where known[column.id] == nil {
      revert.addedColumns.insert(column.id)
      if schema.column(column.id) == nil {
        try revert.blameTable(column: column.name, isRemoved: true)
      } else {
        try judgeValues(of: column, &revert)
      }
    }
    columns.removeAll { revert.addedColumns.contains($0.id) }
    for column in before {
      guard let left = after[column.id] else { continue }
      guard let index = columns.firstIndex(where: { $0.id == column.id }) else {
        // One that is gone is needed only where the step changed it.
        if column != left { try revert.blameTable(column: left.name, isRemoved: true) }
        continue
      }
      guard column != left else { continue }
      if columns[index] != left { try revert.blameTable(column: columns[index].name) }
      columns[index] = column
    }
    let returning = before.filter { after[$0.id] == nil }
    for column in returning where schema.column(column.id) != nil {
      try revert.blameTable(column: column.name)
    }
    try judgeTouched(&revert)
    columns = place(returning, in: columns, before: before, left: left)
    try judgeNames(columns, before: before, left: left, &revert)
    try revert.judge()
    do throws(TableFault) {
      guard columns.count <= TableLimits.columns else {
        throw TableFault(.tooManyColumns, expected: "at most \(TableLimits.columns)")
      }
      try Column.judgePresets(of: columns)
    } catch { throw .table(error) }
    setColumns(columns, revision: context.revision)
    work.returned = Set(returning.map(\.id))
  }

  /// Puts columns that come back, and those that the step moved, behind the nearest ones before
  /// them that it left in their order.
  private func place(
    _ returning: [Column], in now: [Column], before: [Column], left: [Column]
  ) -> [Column] {
    let stay = Set(ColumnOrder.longest(of: before.map(\.id), in: left.map(\.id)))
    var columns = now.filter { column in
      stay.contains(column.id) || !before.contains { $0.id == column.id }
    }
    var anchor: UInt64?
    var count = 0
    for column in before {
      if stay.contains(column.id) {
        if columns.contains(where: { $0.id == column.id }) { (anchor, count) = (column.id, 0) }
        continue
      }
      let value = now.first { $0.id == column.id } ?? returning.first { $0.id == column.id }
      guard let value else { continue }
      let base = columns.firstIndex { $0.id == anchor }.map { $0 + 1 } ?? 0
      columns.insert(value, at: base + count)
      count += 1
    }
    return columns
  }

  /// A column that goes, or moves back, must not have been moved, renamed or altered by another.
  private func judgeTouched(_ revert: inout Revert) throws(ServiceFault) {
    let moved = revert.step.displacedColumns
    if moved.isEmpty, revert.addedColumns.isEmpty { return }
    for touch in try revert.later.columnTouches()
    where touch.uid != revert.uid || touch.actor != revert.actor {
      guard let column = schema.column(touch.column) else { continue }
      if revert.addedColumns.contains(column.id) || moved.contains(column.id) && touch.isPlaced {
        revert.note(touch, column: column.name)
      }
    }
  }

  /// A name that comes back must be free.
  private func judgeNames(
    _ columns: [Column], before: [Column], left: [Column], _ revert: inout Revert
  ) throws(ServiceFault) {
    var names: Set<[UInt8]> = []
    for column in columns where !names.insert(Folding.fold(column.name)).inserted {
      try revert.blameTable(column: column.name)
    }
  }

  /// A column that goes must hold no values but those that the step itself gave, and its fill.
  ///
  /// - Complexity: O(*n*) in the number of rows, where the table changed since.
  private func judgeValues(of column: Column, _ revert: inout Revert) throws(ServiceFault) {
    if revert.later.isEmpty { return }
    var others: [UInt64] = []
    forEachRow { slot in
      let value = rows.withImage(slot) { RowImage.cell(column.id, in: $0)?.value(in: $0) }
      guard let value, value != column.fill else { return true }
      let id = rows.id(slot)
      let given = revert.step.newImage(of: id).flatMap { image in
        RowImage.cell(column.id, in: image.span)?.value(in: image.span)
      }
      if given != value { others.append(id) }
      return others.count < Revert.listed
    }
    for id in others { try revert.blame(.row(id), column: column.name) }
  }

  /// Columns that came back must be what they promise: unique, and without null where required.
  ///
  /// Also a step that was undone since, and its undo, may have brought rows back whose cells in the
  /// column were hidden; so all rows are judged unless nothing at all came later.
  ///
  /// - Complexity: O(*n*) in the number of rows, where any revision touched the table since.
  func judgeReturned(_ revert: inout Revert) throws(ServiceFault) {
    if work.returned.isEmpty || revert.later.isUntouched { return }
    for column in schema.columns where work.returned.contains(column.id) {
      guard column.isUnique || column.isRequired else { continue }
      let keys = rows.keys.first { $0.column == column.id }
      var faults: [UInt64] = []
      forEachRow { slot in
        let value = rows.withImage(slot) { RowImage.cell(column.id, in: $0)?.value(in: $0) }
        if let value {
          let other = keys?.slot(of: value, in: rows) { $0 != slot && order.isLive($0) }
          if let other { faults += [rows.id(slot), rows.id(other)] }
        } else if column.isRequired, column.fill == nil {
          faults.append(rows.id(slot))
        }
        return faults.count < Revert.listed
      }
      try revert.blame(rows: faults, column: column.name)
    }
  }

  private func forEachRow(_ body: (UInt32) -> Bool) {
    var goesOn = true
    for index in 0..<sectionOrder.count(sectionRoot) where goesOn {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        breathe()
        goesOn = body(slot)
        return goesOn
      }
    }
  }
}
