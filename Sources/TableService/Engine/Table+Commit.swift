internal import Coding

/// Making a batch final: pure writes for the materialiser.
extension Table {
  /// Closes the batch as a revision and appends what it writes.
  ///
  /// - Parameter revision: The revision.
  func commit(revision: UInt64) {
    let placed = commitOrder(revision: revision)
    commitRows(placed, revision: revision)
  }

  /// Makes the new order the only one: from here on the table is the new one.
  ///
  /// - Parameter revision: The revision.
  /// - Returns: The rows that got a label or another one.
  func commitOrder(revision: UInt64) -> [UInt32] {
    lastChanged = revision
    if !windows.isEmpty { updateWindows(revision) }
    if work.schemaChanged || work.headersChanged || work.nameChanged || work.policyChanged {
      writeTable()
    }
    if !work.policies.isEmpty || !rowPolicies.isEmpty { commitPolicies() }
    let placed = order.commit()
    for slot in sectionOrder.commit() { write(section: slot) }
    for section in work.sections {
      if !sectionOrder.isLive(section.slot) {
        if !section.isNew {
          pending.append(.deleteSection, table: id, id: sections[Int(section.slot)].record.id)
        }
      } else if section.old != nil {
        write(section: section.slot)
      }
    }
    freeDeadSections()
    if work.schemaTouched { dropKeys() }
    return placed
  }

  /// Puts away the rows that are gone, appends what is to be written of the others, and forgets
  /// the batch.
  ///
  /// - Parameters:
  ///   - placed: The rows that got a label or another one.
  ///   - revision: The revision.
  func commitRows(_ placed: [UInt32], revision: UInt64) {
    for slot in work.newRows where !order.isLive(slot) {
      rows.remove(slot)
      breathe()
    }
    for slot in placed {
      write(row: slot, ifImageOf: revision)
      breathe()
    }
    for row in work.rows {
      if !order.isLive(row.slot) {
        pending.append(.deleteRow, table: id, id: rows.id(row.slot))
        rows.remove(row.slot)
      } else if !row.oldImage.isEmpty, !row.isPlaced {
        write(row: row.slot, ifImageOf: revision)
      }
      breathe()
    }
    pending.append(.changed, table: id, id: revision)
    pending.close(revision: revision)
    work.removeAll()
    changes.removeAll()
  }

  /// Appends the table's own attributes.
  func writeTable() {
    pending.append(.table, table: id) { self.appendTable(to: &$0) }
  }

  /// Appends hp.v1.Table without sections and rows.
  ///
  /// - Parameter bytes: Where its fields go.
  public func appendTable(to bytes: inout [UInt8]) {
    Table.appendTable(
      id: id, name: name, schema: schema, lastChanged: lastChanged, header: header,
      footer: footer, policy: policy, to: &bytes)
  }

  static func appendTable(
    id: UInt64, name: String, schema: Schema, lastChanged: UInt64, header: [UInt8]?,
    footer: [UInt8]?, policy: [UInt8]?, columns: Set<UInt64>? = nil, to bytes: inout [UInt8]
  ) {
    bytes.appendField(1, varint: id)
    bytes.appendField(2, text: name)
    bytes.appendField(3, varint: schema.revision)
    bytes.appendField(4, varint: lastChanged)
    for column in schema.columns where columns?.contains(column.id) ?? true {
      bytes.appendField(5, message: { column.append(to: &$0) })
    }
    if let header { bytes.appendField(7, bytes: header) }
    if let footer { bytes.appendField(8, bytes: footer) }
    if let policy { bytes.appendField(10, bytes: policy) }
  }

  private func write(row slot: UInt32, ifImageOf revision: UInt64) {
    let section = sections[Int(order.position(of: slot).owner)].record.id
    let label = order.label(of: slot)
    let head = rows.withImage(slot) { RowImage.head(of: $0) }
    if head.revision == revision {
      pending.append(.row, table: id, id: head.id, section: section, label: label) {
        self.rows.appendImage(slot, to: &$0)
      }
    } else {
      pending.append(.place, table: id, id: head.id, section: section, label: label)
    }
  }

  private func write(section slot: UInt32) {
    let record = sections[Int(slot)].record
    let label = sectionOrder.label(of: slot)
    pending.append(.section, table: id, id: record.id, label: label) { record.append(to: &$0) }
  }
}
