/// Taking back what a step did to sections and to the table itself (contract E9).
extension Table {
  /// Judges the sections that the step made, changed, moved or removed.
  func judgeSections(_ revert: inout Revert) throws(ServiceFault) {
    var added: [Element] = []
    for id in revert.addedSections {
      if stands(section: id) {
        added.append(.section(id))
      } else {
        try revert.blame(.section(id), isRemoved: true)
      }
    }
    try revert.noteOthers(touching: added, rest: breatheNow)
    var displaced: [Element] = []
    let moved = Set(revert.step.change.movedSections.map(\.from))
    for place in revert.step.sections {
      let id = place.record.id
      let isBack = place.isPlaced && !moved.contains(place.index)
      if place.isPlaced, !isBack, stands(section: id) { displaced.append(.section(id)) }
      if stands(section: id) == isBack {
        try revert.blame(.section(id), isRemoved: !isBack)
      } else if !isBack, let left = left(id, revert), let slot = sectionSlots[id] {
        let now = sections[Int(slot)].record
        let differs =
          differs(place.record.title, left.title, now.title)
          || differs(place.record.header, left.header, now.header)
          || differs(place.record.footer, left.footer, now.footer)
          || differs(place.record.sentinel, left.sentinel, now.sentinel)
          || differs(place.record.policy, left.policy, now.policy)
        if differs { try revert.blame(.section(id)) }
      }
    }
    // What a section is called is not touched by its move.
    try revert.noteOthers(touching: displaced, placed: true, rest: breatheNow)
  }

  /// Judges the table's own attributes.
  func judgeTable(_ revert: inout Revert) throws(ServiceFault) {
    let change = revert.step.change
    let isOther =
      change.headersChanged
      && (differs(revert.step.header, change.header, header)
        || differs(revert.step.footer, change.footer, footer))
      || change.policyChanged && differs(revert.step.policy, change.policy, policy)
    if isOther { try revert.blameTable() }
  }

  /// Whether what a step changed is no longer what it left.
  private func differs(_ before: [UInt8]?, _ left: [UInt8]?, _ now: [UInt8]?) -> Bool {
    before != left && now != left
  }

  /// Judges the own policies of rows that the step gave them.
  func judgePolicies(_ revert: inout Revert) throws(ServiceFault) {
    for (row, left) in revert.step.change.rowPolicies where slot(of: row) != nil {
      if rowPolicies[row] != left { try revert.blame(.row(row)) }
    }
    for (row, _) in revert.step.policies {
      breathe()
      if slot(of: row) == nil, !revert.step.deleted.contains(row) { try revert.blame(.row(row)) }
    }
  }

  /// Gives rows the policies of their own that they had.
  func revertPolicies(_ revert: borrowing Revert) throws(ServiceFault) {
    for (row, policy) in revert.step.policies where rows.slot(of: row) != nil {
      do throws(TableFault) {
        try set(policy: policy, ofRow: row)
      } catch { throw .table(error) }
    }
  }

  private func stands(section id: UInt64) -> Bool {
    sectionSlots[id].map { sectionOrder.isLive($0) } ?? false
  }

  /// A section as the step left it, where that changed its attributes.
  private func left(_ id: UInt64, _ revert: borrowing Revert) -> SectionRecord? {
    revert.step.change.records.first { $0.record.id == id }?.record
  }

  /// Makes removed sections again, under their ids and without rows, and moves moved ones back.
  func restoreSections(_ revert: inout Revert) throws(ServiceFault) {
    var slots: [UInt32] = []
    let places = revert.step.sections.filter(\.isPlaced).sorted { $0.index < $1.index }
    for place in places {
      if stands(section: place.record.id), let slot = sectionSlots[place.record.id] {
        _ = touch(section: slot)
        sectionOrder.remove(slot)
        slots.append(slot)
      } else {
        guard sectionOrder.count(sectionRoot) + slots.count < TableLimits.sections else {
          throw .table(
            TableFault(
              .tooManySections, expected: "at most \(TableLimits.sections) sections"))
        }
        slots.append(enlist(place.record))
      }
    }
    var counts: [UInt32: Int] = [:]
    for (place, slot) in zip(places, slots) {
      let anchor = revert.anchors[.section(place.after)].flatMap { $0 }
      let base = anchor.map { sectionOrder.position(of: $0).index + 1 } ?? 0
      sectionOrder.insert(slot, into: sectionRoot, at: base + counts[anchor ?? .max, default: 0])
      counts[anchor ?? .max, default: 0] += 1
    }
  }

  /// Removes the sections that the step made; nobody may have put rows there since.
  func removeSections(_ revert: inout Revert) throws(ServiceFault) {
    for id in revert.addedSections {
      guard let slot = sectionSlots[id] else { continue }
      var left: [UInt64] = []
      order.forEach(sections[Int(slot)].root, from: 0) { row in
        left.append(rows.id(row))
        return left.count < Revert.listed
      }
      for row in left { try revert.blame(.row(row)) }
      if left.isEmpty { dropSection(slot) }
    }
  }

  /// Gives sections and the table their old attributes, those that the step changed.
  func revertAttributes(_ revert: borrowing Revert) {
    for place in revert.step.sections {
      guard let left = left(place.record.id, revert), let slot = sectionSlots[place.record.id]
      else { continue }
      var record = sections[Int(slot)].record
      if place.record.title != left.title { record.title = place.record.title }
      if place.record.header != left.header { record.header = place.record.header }
      if place.record.footer != left.footer { record.footer = place.record.footer }
      if place.record.sentinel != left.sentinel { record.sentinel = place.record.sentinel }
      if place.record.policy != left.policy { record.policy = place.record.policy }
      if record != sections[Int(slot)].record { replace(section: slot, with: record) }
    }
    let change = revert.step.change
    if change.headersChanged {
      if revert.step.header != change.header { header = revert.step.header }
      if revert.step.footer != change.footer { footer = revert.step.footer }
      work.headersChanged = header != work.before?.header || footer != work.before?.footer
    }
    if change.policyChanged {
      policy = revert.step.policy
      work.policyChanged = policy != work.before?.policy
    }
  }
}
