internal import Coding

extension Service {
  /// Reads the tables from the store, and folds what the journal has beyond them.
  func load() throws(StoreFault) {
    abandonLong()
    hiddenSweep = nil
    tableList.removeAll()
    pending.remove(through: .max)
    try store.finishLarge()
    identifiers.mark = Identifiers.Mark(
      row: store.counters[.row], section: store.counters[.section],
      table: store.counters[.table])
    for stored in try store.loadTables() {
      tableList.append(try load(stored))
    }
    states = try store.loadStates()
    try replay()
    revision = store.lastRevision
    durableRevision = revision
  }

  private func load(_ stored: StoredTable) throws(StoreFault) -> Table {
    let table: Table
    do throws(CodingFault) {
      table = try Table(
        stored: stored.content.span, nextColumn: stored.nextColumn,
        lastChanged: stored.lastChanged, identifiers: identifiers, pending: pending)
    } catch { throw .damaged(.loading) }
    var loader = TableLoader(table)
    do throws(FoldFault) {
      for section in stored.sections {
        let record: SectionRecord
        do throws(CodingFault) {
          record = try SectionRecord(
            at: 0..<section.content.count, in: section.content.span)
        } catch { throw .coding(error) }
        try loader.add(record, label: section.label)
      }
    } catch { throw .damaged(.loading) }
    try store.loadRows(table: stored.id) { (section, label, image) throws(FoldFault) in
      try loader.addRow(image, section: section, label: label)
    }
    do throws(FoldFault) { try loader.finish() } catch { throw .damaged(.loading) }
    guard table.load(policies: stored.policies) else { throw .damaged(.loading) }
    return table
  }

  /// Folds the journal's records that are not materialised.
  private func replay() throws(StoreFault) {
    var position = store.meta.materialisedPosition
    while true {
      guard
        var entries = try store.read(after: position, limitBytes: 4 << 20, limitRecords: 10_000)
      else { throw .damaged(.loading) }
      guard !entries.isEmpty else { return }
      while let last = entries.last, !last.isLast {
        guard let more = try store.read(after: last.position, limitBytes: 1, limitRecords: 1),
          !more.isEmpty
        else { throw .damaged(.loading) }
        entries += more
      }
      position = entries[entries.count - 1].position
      var parts: [[UInt8]] = []
      for entry in entries where entry.isRevision {
        if !entry.body.isEmpty { parts.append(entry.body) }
        guard entry.isLast else { continue }
        do throws(FoldFault) { try fold(parts) } catch { throw .damaged(.loading) }
        parts.removeAll(keepingCapacity: true)
      }
    }
  }

  private func fold(_ parts: [[UInt8]]) throws(FoldFault) {
    var head: ChangeHead
    do {
      head = try ChangeHead(parts[0])
      // A table's later parts repeat it; another table's begin a part of their own.
      for part in parts.dropFirst() {
        for table in try ChangeHead(part).tables where !head.tables.contains(table) {
          head.tables.append(table)
        }
      }
    } catch { throw .coding(error) }
    for part in head.tables {
      switch part.event {
      case .created:
        tableList.append(
          try Table(folding: part.id, parts, identifiers: identifiers, pending: pending))
      case .dropped:
        guard let index = tableList.firstIndex(where: { $0.id == part.id }) else {
          throw .missing
        }
        tableList[index].foldDrop(revision: head.revision)
        tableList.remove(at: index)
      case .changed, .renamed, .reloaded:
        guard let table = table(id: part.id) else { throw .missing }
        try table.fold(parts)
      }
    }
  }

  /// Makes what every new store has.
  func makeItems() throws(StoreFault) {
    do throws(ServiceFault) {
      _ = try create(
        name: "items", columns: [], titles: [nil],
        by: Requester(uid: 0, actor: "hpd", client: 0, request: 0))
    } catch {
      if case .store(let fault) = error { throw fault }
      throw .damaged(.creating)
    }
    if case .failed(let fault) = commit() { throw fault }
  }

  /// Examines a store that nobody uses.
  ///
  /// - Parameter options: Which file.
  /// - Returns: What is wrong, in words.
  /// - Throws: Any `StoreFault` that stands in the way of looking.
  public static func check(_ options: StoreOptions) throws(StoreFault) -> [String] {
    let store = try Store(options, now: Instant.now())
    let findings = try store.check()
    try store.close(now: Instant.now())
    return findings.map { "\($0)" }
  }
}
