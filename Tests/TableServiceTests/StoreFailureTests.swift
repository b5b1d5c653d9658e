import CSQLite
import FaultLayer
import Testing

@testable import TableService

/// Commits that fail, with the truth found afterwards (contract S2).
///
/// The file layer's switch is one for the process, so these run one after the other.
@Suite(.serialized) struct StoreFailureTests {
  private let folder = StoreFolder()
  private let store: Store

  init() throws {
    #expect(fault_register() == SQLITE_OK)
    store = try folder.open(layer: "fault")
    #expect(store.append([record(store.lastRevision + 1, "first")]) == .durable(position: 1))
  }

  private var next: JournalRecord { record(store.lastRevision + 1, "next") }

  private static let ioError: Int32 = SQLITE_IOERR | (4 << 8)  // SQLITE_IOERR_FSYNC

  @Test func aFailedSyncThatWroteIsFoundOnDisk() throws {
    fault_arm(FAULT_SYNC, 1, Self.ioError, 1)
    let key = KeyRecord(uid: 1, key: [1], hash: [], outcome: [7], expires: .max)
    let outcome = store.append([next], keys: [key])
    #expect(outcome == .unknown(.sqlite(code: Self.ioError, .committing)))
    #expect(fault_heal() > 0)
    #expect(store.append([next]) == .failed(.unsettled), "no write before the reopening")
    #expect(store.reopen(now: .now()) == .settled(position: 2))
    #expect(try store.key(of: 1, [1]) == key)
    #expect(store.keyCount(of: 1) == 1)
    #expect(store.append([next]) == .durable(position: 3))
    try expectBodies(["first", "next", "next"])
  }

  @Test func aFailedWriteIsNotOnDisk() throws {
    fault_arm(FAULT_WRITE, 1, SQLITE_IOERR | (3 << 8), 0)
    guard case .unknown = store.append([next]) else {
      Issue.record("the commit failed")
      return
    }
    #expect(fault_heal() > 0)
    #expect(store.reopen(now: .now()) == .settled(position: 1))
    #expect(store.append([record(store.lastRevision + 1, "other")]) == .durable(position: 2))
    try expectBodies(["first", "other"])
  }

  @Test(arguments: 1...8) func aWriteThatFailsHalfWayIsFoundOut(nth: Int32) throws {
    fault_arm(FAULT_WRITE, nth, SQLITE_FULL, 1)
    let outcome = store.append([
      record(store.lastRevision + 1, String(repeating: "x", count: 9_000))
    ])
    let failed = fault_heal() > 0
    guard failed else {
      #expect(outcome == .durable(position: 2))
      return
    }
    #expect(outcome == .unknown(.full(.committing)))
    guard case .settled(let position) = store.reopen(now: .now()) else {
      Issue.record("the disk works again")
      return
    }
    let count = try store.entries().count
    #expect(count == Int(position))
    #expect(store.append([record(store.lastRevision + 1, "z")]) == .durable(position: position + 1))
    let again = try reopened()
    #expect(again.lastPosition == position + 1)
    #expect(try again.check() == [])
  }

  @Test func aFullDiskIsWaitedOutWithTheTruthKnown() throws {
    fault_arm(FAULT_WRITE, 1, SQLITE_FULL, 0)
    #expect(store.append([next]) == .unknown(.full(.committing)))
    for _ in 0..<3 {
      guard case .waiting(.full, position: 1) = store.reopen(now: .now()) else {
        Issue.record("the disk is full and the record is not on it")
        return
      }
      #expect(store.append([next]) == .failed(.unsettled))
    }
    #expect(fault_heal() > 0)
    #expect(store.reopen(now: .now()) == .settled(position: 1))
    #expect(store.append([next]) == .durable(position: 2))
    try expectBodies(["first", "next"])
  }

