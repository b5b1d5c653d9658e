internal import Coding

/// Telling the net change: the parts of the change and the fields of the reply.
extension Table {
  /// Encodes `changes` while the batch is still open.
  ///
  /// - Parameters:
  ///   - outcome: Gets counts, ids, parts and the reply.
  ///   - context: Revision, time and who asks.
  ///   - long: Takes the parts of a long change; those left are the outcome's.
  /// - Complexity: O(*k* log *k*) and the bytes written.
  func encode(
    into outcome: inout Outcome, _ context: borrowing ChangeContext, _ long: LongParts? = nil
  ) {
    let firsts = outcome.isDryRun ? work.before?.mark : nil
    let id: (UInt32) -> UInt64 = { [rows] slot in
      self.breathe()
      let id = rows.id(slot)
      guard let firsts, id >= firsts.row else { return id }
      return firsts.row &- id &- 1
    }
    outcome.counts = changes.counts
    outcome.inserted = Self.runs(of: changes.newRows, id)
    outcome.insertedSections = Self.runs(of: changes.newSections) { slot in
      let id = sections[Int(slot)].record.id
      guard let firsts, id >= firsts.section else { return id }
      return firsts.section &- id &- 1
    }
    sortChanges()
    outcome.deleted = IDRun.runs(of: changes.deleted)
    outcome.hasColumns = work.schemaChanged
    if work.isReload { outcome.event = .reloaded }
    let wantsParts = !outcome.isDryRun && !outcome.isUnchanged
    // It is taken out of the object while it is used, so that its lists are looked at where they
    // stand.
    var writer = ChangeWriter()
    swap(&writer, &self.writer)
    defer { swap(&writer, &self.writer) }
    let schemaRevision = work.schemaChanged ? context.revision : schema.revision
    writer.open(context, wantsParts: wantsParts) { bytes in
      bytes.appendField(1, varint: self.id)
      bytes.appendField(2, varint: schemaRevision)
      if work.nameChanged {
        bytes.appendField(3, varint: work.isCreation ? 1 : 2)
        bytes.appendField(4, text: name)
      } else if work.isReload {
        bytes.appendField(3, varint: UInt64(ChangeHead.Event.reloaded.rawValue))
      }
    }
    writer.sink = long.map { long in { long.write(bodies: $0) } }
    defer { writer.sink = nil }
    if work.schemaChanged { for column in schema.columns { writer.append(column) } }
    writer.rowAnimations = work.rowAnimations
    writer.sectionAnimations = work.sectionAnimations
    encodeStages(&writer, id)
    outcome.isStep = !work.isCreation && !work.nameChanged && changes.isStep
    if wantsParts {
      encodeContent(&writer)
      outcome.change = writer.close()
      outcome.oldRows = oldRows(long)
      for part in before() {
        if let last = outcome.oldRows.last, last.count + part.count <= TableLimits.part {
          outcome.oldRows[outcome.oldRows.count - 1] += part
        } else {
          outcome.oldRows.append(part)
        }
      }
      addSites(writer.homes, to: &outcome)
      if long != nil { outcome.emptyPart = writer.emptyPart }
    }
    encodeReply(&outcome, writer)
  }

  private func sortChanges() {
    changes.deletedSections.order(by: <)
    changes.insertedSections.order(by: <)
    changes.movedSections.order { $0.old < $1.old }
    changes.reloadedSections.order { $0.old < $1.old }
    sort(&changes.main)
    sort(&changes.moved)
    changes.replaced.order(by: ends)
    changes.reloads.order { ends($0.new, $1.new) }
    changes.deleted.order {
      breathe()
      return $0 < $1
    }
  }

  private func sort(_ rows: inout ChangeList.Rows) {
    rows.deletes.order(by: ends)
    rows.inserts.order(by: ends)
    rows.contents.order(by: ends)
    rows.moves.order { ends($0.from, $1.from) }
  }

