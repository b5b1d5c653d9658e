internal import Coding

/// A page of history, newest first.
public struct StepHistory: Sendable {
  /// hp.v1.HistoryEntry each.
  public var entries: [[UInt8]] = []
  /// What to give as `before` for the next page; `nil` at the end.
  public var next: UInt64?
}

/// What happened: to tables, by actors, to rows.
extension Service {
  /// Reads history where the index of steps can't be written, as on a full disk.
  ///
  /// - Parameter body: Reads.
  /// - Returns: What `body` returned.
  /// - Throws: What the store says, also where the index lacks too much; what `body` throws.
  /// - Complexity: O(*n*) in what the index lacks.
  public func withUnwrittenIndex<Result>(
    _ body: () throws(ServiceFault) -> Result
  ) throws(ServiceFault) -> Result {
    try reading { store throws(StoreFault) in
      try store.beginUnwritten(limit: Service.unwrittenSteps)
    }
    defer { store.endUnwritten() }
    return try body()
  }

  /// Entries that the index may lack for that.
  private static let unwrittenSteps = 20_000

  /// Entries of a page of history.
  public static let historyPage = 500

  /// Reads what became of tables.
  ///
  /// - Parameters:
  ///   - table: Which; `nil`: all.
  ///   - actor: Only this actor's revisions.
  ///   - before: Only revisions before this one.
  ///   - limit: At most so many entries, and a page.
  /// - Returns: A page.
  /// - Throws: What the store says.
  /// - Complexity: O(log *n* + *m*) for *m* entries.
  public func stepHistory(
    of table: UInt64?, by actor: (uid: UInt64, name: String)?, before: UInt64, limit: Int
  ) throws(ServiceFault) -> StepHistory {
    var found: IndexedActor?
    if let actor {
      found = try reading { store throws(StoreFault) in
        try store.actor(uid: actor.uid, name: actor.name)
      }
      if found == nil { return StepHistory() }
    }
    let count = max(1, min(limit, Service.historyPage))
    let lines = try reading { store throws(StoreFault) in
      try store.history(of: table, by: found, before: before, limit: count + 1)
    }
    var page = StepHistory()
    let floor = try undoFloor()
    for line in lines.prefix(count) {
      let head = try reading { store throws(StoreFault) in try Self.head(line, floor, store) }
      page.entries.append(head + line.facts)
    }
    if lines.count > count { page.next = lines[count - 1].revision }
    return page
  }

  /// Reads what became of a row.
  ///
  /// - Parameters:
  ///   - row: Its id; it may be gone.
  ///   - table: Its table.
  ///   - before: Only revisions before this one.
  ///   - limit: At most so many entries, and a page.
  /// - Returns: A page; it ends early where much had to be read for it.
  /// - Throws: `noSuchRow` for one that no revision of the history touched; what the store says.
  public func rowHistory(
    of row: UInt64, in table: Table, before: UInt64, limit: Int
  ) throws(ServiceFault) -> StepHistory {
    let count = max(1, min(limit, Service.historyPage))
    let touches = try reading { store throws(StoreFault) in
      try store.touches(of: .row(row), before: before, limit: count + 1)
    }
    if touches.isEmpty, before == .max, !table.withRow(row, { _, _, _ in }) {
      throw .table(TableFault(.noSuchRow, row: row))
    }
    var page = StepHistory()
    let floor = try undoFloor()
    var bytes = 0
    var shapes = try reading { store throws(StoreFault) in
      try PastSchemas(table, since: touches.last?.revision ?? .max, store)
    }
    for (index, touch) in touches.enumerated() {
      if index == count || bytes > Service.rowHistoryBytes {
        page.next = touches[index - 1].revision
        break
      }
      let entry = try reading { store throws(StoreFault) -> [UInt8]? in
        let lines = try store.step(touch.revision)
        guard let line = lines.first(where: { $0.table == table.id }),
          let record = try store.record(at: line.position)
        else { return nil }
        bytes += record.reduce(0) { $0 + $1.body.count + $1.old.count }
        let head = try Self.head(line, floor, store)
        let schema = try shapes.schema(after: line.revision, store)
        do throws(CodingFault) {
          return head + (try RowTrace(record, row, table.id)).encoded(schema)
        } catch { throw .damaged(.reading) }
      }
      if let entry { page.entries.append(entry) }
    }
    return page
  }

  /// Bytes of records after which a page of a row's history ends.
  private static let rowHistoryBytes = 8 << 20

  private func undoFloor() throws(ServiceFault) -> UInt64 {
    let bounds = undoBounds
    return try reading { store throws(StoreFault) in
      try store.position(beyond: bounds, now: Instant.now())
    }
  }

  /// The fields of hp.v1.HistoryEntry that every entry has.
  private static func head(
    _ line: StepLine, _ floor: UInt64, _ store: Store
  ) throws(StoreFault) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, varint: line.revision)
    bytes.appendField(2, varint: Varint.zigzag(line.time))
    bytes.appendField(3, varint: line.uid)
    bytes.appendField(4, text: line.actor)
    if line.undone != 0 { bytes.appendField(5, bool: true) }
    if line.kind == .undo { bytes.appendField(6, varint: line.target) }
    if line.kind == .redo { bytes.appendField(7, varint: line.target) }
    if line.kind == .step, line.undone == 0, try store.isKept(line, beyond: floor) {
      bytes.appendField(16, bool: true)
    }
    if line.undone != 0 { bytes.appendField(20, varint: line.undone) }
    return bytes
  }
}
