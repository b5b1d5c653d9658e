/// One step from a schema version to the next.
struct MigrationStep {
  /// The version that the step starts from.
  var from: Int
  /// What it runs, in the migration's transaction.
  var sql: String
}

/// Brings a store to the version that this hpd writes.
enum Migration {
  /// Every step there is, by rising version.
  static let steps = [
    MigrationStep(from: 1, sql: StoreSchema.states + StoreSchema.policies),
    MigrationStep(
      from: 2,
      sql: """
        ALTER TABLE hpd_journal ADD COLUMN stored_body INTEGER;
        ALTER TABLE hpd_journal ADD COLUMN stored_old INTEGER;
        \(StoreSchema.parts)
        DROP VIEW hpd_status;
        \(StoreSchema.status)
        """),
  ]

  /// What a file is.
  enum Found: Equatable {
    case empty
    case store(version: Int)
  }

  /// Looks at a file without changing it.
  ///
  /// - Parameter connection: The file's connection.
  /// - Returns: Whether there is a store, and of which version.
  /// - Throws: `notAStore` for a database of somebody else.
  static func inspect(_ connection: Connection) throws(StoreFault) -> Found {
    let version = try connection.number("PRAGMA user_version", .opening) ?? 0
    let application = try connection.number("PRAGMA application_id", .opening) ?? 0
    let objects = try connection.number("SELECT count(*) FROM sqlite_schema", .opening) ?? 0
    if version == 0, application == 0, objects == 0 { return .empty }
    guard application == StoreSchema.applicationID, version > 0 else { throw .notAStore }
    return .store(version: Int(version))
  }

  /// Migrates in one transaction, after a copy of the file was kept.
  ///
  /// - Parameters:
  ///   - connection: The store's connection, outside a transaction.
  ///   - path: The store's file.
  ///   - version: The version found.
  ///   - target: The version wanted.
  ///   - steps: The steps to choose from.
  /// - Returns: The name of the copy, or `nil` where nothing had to be done (contract S11).
  /// - Throws: `newer` for a version above `target`, or what SQLite says.
  static func run(
    _ connection: Connection, path: String, from version: Int, to target: Int = StoreSchema.version,
    steps: [MigrationStep] = Migration.steps
  ) throws(StoreFault) -> String? {
    guard version <= target else { throw .newer(found: version, supported: target) }
    guard version < target else { return nil }
    let copy = try keep(connection, as: "\(path).v\(version)")
    try connection.run("BEGIN IMMEDIATE", .migrating)
    do throws(StoreFault) {
      for next in version..<target {
        guard let step = steps.first(where: { $0.from == next }) else { throw .notAStore }
        try connection.run(step.sql, .migrating)
      }
      try connection.run("PRAGMA user_version = \(target)", .migrating)
      try connection.run("COMMIT", .migrating)
    } catch {
      if connection.inTransaction { try connection.run("ROLLBACK", .migrating) }
      throw error
    }
    return copy
  }

  /// Writes a whole copy of the store to a new file, mode 0600, on disk when it returns.
  ///
  /// Files that earlier migrations left are not touched; one of them may be a half copy.
  private static func keep(
    _ connection: Connection, as name: String
  ) throws(StoreFault) -> String {
    var copy = name
    var number = 1
    while try !StoreFile.makeEmpty(copy) {
      number += 1
      copy = "\(name).\(number)"
    }
    let statement = try connection.prepare("VACUUM INTO ?1", .copying)
    statement.bind(1, text: copy)
    try statement.execute(.copying)
    try StoreFile.sync(copy)
    return copy
  }
}
