/// When a write is on disk (SPEC 8).
public enum Durability: UInt32, Sendable {
  /// Before its reply.
  case commit = 0
  /// Within an interval.
  case interval = 1
  /// At some time.
  case none = 2
}

/// The limits and retentions that hello and info state; `nil` is left out.
public struct LimitsReport: Equatable, Sendable {
  /// How many revisions of history are kept (contract F5).
  public var historyRevisions: UInt64?
  /// How many bytes of it.
  public var historyBytes: UInt64?
  /// For how long.
  public var historySeconds: UInt64?
  /// In how many revisions of history a step can be undone.
  public var undoSteps: UInt64?
  /// In how many bytes of it.
  public var undoBytes: UInt64?
  /// For how long.
  public var undoSeconds: UInt64?
  /// For how long keys are kept.
  public var keySeconds: UInt64?
  /// How many keys a user may have.
  public var keysPerUID: UInt64?
  /// After how many operations rows are written behind the journal.
  public var unmaterialisedOperations: UInt64?
  /// After how many bytes.
  public var unmaterialisedBytes: UInt64?
  /// How long a request may wait.
  public var requestSeconds: UInt64?
  /// Bytes of one upload (contract K2).
  public var upload: UInt64?
  /// Bytes of the uploads of a connection.
  public var uploadConnection: UInt64?
  /// Bytes of the uploads of a user.
  public var uploadUID: UInt64?
  /// Bytes of all uploads.
  public var uploadTotal: UInt64?
  /// Seconds that an upload may wait for its next part.
  public var uploadSeconds: UInt64?
  /// Connections in all.
  public var clients = UInt64(0)
  /// Connections of one user.
  public var clientsPerUID = UInt64(0)
  /// Bytes that may wait for one connection.
  public var output = UInt64(0)
  /// Bytes unread beyond which a subscription is served from history.
  public var outputSoft: UInt64?
  /// Bytes that may wait for all connections together.
  public var outputTotal: UInt64?
  /// Rows of a window.
  public var windowRows: UInt64?
  /// Bytes of history that are kept for one snapshot.
  public var pinnedBytes: UInt64?

  /// Takes the limits of the wire; those of connections are the daemon's to state.
  public init() {}
}

/// What the daemon answers to a hello.
public struct HelloReply: Equatable, Sendable {
  /// The version that is spoken from now on.
  public var version: UInt32
  /// Name and version of the daemon.
  public var server: String
  /// Epoch and newest revision.
  public var cursor: Cursor
  /// The oldest revision that can be resumed from.
  public var oldestRevision: UInt64
  /// The connection's id, unique in the epoch.
  public var client: UInt64
  /// The peer's user.
  public var uid: UInt64
  /// Limits and retentions.
  public var limits = LimitsReport()
  /// When a write is on disk.
  public var durability = Durability.commit
  /// What the daemon can do beyond the version.
  public var features: [String] = []
  /// Names this connection after its end (contract F7).
  public var resumeToken: String?
  /// What `retry_until` is held against, in microseconds.
  public var runningClock: Int64 = 0
  /// The reason for which the named connection ended.
  public var lastGoodbye: String?
  /// The daemon's start (contract K3).
  public var start: UInt64 = 0

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - version: The version that is spoken from now on.
  ///   - server: Name and version of the daemon.
  ///   - cursor: Epoch and newest revision.
  ///   - oldestRevision: The oldest revision that can be resumed from.
  ///   - client: The connection's id.
  ///   - uid: The peer's user.
  public init(
    version: UInt32, server: String, cursor: Cursor, oldestRevision: UInt64, client: UInt64,
    uid: UInt64
  ) {
    self.version = version
    self.server = server
    self.cursor = cursor
    self.oldestRevision = oldestRevision
    self.client = client
    self.uid = uid
  }
}

/// What the daemon tells about itself.
public struct InfoReply: Equatable, Sendable {
  /// Name and version.
  public var server = ""
  /// Its process.
  public var pid: UInt64 = 0
  /// The socket's path.
  public var socket = ""
  /// The store's path.
  public var store = ""
  /// Epoch and newest revision.
  public var cursor: Cursor
  /// The oldest revision that can be resumed from.
  public var oldestRevision: UInt64 = 0
  /// The revision up to which rows can be read by SQL.
  public var materialised: UInt64 = 0
  /// Connections.
  public var clients: UInt64 = 0
  /// Subscriptions of all of them.
  public var subscriptions: UInt64 = 0
  /// Resident bytes.
  public var memory: UInt64 = 0
  /// Seconds since the start.
  public var uptime: UInt64 = 0
  /// When a write is on disk.
  public var durability = Durability.commit
  /// Limits and retentions.
  public var limits = LimitsReport()
  /// The tables without columns and sections, each as hp.v1.Table.
  public var tables: [[UInt8]] = []
  /// Counters by name.
  public var counters: [CounterInfo] = []

  /// Makes an answer.
  ///
  /// - Parameter cursor: Epoch and newest revision.
  public init(cursor: Cursor) { self.cursor = cursor }
}

/// A figure that the daemon counts.
public struct CounterInfo: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: Int64

  /// Names a figure.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value.
  public init(name: String, value: Int64) {
    self.name = name
    self.value = value
  }
}
