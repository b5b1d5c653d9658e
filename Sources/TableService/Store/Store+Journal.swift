internal import Coding

extension Store {
  /// Reads entries in order, for catching up and for folding at start.
  ///
  /// A slice may end inside a record; the next one goes on after its last position.
  ///
  /// - Parameters:
  ///   - position: The position after which to begin.
  ///   - limitBytes: After so many bytes no further entry is read; one is always.
  ///   - limitRecords: After so many whole records no further entry is read.
  ///   - withOld: Whether what was there before is wanted.
  /// - Returns: The entries, empty at the end; `nil` where what follows is no longer kept.
  /// - Throws: What SQLite says.
  func read(
    after position: UInt64, limitBytes: Int, limitRecords: Int, withOld: Bool = false
  ) throws(StoreFault) -> [JournalEntry]? {
    guard position < journal.last else { return [] }
    guard position + 1 >= journal.first else { return nil }
    let database = try reading()
    let row = withOld ? database.readEntriesWithOld : database.readEntries
    row.bind(1, position)
    defer { row.reset() }
    var entries: [JournalEntry] = []
    var bytes = 0
    var records = 0
    while bytes < limitBytes, records < limitRecords, try row.step(.reading) {
      let entry = JournalEntry(
        position: row.unsigned(0), revision: row.unsigned(1), isRevision: row.integer(2) == 1,
        part: Int(row.integer(3)), parts: Int(row.integer(4)),
        tables: try Store.decodeTables(row.bytes(5)), head: row.bytes(6), body: row.bytes(7),
        old: withOld ? row.bytes(8) : [])
      // Behind the end may stand what a failed commit left (contract S2).
      if entry.position > journal.last { break }
      bytes += entry.body.count + entry.old.count + entry.head.count
      if entry.isLast { records += 1 }
      entries.append(entry)
    }
    return entries
  }

  /// Reads what follows a revision.
  ///
  /// - Parameters:
  ///   - revision: A revision of this epoch.
  ///   - limitBytes: As in `read(after:)`.
  ///   - limitRecords: As in `read(after:)`.
  ///   - withOld: As in `read(after:)`.
  /// - Returns: As in `read(after:)`; `nil` also below `historyStart`.
  /// - Throws: What SQLite says.
  func read(
    afterRevision revision: UInt64, limitBytes: Int, limitRecords: Int, withOld: Bool = false
  ) throws(StoreFault) -> [JournalEntry]? {
    guard revision >= historyStart else { return nil }
    let position = try position(through: revision)
    return try read(
      after: position, limitBytes: limitBytes, limitRecords: limitRecords, withOld: withOld)
  }

  /// The newest position at which the store was not past a revision.
  ///
  /// - Parameter revision: Any revision.
  /// - Returns: The position; one before the first that is kept where all are later.
  /// - Throws: What SQLite says.
  /// - Complexity: O(log *n*) lookups in the number of entries kept.
  func position(through revision: UInt64) throws(StoreFault) -> UInt64 {
    if revision >= journal.revision { return journal.last }
    return try lastPosition { $0.revision <= revision }
  }

  /// The bytes of parts, which are followed by another.
  func bytes(of positions: Range<UInt64>) throws(StoreFault) -> Int64 {
    try place(of: positions.upperBound).before - place(of: positions.lowerBound).before
  }

  /// The last entry for which `holds` is true, where it is true up to some entry and false after.
  func lastPosition(
    _ holds: (EntryPlace) -> Bool
  ) throws(StoreFault) -> UInt64 {
    var low = journal.first - 1
    var high = journal.last
    while low < high {
      let middle = low + (high - low + 1) / 2
      if holds(try place(of: middle)) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The short columns of one entry.
  struct EntryPlace {
    var revision: UInt64
    var clock: Int64
    var before: Int64
    var part: UInt64
    var parts: UInt64
  }

  func place(of position: UInt64) throws(StoreFault) -> EntryPlace {
    let row = try reading().findEntry
    row.bind(1, position)
    guard try row.step(.reading) else { throw .damaged(.reading) }
    defer { row.reset() }
    return EntryPlace(
      revision: row.unsigned(0), clock: row.integer(1), before: row.integer(2),
      part: row.unsigned(3), parts: row.unsigned(4))
  }

  /// The newest position that lies beyond bounds; 0: none does.
  ///
  /// - Complexity: O(log *n*) lookups in the number of entries kept.
  func position(beyond bounds: HistoryBounds, now: Instant) throws(StoreFault) -> UInt64 {
    guard journal.first <= journal.last else { return 0 }
    let aged = clock.reading(now) - bounds.age
    let excess = journal.total - bounds.bytes
    let target = journal.last > bounds.entries ? journal.last - bounds.entries : 0
    return max(
      target, try lastPosition { $0.before < excess }, try lastPosition { $0.clock <= aged })
  }

  static func decodeTables(_ bytes: [UInt8]) throws(StoreFault) -> [UInt64] {
    var tables: [UInt64] = []
    var reader = FieldReader(0..<bytes.count)
    do throws(CodingFault) {
      while reader.offset < reader.end { tables.append(try reader.varint(in: bytes.span)) }
    } catch { throw .damaged(.reading) }
    return tables
  }
}
