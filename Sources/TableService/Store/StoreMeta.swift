/// What a store knows about itself, in the one row of `hpd_meta`.
struct StoreMeta: Equatable {
  var epoch: UInt64 = 0
  var epochRevision: UInt64 = 0
  var prunedRevision: UInt64 = 0
  var materialisedPosition: UInt64 = 0
  var materialisedRevision: UInt64 = 0
  var clock: Int64 = 0
  var wall: Int64 = 0
  var identity = FileIdentity(inode: 0, birth: 0)
  var isClean = false
  var durability = Durability.commit
  var isSealed = false
  var fence: Int64 = 0

  /// Reads the row.
  static func read(_ connection: Connection) throws(StoreFault) -> StoreMeta {
    let row = try connection.prepare(
      """
      SELECT epoch, epoch_revision, pruned_revision, materialised_position,
        materialised_revision, clock, wall, inode, birth, clean, durability, sealed, fence
      FROM hpd_meta WHERE id = 1
      """, .opening)
    guard try row.step(.opening), let durability = Durability(rawValue: row.integer(10)),
      row.unsigned(0) != 0
    else { throw .damaged(.opening) }
    defer { row.reset() }
    return StoreMeta(
      epoch: row.unsigned(0), epochRevision: row.unsigned(1), prunedRevision: row.unsigned(2),
      materialisedPosition: row.unsigned(3), materialisedRevision: row.unsigned(4),
      clock: row.integer(5), wall: row.integer(6),
      identity: FileIdentity(inode: row.unsigned(7), birth: row.integer(8)),
      isClean: row.integer(9) == 1, durability: durability, isSealed: row.integer(11) == 1,
      fence: row.integer(12))
  }

  /// Writes the row, in the caller's transaction.
  func write(_ connection: Connection, _ action: StoreAction) throws(StoreFault) {
    let row = try connection.prepare(
      "INSERT OR REPLACE INTO hpd_meta VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", action)
    row.bind(1, epoch)
    row.bind(2, epochRevision)
    row.bind(3, prunedRevision)
    row.bind(4, materialisedPosition)
    row.bind(5, materialisedRevision)
    row.bind(6, clock)
    row.bind(7, wall)
    row.bind(8, identity.inode)
    row.bind(9, identity.birth)
    row.bind(10, isClean ? 1 : 0)
    row.bind(11, durability.rawValue)
    row.bind(12, isSealed ? 1 : 0)
    row.bind(13, fence)
    try row.execute(action)
  }
}
