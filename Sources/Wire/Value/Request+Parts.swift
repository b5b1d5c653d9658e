/// What a client says first.
public struct ClientHello: Equatable, Sendable {
  /// The lowest protocol version it speaks; 0: not given.
  public var versionMin: UInt32
  /// The highest one; 0: not given.
  public var versionMax: UInt32
  /// Name and version of the program.
  public var clientName: String
  /// In whose name it acts.
  public var actor: String
  /// What it can fold (contract K7).
  public var features: [String]
  /// The token of an earlier connection (contract F7).
  public var resumeToken: String?
}

/// Asks for proof that all earlier changes were delivered (contract K8).
public struct BarrierRequest: Equatable, Sendable {
  /// The subscription; 0: all of the connection.
  public var subscription: UInt64
  /// What the event carries back.
  public var token: UInt64
  /// Whether to wait until rows can be read by SQL.
  public var sql: Bool
}

/// Asks for a table's state and its changes from then on.
public struct SubscribeRequest: Equatable, Sendable {
  /// The table; `.absent`: all of them.
  public var table: TableReference
  /// Where to go on from; `nil`: with a snapshot.
  public var since: Cursor?
  /// What is to be seen; `nil`: everything.
  public var filter: FeedFilterRequest?
  /// A run of rows to look at instead.
  public var window: WindowRequest?
  /// Of the filter that `since` was reached with.
  public var fingerprint: UInt64?
  /// Whether a snapshot may take the place of `since` where that can't be served.
  public var snapshotIfLost: Bool
  /// Whether live state is wanted.
  public var liveState: Bool
  /// Whether events are to carry rows as they were before.
  public var oldRows: Bool
  /// Whether to send a mark each 30 seconds.
  public var heartbeat: Bool
  /// No snapshot: from now on.
  public var onlyLive: Bool
  /// The scene whose events are wanted as well; `nil`: none.
  public var scene: String?
  /// Whether changes of tables are not wanted.
  public var sceneOnly = false
  /// Whether a table is meant and none is named.
  public var namesNoTable = false
}

/// How a request that is no batch names a section.
public enum NamedSection: Equatable, Sendable {
  /// None given.
  case absent
  /// By id.
  case id(UInt64)
  /// By title.
  case title(String)
  /// By index.
  case index(Int)
  /// By a handle, which means something in batches only.
  case handle(UInt64)
}

/// How a request that is no batch says where a row goes.
public enum NamedPlace: Equatable, Sendable {
  /// Last of the last section.
  case absent
  /// To this path.
  case path(section: Int, row: Int)
  /// Before a row.
  case before(RowReference)
  /// After a row.
  case after(RowReference)
  /// First of a section.
  case firstOf(NamedSection)
  /// Last of a section.
  case lastOf(NamedSection)
}

/// Asks for rows by position.
public struct ListRowsRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The section; `.absent`: the whole table.
  public var section: NamedSection
  /// The first position.
  public var first: Int
  /// How many; `nil`: as many as fit a page.
  public var count: Int?
  /// The view that an earlier page was read from.
  public var snapshot: UInt64?
  /// The columns wanted; empty: all.
  public var columns: [String]
}

/// Asks how many rows there are.
public struct CountRowsRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The section; `.absent`: the whole table.
  public var section: NamedSection
  /// The filter; `nil` and empty: every row.
  public var filter: [FilterNode]?
}

/// Asks for a random item.
public struct NewItemRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// Where it goes.
  public var place: NamedPlace
  /// Whether nothing is to be changed.
  public var dryRun: Bool
  /// What paths mean.
  public var basis: Basis
}

/// Makes a table.
public struct CreateTableRequest: Equatable, Sendable {
  /// Its name.
  public var name: String?
  /// Its columns; empty: those of an item.
  public var columns: [ColumnInfo]
  /// Titles of its first sections.
  public var sections: [String]
}
