import Testing

@testable import TableService

/// Other programs use the store while it is open (contract S11).
@Suite struct StoreOutsideTests {
  @Test func anOutsideReaderSeesCommitsAndHindersNothing() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    let tool = OutsideTool(folder)
    tool.run("BEGIN")
    tool.run("SELECT count(*) FROM hpd_journal")
    for number in 1...50 {
      #expect(
        store.append([record(store.lastRevision + 1, "x")]) == .durable(position: UInt64(number)))
    }
    #expect(folder.sql("SELECT count(*) FROM hpd_journal") == "50")
    try store.checkpointIfDue(isIdle: true)
    tool.run("COMMIT")
    #expect(store.append([record(store.lastRevision + 1, "x")]) == .durable(position: 51))
  }

  @Test func anOutsideTransactionIsWaitedForAndThenAFault() throws {
    let folder = StoreFolder()
    let store = try folder.open(busy: 50)
    let tool = OutsideTool(folder)
    tool.run("BEGIN IMMEDIATE")
    let change = record(store.lastRevision + 1, "x")
    #expect(store.append([change]) == .failed(.busy(.beginning)))
    #expect(try store.entries() == [])
    tool.run("ROLLBACK")
    #expect(store.append([change]) == .durable(position: 1), "no write happened")
  }

  @Test func aShortOutsideTransactionIsOnlyWaitedFor() throws {
    let folder = StoreFolder()
    let store = try folder.open(busy: 10_000)
    let tool = OutsideTool(folder)
    tool.run("BEGIN IMMEDIATE")
    _ = run("(sleep 0.2; touch '\(folder.path)/go') >/dev/null 2>&1 &")
    // The tool ends its transaction while the store waits for it.
    tool.send(".system while [ ! -e '\(folder.path)/go' ]; do sleep 0.01; done\nROLLBACK;")
    #expect(store.append([record(store.lastRevision + 1, "x")]) == .durable(position: 1))
  }

  @Test func anOutsideWriteStopsTheStoreFromWriting() throws {
    let folder = StoreFolder()
    do {
      let store = try folder.open()
      _ = store.append([record(store.lastRevision + 1, "x")])
      #expect(folder.sql("CREATE TABLE mine(a)") == "")
      #expect(store.append([record(store.lastRevision + 1, "y")]) == .failed(.foreignWrite))
      #expect(store.append([record(store.lastRevision + 1, "y")]) == .failed(.foreignWrite))
      #expect(throws: StoreFault.foreignWrite) { try store.persistClock(now: .now()) }
      #expect(try store.entries().count == 1, "reads go on")
      #expect(store.reopen(now: .now()) == .waiting(.foreignWrite, position: 1))
    }
    let store = try folder.open()
    #expect(store.append([record(store.lastRevision + 1, "y")]) == .durable(position: 2))
  }

  @Test func checkpointsKeepTheLogShortWithoutTruncatingIt() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    let body = String(repeating: "x", count: 40_000)
    for _ in 0..<900 {
      _ = store.append([record(store.lastRevision + 1, body)])
      try store.checkpointIfDue(isIdle: true)
    }
    let size = Int(run("stat -c %s '\(folder.store)-wal'").output) ?? 0
    #expect(size > 8_000_000 && size < 12_000_000, "\(size)")
    try store.checkpointIfDue(isIdle: true)
    #expect(Int(run("stat -c %s '\(folder.store)-wal'").output) == size)
    #expect(try store.check() == [])
    try store.close(now: .now())
    #expect(run("ls '\(folder.path)'").output == "hpd.db\nhpd.db.lock")
  }
}
