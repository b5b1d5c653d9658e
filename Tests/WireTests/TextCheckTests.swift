import Coding
import HouseSupport
import Testing

@testable import Wire

@Suite struct TextCheckTests {
  static func fault(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      return TextCheck.fault(start, 0, buffer.count)
    }
  }

  static let good: [[UInt8]] = [
    Array("a".utf8), Array("12345678".utf8), Array("1234567890é漢😀 end".utf8), [0x7f, 0x01],
    [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xee, 0x80, 0x80],
    [0xef, 0xbf, 0xbf], [0xf0, 0x90, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf],
  ]

  static let bad: [(bytes: [UInt8], at: Int)] = [
    ([0x00], 0), (Array("12345678abc\0d".utf8), 11), (Array("1234567\0".utf8), 7),
    ([0x61, 0x80], 1), ([0xc0, 0x80], 0), ([0xc1, 0xbf], 0), ([0xc2], 0), ([0xc2, 0x41], 0),
    ([0xe0, 0x80, 0x80], 0), ([0xe0, 0x9f, 0xbf], 0), ([0xed, 0xa0, 0x80], 0),
    ([0xed, 0xbf, 0xbf], 0), ([0xe1, 0x80], 0), ([0xe1, 0x80, 0x41], 0),
    ([0xf0, 0x8f, 0xbf, 0xbf], 0), ([0xf4, 0x90, 0x80, 0x80], 0), ([0xf5, 0x80, 0x80, 0x80], 0),
    ([0xf1, 0x80, 0x80], 0), ([0xff], 0), (Array("1234567890".utf8) + [0xe6, 0xbc], 10),
  ]

  @Test(arguments: good) func takesUTF8(bytes: [UInt8]) { #expect(Self.fault(bytes) == nil) }

  @Test(arguments: bad) func namesTheFirstBadByte(bytes: [UInt8], at: Int) {
    #expect(Self.fault(bytes) == at)
  }

  @Test func agreesWithTheStandardLibrary() {
    var random = SeededRandom(seed: 7)
    let starts: [UInt8] = [0x41, 0x80, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf4, 0xbf, 0x9f, 0xa0, 0x90]
    for step in 0..<100_000 {
      let bytes = (0..<1 + random.below(12)).map { _ in starts[random.below(starts.count)] }
      let valid = String(validating: bytes, as: UTF8.self) != nil
      guard valid == (Self.fault(bytes) == nil) else {
        Issue.record("step \(step): \(bytes)")
        return
      }
    }
  }

  @Test func textsOfAFrameAreChecked() {
    func locate(_ name: [UInt8]) -> [UInt8] {
      FrameScanTests.frame(34) { $0.appendField(1) { $0.appendField(2, bytes: name) } }
    }
    func refuses(_ name: [UInt8], _ reason: WireFault.Reason, at offset: Int) {
      let fault = WireFault(reason, offset: offset, field: 2, request: 1)
      #expect(throws: fault) { try RequestDecoder().decode(locate(name).span) }
    }
    refuses([0x61, 0xff], .badText, at: 10)
    refuses([0x61, 0x00, 0x61], .innerNul, at: 10)
    let longest = [UInt8](repeating: 0x61, count: Limits.text)
    #expect(throws: Never.self) { try RequestDecoder().decode(locate(longest).span) }
    refuses(longest + [0x61], .textTooLong, at: 15)
  }
}