  private func ends(_ one: ChangeList.End, _ other: ChangeList.End) -> Bool {
    breathe()
    return one.comes(before: other)
  }

  private func encodeStages(_ writer: inout ChangeWriter, _ id: (UInt32) -> UInt64) {
    writer.openStage(1)
    writer.append(2, sections: changes.deletedSections)
    writer.append(3, sections: changes.insertedSections)
    writer.append(4, sections: changes.movedSections)
    encode(changes.main, &writer, id)
    if !work.sectionAnimations.isEmpty { encodeSectionAnimations(&writer) }
    writer.closeStage()
    if !changes.moved.isEmpty {
      writer.openStage(2)
      encode(changes.moved, &writer, id)
      writer.closeStage()
    }
    if changes.reloadedSections.isEmpty, changes.replaced.isEmpty, changes.reloads.isEmpty {
      return
    }
    writer.openStage(3)
    writer.append(5, sections: changes.reloadedSections)
    writer.append(10, rows: changes.replaced, id: id, section: sectionID)
    writer.append(reloads: changes.reloads, columns: changes.columns, id: id)
    writer.closeStage()
  }

  private func encode(
    _ rows: borrowing ChangeList.Rows, _ writer: inout ChangeWriter, _ id: (UInt32) -> UInt64
  ) {
    writer.append(6, rows: rows.deletes, id: id, section: sectionID)
    writer.append(7, rows: rows.inserts, id: id, section: sectionID)
    writer.append(moves: rows.moves, id: id)
    writer.append(10, rows: rows.contents, id: id, section: sectionID)
  }

  private func sectionID(_ slot: UInt32) -> UInt64 { sections[Int(slot)].record.id }

  private func encodeContent(_ writer: inout ChangeWriter) {
    for (slot, index) in changes.records {
      writer.append {
        $0.appendField(7) {
          self.sections[Int(slot)].record.append(to: &$0, index: Int(index))
        }
      }
    }
    for image in changes.images {
      breathe()
      let home = RowHome(
        section: sections[Int(image.home)].record.id, from: sections[Int(image.from)].record.id,
        isNew: image.isNew, columns: Array(changes.columns[image.columns]))
      writer.append(home) { bytes in
        withShown(image.slot) { image in bytes.appendField(8, image: image) }
      }
    }
    for run in IDRun.runs(of: changes.deleted) {
      writer.append { $0.appendField(9, run: run) }
    }
    writer.append { bytes in
      if work.headersChanged {
        if let header { bytes.appendField(10, bytes: header) }
        if let footer { bytes.appendField(11, bytes: footer) }
        bytes.appendField(12, bool: true)
      }
      if work.schemaChanged { bytes.appendField(13, bool: true) }
      if work.policyChanged {
        if let policy { bytes.appendField(14, bytes: policy) }
        bytes.appendField(15, bool: true)
      }
    }
    if !work.restored.isEmpty { encodeHidden(&writer) }
    if !changes.rowPolicies.isEmpty { encodePolicies(&writer) }
  }

  private func encodeReply(_ outcome: inout Outcome, _ writer: borrowing ChangeWriter) {
    var reply: [UInt8] = []
    reply.reserveCapacity(writer.replyStages.count + 128)
    reply.appendField(5, upTo: 99) { outcome.counts.append(to: &$0) }
    for run in outcome.inserted {
      if reply.count > TableLimits.replyPage / 2 {
        outcome.isTruncated = true
        break
      }
      reply.appendField(6, run: run)
    }
    reply.append(contentsOf: writer.replyStages)
    if writer.isTruncated || outcome.isTruncated {
      outcome.isTruncated = true
      reply.appendField(8, bool: true)
    }
    if outcome.isStep, !work.isRevert { reply.appendField(9, bool: true) }
    for run in outcome.insertedSections { reply.appendField(12, run: run) }
    outcome.reply = reply
  }

