/// A revision as the index of steps has it, for one of its tables.
struct StepLine {
  var revision: UInt64
  var table: UInt64
  var position: UInt64
  var time: Int64
  var uid: UInt64
  var actor: String
  var kind: StepIndex.Kind
  /// The step that it undoes or redoes; 0: none.
  var target: UInt64
  /// The revision that did it last.
  var applied: UInt64
  /// The revision that took it back; 0: it stands.
  var undone: UInt64
  /// Who did.
  var undoer: Int64
  /// Fields of hp.v1.HistoryEntry.
  var facts: [UInt8]
}

/// An actor as the index knows it.
struct IndexedActor {
  var id: Int64
  /// The actor's newest step; 0: none.
  var lastStep: UInt64
}

/// Reading the index of steps; it has to be up to the journal.
extension Store {
  private static let line = """
    SELECT s.revision, s.table_id, s.position, s.time, a.uid, a.name, s.kind, s.target,
      s.applied, s.undone, s.undoer, s.facts
    FROM hpd_steps s JOIN hpd_actors a ON a.id = s.actor
    """

  private func lines(
    _ clause: String, _ values: [UInt64], limit: Int
  ) throws(StoreFault) -> [StepLine] {
    let row = try reading().connection.prepare("\(Store.line) \(clause)", .reading)
    for (index, value) in values.enumerated() {
      row.bind(Int32(index + 1), min(value, UInt64(Int64.max)))
    }
    defer { row.reset() }
    var lines: [StepLine] = []
    while lines.count < limit, try row.step(.reading) {
      guard let kind = StepIndex.Kind(rawValue: row.integer(6)) else {
        throw .damaged(.reading)
      }
      lines.append(
        StepLine(
          revision: row.unsigned(0), table: row.unsigned(1), position: row.unsigned(2),
          time: row.integer(3), uid: row.unsigned(4), actor: try row.text(5, .reading),
          kind: kind, target: row.unsigned(7), applied: row.unsigned(8),
          undone: row.unsigned(9), undoer: row.integer(10), facts: row.bytes(11)))
    }
    return lines
  }

  /// What the index has of a revision: a line for each of its tables.
  func step(_ revision: UInt64) throws(StoreFault) -> [StepLine] {
    try lines("WHERE s.revision = ?1 ORDER BY s.table_id", [revision], limit: 64)
  }

  /// The newest step of a table that stands, of an actor or of anybody.
  func newestStanding(
    of actor: IndexedActor?, in table: UInt64
  ) throws(StoreFault) -> StepLine? {
    guard let actor else {
      return try lines(
        """
        WHERE s.kind = 1 AND s.undone = 0 AND s.table_id = ?1
        ORDER BY s.applied DESC LIMIT 1
        """, [table], limit: 1
      ).first
    }
    return try lines(
      """
      WHERE s.kind = 1 AND s.undone = 0 AND s.actor = ?1 AND s.table_id = ?2
      ORDER BY s.applied DESC LIMIT 1
      """, [UInt64(actor.id), table], limit: 1
    ).first
  }

  /// The step of a table that an actor undid last, and may redo.
  func newestUndone(
    by actor: IndexedActor, in table: UInt64
  ) throws(StoreFault) -> StepLine? {
    try lines(
      """
      WHERE s.kind = 1 AND s.undone <> 0 AND s.undoer = ?1 AND s.table_id = ?2
        AND s.undone > ?3 ORDER BY s.undone DESC LIMIT 1
      """, [UInt64(actor.id), table, actor.lastStep], limit: 1
    ).first
  }

  /// The step of a table that anybody undid last, and may redo.
  func newestUndone(in table: UInt64) throws(StoreFault) -> StepLine? {
    let row = try reading().connection.prepare("SELECT id, last_step FROM hpd_actors", .reading)
    var actors: [IndexedActor] = []
    while try row.step(.reading) {
      actors.append(IndexedActor(id: row.integer(0), lastStep: row.unsigned(1)))
    }
    var newest: StepLine?
    for actor in actors {
      guard let found = try newestUndone(by: actor, in: table) else { continue }
      if found.undone > newest?.undone ?? 0 { newest = found }
    }
    return newest
  }

