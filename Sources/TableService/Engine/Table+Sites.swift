internal import Coding

/// What is kept beside a change, so that it can be told to who sees only some sections.
extension Table {
  /// Adds to an outcome what stands beside the parts of its change (see `ChangeSites`).
  ///
  /// - Parameters:
  ///   - homes: Where the rows of each part live.
  ///   - outcome: Has the parts.
  /// - Complexity: O(*k*) and the bytes written.
  func addSites(_ homes: [[UInt8]], to outcome: inout Outcome) {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    if !changes.gone.isEmpty {
      encodeGone { run in
        piece += run
        cut(&piece, into: &pieces)
      }
    }
    if !changes.crossings.isEmpty {
      encodeCrossings { run in
        piece += run
        cut(&piece, into: &pieces)
      }
    }
    if !changes.rowPolicies.isEmpty {
      encodePolicySites { run in
        piece += run
        cut(&piece, into: &pieces)
      }
    }
    outcome.sites = []
    outcome.sites.reserveCapacity(max(1, homes.count))
    outcome.sites.append(
      side {
        encodeSections(&$0)
        if let home = homes.first { $0 += home }
        // What is small stands beside the first part.
        if pieces.isEmpty { $0 += piece }
      })
    for part in homes.dropFirst() { outcome.sites.append(side { $0 += part }) }
    if pieces.isEmpty { return }
    if !piece.isEmpty { pieces.append(piece) }
    outcome.sidePieces = pieces.map { piece in side { $0 += piece } }
  }

  private func side(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    bytes.appendField(ChangeSites.field) {
      $0.appendField(1, varint: id)
      write(&$0)
    }
    return bytes
  }

  private func cut(_ piece: inout [UInt8], into pieces: inout [[UInt8]]) {
    guard piece.count > TableLimits.part else { return }
    pieces.append(piece)
    piece = []
  }

  /// The ids of the sections that the change names by an index, before and after it.
  private func encodeSections(_ bytes: inout [UInt8]) {
    var homes = SlotSet()
    for section in work.sections { homes.add(section.slot) }
    homes.add(changes.main)
    homes.add(changes.moved)
    for end in changes.replaced { homes.add(end.home) }
    for reload in changes.reloads {
      homes.add(reload.old.home)
      homes.add(reload.new.home)
    }
    homes.forEach { home in
      let id = sections[Int(home)].record.id
      if let old = sectionOrder.oldPosition(of: home) {
        bytes.appendField(2, upTo: 22) { room in
          room.appendField(1, varint: UInt64(old.index))
          room.appendField(2, varint: id)
        }
      }
      if sectionOrder.isLive(home) {
        let index = sectionOrder.position(of: home).index
        bytes.appendField(3, upTo: 22) { room in
          room.appendField(1, varint: UInt64(index))
          room.appendField(2, varint: id)
        }
      }
    }
  }

  /// Runs of removed rows by their sections.
  private func encodeGone(_ body: ([UInt8]) -> Void) {
    changes.gone.sort { ($0.home, $0.id) < ($1.home, $1.id) }
    var index = 0
    while index < changes.gone.count {
      let first = changes.gone[index]
      var count: UInt64 = 1
      index += 1
      while index < changes.gone.count, changes.gone[index] == (first.home, first.id + count) {
        count += 1
        index += 1
      }
      var run: [UInt8] = []
      run.appendField(5) {
        $0.appendField(1, varint: sections[Int(first.home)].record.id)
        $0.appendField(2, varint: first.id)
        if count != 1 { $0.appendField(3, varint: count) }
      }
      body(run)
    }
  }

  /// Rows that went to another section, with their images where the change has none.
  private func encodeCrossings(_ body: ([UInt8]) -> Void) {
    let changed = Set(changes.rowPolicies)
    for crossing in changes.crossings {
      var run: [UInt8] = []
      run.appendField(6) { bytes in
        bytes.appendField(1, varint: sections[Int(crossing.from)].record.id)
        bytes.appendField(2, varint: sections[Int(crossing.to)].record.id)
        bytes.appendField(3, varint: rows.id(crossing.slot))
        if crossing.isCarried {
          withShown(crossing.slot) { image in bytes.appendField(4, image: image) }
        }
        if rowPolicies.isEmpty { return }
        // One that changed is told with the others that did.
        let id = rows.id(crossing.slot)
        guard !changed.contains(id), let policy = rowPolicies[id] else { return }
        bytes.appendField(5) { entry in
          entry.appendField(1, varint: id)
          entry.appendField(2, bytes: policy)
        }
      }
      body(run)
    }
  }
}

extension Table {
  /// Policies of rows that changed, with the sections that the rows stand in now.
  fileprivate func encodePolicySites(_ body: ([UInt8]) -> Void) {
    for id in changes.rowPolicies {
      guard let slot = slot(of: id) else { continue }
      let home = order.position(of: slot).owner
      var run: [UInt8] = []
      run.appendField(7) { bytes in
        bytes.appendField(1, varint: sections[Int(home)].record.id)
        bytes.appendField(3, varint: id)
        bytes.appendField(5) { Table.append(policy: self.rowPolicies[id], ofRow: id, to: &$0) }
      }
      body(run)
    }
  }
}

/// Slots of sections, each once: mostly there is one, which takes no memory.
private struct SlotSet {
  private var first: UInt32?
  private var last: UInt32 = 0
  private var others: Set<UInt32> = []

  mutating func add(_ slot: UInt32) {
    guard let first else {
      (self.first, last) = (slot, slot)
      return
    }
    if slot == last { return }
    last = slot
    if slot != first { others.insert(slot) }
  }

  mutating func add(_ rows: borrowing ChangeList.Rows) {
    for end in rows.deletes { add(end.home) }
    for end in rows.inserts { add(end.home) }
    for end in rows.contents { add(end.home) }
    for move in rows.moves {
      add(move.from.home)
      add(move.to.home)
    }
  }

  /// Calls `body` with each, rising.
  func forEach(_ body: (UInt32) -> Void) {
    guard let first else { return }
    if others.isEmpty {
      body(first)
    } else {
      for slot in (others.union([first])).sorted() { body(slot) }
    }
  }
}

extension [UInt8] {
  /// Appends a row as a schema shows it, for those who are told of old rows.
  mutating func appendOldRow(_ image: Span<UInt8>, by schema: Schema) {
    appendField(ChangeSites.oldShown) { RowImage.appendShown(image, by: schema, to: &$0) }
  }
}
