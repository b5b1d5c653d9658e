import HouseSupport
import Testing

@testable import Wire

/// Golden frames with random damage: each gives a request or a fault, never a trap.
@Suite struct MutationTests {
  static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0...random.below(4) {
      guard !bytes.isEmpty else { return }
      let at = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[at] = UInt8(random.below(256))
      case 1: bytes[at] ^= 1 << UInt8(random.below(8))
      case 2: bytes.remove(at: at)
      case 3: bytes.insert(UInt8(random.below(256)), at: at)
      case 4: bytes.removeLast(bytes.count - at)
      default:
        let other = Golden.up[random.below(Golden.up.count)].payload
        let start = random.below(other.count)
        bytes.insert(contentsOf: other[start...].prefix(1 + random.below(20)), at: at)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func neverTraps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let decoder = RequestDecoder()
    let payloads = Golden.up.map(\.payload)
    var requests = 0
    var reasons: Set<WireFault.Reason> = []
    for step in 0..<50_000 {
      var bytes = payloads[random.below(payloads.count)]
      Self.damage(&bytes, &random)
      do throws(WireFault) {
        let request = try decoder.decode(bytes.span)
        requests += 1
        if request.body == .batch { Self.checkRanges(decoder.batch, "seed \(seed) step \(step)") }
      } catch {
        reasons.insert(error.reason)
        if error.offset > bytes.count || error.endsConnection {
          Issue.record("seed \(seed) step \(step): \(error)")
        }
      }
    }
    // The damage reaches both outcomes and most faults.
    #expect(requests > 1000)
    #expect(reasons.count >= 10, "\(reasons)")
  }

  static func checkRanges(_ batch: BatchBuffer, _ place: String) {
    let cells = batch.rows.map(\.cells).allSatisfy { $0.upperBound <= batch.cells.count }
    let conditions = batch.operations.map(\.conditions).allSatisfy {
      $0.upperBound <= batch.conditionList.count
    }
    let texts = batch.cells.allSatisfy { cell in
      guard case .text(let range) = cell.value else { return true }
      return String(validating: batch.text[range.range], as: UTF8.self) != nil
    }
    if !cells || !conditions || !texts { Issue.record("a range leads nowhere: \(place)") }
  }
}
