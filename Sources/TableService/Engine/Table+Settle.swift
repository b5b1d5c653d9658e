/// From what a batch touched to what it changed: judged by values (contract E6).
extension Table {
  /// What became of a section, by slot.
  enum SectionFate: UInt8 {
    case stays, inserted, deleted, moved
    /// Reloaded with other rows.
    case replaced
  }

  /// Fills `changes` with the net change of the open batch.
  ///
  /// - Complexity: O(*k* log *n*).
  func settle() {
    changes.counts.matched = work.matchedCount
    settleSections()
    changes.hasTableChange =
      work.headersChanged || work.schemaChanged || work.nameChanged || work.policyChanged
      || work.isReload
    var sites = SectionSites(sectionOrder)
    for slot in work.newRows where order.isLive(slot) {
      settle(newRow: slot, &sites)
      breathe()
    }
    var movers: [Mover] = []
    for index in work.rows.indices {
      settle(rowAt: index, &movers, &sites)
      breathe()
    }
    var stays: [Mover] = []
    var moved: [Mover] = []
    Mover.judge(
      &movers, moved: { moved.append($0) }, stays: { stays.append($0) }, rest: breathe)
    for mover in moved {
      let move = ChangeList.Move(
        from: ChangeList.End(
          section: sites.old(mover.home), row: UInt32(mover.old), slot: mover.slot,
          home: mover.home),
        to: ChangeList.End(
          section: sites.new(mover.home), row: UInt32(mover.new), slot: mover.slot,
          home: mover.home))
      tell(move)
      breathe()
    }
    if !changes.moved.isEmpty { placeStages(stays) }
    if !work.policies.isEmpty { settlePolicies() }
    if changes.records.count > 1 { changes.records.sort { $0.index < $1.index } }
  }

  private func settleSections() {
    var movers: [Mover] = []
    for section in work.sections {
      let slot = section.slot
      let old = sectionOrder.oldPosition(of: slot)?.index
      let new = sectionOrder.isLive(slot) ? sectionOrder.position(of: slot).index : nil
      switch (old, new) {
      case (nil, nil): break
      case (nil, let new?):
        work.fates[slot] = .inserted
        changes.insertedSections.append(UInt32(new))
        changes.records.append((slot, UInt32(new)))
        changes.newSections.append(slot)
      case (let old?, nil):
        work.fates[slot] = .deleted
        changes.deletedSections.append(UInt32(old))
      case (let old?, let new?):
        if sectionOrder.isFresh(slot) {
          let isDisplaced = sectionOrder.plainRank(of: slot) != sectionOrder.oldPlainRank(of: slot)
          movers.append(
            Mover(slot: slot, home: 0, old: old, new: new, isDisplaced: isDisplaced))
        }
        let isChanged = section.old.map { $0 != sections[Int(slot)].record } ?? false
        if isChanged { changes.records.append((slot, UInt32(new))) }
        if section.isReplaced { work.fates[slot] = .replaced }
        if isChanged || section.isReloaded {
          changes.reloadedSections.append(
            ChangeList.SectionPair(
              old: UInt32(old), new: UInt32(new), isReplaced: section.isReplaced, slot: slot))
        }
        if isChanged { changes.counts.sectionsUpdated += 1 }
      }
    }
    Mover.judge(&movers) { mover in
      work.fates[mover.slot] = .moved
      changes.movedSections.append(
        ChangeList.SectionPair(old: UInt32(mover.old), new: UInt32(mover.new)))
    } stays: { _ in
    }
    changes.counts.sectionsInserted = UInt64(changes.insertedSections.count)
    changes.counts.sectionsDeleted = UInt64(changes.deletedSections.count)
    changes.counts.sectionsMoved = UInt64(changes.movedSections.count)
  }

  private func fate(_ home: UInt32) -> SectionFate {
    if work.fates.isEmpty { return .stays }
    return work.fates[home] ?? .stays
  }

  private func settle(newRow slot: UInt32, _ sites: inout SectionSites) {
    let end = newEnd(slot, &sites)
    changes.newRows.append(slot)
    changes.images.append(
      ChangeList.Image(slot: slot, home: end.home, from: end.home, isNew: true))
    changes.counts.rowsInserted += 1
    switch fate(end.home) {
    case .inserted: changes.main.contents.append(end)
    case .moved: changes.moved.inserts.append(end)
    case .replaced: changes.replaced.append(end)
    case .stays, .deleted: changes.main.inserts.append(end)
    }
  }

