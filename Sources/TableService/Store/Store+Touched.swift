/// Which revisions touched a row or a section.
extension Store {
  /// The steps that stand, came after a revision and touched any of some elements.
  ///
  /// - Parameters:
  ///   - elements: Rows or sections.
  ///   - revision: The revision.
  /// - Returns: By rising revision for each.
  /// - Throws: Where the store can't be read.
  /// - Complexity: A lookup for each 64 ids that are neighbours.
  func standingTouches(
    of elements: [Element], after revision: UInt64
  ) throws(StoreFault) -> [Touch] {
    let row = try reading().connection.prepare(
      """
      SELECT DISTINCT t.revision, t.touched, t.placed, a.uid, a.name
      FROM hpd_touched t JOIN hpd_steps s ON s.revision = t.revision
        JOIN hpd_actors a ON a.id = s.actor
      WHERE t.block = ?1 AND t.revision > ?2 AND s.kind = 1 AND s.undone = 0
      ORDER BY t.revision
      """, .reading)
    var wanted: [Int64: [(element: Element, bit: UInt64)]] = [:]
    for element in elements {
      let (block, bit) = StepIndex.place(of: element)
      wanted[block, default: []].append((element, bit))
    }
    defer { row.reset() }
    var touches: [Touch] = []
    for block in wanted.keys.sorted() {
      row.bind(1, block)
      row.bind(2, revision)
      while try row.step(.reading) {
        let (touched, placed) = (row.unsigned(1), row.unsigned(2))
        for (element, bit) in wanted[block] ?? [] where touched & bit != 0 {
          touches.append(
            Touch(
              element: element, revision: row.unsigned(0), isPlaced: placed & bit != 0,
              uid: row.unsigned(3), actor: try row.text(4, .reading)))
        }
      }
    }
    return touches
  }

  /// The revisions that touched an element, newest first.
  ///
  /// - Parameters:
  ///   - element: A row or a section.
  ///   - before: Only revisions before this one.
  ///   - after: Only revisions after this one.
  ///   - limit: At most how many.
  /// - Returns: The touches.
  /// - Throws: Where the store can't be read.
  func touches(
    of element: Element, before: UInt64, after: UInt64 = 0, limit: Int
  ) throws(StoreFault) -> [Touch] {
    let row = try reading().connection.prepare(
      """
      SELECT DISTINCT t.revision, t.placed, a.uid, a.name
      FROM hpd_touched t JOIN hpd_steps s ON s.revision = t.revision
        JOIN hpd_actors a ON a.id = s.actor
      WHERE t.block = ?1 AND t.revision < ?2 AND t.revision > ?3 AND t.touched & ?4 <> 0
      ORDER BY t.revision DESC LIMIT ?5
      """, .reading)
    let (block, bit) = StepIndex.place(of: element)
    row.bind(1, block)
    row.bind(2, min(before, UInt64(Int64.max)))
    row.bind(3, after)
    row.bind(4, bit)
    row.bind(5, limit)
    defer { row.reset() }
    var touches: [Touch] = []
    while try row.step(.reading) {
      touches.append(
        Touch(
          element: element, revision: row.unsigned(0), isPlaced: row.unsigned(1) & bit != 0,
          uid: row.unsigned(2), actor: try row.text(3, .reading)))
    }
    return touches
  }

  /// The first revision after another one that placed an element, of any kind.
  func firstPlacement(of element: Element, after revision: UInt64) throws(StoreFault) -> UInt64? {
    let row = try reading().connection.prepare(
      """
      SELECT revision FROM hpd_touched
      WHERE block = ?1 AND revision > ?2 AND placed & ?3 <> 0 ORDER BY revision LIMIT 1
      """, .reading)
    let (block, bit) = StepIndex.place(of: element)
    row.bind(1, block)
    row.bind(2, revision)
    row.bind(3, bit)
    defer { row.reset() }
    return try row.step(.reading) ? row.unsigned(0) : nil
  }

  /// Reads a whole record of the journal.
  ///
  /// - Parameters:
  ///   - position: Where its first part stands.
  ///   - bytes: How much is read at a time.
  ///   - rest: Called after each time.
  /// - Returns: Its parts; `nil` where it is no longer kept.
  /// - Throws: Where the store can't be read.
  func record(
    at position: UInt64, bytes: Int = 4 << 20, rest: () -> Void = {}
  ) throws(StoreFault) -> [JournalEntry]? {
    guard position > 0 else { return nil }
    var parts = position < journal.first ? try keptRecord(at: position) : []
    if position < journal.first, parts.isEmpty { return nil }
    var last = parts.last?.position ?? position - 1
    while parts.last.map({ !$0.isLast }) ?? true {
      guard
        let entries = try read(
          after: last, limitBytes: bytes, limitRecords: 1, withOld: true),
        let end = entries.last
      else { return nil }
      parts += entries
      last = end.position
      rest()
    }
    return parts
  }
}
