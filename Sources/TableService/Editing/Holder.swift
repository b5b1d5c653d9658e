/// Who holds something: a connection, or a lease (contract K4).
public struct Holder: Equatable, Hashable, Sendable {
  /// What makes it this one.
  public enum ID: Hashable, Sendable {
    /// A connection, by its client's id.
    case client(UInt64)
    /// A lease, by its id.
    case lease(UInt64)
  }

  /// What makes it this one.
  public var id: ID
  /// The user, from the kernel.
  public var uid: UInt64
  /// As they call themselves.
  public var actor: String
  /// A lease's name.
  public var leaseName: String?

  /// Names a holder.
  ///
  /// - Parameters:
  ///   - id: What makes it this one.
  ///   - uid: The user, from the kernel.
  ///   - actor: As they call themselves.
  ///   - leaseName: A lease's name.
  public init(id: ID, uid: UInt64, actor: String, leaseName: String? = nil) {
    self.id = id
    self.uid = uid
    self.actor = actor
    self.leaseName = leaseName
  }

  /// Holders are the same where their ids are.
  public static func == (left: Holder, right: Holder) -> Bool { left.id == right.id }

  /// Feeds the id.
  ///
  /// - Parameter hasher: Where it goes.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Holder.ID: Comparable {
  /// Connections before leases, by rising id.
  public static func < (left: Holder.ID, right: Holder.ID) -> Bool {
    switch (left, right) {
    case (.client(let one), .client(let other)), (.lease(let one), .lease(let other)):
      one < other
    case (.client, .lease): true
    case (.lease, .client): false
    }
  }
}
