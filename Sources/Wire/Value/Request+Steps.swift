/// Asks for a step to be undone or redone (contract E9).
public struct StepRequest: Equatable, Sendable {
  /// The table; `.absent`: any.
  public var table: TableReference
  /// The step; `nil`: the newest one.
  public var step: UInt64?
  /// Whether steps of other actors are meant as well.
  public var any: Bool
  /// Whether nothing is to be changed.
  public var dryRun: Bool
  /// The step that it has to be.
  public var expectStep: UInt64?
}

/// Asks for a removed row to come back.
public struct RestoreRowRequest: Equatable, Sendable {
  /// The table that it was in.
  public var table: TableReference
  /// The row's id.
  public var row: UInt64
  /// Whether nothing is to be changed.
  public var dryRun: Bool
}

/// Asks what happened to tables.
public struct HistoryRequest: Equatable, Sendable {
  /// The table; `.absent`: all.
  public var table: TableReference
  /// Only revisions before this one.
  public var before: UInt64?
  /// At most how many entries.
  public var limit: Int?
  /// Only this actor's revisions.
  public var actor: String?
  /// The actor's user; `nil`: the client's own.
  public var uid: UInt64?
}

/// Asks what happened to a row.
public struct RowHistoryRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The row's id.
  public var row: UInt64
  /// Only revisions before this one.
  public var before: UInt64?
  /// At most how many entries.
  public var limit: Int?
}
