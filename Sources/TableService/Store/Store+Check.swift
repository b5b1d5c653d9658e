internal import Coding

/// Something in a store that contradicts itself.
enum StoreFinding: Equatable {
  /// What SQLite's own check says; it names pages and tables, no content.
  case sqlite(String)
  /// The journal lacks entries, by the position after which they are missing.
  case journalGap(after: UInt64)
  /// A record's parts are not whole, or revisions fall, at a position.
  case journalOrder(at: UInt64)
  /// More is materialised than the journal holds.
  case materialisedAhead
  /// Two rows of a section, or two sections, hold one order label.
  case labelTwice(table: UInt64)
  /// A row's section is not there.
  case rowWithoutSection(table: UInt64)
  /// An id at or above what is reserved.
  case idAboveCeiling(table: UInt64)
  /// Two rows hold one value in a unique column (contract E15).
  case valueTwice(table: UInt64, column: UInt64)
  /// A table's description can't be read.
  case tableUnreadable(table: UInt64)
  /// A table's rows or view are not there.
  case tableMissing(table: UInt64)
}

extension Store {
  /// Checks SQLite's structures and the store's own rules, for `hpd --check`.
  ///
  /// - Returns: What was found; empty for a sound store.
  /// - Complexity: O(*n*) in the size of the file.
  func check() throws(StoreFault) -> [StoreFinding] {
    let connection = try reading().connection
    var findings: [StoreFinding] = []
    let integrity = try connection.prepare("PRAGMA integrity_check", .checking)
    while try integrity.step(.checking) {
      let text = try integrity.text(0, .checking)
      if text != "ok" { findings.append(.sqlite(text)) }
    }
    try checkJournal(connection, &findings)
    if meta.materialisedPosition > journal.last { findings.append(.materialisedAhead) }
    let row = try connection.prepare(
      "SELECT id, name FROM hpd_tables WHERE dropped = 0 ORDER BY id", .checking)
    while try row.step(.checking) {
      try checkTable(row.unsigned(0), name: try row.text(1, .checking), connection, &findings)
    }
    return findings
  }

  private func checkJournal(
    _ connection: Connection, _ findings: inout [StoreFinding]
  ) throws(StoreFault) {
    let row = try connection.prepare(
      "SELECT position, revision, part, parts FROM hpd_journal ORDER BY position", .checking)
    var last: (position: UInt64, revision: UInt64, part: Int64, parts: Int64)?
    while try row.step(.checking) {
      let next = (row.unsigned(0), row.unsigned(1), row.integer(2), row.integer(3))
      if let last {
        if next.0 != last.position + 1 { findings.append(.journalGap(after: last.position)) }
        let part = last.part + 1 == last.parts ? 0 : last.part + 1
        if next.1 < last.revision || next.2 != part { findings.append(.journalOrder(at: next.0)) }
      }
      last = next
    }
    if let last, last.part + 1 != last.parts { findings.append(.journalOrder(at: last.position)) }
  }

  private func checkTable(
    _ table: UInt64, name: String, _ connection: Connection, _ findings: inout [StoreFinding]
  ) throws(StoreFault) {
    let rows = SQLView.rows(of: table)
    let view = try connection.prepare(
      "SELECT count(*) FROM sqlite_schema WHERE (type = 'view' AND name = ?1) "
        + "OR (type = 'table' AND name = ?2)", .checking)
    view.bind(1, text: name)
    view.bind(2, text: rows)
    guard try view.step(.checking), view.integer(0) == 2 else {
      findings.append(.tableMissing(table: table))
      return
    }
    view.reset()
    let questions: [(String, StoreFinding)] = [
      (
        "SELECT 1 FROM \(rows) GROUP BY _section, _order HAVING count(*) > 1 LIMIT 1",
        .labelTwice(table: table)
      ),
      (
        "SELECT 1 FROM hpd_sections WHERE table_id = \(table) "
          + "GROUP BY label HAVING count(*) > 1 LIMIT 1", .labelTwice(table: table)
      ),
      (
        "SELECT 1 FROM \(rows) WHERE _section NOT IN "
          + "(SELECT id FROM hpd_sections WHERE table_id = \(table)) LIMIT 1",
        .rowWithoutSection(table: table)
      ),
      (
        "SELECT 1 FROM \(rows) WHERE _id >= \(ceilings[IDKind.row.rawValue]) LIMIT 1",
        .idAboveCeiling(table: table)
      ),
      (
        "SELECT 1 FROM hpd_sections WHERE table_id = \(table) "
          + "AND id >= \(ceilings[IDKind.section.rawValue]) LIMIT 1",
        .idAboveCeiling(table: table)
      ),
    ]
    for (question, finding) in questions
    where try connection.number(question, .checking) != nil {
      findings.append(finding)
    }
    // Rows of a revision that is half written may share values for now.
    let isPartial = try connection.number("SELECT partial FROM hpd_status", .checking) == 1
    if !isPartial { try checkUnique(table, connection, &findings) }
  }

  private func checkUnique(
    _ table: UInt64, _ connection: Connection, _ findings: inout [StoreFinding]
  ) throws(StoreFault) {
    let row = try connection.prepare("SELECT content FROM hpd_tables WHERE id = ?", .checking)
    row.bind(1, table)
    guard try row.step(.checking) else { return }
    let content = row.bytes(0)
    row.reset()
    var columns: [Column] = []
    do throws(CodingFault) {
      var reader = FieldReader(0..<content.count)
      while let field = try reader.next(in: content.span) {
        if field.number == 5 { columns.append(try Column(at: field.range, in: content.span)) }
      }
    } catch {
      findings.append(.tableUnreadable(table: table))
      return
    }
    let kept = Set(try RowWriter.columns(connection, table, .checking).map(\.id))
    for column in columns where column.isUnique && kept.contains(column.id) {
      let cell = "c\(column.id)"
      let question =
        "SELECT 1 FROM \(SQLView.rows(of: table)) WHERE \(cell) NOT NULL "
        + "GROUP BY \(cell) HAVING count(*) > 1 LIMIT 1"
      if try connection.number(question, .checking) != nil {
        findings.append(.valueTwice(table: table, column: column.id))
      }
    }
  }
}