  private func settle(
    rowAt index: Int, _ movers: inout [Mover], _ sites: inout SectionSites
  ) {
    let slot = work.rows[index].slot
    guard let old = order.oldPosition(of: slot) else { return }
    let from = ChangeList.End(
      section: sites.old(old.owner), row: UInt32(old.index), slot: slot, home: old.owner)
    guard order.isLive(slot) else {
      changes.deleted.append(rows.id(slot))
      changes.origins.append(from)
      changes.gone.append((old.owner, rows.id(slot)))
      changes.counts.rowsDeleted += 1
      switch fate(old.owner) {
      case .deleted, .replaced: break
      case .moved: changes.moved.deletes.append(from)
      case .stays, .inserted: changes.main.deletes.append(from)
      }
      return
    }
    let to = newEnd(slot, &sites)
    let isUpdated = settleImage(at: index, from: from, to: to)
    if from.home != to.home {
      changes.crossings.append(
        ChangeList.Crossing(slot: slot, from: from.home, to: to.home))
      tell(ChangeList.Move(from: from, to: to), hasImage: isUpdated)
    } else if order.isFresh(slot) {
      let isDisplaced = order.plainRank(of: slot) != order.oldPlainRank(of: slot)
      movers.append(
        Mover(
          slot: slot, home: to.home, old: old.index, new: Int(to.row),
          isDisplaced: isDisplaced))
    }
  }

  private func newEnd(_ slot: UInt32, _ sites: inout SectionSites) -> ChangeList.End {
    let position = order.position(of: slot)
    return ChangeList.End(
      section: sites.new(position.owner), row: UInt32(position.index), slot: slot,
      home: position.owner)
  }

  /// Compares a row's cells with those before the batch; equal ones get the old image back.
  private func settleImage(
    at index: Int, from: ChangeList.End, to: ChangeList.End
  ) -> Bool {
    let row = work.rows[index]
    let start = changes.columns.count
    if !row.oldImage.isEmpty {
      var columns = changes.columns
      changes.columns = []
      if schema.fills.isEmpty && !work.schemaChanged {
        // Hidden cells are the same before and after.
        rows.withImage(row.slot) {
          RowImage.appendChangedColumns(from: row.oldImage.span, to: $0, into: &columns)
        }
      } else {
        let (old, new) = (shown(row.oldImage), shown(rows.image(row.slot)))
        RowImage.appendChangedColumns(from: old.span, to: new.span, into: &columns)
      }
      changes.columns = columns
      if columns.count == start {
        rows.replace(row.slot, image: row.oldImage)
        work.rows[index].oldImage = []
      }
    }
    let isUpdated = changes.columns.count > start
    if isUpdated {
      changes.images.append(
        ChangeList.Image(
          slot: row.slot, home: to.home, from: from.home, columns: start..<changes.columns.count))
      changes.counts.rowsUpdated += 1
    }
    if isUpdated || row.isReloaded {
      changes.reloads.append(
        ChangeList.Reload(old: from, new: to, columns: start..<changes.columns.count))
    }
    return isUpdated
  }

  /// Tells a move in the stage that it belongs to, as delete and insert where an end lies in a
  /// section that is deleted or inserted (semantics 2.4).
  private func tell(
    _ move: ChangeList.Move, hasImage: Bool = true
  ) {
    changes.counts.rowsMoved += 1
    changes.origins.append(move.from)
    let from = fate(move.from.home)
    let to = fate(move.to.home)
    if from != .deleted, to != .inserted {
      if !hasImage { changes.crossings[changes.crossings.count - 1].isCarried = true }
      if from == .moved || to == .moved {
        changes.moved.moves.append(move)
      } else {
        changes.main.moves.append(move)
      }
      return
    }
    var (old, new) = (move.from, move.to)
    (old.isMoved, new.isMoved) = (true, true)
    if !hasImage {
      changes.images.append(
        ChangeList.Image(slot: new.slot, home: new.home, from: old.home))
    }
    (old.other, new.other) = (new.home, old.home)
    switch (from, to) {
    case (.deleted, .inserted): changes.main.contents.append(new)
    case (.deleted, .moved): changes.moved.inserts.append(new)
    case (.deleted, _): changes.main.inserts.append(new)
    case (.moved, _):
      changes.moved.deletes.append(old)
      changes.moved.inserts.append(new)
    case (_, _):
      changes.main.deletes.append(old)
      changes.main.contents.append(new)
    }
  }
}

/// Section indices by slot, the last answers kept.
struct SectionSites {
  private let order: OrderIndex
  private var lastOld: (slot: UInt32, index: UInt32)?
  private var lastNew: (slot: UInt32, index: UInt32)?

  /// Asks the order of the sections.
  init(_ order: OrderIndex) { self.order = order }

  /// The index before the batch; 0 for a section that was not there.
  mutating func old(_ slot: UInt32) -> UInt32 {
    if let lastOld, lastOld.slot == slot { return lastOld.index }
    let index = UInt32(order.oldPosition(of: slot)?.index ?? 0)
    lastOld = (slot, index)
    return index
  }

  /// The index now.
  mutating func new(_ slot: UInt32) -> UInt32 {
    if let lastNew, lastNew.slot == slot { return lastNew.index }
    let index = UInt32(order.position(of: slot).index)
    lastNew = (slot, index)
    return index
  }
}
