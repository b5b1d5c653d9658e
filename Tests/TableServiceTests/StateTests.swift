import CSQLite
import FaultLayer
import Testing

@testable import TableService

/// What is durable without a revision (contracts K6, L7).
@Suite struct StateTests {
  private let folder = StoreFolder()
  private let somebody = Requester(uid: 1, actor: "test", client: 1, request: 1)

  private func open() throws(StoreFault) -> Service {
    try Service(StoreOptions(path: folder.store))
  }

  private func names(_ service: Service) -> [String] { service.states(of: .scene).map(\.name) }

  @Test func statesOutliveAKillAndTakeNoRevision() throws {
    do {
      let service = try open()
      let before = service.revision
      try service.keep(.scene, name: "main", content: [1, 2], by: somebody)
      try service.keep(.lease, name: "cron", content: [3], by: somebody)
      try service.keep(.scene, name: "gone", content: [4], by: somebody)
      #expect(service.hasPending)
      let turn = service.durableTurn
      guard case .durable(let records) = service.commit() else {
        Issue.record("the store works")
        return
      }
      #expect(records.isEmpty && service.revision == before && service.durableTurn == turn + 1)
      try service.keep(.scene, name: "gone", content: nil, by: somebody)
      try service.keep(.scene, name: "main", content: [5], by: somebody)
      _ = service.commit()
      // Not closed: as after kill -9.
    }
    let service = try open()
    #expect(names(service) == ["main"])
    #expect(service.states(of: .scene).first?.content == [5])
    #expect(service.states(of: .lease).first?.content == [3])
    #expect(folder.sql("SELECT count(*) FROM hpd_journal WHERE numbered = 0") == "5")
  }

  @Test func theirRecordsArePruned() throws {
    var retention = Service.Retention()
    retention.historyRevisions = 1
    do {
      let service = try Service(StoreOptions(path: folder.store), retention: retention)
      for number: UInt8 in 0..<20 {
        try service.keep(.scene, name: "main", content: [number], by: somebody)
        _ = service.commit()
      }
      var now: Int64 = 1_000_000_000
      service.upkeepSlice = .max
      for _ in 0..<4 {
        _ = try service.work(now: now)
        now += 120_000_000
      }
      #expect(folder.sql("SELECT count(*) FROM hpd_journal") == "1")
      #expect(folder.sql("SELECT materialised = revision FROM hpd_status") == "1")
      try service.close()
    }
    let again = try open()
    #expect(again.states(of: .scene).first?.content == [19])
  }

  @Test func aStoreOfTheFirstVersionGetsThem() throws {
    try open().close()
    _ = folder.sql(
      """
      DROP VIEW hpd_status; DROP TABLE hpd_states; DROP TABLE hpd_policies; DROP TABLE hpd_parts; DROP TABLE hpd_redo;
      DROP INDEX hpd_stored_bodies; DROP INDEX hpd_stored_olds;
      ALTER TABLE hpd_journal DROP COLUMN stored_body;
      ALTER TABLE hpd_journal DROP COLUMN stored_old;
      CREATE VIEW hpd_status AS SELECT 1 AS revision; PRAGMA user_version = 1
      """)
    let service = try open()
    #expect(service.keptCopy == folder.store + ".v1")
    try service.keep(.scene, name: "main", content: [], by: somebody)
    guard case .durable = service.commit() else { throw StoreFault.unsettled }
    #expect(folder.sql("SELECT name FROM hpd_states") == "main")
  }
}

extension StoreFailureTests {
  /// The same after a failed commit (contract S2).
  @Suite struct StateFailureTests {
    @Test func aStateThatIsNotOnDiskIsNotInMemory() throws {
      let folder = StoreFolder()
      #expect(fault_register() == SQLITE_OK)
      var options = StoreOptions(path: folder.store)
      options.fileLayer = "fault"
      let service = try Service(options)
      let somebody = Requester(uid: 1, actor: "test", client: 1, request: 1)
      try service.keep(.scene, name: "main", content: [1], by: somebody)
      guard case .durable = service.commit() else { throw StoreFault.unsettled }
      fault_arm(FAULT_WRITE, 1, SQLITE_FULL, 0)
      try service.keep(.scene, name: "main", content: [2], by: somebody)
      try service.keep(.scene, name: "other", content: [3], by: somebody)
      guard case .failed = service.commit() else {
        Issue.record("the disk is full")
        return
      }
      let states = service.states(of: .scene)
      #expect(states.map(\.name) == ["main"] && states.first?.content == [1])
      #expect(fault_heal() > 0)
      #expect(service.reopen())
      try service.keep(.scene, name: "other", content: [3], by: somebody)
      guard case .durable = service.commit() else { throw StoreFault.unsettled }
      #expect(service.states(of: .scene).map(\.name) == ["main", "other"])
    }
  }
}
