/// What a rebased batch is judged by (contract E3).
extension Service {
  /// Gives a rebased batch the changes of its table after its cursor.
  ///
  /// Without them, where the history is not kept so long, the table refuses it as stale.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - table: The table to change.
  /// - Throws: What the store says.
  func fillPast(_ batch: Batch, _ table: Table) throws(ServiceFault) {
    guard case .rebased(let cursor) = batch.basis, batch.mode == .transition,
      cursor.epoch == epoch, cursor.revision < table.lastChanged,
      cursor.revision >= store.historyStart
    else { return }
    var position = try self.position(after: cursor.revision)
    var parts: [[UInt8]] = []
    var isWanted = false
    while true {
      let (entries, next) = try history(after: position, bytes: 256 << 10, records: 256)
      for entry in entries where entry.revision > cursor.revision {
        if entry.part == 0 { isWanted = entry.tables.contains(table.id) }
        guard isWanted else { continue }
        parts.append(entry.body)
        if entry.isLast {
          batch.since.append(parts)
          parts = []
        }
      }
      if next == position { break }
      position = next
      table.breatheNow()
    }
    for record in turn.records where record.tables.contains(table.id) {
      guard let revision = record.revision, revision > cursor.revision else { continue }
      batch.since.append(record.parts.map(\.body))
    }
  }
}
