/// What became of a table, as far as live state has to know.
public struct ChangeEffect: Equatable, Sendable {
  /// The revision.
  public var revision: UInt64
  /// The table's id.
  public var table: UInt64
  /// What became of it.
  public var event: ChangeHead.Event
  /// Rows that are gone.
  public var deleted: [IDRun]
  /// Whether its columns changed.
  public var hasColumns: Bool
}

/// Live state after changes of tables, and after holders that are gone.
extension EditingBoard {
  /// Carries what there is over a change: what hangs on rows, columns and tables that are gone
  /// ends, a drag finds its place again (contracts L4, L5; semantics 2.6).
  ///
  /// - Parameters:
  ///   - effect: The change.
  ///   - table: The table as the change left it; `nil` where it is gone.
  ///   - holder: Whose request made it; `nil`: not known.
  /// - Complexity: O(*k* log *n*) in what is edited, or less.
  public mutating func apply(_ effect: ChangeEffect, to table: Table?, by holder: Holder?) {
    guard let state = tables[effect.table] else { return }
    guard let table else {
      dropTable(effect.table)
      return
    }
    if effect.event == .reloaded {
      closeSwipe(table.id, by: holder, isRowGone: false)
      closeConfirm(table.id, by: holder, isRowGone: false)
      cancelDrag(table.id, by: holder)
      for slot in state.selections.values.sorted(by: { $0.holder.id < $1.holder.id }) {
        put([], over: slot.rows, table.id, slot.holder, by: holder)
      }
      return
    }
    if let button = state.swipe, table.path(of: button.row) == nil {
      closeSwipe(table.id, by: holder, isRowGone: true)
    }
    if let button = state.confirm, table.path(of: button.row) == nil {
      closeConfirm(table.id, by: holder, isRowGone: true)
    }
    rebaseDrag(table)
    if !effect.deleted.isEmpty { deselect(effect.deleted, table, by: holder) }
    guard effect.hasColumns || !effect.deleted.isEmpty else { return }
    for key in state.drafts.keys.sorted() {
      let hasColumn = table.schema.index(of: key.column) != nil
      if !hasColumn || table.path(of: key.row) == nil {
        endDraft(key, table.id, by: holder)
      }
    }
  }

  private mutating func deselect(_ deleted: [IDRun], _ table: Table, by holder: Holder?) {
    guard let selections = tables[table.id]?.selections, !selections.isEmpty else { return }
    let count = deleted.reduce(UInt64(0)) { $0 + $1.count }
    for slot in selections.values.sorted(by: { $0.holder.id < $1.holder.id }) {
      var rows = slot.rows
      if count < UInt64(rows.count) {
        for run in deleted {
          for row in run.first..<run.first + run.count { rows.remove(row) }
        }
      } else {
        rows = rows.filter { table.path(of: $0) != nil }
      }
      put(rows, over: slot.rows, table.id, slot.holder, by: holder)
    }
  }

  private mutating func dropTable(_ table: UInt64) {
    guard let state = tables.removeValue(forKey: table) else { return }
    for key in state.drafts.keys
    where responders[key.holder] == Responder(table: table, key: key) {
      responders[key.holder] = nil
    }
    for holder in state.holders {
      if case .lease(let id) = holder.id, leases[id] != nil { changedLeases.insert(id) }
    }
    emit(.tableGone, table: table, by: nil)
  }

  /// Whether a holder may have anything.
  ///
  /// - Parameter holder: The holder.
  /// - Returns: False where it surely has nothing.
  public func holds(anything holder: Holder) -> Bool { holdings[holder.id] != nil }

  /// Brings the board to what the store holds after an outcome that was not known: what hangs on
  /// rows and tables that are gone ends, and leases that are not kept are released.
  ///
  /// - Parameters:
  ///   - kept: The ids of the leases that the store has.
  ///   - find: Finds a table by id.
  public mutating func reconcile(leases kept: Set<UInt64>, table find: (UInt64) -> Table?) {
    for lease in leases.values.sorted(by: { $0.id < $1.id }) where !kept.contains(lease.id) {
      leases[lease.id] = nil
      release(lease.holder)
    }
    for id in tables.keys.sorted() {
      let all = IDRun(first: 1, count: TableLimits.identifier)
      let effect = ChangeEffect(
        revision: revision, table: id, event: .changed, deleted: [all], hasColumns: true)
      apply(effect, to: find(id), by: nil)
    }
  }

  /// Releases all that a holder has: a connection that is gone, a lease that ended
  /// (contract L1).
  ///
  /// - Parameter holder: The holder.
  public mutating func release(_ holder: Holder) {
    guard let held = holdings.removeValue(forKey: holder.id) else { return }
    for table in held.sorted() { release(holder, table) }
    responders[holder.id] = nil
  }

  private mutating func release(_ holder: Holder, _ table: UInt64) {
    guard let state = tables[table] else { return }
    let before = sequence
    if state.confirm?.holder == holder { closeConfirm(table, by: nil, isRowGone: false) }
    if state.swipe?.holder == holder { closeSwipe(table, by: nil, isRowGone: false) }
    if state.drag?.holder == holder { cancelDrag(table, by: nil) }
    if state.holders.contains(holder) { end([holder], table, by: nil) }
    if let slot = tables[table]?.selections[holder.id] {
      put([], over: slot.rows, table, holder, by: nil)
    }
    for key in state.drafts.keys.sorted() where key.holder == holder.id {
      endDraft(key, table, by: nil)
    }
    if tables[table]?.lostSwipe?.holder == holder { tables[table]?.lostSwipe = nil }
    if tables[table]?.lostConfirm?.holder == holder { tables[table]?.lostConfirm = nil }
    tidy(table)
    guard sequence != before else { return }
    switch holder.id {
    case .client: emit(.holderGone(holder), table: table, by: nil)
    case .lease: emit(.leaseEnded(holder), table: table, by: nil)
    }
  }
}

extension DraftKey: Comparable {
  /// By holder, row, column.
  public static func < (left: DraftKey, right: DraftKey) -> Bool {
    if left.holder != right.holder { return left.holder < right.holder }
    return (left.row, left.column) < (right.row, right.column)
  }
}
