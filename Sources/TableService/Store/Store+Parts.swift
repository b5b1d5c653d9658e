/// A piece of a record's content that was written ahead of it.
struct StoredPart: Equatable, Sendable {
  var id: UInt64
  var size: Int
}

/// Content of records that are too large for one turn: written first, named by the record later.
extension Store {
  /// Writes pieces of content, in a transaction of their own.
  ///
  /// - Parameter parts: The pieces.
  /// - Returns: Where they are; ids rise.
  /// - Throws: What SQLite says; nothing was written then.
  func writeParts(_ parts: [[UInt8]]) throws(StoreFault) -> [StoredPart] {
    guard !parts.isEmpty else { return [] }
    guard isInPlace else { throw .gone }
    var stored: [StoredPart] = []
    try transaction { (database) throws(StoreFault) in
      for part in parts {
        let row = database.insertPart
        try row.lend(1, blob: part) { () throws(StoreFault) in try row.execute(.appending) }
        stored.append(StoredPart(id: database.connection.lastRow, size: part.count))
      }
    }
    return stored
  }

  /// Removes pieces that no record names.
  ///
  /// - Parameters:
  ///   - first: The first of them.
  ///   - limit: How many.
  /// - Returns: Whether there may be more.
  /// - Throws: What SQLite says.
  func removeParts(from first: UInt64, limit: Int) throws(StoreFault) -> Bool {
    var removed = 0
    try transaction { (database) throws(StoreFault) in
      try database.connection.run(
        "DELETE FROM hpd_parts WHERE id IN (SELECT id FROM hpd_parts WHERE id >= \(first) "
          + "ORDER BY id LIMIT \(limit))", .appending)
      removed = database.connection.changes
    }
    return removed == limit
  }
}