  @Test func aRecordThatIsThereIsNotPromisedWhileTheDiskFails() throws {
    fault_arm(FAULT_SYNC, 1, Self.ioError, 1)
    guard case .unknown = store.append([next]) else {
      Issue.record("the commit failed")
      return
    }
    for _ in 0..<2 {
      guard case .unsure = store.reopen(now: .now()) else {
        Issue.record("the disk still fails")
        return
      }
      #expect(try store.entries().count == 1, "what was durable can be read, and no more")
      #expect(store.lastPosition == 1)
    }
    #expect(fault_heal() > 0)
    #expect(store.reopen(now: .now()) == .settled(position: 2))
  }

  @Test func anOpenReaderHidesTheRecordForGood() throws {
    let tool = OutsideTool(folder)
    tool.run("SELECT count(*) FROM hpd_journal")
    fault_arm(FAULT_SYNC, 1, Self.ioError, 1)
    guard case .unknown = store.append([next]) else {
      Issue.record("the commit failed")
      return
    }
    #expect(fault_heal() > 0)
    // The tool's connection kept the index of the log, which does not list the record.
    #expect(store.reopen(now: .now()) == .settled(position: 1))
    try expectBodies(["first"])
  }

  @Test func aFullStoreRefusesAndGoesOn() throws {
    let connection = try store.reading().connection
    let pages = try connection.number("PRAGMA page_count", .checking) ?? 0
    try connection.run("PRAGMA max_page_count = \(pages + 3)", .checking)
    let big = record(store.lastRevision + 1, String(repeating: "x", count: 100_000))
    #expect(store.append([big]) == .failed(.full(.appending)))
    #expect(store.append([next]) == .durable(position: 2), "nothing is unsettled")
    try connection.run("PRAGMA max_page_count = 1000000", .checking)
    let bigger = record(store.lastRevision + 1, String(repeating: "x", count: 100_000))
    #expect(store.append([bigger]) == .durable(position: 3))
  }

  @Test func aFailedMaterialisingLeavesTheJournal() throws {
    let pending = PendingWrites()
    pending.append(.table, table: 1, bytes: table(1, "items", [.make(1, "a", .text)]))
    pending.close(revision: store.lastRevision + 1)
    #expect(store.append([next]) == .durable(position: 2))
    fault_arm(FAULT_SYNC, 1, Self.ioError, 0)
    #expect(throws: StoreFault.sqlite(code: Self.ioError, .committing)) {
      try store.materialise(pending, limit: .max, through: .max)
    }
    #expect(fault_heal() > 0)
    #expect(pending.count == 1)
    #expect(store.append([next]) == .failed(.unsettled))
    #expect(store.reopen(now: .now()) == .settled(position: 2))
    #expect(try store.materialise(pending, limit: .max, through: .max), "pure writes are repeated")
    #expect(try store.check() == [])
  }

  @Test func inIntervalOnlySyncReachesTheDisk() throws {
    let folder = StoreFolder()
    let store = try folder.open(.interval, layer: "fault")
    fault_arm(FAULT_SYNC, 1, Self.ioError, 0)
    #expect(store.append([record(store.lastRevision + 1, "x")]) == .durable(position: 1))
    #expect(throws: StoreFault.sqlite(code: Self.ioError, .committing)) {
      try store.sync(now: .now())
    }
    #expect(fault_heal() > 0)
    #expect(store.reopen(now: .now()) == .settled(position: 1))
    try store.sync(now: .now())
    #expect(store.append([record(store.lastRevision + 1, "y")]) == .durable(position: 2))
  }

  private func expectBodies(_ bodies: [String]) throws {
    let again = try reopened()
    #expect(try again.entries().map { String(decoding: $0.body, as: UTF8.self) } == bodies)
    #expect(try again.check() == [])
  }

  /// What a start after kill -9 would find: a copy of the files as they are now.
  private func reopened() throws -> Store {
    let other = StoreFolder()
    _ = run("cp '\(folder.store)' '\(folder.store)-wal' '\(other.path)/'")
    return try other.open()
  }
}
