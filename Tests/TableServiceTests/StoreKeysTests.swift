import Coding
import Testing

@testable import TableService

@Suite struct StoreKeysTests {
  private func key(_ uid: UInt64, _ name: String, expires: Int64 = .max) -> KeyRecord {
    KeyRecord(
      uid: uid, key: Array(name.utf8), hash: [1], outcome: Array("did \(name)".utf8),
      expires: expires)
  }

  @Test func outcomesAreKeptWithTheirRecord() throws {
    let folder = StoreFolder()
    do {
      let store = try folder.open()
      _ = store.append([record(store.lastRevision + 1, "x")], keys: [key(1, "a"), key(2, "a")])
      #expect(store.append([], keys: [key(1, "b")]) == .durable(position: 1))
    }
    let store = try folder.open()
    #expect(try store.key(of: 1, Array("a".utf8)) == key(1, "a"))
    #expect(try store.key(of: 1, Array("b".utf8)) == key(1, "b"))
    #expect(try store.key(of: 2, Array("b".utf8)) == nil)
    #expect(store.keyCount(of: 1) == 2 && store.keyCount(of: 2) == 1 && store.keyCount(of: 3) == 0)
  }

  @Test func expiredKeysGoInSlices() throws {
    let folder = StoreFolder()
    let start = Instant(monotonic: 0, wall: 0)
    let store = try folder.open(at: start)
    let keys = (0..<100).map { key(UInt64($0 % 3), "k\($0)", expires: $0 < 60 ? 1_000 : 9_000) }
    _ = store.append([], keys: keys, now: start)
    #expect(store.keyCount(of: 0) == 34)
    // An expired one that is still there is replaced, not counted twice.
    _ = store.append([], keys: [key(0, "k0", expires: 9_000)], now: start)
    #expect(store.keyCount(of: 0) == 34)
    let later = Instant(monotonic: 1_000, wall: 0)
    var slices = 1
    while try store.removeExpiredKeys(now: later, limit: 7) { slices += 1 }
    #expect(slices == 100 / 7 + 1)
    #expect((0..<3).map { store.keyCount(of: $0) } == [15, 13, 13])
    #expect(folder.sql("SELECT count(*) FROM hpd_keys") == "41")
    #expect(try store.key(of: 0, Array("k0".utf8)) != nil)
    #expect(try store.key(of: 1, Array("k1".utf8)) == nil)
  }

  /// What a retry is told, as far as it is kept (contract E5).
  @Test func aLongOutcomeIsCutAndSaysSo() {
    var reply: [UInt8] = []
    reply.appendField(5) { $0.appendField(1, varint: 9) }
    for first in 0..<300 as Range<UInt64> {
      reply.appendField(6, run: IDRun(first: 1_000_000 + 2 * first, count: 1))
    }
    reply.appendField(7, bytes: [UInt8](repeating: 0, count: 5_000))
    reply.appendField(9, bool: true)
    reply.appendField(12, run: IDRun(first: 7, count: 2))
    reply.appendField(16, varint: 77)
    var kept = KeptOutcome(revision: 3, isUnchanged: false, table: 1, reply: reply)
    kept.cut(to: 4_096)
    #expect(isCanonical(kept.reply, .reply))
    #expect(numbers(kept.reply) == [5: 1, 6: 300, 8: 1, 9: 1, 12: 1, 16: 1])
    kept = KeptOutcome(revision: 3, isUnchanged: false, table: 1, reply: reply)
    kept.cut(to: 100)
    let cut = numbers(kept.reply)
    #expect(cut[5] == 1 && cut[8] == 1 && cut[9] == 1 && cut[16] == 1)
    #expect((1...20).contains(cut[6] ?? 0) && cut[12] == nil && cut[7] == nil)
    #expect(kept.reply.starts(with: reply.prefix(kept.reply.firstIndex(of: 0x40) ?? 0)))
    let short = Array(reply.prefix(40))
    kept = KeptOutcome(revision: 3, isUnchanged: false, table: 1, reply: short)
    kept.cut(to: 4_096)
    #expect(kept.reply == short)
  }

  @Test func aLongDraftIsLeftOut() {
    var reply: [UInt8] = []
    reply.appendField(2, bool: true)
    reply.appendField(3, text: "Done")
    reply.appendField(8, bytes: [UInt8](repeating: 65, count: 4_096))
    reply.appendField(10, varint: 7)
    var kept = KeptOutcome(revision: 3, isUnchanged: false, table: 0, reply: reply)
    kept.drop(fieldsOver: 1_024, ofMoreThan: 8_192)
    #expect(kept.reply == reply)
    kept.drop(fieldsOver: 1_024, ofMoreThan: 4_096)
    #expect(numbers(kept.reply) == [2: 1, 3: 1, 10: 1])
  }

  private func numbers(_ reply: [UInt8]) -> [UInt32: Int] {
    var found: [UInt32: Int] = [:]
    var reader = FieldReader(0..<reply.count)
    while let field = try? reader.next(in: reply.span) { found[field.number, default: 0] += 1 }
    return found
  }
}
