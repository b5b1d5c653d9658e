/// One store: the only door to SQLite.
///
/// One thread uses it. Everything that a turn of the loop accepted goes to disk with one `append`;
/// rows follow behind the journal with `materialise` (contracts K6, S5).
final class Store {
  /// How a start found the store (contract S3).
  enum Origin: Equatable {
    case created
    /// After a clean stop, or a kill that lost nothing.
    case continued
    /// A copy, a sealed backup, or a stop that may have lost the end: there is a new epoch.
    case renewed
  }

  let options: StoreOptions
  let file: StoreFile
  private let identity: FileIdentity
  let origin: Origin
  /// The copy that was kept before a migration; to be logged.
  let keptCopy: String?
  let clock: RunningClock

  /// `nil` between a failed commit and a `reopen` that worked.
  var database: Database?
  /// Why nothing can be written, if so: `unsettled` or `foreignWrite`.
  var refusal: StoreFault?
  var meta: StoreMeta
  var journal: JournalExtent
  /// Ids reserved on disk: every id below is this start's to give.
  var ceilings: [UInt64]
  /// The counters as the last commit knew them; ids are taken from a copy.
  var counters: IDCounters
  var keyCounts: [UInt64: Int] = [:]
  /// The journal's rows that a turn writes together.
  let rows = JournalRows()
  var keySweep: KeySweep?
  var tables: TableWriter?
  /// How far the index of steps is behind the journal.
  var indexProgress: IndexProgress
  /// The removal of what it has of old history, where one is under way.
  var indexSweep: IndexSweep?
  /// Bytes of steps that are kept beyond the history; `nil`: not counted yet.
  var keptSize: Int64?
  /// A large revision whose rows are being written.
  var large: LargeWrite?
  /// Notes for that which are no longer needed: how many.
  var leftRedo: UInt64 = 0

  /// The store's epoch.
  var epoch: UInt64 { meta.epoch }
  /// The newest revision, or the one at which the epoch began.
  var lastRevision: UInt64 { max(journal.revision, meta.epochRevision) }
  /// The newest journal position.
  var lastPosition: UInt64 { journal.last }
  /// A cursor of this epoch can be resumed iff it is not below this revision.
  var historyStart: UInt64 { max(meta.prunedRevision, meta.epochRevision) }

  /// Opens a store and records the start in it.
  ///
  /// - Parameters:
  ///   - options: Where it is and how it is used.
  ///   - now: The present moment.
  /// - Throws: What keeps it from being used; the lock is given back then.
  init(_ options: StoreOptions, now: Instant) throws(StoreFault) {
    self.options = options
    file = try StoreFile(path: options.path)
    let connection = try Store.connect(file.path, options)
    let found = try Migration.inspect(connection)
    switch found {
    case .empty:
      keptCopy = nil
      try Store.configure(connection, options.durability)
    case .store(let version):
      guard version <= StoreSchema.version else {
        throw .newer(found: version, supported: StoreSchema.version)
      }
      try Store.configure(connection, options.durability)
      keptCopy = try Migration.run(connection, path: file.path, from: version)
    }
    identity = try file.identity()
    let start = try StoreStart(
      connection, isNew: found == .empty, identity: identity,
      durability: options.durability, now: now)
    meta = start.meta
    journal = start.journal
    counters = start.counters
    ceilings = start.ceilings
    clock = start.clock
    origin = start.origin
    indexProgress = try IndexProgress(connection)
    let database = try Database(connection)
    try database.begin()
    if options.durability == .commit {
      database.connection.growLog(to: StoreLimits.checkpointPages)
    }
    try database.rollback()
    self.database = database
    keyCounts = try Store.countKeys(connection)
  }

  /// Whether the path still leads to the file that is open: not deleted, moved or replaced.
  var isInPlace: Bool { (try? file.identity()) == identity }

  /// Opens the file and checks that it is a database.
  static func connect(_ path: String, _ options: StoreOptions) throws(StoreFault) -> Connection {
    try Connection(
      path: path, fileLayer: options.fileLayer, busyMilliseconds: options.busyMilliseconds)
  }

