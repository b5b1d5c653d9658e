/// Sections of a transition.
extension Table {
  /// Notes what an operation does to a section that was there, and where it puts one.
  ///
  /// - Parameters:
  ///   - index: The operation.
  ///   - batch: The batch.
  ///   - transition: The transition.
  /// - Throws: What finding the section throws; the code of a pair that contradicts itself.
  func claimSection(
    _ index: Int, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    switch batch.operations[index].action {
    case .insertSection(let new): try aim(index, new.place, in: batch, &transition)
    case .deleteSection(let reference):
      let slot = try pastSection(reference, in: batch)
      try judgeArrivals(reference)
      transition.slots[index] = slot
      var use = transition.sectionUses[slot] ?? Transition.SectionUse()
      if use.delete >= 0 { throw clash(.duplicate, index, use.delete, in: batch, transition) }
      if use.move >= 0 { throw clash(.deleteAndMove, index, use.move, in: batch, transition) }
      let change = max(use.reload, use.title, use.header, use.footer)
      if change >= 0 { throw clash(.deleteAndReload, index, change, in: batch, transition) }
      use.delete = index
      transition.sectionUses[slot] = use
    case .moveSection(let reference, let place):
      let slot = try pastSection(reference, in: batch)
      transition.slots[index] = slot
      var use = transition.sectionUses[slot] ?? Transition.SectionUse()
      if use.move >= 0 { throw clash(.moveTwiceFrom, index, use.move, in: batch, transition) }
      if use.delete >= 0 { throw clash(.deleteAndMove, index, use.delete, in: batch, transition) }
      if use.reload >= 0 { throw clash(.reloadAndMove, index, use.reload, in: batch, transition) }
      use.move = index
      transition.sectionUses[slot] = use
      try aim(index, place, in: batch, &transition)
    case .reloadSection(let reference, let rows):
      let slot = try pastSection(reference, in: batch)
      if rows != nil { try judgeArrivals(reference) }
      transition.slots[index] = slot
      var use = transition.sectionUses[slot] ?? Transition.SectionUse()
      if use.reload >= 0 { throw clash(.duplicate, index, use.reload, in: batch, transition) }
      if use.delete >= 0 {
        throw clash(.deleteAndReload, index, use.delete, in: batch, transition)
      }
      if use.move >= 0 { throw clash(.reloadAndMove, index, use.move, in: batch, transition) }
      use.reload = index
      use.rows = rows
      transition.sectionUses[slot] = use
    case .retitleSection(let reference, _):
      try claim(index, reference, \.title, in: batch, &transition)
    case .setHeaderFooter(.absent, let isFooter, _):
      let other = isFooter ? transition.footer : transition.header
      if other >= 0 { throw clash(.duplicate, index, other, in: batch, transition) }
      if isFooter { transition.footer = index } else { transition.header = index }
    case .setHeaderFooter(let reference, let isFooter, _):
      try claim(index, reference, isFooter ? \.footer : \.header, in: batch, &transition)
    default: break
    }
  }

  private func pastSection(
    _ reference: Batch.SectionRef, in batch: Batch
  ) throws(TableFault) -> UInt32 {
    if case .index = reference { try judgeReference(true) } else { try judgeReference(false) }
    return try section(reference, in: batch)
  }

  /// Notes an attribute that an operation sets.
  private func claim(
    _ index: Int, _ reference: Batch.SectionRef,
    _ attribute: WritableKeyPath<Transition.SectionUse, Int>, in batch: Batch,
    _ transition: inout Transition
  ) throws(TableFault) {
    let slot = try pastSection(reference, in: batch)
    transition.slots[index] = slot
    var use = transition.sectionUses[slot] ?? Transition.SectionUse()
    if use[keyPath: attribute] >= 0 {
      throw clash(.duplicate, index, use[keyPath: attribute], in: batch, transition)
    }
    if use.delete >= 0 { throw clash(.deleteAndReload, index, use.delete, in: batch, transition) }
    use[keyPath: attribute] = index
    transition.sectionUses[slot] = use
  }

  private func aim(
    _ index: Int, _ place: Batch.SectionPlace, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    guard case .index(let target) = place else {
      throw TableFault(.badRequest, expected: "a section's index in the new table")
    }
    if batch.basis == .absent {
      throw TableFault(.pathsNeedBasis, expected: "a basis: a cursor or current")
    }
    transition.sectionTargets.append(Transition.SectionTarget(index: target, operation: index))
  }

