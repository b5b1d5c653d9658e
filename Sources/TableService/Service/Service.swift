/// The tables of one store and their history: what a daemon serves.
///
/// Changes are performed in memory at once and become durable together in `commit`; until
/// then `revision` is ahead of `durableRevision`, and whoever shows anything of it waits
/// (contract S1). One thread owns a service.
public final class Service {
  /// How much is kept (contract F5); stated to every client.
  public struct Retention: Sendable {
    /// Seconds for which the outcome of a key without an end of its own is kept (contract E5).
    public var keySeconds: Int64 = 86_400
    /// Keys of one user.
    public var keysPerUser = StoreLimits.keysPerUser
    /// Entries of history.
    public var historyRevisions: UInt64 = 1_000_000
    /// Bytes of history.
    public var historyBytes: Int64 = 4 << 30
    /// Seconds of history.
    public var historySeconds: Int64 = 365 * 86_400
    /// Entries of history in which a step can be undone; an actor's newest can in any case.
    public var undoRevisions: UInt64 = 1_000_000
    /// Bytes of history in which a step can be undone.
    public var undoBytes: Int64 = 4 << 30
    /// Seconds for which a step can be undone.
    public var undoSeconds: Int64 = 365 * 86_400
    /// Bytes of history beyond its bounds that are kept for a snapshot that is being sent
    /// (contract F4).
    public var pinnedBytes: Int64 = 256 << 20
    /// Operations after which rows are written behind the journal without waiting for quiet.
    public var unmaterialisedOperations = 200_000
    /// Bytes after which they are.
    public var unmaterialisedBytes = 32 << 20

    /// The values of SPEC and contracts.
    public init() {}
  }

  /// What is kept, and for how long.
  public let retention: Retention
  /// The newest revision, durable or not.
  public internal(set) var revision: UInt64
  /// The newest revision that is on disk as the durability mode says.
  public internal(set) var durableRevision: UInt64
  /// How many turns with something to commit were committed: what waits for the turn's commit
  /// waits for the number above it.
  public internal(set) var durableTurn: UInt64 = 0
  /// Whether the store can't be read, so that nothing can be answered.
  public internal(set) var isLost = false
  /// Whether the store refuses writes until `reopen` succeeds (contract S2), whatever it was that
  /// failed: a turn's commit, rows behind the journal, a block of ids.
  public var isClosedForWriting: Bool { isLost || store.refusal == .unsettled }

  /// The last commit's failure, and until when nothing is tried after it.
  var failure: (fault: StoreFault, until: Int64)?

  let store: Store
  let identifiers: Identifiers
  let pending: PendingWrites
  var tableList: [Table] = []
  var states: [StateRecord] = []
  var turn = PendingTurn()
  /// The change that takes more than one turn.
  var long: LongChange?
  /// What became of tables and was not taken away yet; kept where somebody asks for it.
  var effects: [ChangeEffect] = []
  /// Whether somebody takes the effects of changes away.
  public var tracksEffects = false
  var lastInput: Int64 = 0
  var lastUpkeep: Int64 = 0
  var lastPruning: Int64 = 0
  /// What a round of removing old things has not come to the end of.
  var leftUpkeep: Set<Upkeep> = []
  /// What comes next of what can wait.
  var nextPiece = Upkeep.notes
  /// Whether the last look at it ended before all pieces had their turn.
  var isBrokenOff = false
  /// How long pieces of it are begun between two turns, in microseconds.
  var upkeepSlice: Int64 = 5_000
  /// The removal of cells that is under way.
  var hiddenSweep: HiddenSweep?
  /// When upkeep that failed is tried again.
  var nextUpkeep: Int64 = 0
  var lastSync: Int64 = 0
  /// Whether something was committed that is not synced, in durability `interval`.
  var needsSync = false

  /// Opens a store and brings its tables up to its newest revision.
  ///
  /// A new store gets the table `items` with one untitled section (SPEC 2, 11).
  ///
  /// - Parameters:
  ///   - options: Which file, and how durable.
  ///   - retention: How much is kept.
  /// - Throws: Any `StoreFault`.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public init(_ options: StoreOptions, retention: Retention = Retention()) throws(StoreFault) {
    self.retention = retention
    store = try Store(options, now: Instant.now())
    identifiers = Identifiers()
    pending = PendingWrites()
    revision = store.lastRevision
    durableRevision = revision
    try load()
    if store.origin == .created { try makeItems() }
  }

  /// The store's epoch.
  public var epoch: UInt64 { store.epoch }

  /// The oldest revision that a subscriber can go on from.
  public var oldestRevision: UInt64 { store.historyStart }

  /// The revision that rows read by SQL show.
  public var materialisedRevision: UInt64 { store.materialisedRevision }

  /// The running clock, in microseconds (contract S4).
  public var runningClock: Int64 { store.clock.reading(Instant.now()) }

  /// Where a copy of the store from before a migration is, if there was one.
  public var keptCopy: String? { store.keptCopy }

  /// The tables, by rising id.
  public var tables: [Table] { tableList }

  /// The table with an id.
  ///
  /// - Parameter id: The id.
  /// - Returns: The table, or `nil`.
  public func table(id: UInt64) -> Table? { tableList.first { $0.id == id } }

  /// The table with a name, whatever the case.
  ///
  /// - Parameter name: The name.
  /// - Returns: The table, or `nil`.
  public func table(named name: String) -> Table? {
    if let table = tableList.first(where: { $0.name == name }) { return table }
    let folded = Folding.fold(name)
    return tableList.first { Folding.fold($0.name) == folded }
  }

  /// An id for a new client, unique in the epoch (contract K10).
  ///
  /// - Returns: The id.
  public func nextClient() -> UInt64 {
    // A store out of ids refuses every write; a client may still read.
    let id = (try? store.counters.take(.client)) ?? StoreLimits.largestID
    if !store.covers(store.counters), !isClosedForWriting, !hasPending {
      // A block is reserved, so that no id comes again after a crash.
      _ = store.append(
        after: store.lastPosition, [], counters: store.counters, keys: [], now: Instant.now())
    }
    return id
  }

  /// Closes the store: all is durable and marked as a clean end.
  ///
  /// - Throws: Any `StoreFault`.
  public func close() throws(StoreFault) {
    if hasPending, case .failed(let fault) = commit() { throw fault }
    while try store.materialise(
      pending, limit: 10_000, through: durableRevision, waits: true)
    {}
    try store.close(now: Instant.now())
  }
}

@available(*, unavailable)
extension Service: Sendable {}
