import Coding
import Testing

@testable import Wire

@Suite struct KeyHashTests {
  /// SipHash's own vectors (reference code, vectors_sip128): input 00 01 … of n bytes.
  static let vectors: [(count: Int, bytes: [UInt8])] = [
    (
      0,
      [
        0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02,
        0x93,
      ]
    ),
    (
      1,
      [
        0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
        0x45,
      ]
    ),
    (
      2,
      [
        0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff,
        0xe4,
      ]
    ),
  ]

  @Test(arguments: vectors) func isSipHash(count: Int, bytes: [UInt8]) {
    let input = (0..<count).map { UInt8($0) }
    var hasher = KeyHash.Hasher()
    for index in input.indices { hasher.add(input.span, index..<index + 1) }
    let hash = hasher.finish()
    let result = [hash.low, hash.high].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) }
    }
    #expect(result == bytes)
  }

  static func frame(
    id: UInt64 = 1, retryUntil: UInt64? = nil, atLeast: UInt64? = nil, lease: UInt64? = nil,
    name: String = "tools"
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, varint: id)
    bytes.appendField(2, text: "k")
    if let retryUntil { bytes.appendField(3, varint: retryUntil) }
    if let atLeast { bytes.appendField(4) { $0.appendField(2, varint: atLeast) } }
    if let lease { bytes.appendField(5, varint: lease) }
    bytes.appendField(53) { $0.appendField(1) { $0.appendField(2, text: name) } }
    return bytes
  }

  @Test func aRetryHasTheSameHash() throws {
    // Contract E5: without frame id, retry_until and at_least.
    func hash(_ bytes: [UInt8]) throws -> KeyHash {
      try #require(try RequestDecoder().decode(bytes.span).key).hash
    }
    let first = try hash(Self.frame())
    #expect(try hash(Self.frame(id: 1 << 60)) == first)
    #expect(try hash(Self.frame(retryUntil: 5)) == first)
    #expect(try hash(Self.frame(atLeast: 9)) == first)
    #expect(try hash(Self.frame(lease: 1)) != first)
    #expect(try hash(Self.frame(name: "toolS")) != first)
  }
}
