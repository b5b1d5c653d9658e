/// Where rows and sections that come back go: behind the nearest predecessor that neither the
/// step nor a later one moved (contracts E3, E9).
///
/// Rows that no step that counts has placed since keep their order among each other. So it is
/// enough to go from the predecessor that the journal names for the old place, over the
/// predecessors that later steps name for theirs, to the first one that stands where it stood.
extension Table {
  /// Finds the anchor of a row's old place.
  ///
  /// - Parameters:
  ///   - row: The nearest row before it that the step left in place; 0: none.
  ///   - section: The slot of its section, which is there.
  ///   - revert: The work.
  /// - Returns: The anchor's slot; `nil`: the section's start.
  /// - Throws: Where the store can't be read.
  func anchor(
    afterRow row: UInt64, in section: UInt32, _ revert: inout Revert
  ) throws(ServiceFault) -> UInt32? {
    try anchor(
      .row(row), in: sections[Int(section)].record.id, &revert,
      slot: { element in
        guard case .row(let id) = element, let slot = self.slot(of: id),
          self.order.position(of: slot).owner == section
        else { return nil }
        return slot
      },
      before: { slot in
        let position = self.order.position(of: slot)
        guard position.index > 0 else { return nil }
        let root = self.sections[Int(section)].root
        return .row(self.rows.id(self.order.element(root, at: position.index - 1)))
      })
  }

  /// Finds the anchor of a section's old place.
  func anchor(
    afterSection section: UInt64, _ revert: inout Revert
  ) throws(ServiceFault) -> UInt32? {
    try anchor(
      .section(section), in: 0, &revert,
      slot: { element in
        guard case .section(let id) = element, let slot = self.sectionSlots[id],
          self.sectionOrder.isLive(slot)
        else { return nil }
        return slot
      },
      before: { slot in
        let index = self.sectionOrder.position(of: slot).index
        guard index > 0 else { return nil }
        let before = self.sectionOrder.element(self.sectionRoot, at: index - 1)
        return .section(self.sections[Int(before)].record.id)
      })
  }

  private func anchor(
    _ first: Element, in section: UInt64, _ revert: inout Revert,
    slot: (Element) -> UInt32?, before: (UInt32) -> Element?
  ) throws(ServiceFault) -> UInt32? {
    if let found = revert.anchors[first] { return found }
    var element = first
    var moment: UInt64 = 0
    var found: UInt32?
    while !element.isNone {
      let stands = slot(element)
      if let stands, !revert.own.contains(element),
        try !revert.later.touches(of: [element]).contains(where: \.isPlaced)
      {
        found = stands
        break
      }
      // Also what does not count may have put it elsewhere: an undo of an earlier step.
      guard let next = try revert.later.placement(of: element, after: moment) else {
        // It was put there before that moment and not moved since: what stood before it then
        // does so now, and no earlier place has to be asked for.
        moment = .max
        element = stands.flatMap(before) ?? element.none
        continue
      }
      guard let origin = try revert.later.origin(of: element, in: next) else {
        throw .table(
          TableFault(
            .stale, expected: "a step whose later ones are kept", revision: next))
      }
      if origin.section != section { break }
      element = element.with(origin.after)
      moment = next
    }
    revert.anchors[first] = .some(found)
    return found
  }

  /// Finds all anchors, while the table is as it was before anything is taken back.
  func findAnchors(_ revert: inout Revert) throws(ServiceFault) {
    for place in revert.step.sections where place.isPlaced {
      _ = try anchor(afterSection: place.after, &revert)
    }
    for block in revert.step.places {
      guard let slot = sectionSlots[block.section], sectionOrder.isLive(slot) else { continue }
      _ = try anchor(afterRow: block.after, in: slot, &revert)
    }
  }
}

extension Element {
  /// Whether it stands for nothing: ids begin at 1.
  var isNone: Bool {
    switch self {
    case .row(let id), .section(let id): id == 0
    }
  }

  /// Nothing of the same kind.
  var none: Element { with(0) }

  /// Another element of the same kind.
  func with(_ id: UInt64) -> Element {
    switch self {
    case .row: .row(id)
    case .section: .section(id)
    }
  }
}
