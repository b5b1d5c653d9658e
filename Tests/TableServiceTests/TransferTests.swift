import Testing

@testable import TableService

/// Rows between tables as the service and its store see them (contracts E13, K6, S5).
@Suite struct TransferTests {
  private let folder = StoreFolder()
  private let service: Service
  private let requester = Requester(uid: 1, actor: "test", client: 1, request: 1)

  init() throws {
    service = try Service(StoreOptions(path: folder.store))
    _ = try service.create(name: "box", columns: [], titles: ["only"], by: requester)
    for name in ["a", "b", "c"] { try insert(name) }
    guard case .durable = service.commit() else { throw StoreFault.unsettled }
  }

  private var items: Table {
    get throws { try #require(service.table(named: "items")) }
  }
  private var box: Table {
    get throws { try #require(service.table(named: "box")) }
  }

  private func insert(_ name: String) throws {
    let batch = Batch()
    batch.cells = [
      Batch.Cell(.name(batch.append(text: "name".utf8)), .text(batch.append(text: name.utf8)))
    ]
    batch.operations = [Batch.Operation(.insertRow(Batch.Row(cells: 0..<1), at: .end))]
    _ = try service.perform(batch, on: try items, by: requester)
  }

  private func move(_ ids: [UInt64], dryRun: Bool = false) throws -> Outcome {
    let batch = Batch()
    batch.ids = ids
    batch.isDryRun = dryRun
    var transfer = Transfer(.ids(0..<ids.count))
    transfer.removes = true
    return try service.transfer(transfer, batch, from: try items, to: try box, by: requester)
  }

  private func ids(_ table: Table) -> [UInt64] {
    var ids: [UInt64] = []
    for index in 0..<table.sectionCount {
      table.forEachRow(inSection: index) { image in
        ids.append(RowImage.id(of: image))
        return true
      }
    }
    return ids
  }

  @Test func theRecordHoldsWhatAnInverseNeeds() throws {
    let (items, box) = (try self.items, try self.box)
    let rows = ids(items)
    let before = service.store.lastPosition
    let outcome = try move([rows[2], rows[0]])
    #expect(outcome.revision == service.revision)
    guard case .durable(let records) = service.commit() else {
      Issue.record("the disk works")
      return
    }
    #expect(records.map(\.tables) == [[items.id, box.id]])
    var filter = ChangeFilter()
    filter.tables = [items.id]
    #expect(try records[0].parts(filter) == [records[0].parts[0]])
    filter.tables = [box.id]
    #expect(try records[0].parts(filter) == [records[0].parts[1]])
    let entries = try #require(
      try service.store.read(after: before, limitBytes: 1 << 20, limitRecords: 9, withOld: true))
    #expect(entries.map(\.part) == [0, 1])
    let tables = try entries.map { try ChangeHead($0.body).tables.map(\.id) }
    #expect(tables == [[items.id], [box.id]])
    var pass = ChangeFilter.Pass()
    #expect(try SideReader(entries[0].old, &pass).oldRows.count == 2, "the rows as they were")
    #expect(try SideReader(entries[1].old, &pass).oldRows.isEmpty, "nothing was there")
  }

  @Test func bothTablesAreWrittenTogether() throws {
    let items = try self.items
    let rows = ids(items)
    _ = try service.work(now: 1 << 60, isAwaited: true)
    _ = try move(rows)
    try insert("d")
    guard case .durable = service.commit() else {
      Issue.record("the disk works")
      return
    }
    // However short the slice: a revision is written whole.
    let wrote = try service.store.materialise(
      service.pending, limit: 1, through: service.durableRevision)
    #expect(wrote)
    #expect(service.materialisedRevision == service.revision - 1)
    #expect(folder.sql("SELECT count(*) FROM box; SELECT count(*) FROM items") == "3\n0")
  }

  @Test func aReplayGivesTheSameTables() throws {
    let items = try self.items
    let rows = ids(items)
    _ = try move([rows[1]])
    _ = try move([rows[0]], dryRun: true)
    #expect(ids(items) == [rows[0], rows[2]])
    guard case .durable = service.commit() else {
      Issue.record("the disk works")
      return
    }
    try service.load()
    let (after, boxAfter) = (try self.items, try self.box)
    #expect(ids(after) == [rows[0], rows[2]])
    #expect(ids(boxAfter) == [rows[1]])
    #expect(after.lastChanged == service.revision && boxAfter.lastChanged == service.revision)
    try insert("e")
    #expect(ids(after).last == rows[2] + 1, "no id was lost or given twice")
    after.checkInvariants()
    boxAfter.checkInvariants()
  }

  @Test func aRefusalLeavesBothTables() throws {
    let (items, box) = (try self.items, try self.box)
    let rows = ids(items)
    let (mark, revision) = (service.identifiers.mark, service.revision)
    #expect(throws: ServiceFault.self) { try move([rows[0], 77]) }
    #expect(throws: ServiceFault.self) { try move([rows[0], rows[0]]) }
    #expect(ids(items) == rows && ids(box).isEmpty)
    #expect(service.identifiers.mark == mark && service.revision == revision)
    #expect(try move([]).isUnchanged)
  }
}
