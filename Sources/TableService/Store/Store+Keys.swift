/// How far the removal of expired keys has come.
struct KeySweep {
  var uid: UInt64
  var key: [UInt8]
}

extension Store {
  /// Finds a kept outcome (contract E5).
  ///
  /// - Parameters:
  ///   - uid: The user who gave the key.
  ///   - key: The key.
  /// - Returns: The outcome, also if it has expired and was not removed yet.
  /// - Throws: What SQLite says.
  func key(of uid: UInt64, _ key: [UInt8]) throws(StoreFault) -> KeyRecord? {
    let row = try reading().findKey
    row.bind(1, uid)
    row.bind(2, blob: key)
    guard try row.step(.keys) else { return nil }
    defer { row.reset() }
    return KeyRecord(
      uid: uid, key: key, hash: row.bytes(0), outcome: row.bytes(1), expires: row.integer(2))
  }

  /// How many keys a user has; at `StoreLimits.keysPerUser` it is KEYS_FULL.
  func keyCount(of uid: UInt64) -> Int { keyCounts[uid, default: 0] }

  /// Removes expired keys, one slice of all keys.
  ///
  /// - Parameters:
  ///   - now: The present moment.
  ///   - limit: How many keys to look at.
  /// - Returns: Whether there are more to look at.
  /// - Throws: What SQLite says.
  func removeExpiredKeys(now: Instant, limit: Int) throws(StoreFault) -> Bool {
    let reading = clock.reading(now)
    let start = keySweep
    let connection = try self.reading().connection
    let row = try connection.prepare(
      "SELECT uid, key, expires FROM hpd_keys "
        + (start == nil ? "" : "WHERE (uid, key) > (?2, ?3) ") + "ORDER BY uid, key LIMIT ?1",
      .keys)
    row.bind(1, limit)
    if let start {
      row.bind(2, start.uid)
      row.bind(3, blob: start.key)
    }
    var expired: [KeySweep] = []
    var last: KeySweep?
    var seen = 0
    while try row.step(.keys) {
      let place = KeySweep(uid: row.unsigned(0), key: row.bytes(1))
      if row.integer(2) <= reading { expired.append(place) }
      last = place
      seen += 1
    }
    if !expired.isEmpty {
      try transaction(waits: false) { (database) throws(StoreFault) in
        let row = try database.connection.prepare(
          "DELETE FROM hpd_keys WHERE uid = ? AND key = ?", .keys)
        for place in expired {
          row.bind(1, place.uid)
          row.bind(2, blob: place.key)
          try row.execute(.keys)
        }
      }
      for place in expired { keyCounts[place.uid, default: 0] -= 1 }
    }
    keySweep = seen < limit ? nil : last
    return keySweep != nil
  }

  static func countKeys(_ connection: Connection) throws(StoreFault) -> [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    let row = try connection.prepare("SELECT uid, count(*) FROM hpd_keys GROUP BY uid", .keys)
    while try row.step(.keys) { counts[row.unsigned(0)] = Int(row.integer(1)) }
    return counts
  }
}