  /// Sets what SQLite keeps per connection.
  ///
  /// Locking stays NORMAL, SQLite's default: EXCLUSIVE would shut other tools out. The log is never
  /// truncated and checkpointed by `checkpointIfDue` alone (contract S11). Memory
  /// maps stay off: an I/O error in one is a signal.
  static func configure(
    _ connection: Connection, _ durability: Durability
  ) throws(StoreFault) {
    let synchronous =
      switch durability {
      case .commit: "FULL"
      case .interval: "NORMAL"
      case .none: "OFF"
      }
    let mode = try connection.prepare("PRAGMA journal_mode = WAL", .configuring)
    guard try mode.step(.configuring), try mode.text(0, .configuring) == "wal" else {
      throw .damaged(.configuring)
    }
    mode.reset()
    try connection.run(
      """
      PRAGMA synchronous = \(synchronous);
      PRAGMA journal_size_limit = -1;
      PRAGMA cache_size = -\(StoreLimits.cacheKibibytes);
      PRAGMA mmap_size = 0;
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = FAST;
      PRAGMA trusted_schema = OFF;
      """, .configuring)
  }

  /// The connection, for what only reads.
  func reading() throws(StoreFault) -> Database {
    guard let database else { throw .unsettled }
    return database
  }

  /// Runs `body` in a write transaction of its own.
  ///
  /// - Parameters:
  ///   - waits: Whether another program's transaction is waited for. What can be done later is not
  ///     worth the wait of every client.
  ///   - body: Writes; what it throws takes everything back.
  /// - Returns: What `body` returned.
  /// - Throws: A fault before the commit leaves the store usable; one of the commit itself leaves
  ///   it `unsettled`.
  func transaction<R>(
    waits: Bool = true, _ body: (Database) throws(StoreFault) -> R
  ) throws(StoreFault) -> R {
    if let refusal { throw refusal }
    let database = try reading()
    do throws(StoreFault) { try database.begin(waits: waits) } catch {
      if error == .foreignWrite {
        refusal = error
      } else if database.connection.inTransaction {
        refusal = .unsettled
      }
      throw error
    }
    let result: R
    do throws(StoreFault) { result = try body(database) } catch {
      do throws(StoreFault) { try database.rollback() } catch { refusal = .unsettled }
      throw error
    }
    do throws(StoreFault) { try database.commit() } catch {
      // SQLite may have written the commit and fail to say so (contract S2).
      refusal = .unsettled
      throw error
    }
    return result
  }

  /// Copies the write-ahead log into the file when it is long enough, without waiting for readers.
  ///
  /// - Parameters:
  ///   - isIdle: Whether nobody waits for an answer; else it is put off until it must be.
  ///   - isLong: Whether much is being written in slices: copied as often, it never takes long.
  /// - Returns: Whether anything was copied.
  /// - Throws: What SQLite says.
  @discardableResult
  func checkpointIfDue(isIdle: Bool, isLong: Bool = false) throws(StoreFault) -> Bool {
    guard let database else { return false }
    let log = database.connection.log
    let due =
      isLong
      ? StoreLimits.checkpointPagesOften
      : isIdle ? StoreLimits.checkpointPages : StoreLimits.checkpointPagesAtMost
    guard log.waiting >= due else { return false }
    // With every page copied and no reader in the log, the next commit begins it anew.
    if try database.connection.checkpoint() { log.copied = log.pages }
    return true
  }

  /// Makes everything acknowledged durable, in durability `interval`.
  ///
  /// The log is synced by a commit of its own: nothing here may open the log by hand (S11).
  func sync(now: Instant) throws(StoreFault) {
    guard options.durability == .interval, let connection = database?.connection else { return }
    try connection.run("PRAGMA synchronous = FULL", .configuring)
    let outcome = Result { () throws(StoreFault) in try persistClock(now: now) }
    try Store.configure(connection, options.durability)
    try outcome.get()
  }

  /// Writes the running clock, for a daemon that has not written anything for long.
  func persistClock(now: Instant) throws(StoreFault) {
    let reading = clock.reading(now)
    try transaction { (database) throws(StoreFault) in
      try database.put(clock: reading, wall: now.wall)
    }
    meta.clock = reading
    meta.wall = now.wall
  }

  /// Ends the use of the store: the next start finds a clean stop and no id is lost.
  ///
  /// - Parameter now: The present moment.
  /// - Throws: What SQLite says.
  func close(now: Instant) throws(StoreFault) {
    var last = meta
    last.isClean = true
    last.clock = clock.reading(now)
    last.wall = now.wall
    if options.durability != .commit, let connection = database?.connection {
      try connection.run("PRAGMA synchronous = FULL", .closing)
    }
    try transaction { (database) throws(StoreFault) in
      for kind in IDKind.allCases { try database.put(ceiling: counters[kind], of: kind) }
      try last.write(database.connection, .closing)
    }
    refusal = .unsettled
    tables = nil
    database?.connection.checkpointsOnClose(true)
    database = nil
  }
}

@available(*, unavailable)
extension Store: Sendable {}
