import Coding
import HouseSupport
import Testing

@testable import TableService

@Suite struct StoreJournalTests {
  @Test func recordsComeBackAsTheyWere() throws {
    let folder = StoreFolder()
    let revision: UInt64
    var records: [JournalRecord] = []
    do {
      let store = try folder.open()
      revision = store.lastRevision
      var big = record(revision + 2, "", tables: [7, 300])
      big.head.keyHash = [1, 2, 3]
      big.parts = (0..<3).map { JournalPart(body: [UInt8($0)], old: [9, UInt8($0)]) }
      records = [record(revision + 1, "one"), big, record(nil, "lease"), record(revision + 9, "")]
      #expect(store.append(records) == .durable(position: 6))
      #expect(store.lastRevision == revision + 9)
    }
    let store = try folder.open()
    #expect(store.lastPosition == 6)
    #expect(store.lastRevision == revision + 9)
    let entries = try store.entries()
    #expect(entries.map(\.position) == [1, 2, 3, 4, 5, 6])
    #expect(
      entries.map(\.revision) == [1, 2, 2, 2, 2, 9].map { revision + $0 })
    #expect(entries.map(\.isRevision) == [true, true, true, true, false, true])
    #expect(entries.map(\.part) == [0, 0, 1, 2, 0, 0])
    #expect(entries.map(\.isLast) == [true, false, false, true, true, true])
    #expect(entries[1].tables == [7, 300])
    #expect(entries[2].tables == [] && entries[2].head == [])
    #expect(try JournalHead(decoding: entries[1].head) == records[1].head)
    #expect(entries[3].body == [2] && entries[3].old == [9, 2])
    #expect(try store.check() == [])
  }

  /// Rows are written many at a time; how many a turn has, and how long they are, is all the same.
  @Test(arguments: UInt64(1)...4) func turnsOfAnySizeComeBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = StoreFolder()
    var all: [JournalRecord] = []
    var total: Int64 = 0
    do {
      let store = try folder.open()
      for _ in 0..<24 {
        let base = store.lastRevision
        let records = (0..<random.below(45)).map { index in
          var change = record(
            random.below(8) == 0 ? nil : base + UInt64(index) + 1, "",
            tables: random.below(9) == 0 ? [] : [7, 300])
          change.parts = (0..<(random.below(6) == 0 ? 1 + random.below(20) : 1)).map { _ in
            let size = random.below(20) == 0 ? 20_000 : 60
            return JournalPart(
              body: (0..<random.below(size)).map { UInt8(truncatingIfNeeded: $0) },
              old: [UInt8](repeating: 9, count: random.below(size)))
          }
          return change
        }
        all += records
        let entries = all.reduce(0) { $0 + $1.parts.count }
        #expect(store.append(records) == .durable(position: UInt64(entries)))
      }
      total = store.journal.total
    }
    let store = try folder.open()
    #expect(store.journal.total == total)
    #expect(try store.check() == [])
    let entries = try #require(
      try store.read(after: 0, limitBytes: .max, limitRecords: .max, withOld: true))
    var rest = entries[...]
    for (index, record) in all.enumerated() {
      for (part, content) in record.parts.enumerated() {
        let entry = try #require(rest.first)
        rest.removeFirst()
        #expect(entry.isRevision == (record.revision != nil), "record \(index)")
        #expect(record.revision == nil || entry.revision == record.revision)
        #expect(entry.part == part && entry.parts == record.parts.count)
        #expect(entry.tables == (part == 0 ? record.tables : []))
        #expect(entry.head == (part == 0 ? record.head.encoded() : []))
        #expect(entry.body == content.body && entry.old == content.old, "record \(index)")
      }
    }
    #expect(rest.isEmpty)
  }

  @Test func slicesGoOnWhereTheyEnded() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    let base = store.lastRevision
    for number in 1...20 {
      _ = store.append([record(base + UInt64(number) * 3, String(repeating: "x", count: 100))])
    }
    var seen: [UInt64] = []
    var position = try store.position(through: base + 10)
    #expect(position == 3)
    while true {
      let slice = try #require(
        try store.read(after: position, limitBytes: 250, limitRecords: 100))
      guard let last = slice.last else { break }
      #expect(slice.count <= 3)
      seen += slice.map(\.revision)
      position = last.position
    }
    #expect(seen == (4...20).map { base + UInt64($0) * 3 })
    let three = try store.read(afterRevision: base + 3, limitBytes: .max, limitRecords: 3)
    #expect(three?.map(\.position) == [2, 3, 4])
    #expect(try store.read(afterRevision: base + 999, limitBytes: 1, limitRecords: 1) == [])
  }

  @Test func anotherPositionIsAConflict() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    let first = record(store.lastRevision + 1, "a")
    #expect(store.append([first]) == .durable(position: 1))
    let outcome = store.append(
      after: 0, [record(store.lastRevision + 1, "b")], counters: store.counters, keys: [],
      now: .now())
    #expect(outcome == .conflict(last: 1))
    #expect(try store.entries().count == 1)
  }

  @Test func pruningKeepsWholeRecordsAndWhatIsNotMaterialised() throws {
    let folder = StoreFolder()
    let base: UInt64
    do {
      let store = try folder.open()
      base = store.lastRevision
      let pending = PendingWrites()
      for number in 1...10 {
        var change = record(base + UInt64(number), "")
        change.parts = (0..<3).map { _ in JournalPart(body: [UInt8](repeating: 1, count: 50)) }
        _ = store.append([change])
        pending.close(revision: base + UInt64(number))
      }
      let bounds = HistoryBounds(entries: 10, bytes: .max / 2, age: .max / 2)
      #expect(try !store.prune(bounds, limit: 100, now: .now()))
      #expect(store.journal.first == 1, "nothing is materialised")
      _ = try store.materialise(pending, limit: .max, through: base + 6)
      // 10 of 30 entries may stay, but only 18 are materialised.
      var more = true
      while more {
        let first = store.journal.first
        more = try store.prune(bounds, limit: 4, bytes: 160, now: .now())
        #expect((1...3).contains(store.journal.first - first), "three parts fill a slice's bytes")
      }
      #expect(store.journal.first == 19)
      #expect(store.historyStart == base + 6)
      _ = try store.materialise(pending, limit: .max, through: .max)
      #expect(try !store.prune(bounds, pinned: base + 6, limit: 100, now: .now()))
      #expect(store.journal.first == 19, "a snapshot pins what follows it")
      while try store.prune(bounds, limit: 1, now: .now()) {}
      #expect(store.journal.first == 22, "10 entries hold three whole records")
      let some = HistoryBounds(entries: 100, bytes: 320, age: .max / 2)
      while try store.prune(some, limit: 1, now: .now()) {}
      #expect(store.journal.first == 28)
      let none = HistoryBounds(entries: 0, bytes: 0, age: 0)
      while try store.prune(none, limit: 1, now: .now()) {}
      #expect(store.journal.first == 28, "the newest record stays")
    }
    let store = try folder.open()
    #expect(store.journal.first == 28 && store.journal.last == 30)
    #expect(store.historyStart == base + 9)
    #expect(try store.read(afterRevision: base + 8, limitBytes: 1, limitRecords: 1) == nil)
    #expect(try store.read(after: 5, limitBytes: 1, limitRecords: 1) == nil)
    let rest = try store.read(afterRevision: base + 9, limitBytes: .max, limitRecords: 9)
    #expect(rest?.map(\.revision) == [10, 10, 10].map { base + $0 })
    #expect(try store.check() == [])
  }

  @Test func oldRecordsGoByAge() throws {
    let folder = StoreFolder()
    let start = Instant(monotonic: 0, wall: 0)
    let store = try folder.open(at: start)
    let base = store.lastRevision
    let pending = PendingWrites()
    for number in 1...5 {
      let now = Instant(monotonic: Int64(number) * 1_000_000, wall: 0)
      _ = store.append([record(base + UInt64(number), "x")], now: now)
      pending.close(revision: base + UInt64(number))
    }
    _ = try store.materialise(pending, limit: .max, through: .max)
    let bounds = HistoryBounds(entries: 100, bytes: 10_000, age: 2_500_000)
    _ = try store.prune(bounds, limit: 100, now: Instant(monotonic: 5_000_000, wall: 0))
    #expect(store.journal.first == 3)
  }

  @Test func headsSkipWhatTheyDoNotKnow() throws {
    var head = JournalHead(kind: .scene)
    head.client = 4
    head.undoes = 8
    head.redoes = 9
    head.request = 77
    head.time = -3
    var bytes = head.encoded()
    bytes.appendField(50, text: "later")
    #expect(try JournalHead(decoding: bytes) == head)
    #expect(throws: StoreFault.damaged(.reading)) { try JournalHead(decoding: [8, 99]) }
    #expect(throws: StoreFault.damaged(.reading)) { try JournalHead(decoding: [0xff]) }
  }
}
