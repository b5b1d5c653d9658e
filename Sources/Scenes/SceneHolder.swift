/// Who is attached to a scene or has its keyboard: a connection, or a lease (contract K4).
public struct SceneHolder: Sendable {
  /// The user, from the kernel.
  public var uid: UInt64
  /// As they call themselves.
  public var actor: String
  /// The connection; 0: it is a lease.
  public var client: UInt64
  /// The lease; 0: it is a connection.
  public var lease: UInt64
  /// The lease's name.
  public var leaseName: String

  /// Names a holder.
  ///
  /// - Parameters:
  ///   - uid: The user, from the kernel.
  ///   - actor: As they call themselves.
  ///   - client: The connection, or 0.
  ///   - lease: The lease, or 0.
  ///   - leaseName: The lease's name.
  public init(
    uid: UInt64, actor: String, client: UInt64, lease: UInt64 = 0, leaseName: String = ""
  ) {
    self.uid = uid
    self.actor = actor
    self.client = client
    self.lease = lease
    self.leaseName = leaseName
  }
}

/// Two are one where they hold by the same connection, or by the same lease.
extension SceneHolder: Equatable {
  /// Whether both hold by the same connection or lease.
  ///
  /// - Parameters:
  ///   - left: One holder.
  ///   - right: Another.
  /// - Returns: Whether they are one.
  public static func == (left: SceneHolder, right: SceneHolder) -> Bool {
    left.lease == right.lease && (left.lease != 0 || left.client == right.client)
  }
}
