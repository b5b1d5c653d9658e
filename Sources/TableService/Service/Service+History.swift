extension Service {
  /// Reads revisions in order, whole ones (contract K2).
  ///
  /// - Parameters:
  ///   - revision: The one after which to begin.
  ///   - bytes: About how many bytes; one revision is always read.
  ///   - records: At most how many revisions.
  /// - Returns: The revisions; empty where there is none after it.
  /// - Throws: `compacted`, or what the store says.
  public func history(
    after revision: UInt64, bytes: Int, records: Int
  ) throws(ServiceFault) -> [CommittedRecord] {
    var list: [CommittedRecord] = []
    do throws(StoreFault) {
      guard
        var entries = try store.read(
          afterRevision: revision, limitBytes: bytes, limitRecords: records)
      else { throw StoreFault.exhausted }
      while let last = entries.last, !last.isLast {
        guard
          let more = try store.read(after: last.position, limitBytes: 1, limitRecords: 1),
          !more.isEmpty
        else { throw StoreFault.damaged(.reading) }
        entries += more
      }
      for entry in entries where entry.isRevision {
        if entry.part == 0 {
          list.append(
            CommittedRecord(revision: entry.revision, tables: entry.tables, parts: []))
        }
        list[list.count - 1].parts.append(entry.body)
      }
    } catch {
      if error == .exhausted { throw .compacted(oldest: store.historyStart) }
      throw .store(error)
    }
    return list
  }
}
