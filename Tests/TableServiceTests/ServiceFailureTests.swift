import CSQLite
import FaultLayer
import Testing

@testable import TableService

extension StoreFailureTests {
  /// The same failures as a whole service meets them: memory follows the disk (contract S2).
  @Suite struct ServiceTests {
    private let folder = StoreFolder()
    private let service: Service
    private let table: UInt64

    init() throws {
      #expect(fault_register() == SQLITE_OK)
      var options = StoreOptions(path: folder.store)
      options.fileLayer = "fault"
      service = try Service(options)
      table = try #require(service.tables.first).id
      try insert("first")
      guard case .durable = service.commit() else { throw StoreFault.unsettled }
    }

    private func insert(_ name: String) throws {
      let batch = Batch()
      let column = batch.append(text: "name".utf8)
      let text = batch.append(text: name.utf8)
      batch.cells = [Batch.Cell(.name(column), .text(text))]
      batch.operations = [Batch.Operation(.insertRow(Batch.Row(cells: 0..<1), at: .end))]
      let table = try #require(service.table(id: table))
      _ = try service.perform(
        batch, on: table, by: Requester(uid: 1, actor: "test", client: 1, request: 1))
    }

    private var rows: Int? { service.table(id: table)?.rowCount }

    @Test func whatIsNotOnDiskIsNotInMemory() throws {
      let before = service.revision
      fault_arm(FAULT_WRITE, 1, SQLITE_FULL, 0)
      try insert("second")
      guard case .failed = service.commit() else {
        Issue.record("the disk is full")
        return
      }
      #expect(rows == 1)
      #expect(service.revision == before)
      #expect(service.durableRevision == before)
      #expect(!service.isLost, "reads go on")
      #expect(throws: ServiceFault.store(.closed)) { try insert("third") }
      #expect(!service.reopen())
      #expect(rows == 1)
      #expect(fault_heal() > 0)
      #expect(service.reopen())
      try insert("fourth")
      guard case .durable(let records) = service.commit() else {
        Issue.record("the disk has room")
        return
      }
      #expect(records.map(\.revision) == [service.revision])
      #expect(rows == 2)
    }

    @Test func whatIsOnDiskAllTheSameIsFound() throws {
      let before = service.revision
      fault_arm(FAULT_SYNC, 1, SQLITE_IOERR | (4 << 8), 1)
      try insert("second")
      guard case .failed(.unsettled) = service.commit() else {
        Issue.record("nobody can know")
        return
      }
      // Reads go on with what was durable before it, and nothing is written.
      #expect(!service.isLost && rows == 1)
      #expect(service.durableRevision == before && service.revision == before)
      #expect(throws: ServiceFault.store(.closed)) { try insert("third") }
      #expect(!service.reopen())
      #expect(rows == 1)
      let old = try service.history(
        after: try service.position(after: before - 1), bytes: 1 << 20, records: 10)
      #expect(old.entries.map(\.revision) == [before], "nothing of it is told")
      #expect(fault_heal() > 0)
      #expect(service.reopen())
      #expect(service.durableRevision == before + 1)
      #expect(rows == 2)
      let start = try service.position(after: before)
      let history = try service.history(after: start, bytes: 1 << 20, records: 10)
      #expect(history.entries.map(\.revision) == [before + 1], "subscribers can read it")
    }

    @Test func keysOfAFailedTurnStayFree() throws {
      let key = RequestKey(uid: 1, key: [1, 2], hash: [3], retryUntil: nil)
      let batch = Batch()
      batch.operations = [Batch.Operation(.insertSection(Batch.NewSection()))]
      let table = try #require(service.table(id: table))
      fault_arm(FAULT_WRITE, 1, SQLITE_FULL, 0)
      #expect(try service.outcome(of: key) == nil)
      let outcome = try service.perform(
        batch, on: table, by: Requester(uid: 1, actor: "test", client: 1, request: 1), key: key)
      #expect(try service.outcome(of: key)?.revision == outcome.revision, "in the same turn")
      _ = service.commit()
      #expect(fault_heal() > 0)
      #expect(service.reopen())
      #expect(try service.outcome(of: key) == nil)
    }
  }
}