  /// Lines of the history, newest first.
  ///
  /// - Parameters:
  ///   - table: Its table; `nil`: all.
  ///   - actor: Only this actor's.
  ///   - before: Only revisions before this one.
  ///   - limit: At most how many.
  /// - Returns: The lines.
  /// - Throws: Where the store can't be read.
  /// - Complexity: O(log *n* + *m*); of one actor in one table also what the actor did elsewhere.
  func history(
    of table: UInt64?, by actor: IndexedActor?, before: UInt64, limit: Int
  ) throws(StoreFault) -> [StepLine] {
    var values = [before]
    var clause = "WHERE s.revision < ?1"
    if let actor {
      values.append(UInt64(actor.id))
      clause += " AND s.actor = ?\(values.count)"
    }
    if let table {
      values.append(table)
      clause += " AND s.table_id = ?\(values.count)"
    }
    return try lines(
      "\(clause) ORDER BY s.revision DESC, s.table_id DESC", values, limit: limit)
  }

  /// Finds an actor.
  func actor(uid: UInt64, name: String) throws(StoreFault) -> IndexedActor? {
    let row = try reading().connection.prepare(
      "SELECT id, last_step FROM hpd_actors WHERE uid = ? AND name = ?", .reading)
    row.bind(1, uid)
    row.bind(2, text: name)
    defer { row.reset() }
    guard try row.step(.reading) else { return nil }
    return IndexedActor(id: row.integer(0), lastStep: row.unsigned(1))
  }

  /// An actor by its id.
  func actor(id: Int64) throws(StoreFault) -> IndexedActor? {
    let row = try reading().connection.prepare(
      "SELECT id, last_step FROM hpd_actors WHERE id = ?", .reading)
    row.bind(1, id)
    defer { row.reset() }
    guard try row.step(.reading) else { return nil }
    return IndexedActor(id: row.integer(0), lastStep: row.unsigned(1))
  }

  /// Whether a step of a table stands that was done after a revision.
  func hasStanding(in table: UInt64, after revision: UInt64) throws(StoreFault) -> Bool {
    let row = try reading().connection.prepare(
      """
      SELECT 1 FROM hpd_steps
      WHERE kind = 1 AND undone = 0 AND table_id = ? AND applied > ? LIMIT 1
      """, .reading)
    row.bind(1, table)
    row.bind(2, revision)
    defer { row.reset() }
    return try row.step(.reading)
  }

  /// Whether any revision touched a table after another one.
  func hasRevision(of table: UInt64, after revision: UInt64) throws(StoreFault) -> Bool {
    let row = try reading().connection.prepare(
      "SELECT 1 FROM hpd_steps WHERE table_id = ? AND revision > ? LIMIT 1", .reading)
    row.bind(1, table)
    row.bind(2, revision)
    defer { row.reset() }
    return try row.step(.reading)
  }

  /// The steps after a revision that stand and changed columns, headers or policies of a table, by
  /// rising revision.
  func standingStructure(
    of table: UInt64, after revision: UInt64
  ) throws(StoreFault) -> [StepLine] {
    try lines(
      """
      WHERE s.kind = 1 AND s.undone = 0 AND s.structural = 1 AND s.table_id = ?1
        AND s.revision > ?2
      ORDER BY s.revision
      """, [table, revision], limit: .max)
  }

  /// The newest step after a revision that stands and changed columns, headers or policies of a
  /// table; where none did, the newest step; where none stands, the newest revision.
  func newestOfTable(
    _ table: UInt64, after revision: UInt64
  ) throws(StoreFault) -> StepLine? {
    let standing = try lines(
      """
      WHERE s.kind = 1 AND s.undone = 0 AND s.table_id = ?1 AND s.revision > ?2
      ORDER BY s.structural DESC, s.revision DESC LIMIT 1
      """, [table, revision], limit: 1
    ).first
    if let standing { return standing }
    return try lines(
      "WHERE s.table_id = ?1 AND s.revision > ?2 ORDER BY s.revision DESC LIMIT 1",
      [table, revision], limit: 1
    ).first
  }
}
