import HouseSupport
import Testing

@testable import TableService

/// The index of a unique column against a dictionary (contract E15).
@Suite struct KeyIndexTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func agreesWithADictionary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let isText = seed % 2 == 0
    let rows = RowStore()
    let keys = KeyIndex(column: 2)
    rows.keys = [keys]
    var values: [UInt32: CellValue] = [:]
    var slots: [CellValue: Set<UInt32>] = [:]
    var next: UInt64 = 1

    func value() -> CellValue? {
      if random.below(10) == 0 { return nil }
      let number = random.below(6_000)
      return isText ? .text(Array("key \(number)".utf8)) : .integer(Int64(number) - 3_000)
    }
    func image(_ id: UInt64, _ value: CellValue?) -> [UInt8] {
      var cells: [(column: UInt64, value: CellValue)] = [(1, .integer(Int64(id)))]
      if let value { cells.append((2, value)) }
      return RowImage.make(id: id, revision: 1, cells: cells)
    }
    func forget(_ slot: UInt32) {
      if let old = values.removeValue(forKey: slot) { slots[old]?.remove(slot) }
    }
    func note(_ slot: UInt32, _ value: CellValue?) {
      forget(slot)
      guard let value else { return }
      values[slot] = value
      slots[value, default: []].insert(slot)
    }
    var live: [UInt32] = []
    for step in 0..<30_000 {
      switch random.below(live.count > 4_000 ? 4 : 6) {
      case 0, 1:
        guard !live.isEmpty else { continue }
        let slot = live.remove(at: random.below(live.count))
        rows.remove(slot)
        forget(slot)
      case 2, 3:
        guard !live.isEmpty else { continue }
        let slot = live[random.below(live.count)]
        let value = value()
        rows.replace(slot, image: image(rows.id(slot), value))
        note(slot, value)
      default:
        let value = value()
        let slot = rows.insert(id: next, image: image(next, value))
        next += 1
        live.append(slot)
        note(slot, value)
      }
      guard let probe = value() else { continue }
      let found = keys.slot(of: probe, in: rows) { _ in true }
      let known = slots[probe] ?? []
      #expect(found.map(known.contains) ?? known.isEmpty, "seed \(seed) step \(step)")
      var all: Set<UInt32> = []
      _ = keys.slot(of: probe, in: rows) { slot in
        all.insert(slot)
        return false
      }
      #expect(all == known, "seed \(seed) step \(step)")
    }
    #expect(keys.count == values.count)
    // Lean: entries of four bytes, at most half of them empty after growth.
    #expect(keys.bytes < 256 * 32 + max(values.count, 2_048) * 16)
  }
}
