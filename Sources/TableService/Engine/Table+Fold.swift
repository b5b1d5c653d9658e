/// Applying a change that was already made: replay of the journal (contract K6).
extension Table {
  /// Applies a change as `perform` did when it made it.
  ///
  /// The order index, the labels and the pending writes are changed the same way; no clock and
  /// no id is taken.
  ///
  /// - Parameter parts: All parts of the change, in order.
  /// - Returns: The revision.
  /// - Throws: `FoldFault`; the table is as before then.
  /// - Complexity: O(*k* log *n*).
  @discardableResult
  public func fold(_ parts: [[UInt8]]) throws(FoldFault) -> UInt64 {
    let change: ChangeReader
    do {
      change = try ChangeReader(parts, table: id)
    } catch {
      throw .coding(error)
    }
    begin()
    do throws(FoldFault) {
      foldTable(change)
      try foldImages(change, parts)
      try foldMainStage(change)
      try foldRows(change.moved)
      try foldReplaced(change)
      try foldRecords(change)
      for (row, policy) in change.rowPolicies { try fold(policy: policy, ofRow: row) }
      try checkDeletes(change)
    } catch {
      rollback()
      throw error
    }
    for slot in work.newRows { identifiers.observe(row: rows.id(slot)) }
    for section in work.sections {
      identifiers.observe(section: sections[Int(section.slot)].record.id)
    }
    commit(revision: change.revision)
    return change.revision
  }

  private func foldTable(_ change: ChangeReader) {
    if let name = change.name, change.event == 1 || change.event == 2 {
      self.name = name
      work.nameChanged = true
    }
    if change.columnsChanged {
      setColumns(change.columns, revision: change.schemaRevision)
    }
    if change.headersChanged {
      (header, footer) = (change.header, change.footer)
      work.headersChanged = true
    }
    if change.policyChanged {
      policy = change.policy
      work.policyChanged = true
    }
  }

  private func foldImages(
    _ change: ChangeReader, _ parts: [[UInt8]]
  ) throws(FoldFault) {
    var hidden: [UInt64: [UInt8]] = [:]
    for (part, range) in change.hidden {
      let image = Array(parts[part][range])
      guard RowImage.isCanonical(image.span) else { throw .badImage }
      hidden[RowImage.id(of: image.span)] = image
    }
    for (part, range) in change.images {
      let image = Array(parts[part][range])
      guard RowImage.isCanonical(image.span) else { throw .badImage }
      let id = RowImage.id(of: image.span)
      guard let slot = rows.slot(of: id) else {
        let whole = hidden[id].map { stored(image, over: $0) } ?? image
        work.newRows.append(rows.insert(id: id, image: whole))
        continue
      }
      let isSame = withShown(slot) { $0.isEqual(to: image) }
      if isSame { continue }
      replace(slot, image: schema.reshapes ? stored(image, over: rows.image(slot)) : image)
    }
  }

  private func foldMainStage(_ change: ChangeReader) throws(FoldFault) {
    var lifted: [UInt32] = []
    let moves = try resolve(change.main, &lifted)
    var dropped: [UInt32] = []
    for index in change.deletedSections { dropped.append(try section(at: index)) }
    var moved: [(slot: UInt32, to: Int)] = []
    for (from, to) in change.movedSections { moved.append((try section(at: from), to)) }
    for slot in lifted { try liftOnce(slot) }
    for slot in dropped {
      guard sectionOrder.isLive(slot) else { throw .duplicate }
      dropSection(slot)
    }
    for (slot, _) in moved {
      guard sectionOrder.isLive(slot) else { throw .duplicate }
      _ = touch(section: slot)
      sectionOrder.remove(slot)
    }
    try placeSections(change, moved)
    try place(change.main, moves)
  }

  private func placeSections(
    _ change: ChangeReader, _ moved: [(slot: UInt32, to: Int)]
  ) throws(FoldFault) {
    var targets: [(index: Int, slot: UInt32?)] = moved.map { ($0.to, $0.slot) }
    for index in change.insertedSections { targets.append((index, nil)) }
    targets.sort { $0.index < $1.index }
    var records: [Int: SectionRecord] = [:]
    for (record, index) in change.records { records[index] = record }
    for (index, slot) in targets {
      guard index <= sectionOrder.count(sectionRoot) else { throw .missing }
      if let slot {
        sectionOrder.insert(slot, into: sectionRoot, at: index)
      } else {
        guard let record = records[index] else { throw .missing }
        guard sectionSlots[record.id] == nil else { throw .duplicate }
        _ = addSection(record, at: index)
      }
    }
  }

