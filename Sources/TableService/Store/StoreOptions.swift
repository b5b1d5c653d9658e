/// When an acknowledged change is on disk (SPEC 8).
public enum Durability: Int64, Sendable {
  /// Before the reply: every commit is synced (SQLite's `synchronous=FULL`).
  case commit = 0
  /// After the next `sync`, which the caller does at an interval (`synchronous=NORMAL`). A crash of
  /// hpd alone loses nothing, one of the machine what came after the last `sync`.
  case interval = 1
  /// Whenever the system writes it back (`synchronous=OFF`). A crash of the machine may damage the
  /// store.
  case none = 2
}

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// The store's file.
  public var path: String
  /// When an acknowledged change is on disk.
  public var durability: Durability
  /// How long another program's write transaction is waited for (contract S11).
  public var busyMilliseconds: Int32
  /// The SQLite file layer to use, or `nil` for the system's.
  var fileLayer: String?

  /// Options for a store at `path`.
  ///
  /// - Parameters:
  ///   - path: The store's file; it and its directories are made where they are missing.
  ///   - durability: When an acknowledged change is on disk.
  ///   - busyMilliseconds: How long another program's write transaction is waited for.
  public init(
    path: String, durability: Durability = .commit,
    busyMilliseconds: Int32 = StoreLimits.busyMilliseconds
  ) {
    self.path = path
    self.durability = durability
    self.busyMilliseconds = busyMilliseconds
  }
}

/// The store's figures, in one place.
public enum StoreLimits {
  /// The largest id and revision (contract K9).
  public static let largestID: UInt64 = (1 << 53) - 1
  /// The smallest jump of ids and revision at a new epoch (contract S3).
  public static let smallestJump: UInt64 = 1 << 24
  /// The longest wait for another program's write transaction.
  public static let busyMilliseconds: Int32 = 2_000
  /// The most time one stop adds to the running clock, in microseconds (contract S4).
  public static let longestStop: Int64 = 3_600_000_000
  /// How often a commit also writes the running clock, in microseconds.
  public static let clockInterval: Int64 = 1_000_000
  /// The page cache, in KiB.
  static let cacheKibibytes = 6_144
  /// Pages in the write-ahead log from which an idle daemon checkpoints.
  static let checkpointPages = 2_000
  /// Pages from which it checkpoints while much is written in slices.
  static let checkpointPagesOften = 1_000
  /// Pages from which it checkpoints although it is busy.
  static let checkpointPagesAtMost = 16_000
  /// Bytes of steps that are kept beyond the history: the newest one of each actor (contract E9).
  public static let keptBytes: Int64 = 64 << 20
  /// How many of them.
  public static let keptRecords = 10_000
  /// About how many bytes of them are copied at a time.
  static let keptSlice: Int64 = 4 << 20
  /// Keys that one user may keep (contract E5).
  public static let keysPerUser = 100_000
}
