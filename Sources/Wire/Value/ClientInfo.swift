/// A connection, as `list_clients` tells it.
public struct ClientInfo: Equatable, Sendable {
  /// Its id.
  public var client: UInt64
  /// The peer's user.
  public var uid: UInt64
  /// The peer's process.
  public var pid: UInt64
  /// The program's name.
  public var name: String
  /// In whose name it acts.
  public var actor: String
  /// How many subscriptions it has.
  public var subscriptions: UInt64
  /// Bytes that wait for it.
  public var queued: UInt64
  /// Seconds since it came.
  public var connected: UInt64

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - client: Its id.
  ///   - uid: The peer's user.
  ///   - pid: The peer's process.
  ///   - name: The program's name.
  ///   - actor: In whose name it acts.
  ///   - subscriptions: How many subscriptions it has.
  ///   - queued: Bytes that wait for it.
  ///   - connected: Seconds since it came.
  public init(
    client: UInt64, uid: UInt64, pid: UInt64, name: String, actor: String,
    subscriptions: UInt64, queued: UInt64, connected: UInt64
  ) {
    self.client = client
    self.uid = uid
    self.pid = pid
    self.name = name
    self.actor = actor
    self.subscriptions = subscriptions
    self.queued = queued
    self.connected = connected
  }
}
