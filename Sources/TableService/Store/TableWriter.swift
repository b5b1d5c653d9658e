/// Applies pure writes to the tables on disk (contract S5).
///
/// It lives as long as its connection, and is given up when a transaction is taken back.
final class TableWriter {
  private let connection: Connection
  private var rows: [UInt64: RowWriter] = [:]
  private var lastChanged: [UInt64: UInt64] = [:]
  private let putSection: Statement
  private let removeSection: Statement

  /// Prepares what all tables share.
  ///
  /// - Parameter connection: The store's connection.
  /// - Throws: What SQLite says.
  init(_ connection: Connection) throws(StoreFault) {
    self.connection = connection
    putSection = try connection.prepare(
      "REPLACE INTO hpd_sections(id, table_id, label, title, content) VALUES(?, ?, ?, ?, ?)",
      .materialising)
    removeSection = try connection.prepare(
      "DELETE FROM hpd_sections WHERE id = ?", .materialising)
  }

  /// Whether a write makes or drops tables or columns.
  ///
  /// In each transaction these come first: a revision may list them after the rows that need them.
  /// Columns are only ever added, so rows of older revisions find theirs as well.
  static func isStructural(_ write: PendingWrite) -> Bool {
    write.kind == .table || write.kind == .dropTable
  }

  /// Applies one write, in the caller's transaction.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - bytes: What its range refers to.
  /// - Throws: What SQLite says.
  func apply(_ write: PendingWrite, _ bytes: Span<UInt8>) throws(StoreFault) {
    let content = bytes.extracting(write.bytes)
    switch write.kind {
    case .row:
      try writer(write.table).put(section: write.section, label: write.label, image: content)
    case .place:
      try writer(write.table).move(id: write.id, section: write.section, label: write.label)
    case .deleteRow: try writer(write.table).remove(id: write.id)
    case .policy: try put(policy: write, content)
    case .section: try put(section: write, content)
    case .deleteSection:
      removeSection.bind(1, write.id)
      try removeSection.execute(.materialising)
    case .table: try put(table: write.table, content)
    case .dropTable: try drop(table: write.table)
    case .changed: lastChanged[write.table] = write.id
    }
  }

  /// Writes what was only noted, at the end of the caller's transaction.
  ///
  /// - Throws: What SQLite says.
  func finish() throws(StoreFault) {
    for (table, revision) in lastChanged {
      try connection.run(
        "UPDATE hpd_tables SET last_changed = \(revision) WHERE id = \(table)", .materialising)
    }
    lastChanged.removeAll(keepingCapacity: true)
  }

  private func writer(_ table: UInt64) throws(StoreFault) -> RowWriter {
    if let found = rows[table] { return found }
    let made = try RowWriter(connection, table: table)
    rows[table] = made
    return made
  }

  private func put(policy write: PendingWrite, _ content: Span<UInt8>) throws(StoreFault) {
    guard content.count > 0 else {
      try connection.run(
        "DELETE FROM hpd_policies WHERE row_id = \(write.id)", .materialising)
      return
    }
    let row = try connection.prepare(
      "REPLACE INTO hpd_policies(row_id, table_id, content) VALUES(?, ?, ?)", .materialising)
    row.bind(1, write.id)
    row.bind(2, write.table)
    row.bind(3, blob: content)
    try row.execute(.materialising)
  }

  private func put(section write: PendingWrite, _ content: Span<UInt8>) throws(StoreFault) {
    guard let section = try? SectionRecord(at: 0..<content.count, in: content) else {
      throw .damaged(.materialising)
    }
    putSection.bind(1, write.id)
    putSection.bind(2, write.table)
    putSection.bind(3, write.label)
    if let title = section.title {
      putSection.bind(4, text: title.span)
    } else {
      putSection.bindNull(4)
    }
    putSection.bind(5, blob: content)
    try putSection.execute(.materialising)
  }

  /// Writes what is said about a table, and gives its rows and its view the columns for it.
  private func put(table: UInt64, _ content: Span<UInt8>) throws(StoreFault) {
    let record = try TableRecord(content, .materialising)
    let known = try RowWriter.columns(connection, table, .materialising)
    if let old = try name(of: table) {
      try connection.run(SQLView.removal(name: old), .materialising)
    } else {
      try connection.run(
        """
        CREATE TABLE \(SQLView.rows(of: table))(
          _id INTEGER PRIMARY KEY, _section INTEGER NOT NULL, _order INTEGER NOT NULL,
          _revision INTEGER NOT NULL) STRICT
        """, .materialising)
    }
    for column in record.columns where !known.contains(where: { $0.id == column.id }) {
      let type = column.kind == .text ? "TEXT" : "INTEGER"
      try connection.run(
        "ALTER TABLE \(SQLView.rows(of: table)) ADD COLUMN c\(column.id) \(type)",
        .materialising)
    }
    // The revision of the columns is that of the drop, or a later one of the same writes.
    let shown = record.columns.map { "\($0.id)" }.joined(separator: ", ")
    try connection.run(
      "UPDATE hpd_columns SET dropped = \(record.schemaRevision) "
        + "WHERE table_id = \(table) AND dropped = 0 AND id NOT IN (\(shown))", .materialising)
    for column in record.columns {
      try connection.run(
        "REPLACE INTO hpd_columns VALUES(\(table), \(column.id), \(column.kind.rawValue), 0)",
        .materialising)
    }
    let row = try connection.prepare(
      """
      INSERT INTO hpd_tables(id, name, last_changed, dropped, content) VALUES(?, ?, 0, 0, ?)
      ON CONFLICT DO UPDATE SET name = excluded.name, content = excluded.content
      """, .materialising)
    row.bind(1, table)
    row.bind(2, text: record.name)
    row.bind(3, blob: content)
    try row.execute(.materialising)
    try connection.run(
      SQLView.creation(name: record.name, id: table, columns: record.columns), .materialising)
    rows[table] = nil
  }

  /// Hides a table; its rows go later, in slices.
  private func drop(table: UInt64) throws(StoreFault) {
    guard let name = try name(of: table) else { return }
    try connection.run(SQLView.removal(name: name), .materialising)
    try connection.run("UPDATE hpd_tables SET dropped = 1 WHERE id = \(table)", .materialising)
    rows[table] = nil
  }

  private func name(of table: UInt64) throws(StoreFault) -> String? {
    let row = try connection.prepare(
      "SELECT name FROM hpd_tables WHERE id = ? AND dropped = 0", .materialising)
    row.bind(1, table)
    guard try row.step(.materialising) else { return nil }
    defer { row.reset() }
    return try row.text(0, .materialising)
  }
}
