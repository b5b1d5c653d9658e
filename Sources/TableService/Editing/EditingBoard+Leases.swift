/// Leases (contracts K4, L7).
extension EditingBoard {
  /// Takes a lease, or renews the one of that name.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - seconds: For how long; `nil`: until it is ended.
  ///   - uid: Who asks.
  ///   - actor: As they call themselves.
  ///   - now: The running clock, in microseconds.
  ///   - makeID: Gives the id of a new one; `nil` where there is none left.
  /// - Returns: The lease.
  /// - Throws: `badName`, `badValue`, `tooManyElements`.
  public mutating func takeLease(
    _ name: String, seconds: UInt64?, uid: UInt64, actor: String, now: Int64,
    makeID: () -> UInt64?
  ) throws(EditingFault) -> Lease {
    guard (1...Lease.nameBytes).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
    else {
      throw EditingFault(
        .badName, value: name,
        expected: "1 to \(Lease.nameBytes) bytes without control characters")
    }
    if let seconds, seconds == 0 || seconds > Lease.longest {
      throw EditingFault(
        .badValue, value: "\(seconds)", expected: "1 to \(Lease.longest) seconds")
    }
    let ends = seconds.map { now + Int64($0) * 1_000_000 }
    let own = leases.values.filter { $0.uid == uid }
    if var lease = own.first(where: { $0.name == name }) {
      lease.ends = ends
      leases[lease.id] = lease
      changedLeases.insert(lease.id)
      return lease
    }
    guard own.count < Lease.perUser, let id = makeID() else {
      throw EditingFault(.tooManyElements, expected: "at most \(Lease.perUser) leases of a user")
    }
    let lease = Lease(id: id, uid: uid, name: name, actor: actor, ends: ends)
    leases[id] = lease
    changedLeases.insert(id)
    return lease
  }

  /// The lease under which a request acts.
  ///
  /// - Parameters:
  ///   - id: The lease's id.
  ///   - uid: Who asks.
  /// - Returns: The lease as a holder.
  /// - Throws: `leaseExpired` where it is not there any more, `notPermitted` for another's.
  public func holder(lease id: UInt64, uid: UInt64) throws(EditingFault) -> Holder {
    guard let lease = leases[id] else {
      throw EditingFault(.leaseExpired, value: "\(id)", expected: "a lease that is held")
    }
    guard lease.uid == uid else {
      throw EditingFault(.notPermitted, value: "\(id)", expected: "a lease of one's own")
    }
    return lease.holder
  }

  /// Ends a lease and releases all that it holds.
  ///
  /// - Parameters:
  ///   - id: Its id, or `nil`.
  ///   - name: Else its name.
  ///   - uid: Who asks.
  ///   - isAdmin: Whether who asks may end those of others.
  /// - Throws: `leaseExpired`, `notPermitted`.
  public mutating func endLease(
    id: UInt64?, name: String?, uid: UInt64, isAdmin: Bool
  ) throws(EditingFault) {
    let found =
      id.map { leases[$0] } ?? leases.values.first { $0.uid == uid && $0.name == name }
    guard let lease = found else {
      throw EditingFault(.leaseExpired, value: id.map { "\($0)" } ?? name)
    }
    guard lease.uid == uid || isAdmin else { throw EditingFault(.notPermitted) }
    end(lease)
  }

  /// Ends the leases whose time has passed.
  ///
  /// - Parameter now: The running clock, in microseconds.
  public mutating func expireLeases(now: Int64) {
    for lease in leases.values.sorted(by: { $0.id < $1.id }) {
      if let ends = lease.ends, ends <= now { end(lease) }
    }
  }

  private mutating func end(_ lease: Lease) {
    leases[lease.id] = nil
    release(lease.holder)
    changedLeases.insert(lease.id)
  }

  /// When the next lease ends, on the running clock.
  public var nextEnd: Int64? { leases.values.compactMap(\.ends).min() }

  /// What a lease holds over a restart.
  ///
  /// - Parameter id: The lease's id.
  /// - Returns: The tables whose editing it holds, by rising id.
  public func holds(ofLease id: UInt64) -> [Lease.Hold] {
    guard let holder = leases[id]?.holder else { return [] }
    return (holdings[holder.id] ?? []).sorted().compactMap { table in
      guard let state = tables[table], state.holders.contains(holder) else { return nil }
      return Lease.Hold(table: table, isExclusive: state.exclusive == holder)
    }
  }

  /// Puts back a lease that was kept over a restart, with the editing that it holds.
  ///
  /// - Parameters:
  ///   - lease: The lease.
  ///   - holds: What it held.
  ///   - isThere: Whether a table is still there.
  public mutating func restore(
    _ lease: Lease, _ holds: [Lease.Hold], isThere: (UInt64) -> Bool
  ) {
    leases[lease.id] = lease
    for hold in holds where isThere(hold.table) {
      var state = tables[hold.table] ?? TableEditing()
      state.holders.append(lease.holder)
      if hold.isExclusive { state.exclusive = lease.holder }
      tables[hold.table] = state
      note(lease.holder, in: hold.table)
    }
  }
}
