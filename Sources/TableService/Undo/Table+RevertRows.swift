/// Taking back what a step did to rows (contract E9).
extension Table {
  /// Judges the rows that the step made, changed, moved or removed.
  func judgeRows(_ revert: inout Revert) throws(ServiceFault) {
    var displaced: [Element] = []
    for id in revert.step.inserted {
      try goOn()
      if slot(of: id) == nil {
        try revert.blame(.row(id), isRemoved: true)
      } else {
        displaced.append(.row(id))
      }
    }
    for block in revert.step.places {
      try judgeHome(block.section, &revert)
      for id in block.ids {
        try goOn()
        let stands = slot(of: id) != nil
        let isBack = revert.step.deleted.contains(id)
        if stands == isBack { try revert.blame(.row(id), isRemoved: !stands) }
        if stands, !isBack { displaced.append(.row(id)) }
      }
    }
    try revert.noteOthers(touching: displaced, rest: breatheNow)
    for update in revert.step.change.updates {
      try goOn()
      try judge(update.row, update.columns, &revert)
    }
  }

  /// A section to which rows come back must be there, or come back itself.
  private func judgeHome(_ id: UInt64, _ revert: inout Revert) throws(ServiceFault) {
    if let slot = sectionSlots[id], sectionOrder.isLive(slot) { return }
    if !revert.own.contains(.section(id)) {
      try revert.blame(.section(id), isRemoved: true)
    }
  }

  /// Cells to restore must be what the step left.
  private func judge(
    _ row: UInt64, _ columns: [UInt64], _ revert: inout Revert
  ) throws(ServiceFault) {
    guard let slot = slot(of: row), let image = revert.step.newImage(of: row) else {
      return try revert.blame(.row(row), isRemoved: slot(of: row) == nil)
    }
    for column in columns where !revert.addedColumns.contains(column) {
      guard let index = schema.index(of: column) else {
        let name = revert.step.change.columns.first { $0.id == column }?.name
        try revert.blameTable(column: name ?? "\(column)", isRemoved: true)
        continue
      }
      let left = RowImage.cell(column, in: image.span)?.value(in: image.span)
      if value(of: index, slot) != left {
        try revert.blame(.row(row), column: schema.columns[index].name)
      }
    }
  }

  /// Gives changed cells their old values.
  func revertUpdates(
    _ revert: borrowing Revert, _ context: borrowing ChangeContext
  ) throws(ServiceFault) {
    for update in revert.step.change.updates {
      try goOn()
      guard let slot = slot(of: update.row), let old = revert.step.oldImage(of: update.row)
      else { throw .store(.damaged(.reading)) }
      var cells: [ImageCell] = []
      for column in update.columns.sorted() {
        guard let index = schema.index(of: column) else { continue }
        cells.append(cell(schema.columns[index], in: old))
      }
      var image: [UInt8] = []
      let none: [UInt8] = []
      rows.withImage(slot) {
        RowImage.merge(
          cells, into: $0, revision: context.revision, text: none.span, spare: old.span,
          to: &image)
      }
      if !schema.fills.isEmpty { image = stored(shown(image), over: image) }
      try checkSize(image, of: update.row)
      replace(slot, image: image)
    }
  }

  /// A cell as it stood in an image; texts are left there.
  private func cell(_ column: Column, in image: [UInt8]) -> ImageCell {
    var cell = ImageCell(column: column.id, kind: column.kind, source: .null)
    guard let found = RowImage.cell(column.id, in: image.span) else { return cell }
    cell.source = found.kind == .text ? .spare : .number
    cell.start = found.text.lowerBound
    cell.count = found.text.count
    cell.number = found.number
    return cell
  }

  private func checkSize(_ image: [UInt8], of row: UInt64) throws(ServiceFault) {
    guard image.count <= TableLimits.row else {
      throw .table(
        TableFault(
          .rowTooLarge, row: row, value: "\(image.count) bytes",
          expected: "at most \(TableLimits.row) bytes"))
    }
  }

  /// Makes removed rows again, under their ids; they stand nowhere yet.
  func restoreRows(
    _ revert: inout Revert, _ context: borrowing ChangeContext
  ) throws(ServiceFault) {
    for block in revert.step.places {
      for id in block.ids {
        try goOn()
        if revert.step.deleted.contains(id) {
          _ = try restore(id, &revert, context)
        } else if let slot = slot(of: id) {
          lift(slot)
        }
      }
    }
  }

  /// Makes a removed row again; it stands nowhere yet.
  ///
  /// - Returns: Its slot.
  func restore(
    _ id: UInt64, _ revert: inout Revert, _ context: borrowing ChangeContext
  ) throws(ServiceFault) -> UInt32 {
    guard let old = revert.step.oldImage(of: id) else { throw .store(.damaged(.reading)) }
    guard rows.count < TableLimits.rows else {
      throw .table(TableFault(.tooManyRows, expected: "at most \(TableLimits.rows) rows"))
    }
    try checkSize(shown(old), of: id)
    for column in schema.columns where column.isRequired && column.fill == nil {
      if RowImage.cell(column.id, in: old.span) == nil {
        try revert.blameTable(column: column.name)
      }
    }
    // As any row that a change writes it is stored with its fills, and with what is hidden.
    let image = schema.reshapes ? stored(shown(old), over: old) : old
    let slot = rows.insert(
      id: id, image: RowImage.restamped(image.span, revision: context.revision))
    work.newRows.append(slot)
    work.restored[slot] = old
    if !rows.keys.isEmpty { suspect(slot) }
    return slot
  }

  /// Puts rows back: each block directly behind its anchor, those with one anchor in their old
  /// order.
  func placeRows(_ revert: inout Revert) throws(ServiceFault) {
    let blocks = revert.step.places.sorted { ($0.section, $0.row) < ($1.section, $1.row) }
    var counts: [UInt32: Int] = [:]
    var section: UInt64 = 0
    for block in blocks {
      guard let home = sectionSlots[block.section] else { continue }
      if block.section != section {
        section = block.section
        counts.removeAll(keepingCapacity: true)
      }
      let root = sections[Int(home)].root
      let anchor = revert.anchors[.row(block.after)].flatMap { $0 }
      var count = counts[anchor ?? .max, default: 0]
      for id in block.ids {
        try goOn()
        // A row that a later step made again is a conflict by now.
        guard let slot = rows.slot(of: id) else { continue }
        let base = anchor.map { order.position(of: $0).index + 1 } ?? 0
        order.insert(slot, into: root, at: base + count)
        count += 1
      }
      counts[anchor ?? .max] = count
    }
  }

  /// Tells a value of a row that comes back, or of a column that does, which another row has.
  func blameKey(_ fault: TableFault, _ revert: inout Revert) throws(ServiceFault) {
    let column = fault.column.flatMap { schema.column(named: $0) }
    for slot in work.newRows + work.rows.map(\.slot) where order.isLive(slot) {
      guard let column,
        let keys = rows.keys.first(where: { $0.column == column.id }),
        let value = rows.withImage(
          slot, { RowImage.cell(column.id, in: $0)?.value(in: $0) }),
        let other = keys.slot(
          of: value, in: rows, where: { $0 != slot && order.isLive($0) })
      else { continue }
      try revert.blame(rows: [rows.id(other)], column: column.name)
    }
    if revert.conflicts.isEmpty { throw .table(fault) }
  }
}
