/// The editing flag and its holders (contracts L1, L2).
extension EditingBoard {
  /// What is asked of the flag.
  public struct FlagWish: Sendable {
    /// The flag.
    public var on: Bool
    /// A hint that is passed on.
    public var isAnimated = false
    /// Whether others are to be kept out; `nil` leaves it as it is.
    public var isExclusive: Bool?
    /// Whether another's exclusive holding is to be broken.
    public var breaksHold = false
    /// Whether who asks may break one.
    public var isAdmin = false

    /// Describes a wish.
    ///
    /// - Parameter on: The flag.
    public init(on: Bool) { self.on = on }
  }

  /// Sets the flag.
  ///
  /// - Parameters:
  ///   - wish: What is asked.
  ///   - table: The table's id.
  ///   - holder: Who acts.
  /// - Returns: Whether anything changed.
  /// - Throws: `heldExclusively`, `heldByOthers`, `notPermitted`.
  public mutating func setEditing(
    _ wish: FlagWish, table: UInt64, by holder: Holder
  ) throws(EditingFault) -> Bool {
    var broken: Holder?
    if let exclusive = tables[table]?.exclusive, exclusive != holder {
      guard wish.breaksHold else { throw EditingFault(.heldExclusively, holder: exclusive) }
      guard wish.isAdmin else { throw EditingFault(.notPermitted, holder: exclusive) }
      broken = exclusive
    }
    guard wish.on else { return turnOff(table, by: holder, isAnimated: wish.isAnimated) }
    if wish.isExclusive == true {
      if let other = others(in: table, than: holder, but: broken) {
        throw EditingFault(.heldByOthers, expected: "nobody else edits", holder: other)
      }
    }
    if broken != nil { _ = turnOff(table, by: holder, isAnimated: wish.isAnimated) }
    return turnOn(wish, table, by: holder)
  }

  /// Sets the flag to what it is not (contract L1).
  ///
  /// - Parameters:
  ///   - expected: The flag as the user saw it, if that matters.
  ///   - table: The table's id.
  ///   - holder: Who acts.
  ///   - isAnimated: A hint that is passed on.
  /// - Throws: `conflict`, `heldExclusively`.
  public mutating func toggleEditing(
    expected: Bool?, table: UInt64, by holder: Holder, isAnimated: Bool
  ) throws(EditingFault) {
    try judgeExclusive(table, holder)
    let isOn = tables[table]?.isEditing ?? false
    if let expected, expected != isOn {
      throw EditingFault(
        .conflict, value: isOn ? "editing" : "not editing",
        expected: expected ? "editing" : "not editing")
    }
    var wish = FlagWish(on: !isOn)
    wish.isAnimated = isAnimated
    _ = try setEditing(wish, table: table, by: holder)
  }

  private mutating func turnOn(_ wish: FlagWish, _ table: UInt64, by holder: Holder) -> Bool {
    var state = tables[table] ?? TableEditing()
    let exclusive = wish.isExclusive ?? (state.exclusive == holder)
    if state.holders.contains(holder) {
      guard exclusive != (state.exclusive == holder) else { return false }
    } else {
      if state.swipe != nil {
        closeSwipe(table, by: holder, isRowGone: false)
        state = tables[table] ?? TableEditing()
      }
      state.holders.append(holder)
    }
    state.exclusive = exclusive ? holder : nil
    tables[table] = state
    note(holder, in: table)
    noteLease(holder)
    emit(
      .editingChanged(state.flag, ended: [], animated: wish.isAnimated), table: table,
      by: holder)
    return true
  }

  /// Ends all holds, and what can't be without them.
  private mutating func turnOff(_ table: UInt64, by holder: Holder, isAnimated: Bool) -> Bool {
    guard let state = tables[table], state.isEditing else { return false }
    if state.swipe != nil {
      closeSwipe(table, by: holder, isRowGone: false, isAnimated: isAnimated)
      return true
    }
    end(state.holders, table, by: holder, isAnimated: isAnimated)
    return true
  }

  /// Ends holds of editing mode; with the last of them the flag falls.
  mutating func end(
    _ ended: [Holder], _ table: UInt64, by holder: Holder?, isAnimated: Bool = false
  ) {
    guard let state = tables[table] else { return }
    if state.holders.allSatisfy({ ended.contains($0) }) {
      closeConfirm(table, by: holder, isRowGone: false)
      cancelDrag(table, by: holder)
    }
    tables[table]?.holders.removeAll { ended.contains($0) }
    if let exclusive = state.exclusive, ended.contains(exclusive) {
      tables[table]?.exclusive = nil
    }
    for one in ended { noteLease(one) }
    let flag = self.state(of: table).flag
    emit(
      .editingChanged(flag, ended: ended, animated: isAnimated), table: table, by: holder)
    tidy(table)
  }

  private mutating func noteLease(_ holder: Holder) {
    if case .lease(let id) = holder.id, leases[id] != nil { changedLeases.insert(id) }
  }

  /// Somebody else who does something in the table that an exclusive holding would cut off.
  private func others(in table: UInt64, than holder: Holder, but broken: Holder?) -> Holder? {
    guard let state = tables[table] else { return nil }
    func isOther(_ other: Holder) -> Bool { other != holder && other != broken }
    if let other = state.holders.first(where: isOther) { return other }
    let slots = [state.swipe?.holder, state.confirm?.holder, state.drag?.holder]
    for case let other? in slots where isOther(other) { return other }
    let drafts = state.drafts.values.filter { $0.rejection == nil && isOther($0.holder) }
    return drafts.map(\.holder).min { $0.id < $1.id }
  }
}