  private func foldRows(_ stage: ChangeReader.Stage) throws(FoldFault) {
    var lifted: [UInt32] = []
    let moves = try resolve(stage, &lifted)
    for slot in lifted { try liftOnce(slot) }
    try place(stage, moves)
  }

  /// Gives sections that were reloaded with rows these instead of the old ones.
  private func foldReplaced(_ change: ChangeReader) throws(FoldFault) {
    for index in change.replacedSections {
      let slot: UInt32 = try section(at: index)
      liftAll(of: slot)
      _ = touch(section: slot)
    }
    try place(change.replaced, [])
  }

  /// Finds all first ends of a stage before anything moves.
  ///
  /// - Returns: The slots of the moves, in order.
  private func resolve(
    _ stage: ChangeReader.Stage, _ lifted: inout [UInt32]
  ) throws(FoldFault) -> [UInt32] {
    for run in stage.deletes {
      try resolve(run.section, run.row, run.count, run.id, &lifted)
    }
    var moves: [UInt32] = []
    for run in stage.moves {
      try resolve(run.fromSection, run.fromRow, run.count, run.id, &moves)
    }
    lifted.append(contentsOf: moves)
    return moves
  }

  private func resolve(
    _ index: Int, _ row: Int, _ count: Int, _ id: UInt64, _ slots: inout [UInt32]
  ) throws(FoldFault) {
    let root = sections[Int(try section(at: index))].root
    guard row + count <= order.count(root) else { throw .missing }
    let start = slots.count
    order.appendElements(root, row..<row + count, to: &slots)
    for offset in 0..<count {
      guard rows.id(slots[start + offset]) == id &+ UInt64(offset) else { throw .missing }
    }
  }

  private func section(at index: Int) throws(FoldFault) -> UInt32 {
    guard index < sectionOrder.count(sectionRoot) else { throw .missing }
    return sectionOrder.element(sectionRoot, at: index)
  }

  private func liftOnce(_ slot: UInt32) throws(FoldFault) {
    guard order.isLive(slot) else { throw .duplicate }
    lift(slot)
  }

  /// Puts second ends in, rising, so that each index is the final one.
  private func place(
    _ stage: ChangeReader.Stage, _ moves: [UInt32]
  ) throws(FoldFault) {
    var targets: [(section: Int, row: Int, slot: UInt32)] = []
    for runs in [stage.inserts, stage.contents] {
      for run in runs {
        for offset in 0..<run.count {
          guard let slot = rows.slot(of: run.id &+ UInt64(offset)) else { throw .missing }
          targets.append((run.section, run.row + offset, slot))
        }
      }
    }
    var next = 0
    for run in stage.moves {
      for offset in 0..<run.count {
        targets.append((run.section, run.row + offset, moves[next]))
        next += 1
      }
    }
    targets.sort { ($0.section, $0.row) < ($1.section, $1.row) }
    for (section, row, slot) in targets {
      let root = sections[Int(try self.section(at: section))].root
      guard row <= order.count(root) else { throw .missing }
      guard !order.isLive(slot) else { throw .duplicate }
      order.insert(slot, into: root, at: row)
    }
  }

  private func foldRecords(_ change: ChangeReader) throws(FoldFault) {
    for (record, _) in change.records {
      guard let slot = sectionSlots[record.id], sectionOrder.isLive(slot) else {
        throw .missing
      }
      if sections[Int(slot)].record != record { replace(section: slot, with: record) }
    }
  }

  private func fold(policy: [UInt8]?, ofRow id: UInt64) throws(FoldFault) {
    guard slot(of: id) != nil else { throw .missing }
    if let policy { do { _ = try Policy(policy) } catch { throw .coding(error) } }
    do { try set(policy: policy, ofRow: id) } catch { throw .duplicate }
  }

  /// The rows that are gone must be those that the change names.
  private func checkDeletes(_ change: ChangeReader) throws(FoldFault) {
    var gone: UInt64 = 0
    for row in work.rows where !order.isLive(row.slot) { gone += 1 }
    for run in change.deleted {
      guard run.count <= gone else { throw .badDeletes }
      gone -= run.count
      for offset in 0..<run.count {
        guard let slot = rows.slot(of: run.first &+ offset), !order.isLive(slot) else {
          throw .badDeletes
        }
      }
    }
    guard gone == 0 else { throw .badDeletes }
    for slot in work.newRows where !order.isLive(slot) { throw .missing }
  }
}
