internal import Coding

/// What taking a change back needs beside the change itself: hp.v1.Before (contract E9).
extension Table {
  /// Tells how the table was before the open batch, as far as the change does not.
  ///
  /// - Returns: Fields `before` of hp.v1.Change, in parts.
  /// - Complexity: O(*k* log *k*).
  func before() -> [[UInt8]] {
    guard let before = work.before else { return [] }
    // An insertion is taken back by what the change tells.
    if work.rows.isEmpty, work.sections.isEmpty, changes.origins.isEmpty,
      changes.rowPolicies.isEmpty, !work.schemaChanged, !work.headersChanged, !work.policyChanged
    {
      return []
    }
    var writer = BeforeWriter(table: id)
    if work.schemaChanged {
      for column in before.schema.columns {
        writer.append { $0.appendField(2, message: { column.append(to: &$0) }) }
      }
    }
    appendSections(to: &writer)
    appendPlaces(to: &writer)
    writer.append { bytes in
      if work.headersChanged {
        if let header = before.header { bytes.appendField(5, bytes: header) }
        if let footer = before.footer { bytes.appendField(6, bytes: footer) }
      }
      if work.policyChanged, let policy = before.policy { bytes.appendField(7, bytes: policy) }
    }
    for (row, policy) in oldPolicies() {
      writer.append { $0.appendField(8) { Table.append(policy: policy, ofRow: row, to: &$0) } }
    }
    return writer.close()
  }

  private func appendSections(to writer: inout BeforeWriter) {
    var list: [(index: Int, slot: UInt32, record: SectionRecord, isPlaced: Bool)] = []
    for section in work.sections {
      guard let index = sectionOrder.oldPosition(of: section.slot)?.index else { continue }
      let fate = work.fates[section.slot]
      let isPlaced = fate == .deleted || fate == .moved
      guard isPlaced || section.old != nil else { continue }
      list.append(
        (index, section.slot, section.old ?? sections[Int(section.slot)].record, isPlaced))
    }
    list.sort { $0.index < $1.index }
    var last = -2
    var after: UInt64 = 0
    for (index, _, record, isPlaced) in list {
      if isPlaced {
        if index != last + 1 {
          after =
            index == 0
            ? 0
            : sections[Int(sectionOrder.oldElement(sectionRoot, at: index - 1))].record.id
        }
        last = index
      }
      writer.append {
        $0.appendField(3) { place in
          place.appendField(1) { record.append(to: &$0, index: index) }
          if isPlaced {
            if after != 0 { place.appendField(2, varint: after) }
            place.appendField(3, bool: true)
          }
        }
      }
    }
  }

  private func appendPlaces(to writer: inout BeforeWriter) {
    var origins = changes.origins
    origins.sort {
      breathe()
      return $0.comes(before: $1)
    }
    var start = 0
    while start < origins.count {
      let first = origins[start]
      var end = start + 1
      while end < origins.count, origins[end].home == first.home,
        origins[end].row == origins[end - 1].row + 1
      {
        end += 1
      }
      let home = sections[Int(first.home)]
      // What stands before a block of these is none of them: it stayed.
      let after =
        first.row == 0 ? 0 : rows.id(order.oldElement(home.root, at: Int(first.row) - 1))
      writer.append(
        section: home.record.id, row: Int(first.row), after: after,
        ids: origins[start..<end].lazy.map {
          self.breathe()
          return self.rows.id($0.slot)
        })
      start = end
    }
  }

  /// Tells the cells of dropped columns that rows bring back with them.
  func encodeHidden(_ writer: inout ChangeWriter) {
    for slot in work.newRows where order.isLive(slot) && work.restored[slot] != nil {
      breathe()
      var image: [UInt8] = []
      let hasHidden = rows.withImage(slot) {
        RowImage.appendHidden($0, by: schema, to: &image)
      }
      if hasHidden { writer.append { $0.appendField(16, image: image.span) } }
    }
  }

  /// Tells the rows that have cells in columns that came back.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  func tellReturned() {
    var told = Set(changes.images.map(\.slot))
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      order.forEach(sections[Int(section)].root, from: 0) { slot in
        breathe()
        let hasCell = rows.withImage(slot) { image in
          work.returned.contains { RowImage.cell($0, in: image) != nil }
        }
        if hasCell, told.insert(slot).inserted {
          let from = order.oldPosition(of: slot)?.owner ?? section
          changes.images.append(ChangeList.Image(slot: slot, home: section, from: from))
        }
        return true
      }
    }
  }
}

/// Writes hp.v1.Before, cut into parts.
private struct BeforeWriter {
  private let head: [UInt8]
  private var open: [UInt8]
  private var parts: [[UInt8]] = []

  init(table: UInt64) {
    var head: [UInt8] = []
    head.appendField(1, varint: table)
    self.head = head
    open = head
  }

  mutating func append(_ body: (inout [UInt8]) -> Void) {
    body(&open)
    if open.count > TableLimits.part { cut() }
  }

  /// Appends a block of neighbours, in several pieces where it is long.
  mutating func append(
    section: UInt64, row: Int, after: UInt64, ids: some Sequence<UInt64>
  ) {
    var list: [UInt8] = []
    var last: UInt64 = 0
    var (first, next) = (row, row)
    for id in ids {
      list.appendVarint(Varint.zigzag(Int64(bitPattern: id &- last)))
      last = id
      next += 1
      guard list.count >= TableLimits.part else { continue }
      close(section, first, after, list)
      list.removeAll(keepingCapacity: true)
      (first, last) = (next, 0)
    }
    if !list.isEmpty { close(section, first, after, list) }
  }

  private mutating func close(
    _ section: UInt64, _ row: Int, _ after: UInt64, _ list: [UInt8]
  ) {
    append {
      $0.appendField(4) { block in
        block.appendField(1, varint: section)
        block.appendField(2, varint: UInt64(row))
        if after != 0 { block.appendField(3, varint: after) }
        block.appendField(4, bytes: list)
      }
    }
  }

  private mutating func cut() {
    var part: [UInt8] = []
    part.appendField(12, bytes: open)
    parts.append(part)
    open = head
  }

  mutating func close() -> [[UInt8]] {
    if open.count > head.count { cut() }
    return parts
  }
}