  /// Judges the places that sections take, and puts them in rising order.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - transition: The transition.
  /// - Throws: `outOfRange`, `duplicate`, `insertAndMove`, `moveCollision`, `tooManySections`.
  func judgeSectionTargets(
    _ batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    if transition.sectionTargets.isEmpty, work.past == nil { return }
    transition.sectionTargets.sort {
      breathe()
      return ($0.index, $0.operation) < ($1.index, $1.operation)
    }
    var count = sectionOrder.count(sectionRoot) + (work.past?.lostSections ?? 0)
    for operation in batch.operations {
      breathe()
      switch operation.action {
      case .insertSection: count += 1
      case .deleteSection: count -= 1
      default: break
      }
    }
    for target in transition.sectionTargets where target.index >= UInt64(count) {
      let fault = TableFault(
        .outOfRange, value: "\(target.index)",
        expected: "a section below \(count) in the new table")
      throw fault.at(target.operation)
    }
    var last: Transition.SectionTarget?
    for target in transition.sectionTargets {
      breathe()
      if let last, last.index == target.index {
        let code = clashCode(last.operation, target.operation, in: batch)
        throw clash(code, target.operation, last.operation, in: batch, transition)
      }
      last = target
    }
    if count > TableLimits.sections {
      throw TableFault(
        .tooManySections, expected: "at most \(TableLimits.sections) sections")
    }
    if let past = work.past { rebaseSections(past, &transition) }
  }

  /// The code for two operations that put something at the same place.
  func clashCode(_ one: Int, _ other: Int, in batch: Batch) -> TableFault.Code {
    switch (isMove(one, in: batch), isMove(other, in: batch)) {
    case (true, true): .moveCollision
    case (false, false): .duplicate
    default: .insertAndMove
    }
  }

  private func isMove(_ operation: Int, in batch: Batch) -> Bool {
    switch batch.operations[operation].action {
    case .moveRow, .moveSection: true
    default: false
    }
  }

  /// Makes the section that an operation asks for, placed nowhere yet, or sets attributes.
  ///
  /// - Parameters:
  ///   - index: The operation.
  ///   - batch: The batch.
  ///   - transition: The transition.
  /// - Throws: What titles, headers and footers are refused for, `tooManySections`.
  func makeSection(
    _ index: Int, in batch: Batch, _ transition: inout Transition
  ) throws(TableFault) {
    switch batch.operations[index].action {
    case .insertSection(let new):
      var record = try record(of: new, in: batch)
      guard let id = identifiers.nextSection() else {
        throw TableFault(
          .tooManySections, expected: "at most \(TableLimits.sections) sections")
      }
      record.id = id
      let slot = enlist(record)
      transition.slots[index] = slot
      transition.makers[slot] = index
      if let handle = new.handle { try give(handle, .section(slot)) }
    case .retitleSection(_, let title): try retitle(transition.slots[index], title, in: batch)
    case .setHeaderFooter(.absent, let isFooter, let value):
      try setHeaderFooter(.absent, isFooter: isFooter, value, in: batch)
    case .setHeaderFooter(_, let isFooter, let value):
      let id = sections[Int(transition.slots[index])].record.id
      try setHeaderFooter(.id(id), isFooter: isFooter, value, in: batch)
    default: break
    }
  }

  /// Takes sections from their places and fills the new ones; reloaded ones lose their rows.
  func placeSections(_ batch: Batch, _ transition: Transition) {
    for (index, operation) in batch.operations.enumerated() {
      breathe()
      let slot = transition.slots[index]
      switch operation.action {
      case .deleteSection: dropSection(slot)
      case .moveSection:
        _ = touch(section: slot)
        sectionOrder.remove(slot)
      case .reloadSection(_, let rows):
        let place = touch(section: slot)
        work.sections[place].isReloaded = true
        guard rows != nil else { continue }
        work.sections[place].isReplaced = true
        liftAll(of: slot)
      default: break
      }
    }
    for target in transition.sectionTargets {
      breathe()
      sectionOrder.insert(
        transition.slots[target.operation], into: sectionRoot, at: Int(target.index))
    }
  }
}