  /// Rows before the change: changed and removed ones, and the policies that rows had.
  private func oldRows(_ long: LongParts?) -> [[UInt8]] {
    if work.rows.isEmpty, changes.rowPolicies.isEmpty { return [] }
    var parts: [[UInt8]] = []
    var part: [UInt8] = []
    let schema = work.before?.schema ?? self.schema
    for row in work.rows {
      breathe()
      let start = part.count
      if !row.oldImage.isEmpty {
        part.appendField(10, image: row.oldImage.span)
        if schema.reshapes { part.appendOldRow(row.oldImage.span, by: schema) }
      } else if !order.isLive(row.slot) {
        rows.withImage(row.slot) {
          part.appendField(10, image: $0)
          if schema.reshapes { part.appendOldRow($0, by: schema) }
        }
      }
      if part.count > start, let old = order.oldPosition(of: row.slot) {
        part.appendField(ChangeSites.oldHome, varint: sectionID(old.owner))
      }
      if part.count > TableLimits.part {
        parts.append(part)
        part = []
        if let long, parts.count * TableLimits.part >= LongParts.slice {
          long.write(olds: parts)
          parts = []
        }
      }
    }
    let policies = oldPolicies()
    if !policies.isEmpty {
      part.appendField(12) { before in
        before.appendField(1, varint: self.id)
        for (row, policy) in policies {
          before.appendField(8) { Table.append(policy: policy, ofRow: row, to: &$0) }
        }
      }
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  private static func runs(of slots: [UInt32], _ id: (UInt32) -> UInt64) -> [IDRun] {
    var runs: [IDRun] = []
    for slot in slots { runs.append(id: id(slot)) }
    return runs
  }
}

extension Array {
  /// Sorts, at no cost where there is nothing to do: most lists have one element or none, and
  /// appending to a section gives them in order already.
  @inline(__always)
  fileprivate mutating func order(by precedes: (Element, Element) -> Bool) {
    if count > 1 { orderSome(by: precedes) }
  }

  private mutating func orderSome(by precedes: (Element, Element) -> Bool) {
    var index = 1
    while index < count, !precedes(self[index], self[index - 1]) { index += 1 }
    if index < count { sort(by: precedes) }
  }
}

extension ChangeList.End {
  /// Whether it stands before another one.
  func comes(before other: ChangeList.End) -> Bool {
    (section, row) < (other.section, other.row)
  }
}

extension ChangeWriter {
  /// Appends a column of the schema.
  mutating func append(_ column: Column) {
    append { $0.appendField(5, message: { column.append(to: &$0) }) }
  }
}

extension ChangeCounts {
  /// Appends hp.v1.Counts; zeros are left out.
  func append(to room: inout OutputSpan<UInt8>) {
    let all: [9 of UInt64] = [
      rowsInserted, rowsDeleted, rowsMoved, rowsUpdated, sectionsInserted, sectionsDeleted,
      sectionsMoved, sectionsUpdated, matched,
    ]
    for index in all.indices where all[index] > 0 {
      room.appendField(UInt32(index + 1), varint: all[index])
    }
  }
}

extension [IDRun] {
  /// Appends an id, to the last run where it is the next one.
  mutating func append(id: UInt64) {
    if let last, id != 0, last.first &+ last.count == id {
      self[count - 1].count += 1
    } else {
      append(IDRun(first: id))
    }
  }
}

extension IDRun {
  /// The runs of ids in their order.
  static func runs(of ids: [UInt64]) -> [IDRun] {
    var runs: [IDRun] = []
    for id in ids { runs.append(id: id) }
    return runs
  }
}

extension [UInt8] {
  /// Appends a field that holds a row image.
  mutating func appendField(_ field: UInt32, image: Span<UInt8>) {
    appendTag(field, .lengthDelimited)
    appendVarint(UInt64(image.count))
    append(copying: image, 0..<image.count)
  }
}
