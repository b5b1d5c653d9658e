/// The live state of all tables: who edits what (SPEC 6, contracts K3, K4, L1–L5).
///
/// A value without sockets and clocks: what happens is told by events, which the owner takes
/// away, and what is to be durable by leases that are marked. A step that is refused changes
/// nothing. A copy from before a turn puts everything back.
public struct EditingBoard: Equatable, Sendable {
  /// The most rows that one holder selects in a table.
  public static let selectionRows = 65_536
  /// The most drafts of one holder in a table, rejected ones included.
  public static let draftsPerHolder = 64

  /// What there is, by table; tables that nobody edits are not there.
  public internal(set) var tables: [UInt64: TableEditing] = [:]
  /// The leases, by id.
  public internal(set) var leases: [UInt64: Lease] = [:]
  /// What happened and was not taken away yet.
  public internal(set) var events: [LiveEvent] = []
  /// The last event's number.
  public internal(set) var sequence: UInt64 = 0
  /// Leases that are not on disk as they are here.
  public internal(set) var changedLeases: Set<UInt64> = []
  /// The revision at which what happens from now on holds.
  public var revision: UInt64 = 0

  /// The cell that each holder is the first responder of (contract K4).
  var responders: [Holder.ID: Responder] = [:]
  /// The tables in which each holder has something.
  var holdings: [Holder.ID: Set<UInt64>] = [:]

  /// Where a holder's open draft is.
  struct Responder: Equatable {
    var table: UInt64
    var key: DraftKey
  }

  /// Makes a board on which nobody has done anything.
  public init() {}

  /// The state of a table.
  ///
  /// - Parameter table: The table's id.
  /// - Returns: What there is.
  public func state(of table: UInt64) -> TableEditing { tables[table] ?? TableEditing() }

  /// Takes away what happened.
  ///
  /// - Returns: The events, in order.
  public mutating func takeEvents() -> [LiveEvent] {
    defer { events.removeAll(keepingCapacity: events.count <= 1_024) }
    return events
  }

  /// Takes away which leases have to be written.
  ///
  /// - Returns: Their ids; those that are gone are not among `leases`.
  public mutating func takeChangedLeases() -> [UInt64] {
    defer { changedLeases.removeAll() }
    return changedLeases.sorted()
  }

  mutating func emit(_ what: LiveEvent.What, table: UInt64, by: Holder?) {
    sequence += 1
    events.append(
      LiveEvent(sequence: sequence, revision: revision, table: table, by: by, what: what))
  }

  /// Notes that a holder may have something in a table.
  mutating func note(_ holder: Holder, in table: UInt64) {
    holdings[holder.id, default: []].insert(table)
  }

  /// Forgets a table on which there is nothing.
  mutating func tidy(_ table: UInt64) {
    if tables[table]?.isEmpty == true { tables[table] = nil }
  }

  /// Refuses a step where another holder keeps everybody out (contract L3).
  ///
  /// - Parameters:
  ///   - table: The table's id.
  ///   - holder: Who acts.
  /// - Throws: `heldExclusively`.
  public func judgeExclusive(_ table: UInt64, _ holder: Holder) throws(EditingFault) {
    if let exclusive = tables[table]?.exclusive, exclusive != holder {
      throw EditingFault(.heldExclusively, holder: exclusive)
    }
  }

  /// Refuses a write where the table's policy asks for more than a right to write (contract L3).
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - holder: Who acts.
  /// - Throws: `heldExclusively`, `notHolder`.
  public func judgeWrite(_ table: Table, _ holder: Holder) throws(EditingFault) {
    guard table.policy != nil, table.rules.writesOnlyWhileHolding == true else { return }
    try judgeExclusive(table.id, holder)
    guard tables[table.id]?.holders.contains(holder) == true else {
      throw EditingFault(.notHolder, expected: "one who holds editing")
    }
  }
}
