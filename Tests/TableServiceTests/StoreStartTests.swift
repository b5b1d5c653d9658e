import Glibc
import Testing

@testable import TableService

@Suite struct StoreStartTests {
  @Test func aNewStoreIsPrivateAndHasAnEpoch() throws {
    let folder = StoreFolder()
    var options = StoreOptions(path: folder.path + "/a/b/hpd.db")
    options.busyMilliseconds = 10
    let store = try Store(options, now: .now())
    #expect(store.origin == .created)
    #expect(store.epoch != 0)
    #expect(store.lastRevision >= 1 << 24)
    #expect(store.counters[.row] > 1 << 24)
    let modes = run("cd '\(folder.path)' && stat -c %a a a/b a/b/hpd.db a/b/hpd.db-wal").output
    #expect(modes == "700\n700\n600\n600")
  }

  @Test func startsGoOnAfterACleanStopAndAfterAKill() throws {
    let folder = StoreFolder()
    var epochs: Set<UInt64> = []
    for clean in [true, false, true] {
      let store = try folder.open()
      epochs.insert(store.epoch)
      #expect(
        store.origin == (epochs.count == 1 && store.lastPosition == 0 ? .created : .continued))
      _ = store.append([record(store.lastRevision + 1, "x")])
      if clean { try store.close(now: .now()) }
    }
    #expect(epochs.count == 1)
  }

  @Test func idsAreNeverGivenTwice() throws {
    let folder = StoreFolder()
    var last: UInt64 = 0
    for clean in [true, false, true, false, false] {
      let store = try folder.open()
      var counters = store.counters
      let count: UInt64 = 200_000  // more than a block
      let first = try counters.take(.row, count: count)
      #expect(first > last)
      if clean { #expect(last == 0 || first >= last + 1) }
      last = first + count - 1
      let outcome = store.append(
        after: store.lastPosition, [record(store.lastRevision + 1, "x")], counters: counters,
        keys: [], now: .now())
      #expect(outcome == .durable(position: store.lastPosition))
      if clean { try store.close(now: .now()) }
    }
    var counters = IDCounters()
    counters[.row] = StoreLimits.largestID
    #expect(try counters.take(.row) == StoreLimits.largestID)
    #expect(throws: StoreFault.exhausted) { try counters.take(.row) }
  }

  @Test func aCleanStopLosesNoIDs() throws {
    let folder = StoreFolder()
    let next: UInt64
    do {
      let store = try folder.open()
      next = store.counters[.row]
      try store.close(now: .now())
    }
    #expect(try folder.open().counters[.row] == next)
  }

  @Test func aCopyGetsANewEpochPastEverything() throws {
    let folder = StoreFolder()
    let epoch: UInt64
    let revision: UInt64
    do {
      let store = try folder.open()
      _ = store.append([record(store.lastRevision + 1, "x")])
      (epoch, revision) = (store.epoch, store.lastRevision)
      try store.close(now: .now())
    }
    #expect(run("cd '\(folder.path)' && cp hpd.db copy && mv copy hpd.db").status == 0)
    let store = try folder.open()
    #expect(store.origin == .renewed)
    #expect(store.epoch != epoch)
    #expect(store.lastRevision >= revision + 1 << 24)
    #expect(store.historyStart == store.lastRevision)
    #expect(store.lastRevision <= StoreLimits.largestID)
    #expect(try store.entries().count == 1, "the journal itself is kept")
    #expect(store.append([record(store.lastRevision + 1, "y")]) == .durable(position: 2))
  }

  @Test func aSealedBackupGetsANewEpoch() throws {
    let folder = StoreFolder()
    let epoch = try folder.open().epoch
    _ = folder.sql("UPDATE hpd_meta SET sealed = 1")
    do {
      let store = try folder.open()
      #expect(store.origin == .renewed && store.epoch != epoch)
      #expect(!store.meta.isSealed)
    }
    #expect(try folder.open().origin == .continued)
  }

  @Test func idsWithoutACommitAreReservedFirst() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    var counters = store.counters
    while store.covers(counters) { _ = try counters.take(.client) }
    let outcome = store.append(
      after: store.lastPosition, [], counters: counters, keys: [], now: .now())
    #expect(outcome == .durable(position: 0))
    #expect(store.covers(counters))
    #expect(try store.check() == [])
  }

  @Test(arguments: [Durability.interval, .none])
  func anUncleanStopThatMayHaveLostTheEndGetsANewEpoch(durability: Durability) throws {
    let folder = StoreFolder()
    let epoch = try folder.open(durability).epoch
    do {
      let store = try folder.open(durability)
      #expect(store.origin == .renewed)
      #expect(store.epoch != epoch)
      _ = store.append([record(store.lastRevision + 1, "x")])
      try store.sync(now: .now())
      try store.close(now: .now())
    }
    #expect(try folder.open(durability).origin == .continued)
  }

  @Test func newerAndForeignFilesAreRefused() throws {
    let folder = StoreFolder()
    do { try folder.open().close(now: .now()) }
    _ = folder.sql("PRAGMA user_version = 9")
    #expect(throws: StoreFault.newer(found: 9, supported: StoreSchema.version)) {
      try folder.open()
    }
    let other = StoreFolder()
    _ = other.sql("CREATE TABLE x(y)")
    #expect(throws: StoreFault.notAStore) { try other.open() }
    #expect(other.sql("PRAGMA journal_mode") == "delete", "nothing was changed")
    let text = StoreFolder()
    _ = run("yes text | head -c 10000 > '\(text.store)'")
    #expect(throws: StoreFault.notAStore) { try text.open() }
    let linked = StoreFolder()
    do { try linked.open().close(now: .now()) }
    _ = run("ln '\(linked.store)' '\(linked.path)/second'")
    #expect(throws: StoreFault.linked) { try linked.open() }
  }

  @Test func oneDaemonPerStore() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    #expect(throws: StoreFault.locked(pid: getpid())) { try folder.open() }
    _ = run("ln -s '\(folder.store)' '\(folder.path)/alias'")
    #expect(throws: StoreFault.locked(pid: getpid())) {
      try Store(StoreOptions(path: folder.path + "/alias"), now: .now())
    }
    #expect(run("flock -n '\(folder.store).lock' true").status != 0, "seen by other processes")
    try store.close(now: .now())
  }

  @Test func anotherProcessHoldsTheLock() throws {
    let folder = StoreFolder()
    try folder.open().close(now: .now())
    let marker = folder.path + "/held"
    let holder = popen(
      "flock '\(folder.store).lock' sh -c 'echo $$ > \"\(folder.store).lock\"; touch \"\(marker)\"; cat'",
      "w")
    while access(marker, F_OK) != 0 { usleep(1_000) }
    let pid = Int32(run("cat '\(folder.store).lock'").output) ?? 0
    #expect(pid > 0)
    #expect(throws: StoreFault.locked(pid: pid)) { try folder.open() }
    pclose(holder)
    #expect(try folder.open().origin == .continued)
  }

  @Test func stoppedTimeCountsAnHourAtMost() throws {
    let hour: Int64 = 3_600_000_000
    let folder = StoreFolder()
    var reading: Int64 = 0
    for (wall, expected): (Int64, Int64) in [
      (1_000 * hour, 0), (1_000 * hour + 5, 5), (900 * hour, 0), (999 * hour, hour),
    ] {
      let now = Instant(monotonic: 17, wall: wall)
      let store = try folder.open(at: now)
      #expect(store.clock.reading(now) == reading + expected)
      let later = Instant(monotonic: 17 + 250, wall: wall - 3)
      #expect(store.clock.reading(later) == reading + expected + 250)
      reading += expected + 250
      try store.close(now: Instant(monotonic: 17 + 250, wall: wall))
    }
  }

  @Test func aMigrationKeepsACopy() throws {
    let folder = StoreFolder()
    do { try folder.open().close(now: .now()) }
    _ = folder.sql("PRAGMA user_version = 1")
    let connection = try Connection(path: folder.store, fileLayer: nil, busyMilliseconds: 10)
    let steps = [
      MigrationStep(from: 1, sql: "CREATE TABLE hpd_new(a)"),
      MigrationStep(from: 2, sql: "CREATE TABLE hpd_newer(a)"),
    ]
    let copy = try Migration.run(connection, path: folder.store, from: 1, to: 3, steps: steps)
    #expect(copy == folder.store + ".v1")
    #expect(folder.sql("PRAGMA user_version; SELECT count(*) FROM hpd_newer") == "3\n0")
    let kept = run(
      "sqlite3 '\(folder.store).v1' 'PRAGMA user_version'; stat -c %a '\(folder.store).v1'")
    #expect(kept.output == "1\n600")
    #expect(throws: StoreFault.self) {
      try Migration.run(connection, path: folder.store, from: 3, to: 5, steps: steps)
    }
    #expect(folder.sql("PRAGMA user_version") == "3")
    let newer = StoreSchema.version + 1
    _ = folder.sql("PRAGMA user_version = \(newer)")
    #expect(throws: StoreFault.newer(found: newer, supported: StoreSchema.version)) {
      try folder.open()
    }
    _ = folder.sql("PRAGMA user_version = 1")
    let second = try Migration.run(connection, path: folder.store, from: 1, to: 1, steps: steps)
    #expect(second == nil)
    let more = [MigrationStep(from: 1, sql: "CREATE TABLE hpd_newest(a)")]
    let third = try Migration.run(connection, path: folder.store, from: 1, to: 2, steps: more)
    #expect(third == folder.store + ".v1.2", "an older copy is kept")
  }
}
