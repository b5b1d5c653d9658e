/// What stands at a path: a row, or the sentinel of its section (contract E11).
public enum RowAt: Equatable, Sendable {
  /// The row's id.
  case row(UInt64)
  /// The section's sentinel.
  case sentinel
}

/// What live state needs of the tables and of the store.
extension Service {
  /// Judges whether a table is as it was at a cursor (contract E1).
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - table: The table.
  /// - Throws: `wrongEpoch`, `futureRevision`, `stale`.
  public func judge(_ cursor: StoreCursor, on table: Table) throws(ServiceFault) {
    do throws(TableFault) { try table.judge(cursor, epoch: epoch, next: revision + 1) } catch {
      throw .table(error)
    }
  }

  /// Judges whether a cursor lies in the store's past: all that is expected where no table is
  /// concerned (contract E1).
  ///
  /// - Parameter cursor: The cursor.
  /// - Throws: `wrongEpoch`, `futureRevision`.
  public func judgeReach(_ cursor: StoreCursor) throws(ServiceFault) {
    let context = ChangeContext(
      epoch: epoch, revision: revision + 1, time: 0, uid: 0, actor: "", client: 0, request: 0)
    do throws(TableFault) { try Table.judgeReach(cursor, context) } catch { throw .table(error) }
  }

  /// Finds what a path of a request outside a batch names (contract E2).
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - basis: What it means.
  ///   - table: The table.
  /// - Returns: What stands there now.
  /// - Throws: `pathsNeedBasis`, `outOfRange`, and what the basis is refused for.
  public func row(
    at path: RowPath, _ basis: Batch.Basis, of table: Table
  ) throws(ServiceFault) -> RowAt {
    switch basis {
    case .absent:
      throw .table(
        TableFault(.pathsNeedBasis, path: path, expected: "a basis: a cursor or current"))
    case .current: break
    case .at(let cursor): try judge(cursor, on: table)
    case .rebased(let cursor):
      if let row = try row(at: path, of: table, as: cursor) { return .row(row) }
    }
    if let row = table.rowID(at: path) { return .row(row) }
    if table.isSentinel(path) { return .sentinel }
    throw .table(table.fault(of: path))
  }

  /// The row that stood at a path at an earlier revision; `nil` where nothing has changed since.
  private func row(
    at path: RowPath, of table: Table, as cursor: StoreCursor
  ) throws(ServiceFault) -> UInt64? {
    let batch = Batch()
    batch.mode = .transition
    batch.basis = .rebased(cursor)
    try checkTurn(table)
    try fillPast(batch, table)
    do throws(TableFault) {
      return try table.row(at: path, as: cursor, batch, context(Requester.daemon))
    } catch { throw .table(error) }
  }

  /// An id for a new lease, unique in the epoch (contract K4).
  ///
  /// - Returns: The id; `nil` where there is none left.
  public func nextLease() -> UInt64? { try? store.counters.take(.lease) }

  /// Refuses a step whose table can't be changed yet.
  ///
  /// - Parameter table: The table.
  /// - Throws: `held`.
  public func judgeTurn(of table: Table) throws(ServiceFault) { try checkTurn(table) }

  /// Refuses what can't be written now.
  ///
  /// - Throws: What the store says.
  public func judgeWritable() throws(ServiceFault) { try checkWritable(false) }

  /// Takes away what became of tables since the last call, for those who hang on their rows.
  ///
  /// - Returns: The changes, in order.
  public func takeEffects() -> [ChangeEffect] {
    if effects.isEmpty { return [] }
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }
}

extension Requester {
  /// The daemon itself.
  static let daemon = Requester(uid: 0, actor: "hpd", client: 0, request: 0)
}

extension Table {
  /// Judges whether the table is as it was at a cursor (contract E1).
  func judge(
    _ cursor: StoreCursor, epoch: UInt64, next: UInt64
  ) throws(TableFault) {
    let context = ChangeContext(
      epoch: epoch, revision: next, time: 0, uid: 0, actor: "", client: 0, request: 0)
    try judge(cursor, context)
  }

  /// Whether a path names a section's sentinel.
  func isSentinel(_ path: RowPath) -> Bool {
    guard path.section < UInt64(sectionCount) else { return false }
    let section = section(at: Int(path.section))
    return path.row == UInt64(section.rows) && section.record.sentinel != nil
  }

  /// What is wrong with a path that names no row.
  func fault(of path: RowPath) -> TableFault {
    guard path.section < UInt64(sectionCount) else {
      return TableFault(
        .outOfRange, path: path, expected: "a section below \(sectionCount)")
    }
    return TableFault(
      .outOfRange, path: path,
      expected: "a row below \(section(at: Int(path.section)).rows)")
  }

  /// The row that stood at a path at an earlier revision (contract E3).
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - cursor: The revision.
  ///   - batch: Has the changes since.
  ///   - context: The store's epoch and next revision.
  /// - Returns: The row's id; `nil` where nothing has changed since.
  /// - Throws: `wrongEpoch`, `futureRevision`, `outOfRange`; `stale` where the row is gone or the
  ///   history is not kept.
  func row(
    at path: RowPath, as cursor: StoreCursor, _ batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) -> UInt64? {
    begin()
    defer { rollback() }
    try openPast(at: cursor, batch, context)
    guard let past = work.past else { return nil }
    return rows.id(try row(at: path, past))
  }
}
