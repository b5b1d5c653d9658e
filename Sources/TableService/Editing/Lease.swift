public import Coding

/// A hold that outlives connections: taken by a name, ended by it, or by its time (contract K4).
public struct Lease: Equatable, Sendable {
  /// A table's editing that it holds; this alone survives a restart (contract L7).
  public struct Hold: Equatable, Sendable {
    /// The table's id.
    public var table: UInt64
    /// Whether it keeps others out.
    public var isExclusive: Bool
  }

  /// Its id, never used again.
  public var id: UInt64
  /// Whose it is.
  public var uid: UInt64
  /// Its name, unique for the user.
  public var name: String
  /// As who took it calls themselves.
  public var actor: String
  /// When it ends, on the running clock in microseconds; `nil`: when it is ended.
  public var ends: Int64?

  /// Describes a lease.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - uid: Whose it is.
  ///   - name: Its name.
  ///   - actor: As who took it calls themselves.
  ///   - ends: When it ends.
  public init(id: UInt64, uid: UInt64, name: String, actor: String, ends: Int64?) {
    self.id = id
    self.uid = uid
    self.name = name
    self.actor = actor
    self.ends = ends
  }

  /// The lease as a holder.
  public var holder: Holder {
    Holder(id: .lease(id), uid: uid, actor: actor, leaseName: name)
  }

  /// The longest that a lease may be taken for, in seconds.
  public static let longest: UInt64 = 366 * 86_400
  /// Leases of one user.
  public static let perUser = 256
  /// Bytes of a name.
  public static let nameBytes = 64
}

extension Lease {
  /// What is kept of it over a restart: id 1, uid 2, name 3, actor 4, ends 5, holds 6 with table
  /// 1 and exclusive 2.
  ///
  /// - Parameter holds: What it holds.
  /// - Returns: The message.
  public func encoded(_ holds: [Hold]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, varint: id)
    bytes.appendField(2, varint: uid)
    bytes.appendField(3, text: name)
    bytes.appendField(4, text: actor)
    if let ends { bytes.appendField(5, signed: ends) }
    for hold in holds {
      bytes.appendField(6) {
        $0.appendField(1, varint: hold.table)
        if hold.isExclusive { $0.appendField(2, bool: true) }
      }
    }
    return bytes
  }

  /// Reads what was kept.
  ///
  /// - Parameter bytes: What `encoded` made.
  /// - Returns: The lease and what it holds.
  /// - Throws: Any `CodingFault`; `badTag` without an id or a name.
  public static func decode(
    _ bytes: [UInt8]
  ) throws(CodingFault) -> (lease: Lease, holds: [Hold]) {
    var lease = Lease(id: 0, uid: 0, name: "", actor: "", ends: nil)
    var holds: [Hold] = []
    var reader = FieldReader(0..<bytes.count)
    while let field = try reader.next(in: bytes.span) {
      switch field.number {
      case 1: lease.id = field.value
      case 2: lease.uid = field.value
      case 3: lease.name = try bytes.span.text(field.range)
      case 4: lease.actor = try bytes.span.text(field.range)
      case 5: lease.ends = field.signed
      case 6:
        var hold = Hold(table: 0, isExclusive: false)
        var inner = FieldReader(field.range)
        while let part = try inner.next(in: bytes.span) {
          if part.number == 1 { hold.table = part.value }
          if part.number == 2 { hold.isExclusive = part.value != 0 }
        }
        holds.append(hold)
      default: break
      }
    }
    guard lease.id > 0, !lease.name.isEmpty else { throw .badTag }
    return (lease, holds)
  }
}
