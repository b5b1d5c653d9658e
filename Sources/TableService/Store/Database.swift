/// A connection with the statements that the store keeps prepared.
///
/// It is let go of as a whole: with the last reference every statement is finalised and the
/// connection closed.
final class Database {
  let connection: Connection
  private let beginning: Statement
  private let committing: Statement
  private let dataVersion: Statement
  /// What `PRAGMA data_version` said; another value means that somebody else wrote.
  private var version: Int64 = -1

  let appendEntry: Statement
  /// Appends `Database.entries` at once: what a statement costs by itself is a third of an entry.
  let appendEntries: Statement
  static let entries = 16
  let insertPart: Statement
  let insertKey: Statement
  let replaceKey: Statement
  let findKey: Statement
  let putState: Statement
  let removeState: Statement
  let putCeiling: Statement
  let putClock: Statement
  let readEntries: Statement
  let readEntriesWithOld: Statement
  let findEntry: Statement

  init(_ connection: Connection) throws(StoreFault) {
    self.connection = connection
    beginning = try connection.prepare("BEGIN IMMEDIATE", .configuring)
    committing = try connection.prepare("COMMIT", .configuring)
    dataVersion = try connection.prepare("PRAGMA data_version", .configuring)
    let values = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    appendEntry = try connection.prepare(
      "INSERT INTO hpd_journal VALUES \(values)", .configuring)
    let many = [String](repeating: values, count: Database.entries).joined(separator: ", ")
    appendEntries = try connection.prepare(
      "INSERT INTO hpd_journal VALUES \(many)", .configuring)
    insertPart = try connection.prepare(
      "INSERT INTO hpd_parts(content) VALUES(?)", .configuring)
    insertKey = try connection.prepare(
      "INSERT INTO hpd_keys VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", .configuring)
    replaceKey = try connection.prepare(
      "REPLACE INTO hpd_keys VALUES(?, ?, ?, ?, ?)", .configuring)
    findKey = try connection.prepare(
      "SELECT hash, outcome, expires FROM hpd_keys WHERE uid = ? AND key = ?", .configuring)
    putState = try connection.prepare("REPLACE INTO hpd_states VALUES(?, ?, ?)", .configuring)
    removeState = try connection.prepare(
      "DELETE FROM hpd_states WHERE kind = ? AND name = ?", .configuring)
    putCeiling = try connection.prepare(
      "INSERT OR REPLACE INTO hpd_counters VALUES(?, ?)", .configuring)
    putClock = try connection.prepare(
      "UPDATE hpd_meta SET clock = ?, wall = ? WHERE id = 1", .configuring)
    let body = Database.content("body", "stored_body")
    let old = Database.content("old", "stored_old")
    let entry = "position, revision, numbered, part, parts, tables, head, \(body)"
    let after = "FROM hpd_journal WHERE position > ? ORDER BY position"
    readEntries = try connection.prepare("SELECT \(entry) \(after)", .configuring)
    readEntriesWithOld = try connection.prepare("SELECT \(entry), \(old) \(after)", .configuring)
    findEntry = try connection.prepare(
      "SELECT revision, clock, before, part, parts FROM hpd_journal WHERE position = ?",
      .configuring)
  }

  /// SQL for content that stands in the journal, or was written ahead of it.
  static func content(_ column: String, _ stored: String) -> String {
    "iif(\(stored) IS NULL, \(column), (SELECT content FROM hpd_parts WHERE id = \(stored)))"
  }

  /// Begins to write; nobody else can from here to the end (contract S11).
  ///
  /// - Parameter waits: Whether another program's transaction is waited for.
  /// - Throws: `busy` when somebody else did for too long, `foreignWrite` when somebody else has
  ///   written since the last time; nothing is open then. Truncating the log from outside, as
  ///   `PRAGMA wal_checkpoint(TRUNCATE)` does, cannot be told from a write.
  func begin(waits: Bool = true) throws(StoreFault) {
    if !waits { connection.waitForOthers(false) }
    defer { if !waits { connection.waitForOthers(true) } }
    try beginning.execute(.beginning)
    do throws(StoreFault) {
      guard try dataVersion.step(.beginning) else { throw .damaged(.beginning) }
      let found = dataVersion.integer(0)
      dataVersion.reset()
      if version == -1 { version = found }
      guard version == found else { throw .foreignWrite }
    } catch {
      try rollback()
      throw error
    }
  }

  /// Writes the running clock, in the caller's transaction.
  func put(clock: Int64, wall: Int64) throws(StoreFault) {
    putClock.bind(1, clock)
    putClock.bind(2, wall)
    try putClock.execute(.appending)
  }

  /// Writes what ids are reserved, in the caller's transaction.
  func put(ceiling: UInt64, of kind: IDKind) throws(StoreFault) {
    putCeiling.bind(1, kind.rawValue)
    putCeiling.bind(2, ceiling)
    try putCeiling.execute(.appending)
  }

  /// Makes the transaction durable, as far as the connection's mode says.
  func commit() throws(StoreFault) { try committing.execute(.committing) }

  /// Takes the transaction back; SQLite may have done so already.
  func rollback() throws(StoreFault) {
    if connection.inTransaction { try connection.run("ROLLBACK", .beginning) }
  }
}
