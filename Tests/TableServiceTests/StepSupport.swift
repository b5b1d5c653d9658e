import Testing

@testable import TableService

/// A service whose steps are undone in tests, with short words for what people do.
final class StepTable {
  let folder = StoreFolder()
  private var opened: Service?
  private let retention: Service.Retention
  /// How far the quiet hours went.
  private var hour: Int64 = 0
  let tableID: UInt64

  /// Opens a store with the table `items`, or with one of other columns.
  init(
    columns: [Column]? = nil, retention: Service.Retention = Service.Retention()
  ) throws {
    let service = try Service(
      StoreOptions(path: folder.store, durability: .none), retention: retention)
    service.upkeepSlice = .max
    opened = service
    self.retention = retention
    if let columns {
      tableID = try service.create(
        name: "trial", columns: columns, titles: [], by: Self.requester("maker")
      ).table
      guard case .durable = service.commit() else { throw StoreFault.unsettled }
    } else {
      tableID = try #require(service.tables.first).id
    }
  }

  var service: Service { opened.unsafelyUnwrapped }

  var table: Table { service.table(id: tableID).unsafelyUnwrapped }

  /// Ends the service and starts it again.
  func restart() throws {
    try service.close()
    opened = nil
    opened = try Service(
      StoreOptions(path: folder.store, durability: .none), retention: retention)
    service.upkeepSlice = .max
  }

  static func requester(_ actor: String) -> Requester {
    Requester(uid: 1000, actor: actor, client: 1, request: 1)
  }

  /// Performs a sequence as one step.
  @discardableResult
  func change(
    _ actor: String, on table: Table? = nil, _ fill: (Batch) -> Void
  ) throws -> Outcome {
    let batch = Batch()
    batch.basis = .current
    fill(batch)
    let outcome = try service.perform(
      batch, on: table ?? self.table, by: Self.requester(actor))
    try commit()
    return outcome
  }

  func commit() throws {
    guard service.hasPending else { return }
    guard case .durable = service.commit() else { throw StoreFault.unsettled }
  }

  /// Takes a step back.
  @discardableResult
  func undo(
    _ actor: String, _ step: UInt64? = nil, any: Bool = false, dryRun: Bool = false
  ) throws(ServiceFault) -> StepOutcome {
    try go(actor, step, any, dryRun) { (wish, requester) throws(ServiceFault) in
      try service.undo(wish, by: requester)
    }
  }

  /// Makes a step again.
  @discardableResult
  func redo(
    _ actor: String, _ step: UInt64? = nil, any: Bool = false, dryRun: Bool = false
  ) throws(ServiceFault) -> StepOutcome {
    try go(actor, step, any, dryRun) { (wish, requester) throws(ServiceFault) in
      try service.redo(wish, by: requester)
    }
  }

  private func go(
    _ actor: String, _ step: UInt64?, _ any: Bool, _ dryRun: Bool,
    _ body: (StepWish, Requester) throws(ServiceFault) -> StepOutcome
  ) throws(ServiceFault) -> StepOutcome {
    let outcome = try start(actor, step, any, dryRun, body)
    if service.hasPending, case .failed(let fault) = service.commit() { throw .store(fault) }
    return outcome
  }

  private func start(
    _ actor: String, _ step: UInt64?, _ any: Bool, _ dryRun: Bool,
    _ body: (StepWish, Requester) throws(ServiceFault) -> StepOutcome
  ) throws(ServiceFault) -> StepOutcome {
    while try !service.catchUp() {}
    var wish = StepWish()
    wish.step = step
    wish.includesOthers = any
    wish.isDryRun = dryRun
    return try body(wish, Self.requester(actor))
  }

  /// What an undo or redo would do.
  func plan(
    isRedo: Bool, _ actor: String, _ step: UInt64?, any: Bool
  ) throws(ServiceFault) -> StepOutcome {
    try isRedo
      ? redo(actor, step, any: any, dryRun: true) : undo(actor, step, any: any, dryRun: true)
  }

  /// An undo or redo that is not committed yet.
  func revert(
    isRedo: Bool, _ actor: String, _ step: UInt64?, any: Bool
  ) throws(ServiceFault) -> StepOutcome {
    try start(actor, step, any, false) { (wish, requester) throws(ServiceFault) in
      try isRedo ? service.redo(wish, by: requester) : service.undo(wish, by: requester)
    }
  }

  /// The revisions that stand in the way of an undo, and whose they are.
  func conflicts(
    _ actor: String, _ step: UInt64? = nil, any: Bool = false
  ) -> [StepConflict]? {
    do throws(ServiceFault) {
      try undo(actor, step, any: any)
      return nil
    } catch {
      guard case .table(let fault) = error, fault.code == .conflict else { return nil }
      return fault.conflicts
    }
  }

  /// The ids of all rows.
  var rowIDs: [UInt64] { NaiveTable(table).sections.flatMap(\.rows).map(\.id) }

  /// Lets the service do all of its upkeep, as a quiet hour would.
  func tidy() throws {
    for _ in 0..<200 {
      hour = max(hour, Instant.now().monotonic) + 120_000_000
      _ = try service.work(now: hour)
    }
  }

  /// All that the table shows, but for the revisions of its rows.
  var content: [String] { Self.content(of: table) }

  static func content(of table: Table) -> [String] {
    var lines = ["columns " + table.schema.columns.map { "\($0)" }.joined(separator: "; ")]
    lines.append("header \(table.header ?? []) footer \(table.footer ?? [])")
    for index in 0..<table.sectionCount {
      let section = table.sectionOrder.element(table.sectionRoot, at: index)
      let slot = table.sections[Int(section)]
      lines.append("section \(slot.record)")
      table.order.forEach(slot.root, from: 0) { row in
        table.withShown(row) { image in
          var cells: [String] = []
          RowImage.forEachCell(of: image) { cells.append("\($0)=\($1.described)") }
          lines.append("row \(RowImage.id(of: image)) \(cells)")
        }
        return true
      }
    }
    return lines
  }

  /// The names of the rows, section by section.
  var names: [[String]] {
    (0..<table.sectionCount).map { index in
      var names: [String] = []
      let section = table.sectionOrder.element(table.sectionRoot, at: index)
      table.order.forEach(table.sections[Int(section)].root, from: 0) { row in
        names.append(table.value(of: 0, row)?.described ?? "null")
        return true
      }
      return names
    }
  }
}

extension Batch {
  /// Cells of the column `name`.
  func named(_ name: String) -> Range<Int> { cells("name", .text(append(text: name.utf8))) }

  func cells(_ column: String, _ value: Batch.Value) -> Range<Int> {
    cells.append(Batch.Cell(.name(append(text: column.utf8)), value))
    return cells.count - 1..<cells.count
  }

  func insert(_ names: String..., at place: Batch.Place = .end) {
    for name in names {
      operations.append(Batch.Operation(.insertRow(Batch.Row(cells: named(name)), at: place)))
    }
  }

  func update(_ row: UInt64, _ name: String) {
    operations.append(Batch.Operation(.updateRow(.id(row), cells: named(name))))
  }

  func delete(_ rows: UInt64...) {
    for row in rows { operations.append(Batch.Operation(.deleteRow(.id(row)))) }
  }

  func move(_ row: UInt64, _ place: Batch.Place) {
    operations.append(Batch.Operation(.moveRow(.id(row), to: place)))
  }

  func add(_ operation: Batch.Action) { operations.append(Batch.Operation(operation)) }
}
