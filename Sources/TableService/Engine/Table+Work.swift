/// The open batch: what it touches, and taking it back.
extension Table {
  /// Opens a batch.
  func begin() {
    order.begin()
    sectionOrder.begin()
    work.before = Work.Before(
      mark: identifiers.mark, name: name, schema: schema, header: header, footer: footer,
      policy: policy)
  }

  /// Notes that a row is about to change.
  ///
  /// - Parameter slot: The row's slot.
  /// - Returns: Its place in `work.rows`, or `nil` for a row that the batch made.
  func touch(row slot: UInt32) -> Int? {
    if let index = work.rowIndex[slot] { return index }
    if order.isLive(slot), order.oldPosition(of: slot) == nil { return nil }
    work.rowIndex[slot] = work.rows.count
    work.rows.append(Work.Row(slot: slot))
    return work.rows.count - 1
  }

  /// Takes a row from its place.
  func lift(_ slot: UInt32) {
    if let index = touch(row: slot) { work.rows[index].isPlaced = true }
    order.remove(slot)
  }

  /// Notes that a section is about to change.
  ///
  /// - Parameter slot: The section's slot.
  /// - Returns: Its place in `work.sections`.
  func touch(section slot: UInt32) -> Int {
    if let index = work.sectionIndex[slot] { return index }
    work.sectionIndex[slot] = work.sections.count
    work.sections.append(Work.Section(slot: slot, isNew: false))
    return work.sections.count - 1
  }

  /// Gives a row new cells.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - image: Its new image.
  func replace(_ slot: UInt32, image: [UInt8]) {
    if let index = touch(row: slot), work.rows[index].oldImage.isEmpty {
      work.rows[index].oldImage = rows.image(slot)
    }
    rows.replace(slot, image: image)
    if !rows.keys.isEmpty { suspect(slot) }
  }

  /// Gives a section other attributes.
  ///
  /// - Parameters:
  ///   - slot: The section's slot.
  ///   - record: Its new attributes.
  func replace(section slot: UInt32, with record: SectionRecord) {
    let old = sections[Int(slot)].record
    let index = touch(section: slot)
    if !work.sections[index].isNew, work.sections[index].old == nil {
      work.sections[index].old = old
    }
    sections[Int(slot)].record = record
    if old.title != record.title {
      if let title = old.title { work.titles.append((title, slot)) }
      list(record.title, slot)
    }
  }

  /// Makes a section and puts it into the order.
  ///
  /// - Parameters:
  ///   - record: Its attributes.
  ///   - index: Its index among the sections as they are now.
  /// - Returns: Its slot.
  func addSection(_ record: SectionRecord, at index: Int) -> UInt32 {
    let slot = enlist(record)
    sectionOrder.insert(slot, into: sectionRoot, at: index)
    return slot
  }

  /// Makes a section that stands nowhere yet.
  ///
  /// - Parameter record: Its attributes.
  /// - Returns: Its slot.
  func enlist(_ record: SectionRecord) -> UInt32 {
    let slot: UInt32
    if let free = freeSections.popLast() {
      slot = free
      sections[Int(slot)] = SectionSlot(record: record, root: order.makeRoot(owner: slot))
    } else {
      slot = UInt32(sections.count)
      sections.append(SectionSlot(record: record, root: order.makeRoot(owner: slot)))
    }
    sectionSlots[record.id] = slot
    work.sectionIndex[slot] = work.sections.count
    work.sections.append(Work.Section(slot: slot, isNew: true))
    list(record.title, slot)
    return slot
  }

  /// Removes a section and its rows.
  func dropSection(_ slot: UInt32) {
    let root = sections[Int(slot)].root
    liftAll(of: slot)
    _ = touch(section: slot)
    if let title = sections[Int(slot)].record.title { work.titles.append((title, slot)) }
    sectionOrder.remove(slot)
    order.dropRoot(root)
  }

  /// Takes all rows of a section from their places.
  func liftAll(of slot: UInt32) {
    let root = sections[Int(slot)].root
    work.slots.removeAll(keepingCapacity: true)
    order.appendElements(root, 0..<order.count(root), to: &work.slots)
    let slots = work.slots
    for row in slots {
      lift(row)
      breathe()
    }
  }

  private func list(_ title: [UInt8]?, _ slot: UInt32) {
    guard let title else { return }
    titles[title, default: []].insert(slot)
    work.titles.append((title, slot))
  }

  /// Makes everything as it was before the batch.
  ///
  /// Long work goes on beside others meanwhile, who see what was there before in any case.
  func rollback() {
    rows.list(rest: breatheNow)
    for row in work.rows where !row.oldImage.isEmpty {
      rows.replace(row.slot, image: row.oldImage)
      breathe()
    }
    for section in work.sections {
      if let old = section.old { sections[Int(section.slot)].record = old }
    }
    order.rollback()
    sectionOrder.rollback()
    freeDeadSections()
    if let before = work.before {
      // Beside long work others were given ids.
      if breath == nil { identifiers.mark = before.mark }
      name = before.name
      schema = before.schema
      header = before.header
      footer = before.footer
      policy = before.policy
    }
    for (id, old) in work.policies { rowPolicies[id] = old }
    endOpenStage()
    for slot in work.newRows {
      rows.remove(slot)
      breathe()
    }
    if work.schemaTouched { dropKeys() }
    work.removeAll()
    changes.removeAll()
  }

  /// Frees the slots of sections that are not in the order once a batch is closed.
  func freeDeadSections() {
    for section in work.sections where !sectionOrder.isLive(section.slot) {
      let id = sections[Int(section.slot)].record.id
      if sectionSlots[id] == section.slot { sectionSlots[id] = nil }
    }
    for (title, slot) in work.titles {
      let stands = sectionOrder.isLive(slot) && sections[Int(slot)].record.title == title
      guard !stands, titles[title]?.remove(slot) != nil else { continue }
      if titles[title]?.isEmpty == true { titles[title] = nil }
    }
    for section in work.sections where !sectionOrder.isLive(section.slot) {
      sections[Int(section.slot)].record = SectionRecord(id: 0)
      freeSections.append(section.slot)
    }
  }
}
