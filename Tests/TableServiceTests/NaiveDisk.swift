@testable import TableService

/// What the pure writes leave on disk, and loading it again.
struct NaiveDisk {
  struct Row {
    var section: UInt64
    var label: Int64
    var image: [UInt8]
  }

  var rows: [UInt64: Row] = [:]
  var sections: [UInt64: (label: Int64, bytes: [UInt8])] = [:]
  var table: [UInt8]?
  var policies: [UInt64: [UInt8]] = [:]
  var lastChanged: UInt64 = 0
  var revision: UInt64 = 0

  /// Writes all that waits.
  mutating func write(_ pending: PendingWrites) {
    let reached = pending.forEach { write, bytes in
      let content = [UInt8](copying: bytes, write.bytes)
      switch write.kind {
      case .row: rows[write.id] = Row(section: write.section, label: write.label, image: content)
      case .place:
        rows[write.id]?.section = write.section
        rows[write.id]?.label = write.label
      case .deleteRow: rows[write.id] = nil
      case .section: sections[write.id] = (write.label, content)
      case .deleteSection: sections[write.id] = nil
      case .policy: policies[write.id] = content.isEmpty ? nil : content
      case .changed: lastChanged = write.id
      case .table: table = content
      case .dropTable: break
      }
      return true
    }
    guard let reached else { return }
    revision = reached
    pending.remove(through: reached)
  }

  /// Fills a table from it, in no certain order.
  func load(into table: Table) throws {
    var loader = TableLoader(table)
    for (_, section) in sections {
      let record = try SectionRecord(at: 0..<section.bytes.count, in: section.bytes.span)
      try loader.add(record, label: section.label)
    }
    for (_, row) in rows { try loader.addRow(row.image, section: row.section, label: row.label) }
    try loader.finish()
    guard table.load(policies: policies) else { throw FoldFault.missing }
  }
}
