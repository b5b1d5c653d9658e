internal import Coding

/// The numbers of one row of the journal.
struct JournalRow {
  var position: UInt64
  var revision: UInt64
  var isRevision: Bool
  var part: Int
  var parts: Int
  var clock: Int64
  var before: Int64
  var storedBody: UInt64?
  var storedOld: UInt64?
  /// Where its blobs stand; a part that is not the first has neither tables nor a head.
  fileprivate var tables: Range<Int>?
  fileprivate var head = 0..<0
  fileprivate var body = 0..<0
  fileprivate var old = 0..<0

  init(
    position: UInt64, revision: UInt64, isRevision: Bool, part: Int, parts: Int, clock: Int64,
    before: Int64, storedBody: UInt64?, storedOld: UInt64?
  ) {
    self.position = position
    self.revision = revision
    self.isRevision = isRevision
    self.part = part
    self.parts = parts
    self.clock = clock
    self.before = before
    self.storedBody = storedBody
    self.storedOld = storedOld
  }
}

/// Rows of the journal that are written together: SQLite is asked once for many of them.
final class JournalRows {
  /// A larger row stands alone, so that little is copied.
  static let largest = 16 << 10

  private var rows: [JournalRow] = []
  private var bytes: [UInt8] = []

  /// Whether they are to be written before there are more.
  var isFull: Bool { rows.count == Database.entries || bytes.count > JournalRows.largest }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - row: Its numbers.
  ///   - part: Its content.
  ///   - record: The record that begins with it; `nil` for a later part.
  /// - Returns: The bytes of the record's tables and head.
  func append(_ row: JournalRow, _ part: JournalPart, of record: JournalRecord?) -> Int {
    var row = row
    let start = bytes.count
    if let record {
      for table in record.tables { bytes.appendVarint(table) }
      row.tables = start..<bytes.count
      record.head.append(to: &bytes)
    }
    let heading = bytes.count
    bytes.append(contentsOf: part.body)
    row.body = heading..<bytes.count
    row.head = (row.tables?.upperBound ?? heading)..<heading
    bytes.append(contentsOf: part.old)
    row.old = row.body.upperBound..<bytes.count
    rows.append(row)
    return heading - start
  }

  /// Writes them, in the caller's transaction, and forgets them.
  func write(to database: Database) throws(StoreFault) {
    guard !rows.isEmpty else { return }
    if rows.count == Database.entries {
      let statement = database.appendEntries
      try statement.lend(bytes) { loan throws(StoreFault) in
        for (index, row) in rows.enumerated() { row.bind(to: statement, index, loan) }
        try statement.execute(.appending)
      }
    } else {
      let statement = database.appendEntry
      try statement.lend(bytes) { loan throws(StoreFault) in
        for row in rows {
          row.bind(to: statement, 0, loan)
          try statement.execute(.appending)
        }
      }
    }
    removeAll()
  }

  /// Forgets what was not written; memory stays up to a bound.
  func removeAll() {
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * JournalRows.largest)
  }
}

extension JournalRow {
  /// Binds all columns of the row at an index among those of a statement.
  fileprivate func bind(to statement: Statement, _ index: Int, _ loan: Statement.Loan) {
    let first = Int32(13 * index)
    statement.bind(first + 1, position)
    statement.bind(first + 2, revision)
    statement.bind(first + 3, isRevision ? 1 : 0)
    statement.bind(first + 4, part)
    statement.bind(first + 5, parts)
    statement.bind(first + 6, clock)
    statement.bind(first + 7, before)
    if let tables {
      statement.bind(first + 8, blob: tables, of: loan)
      statement.bind(first + 9, blob: head, of: loan)
    } else {
      statement.bindNull(first + 8)
      statement.bindNull(first + 9)
    }
    statement.bind(first + 10, blob: body, of: loan)
    statement.bind(first + 11, blob: old, of: loan)
    if let storedBody {
      statement.bind(first + 12, storedBody)
    } else {
      statement.bindNull(first + 12)
    }
    if let storedOld {
      statement.bind(first + 13, storedOld)
    } else {
      statement.bindNull(first + 13)
    }
  }
}
