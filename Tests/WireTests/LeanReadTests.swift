import HouseSupport
import Testing

@testable import Wire

/// The lean reader reads what the schema's reader reads, or leaves the frame to it.
@Suite struct LeanReadTests {
  private static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func field(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    tag + varint(UInt64(content.count)) + content
  }

  private static func frame(_ id: UInt64, _ table: [UInt8], _ ids: [UInt64]) -> [UInt8] {
    let packed = ids.flatMap { varint($0) }
    return [8] + varint(id)
      + field([0x82, 0x02], field([0x0a], table) + field([0x12], packed))
  }

  @Test func plainReadsAreTaken() throws {
    let items = Self.field([0x12], Array("items".utf8))
    let one = Self.frame(7, items, [300])
    #expect(
      LeanRead.request(one.span)
        == Request(id: 7, body: .getRows(.name("items"), ids: [300])))
    let many = Self.frame(1 << 40, [8, 5], [1, 2, (1 << 53) - 1])
    #expect(
      LeanRead.request(many.span)
        == Request(id: 1 << 40, body: .getRows(.id(5), ids: [1, 2, (1 << 53) - 1])))
    let golden = try Golden.named("get_rows").payload
    #expect(LeanRead.request(golden.span) != nil)
    #expect(LeanRead.request(Self.frame(0, items, [1]).span) == nil)
    #expect(LeanRead.request(Self.frame(1, items, Array(1...65)).span) == nil)
    #expect(LeanRead.request(Self.frame(1, [0x12, 1, 0], [1]).span) == nil)
    #expect(LeanRead.request(Self.frame(1, [0x12, 2, 0xc3, 0xa4], [1]).span) == nil)
    #expect(LeanRead.request((one + [0x12, 1, 0x61]).span) == nil)
  }

  @Test(arguments: UInt64(1)...8) func readsAsTheSchemaDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let decoder = RequestDecoder()
    var taken = 0
    for step in 0..<2_500 {
      let name = (0..<Int.random(in: 0...70, using: &random)).map { _ in
        UInt8.random(in: 0x1f...0x7f, using: &random)
      }
      let table =
        Bool.random(using: &random)
        ? [8] + Self.varint(UInt64.random(in: 0...300, using: &random)) : Self.field([0x12], name)
      let ids = (0..<Int.random(in: 0...66, using: &random)).map { _ in
        UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
      }
      var bytes = Self.frame(UInt64.random(in: 0...500, using: &random), table, ids)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        default: bytes.remove(at: index)
        }
        if bytes.isEmpty { bytes = [8] }
      }
      if LeanRead.request(bytes.span) != nil { taken += 1 }
      let lean = Result { () throws(WireFault) in try decoder.decode(bytes.span) }
      let whole = Result { () throws(WireFault) in try decoder.decodeBySchema(bytes.span) }
      #expect(lean == whole, "seed \(seed) step \(step): \(bytes)")
    }
    #expect(taken > 100, "seed \(seed): \(taken) frames")
  }
}
