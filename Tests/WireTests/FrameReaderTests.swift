import Coding
import HouseSupport
import Testing

@testable import Wire

@Suite struct FrameReaderTests {
  static let refused: [(bytes: [UInt8], fault: WireFault)] = [
    ([0xff, 0xff, 0xff, 0xff, 0xff], WireFault(.badLength, offset: 4)),
    ([0x80, 0x80, 0x80, 0x80, 0x80, 0x00], WireFault(.badLength, offset: 4)),
    ([0xff, 0xff, 0xff, 0xff, 0x7f], WireFault(.oversized, offset: 0)),
    ([0x81, 0x08], WireFault(.oversized, offset: 0)),
    ([0x81, 0x88, 0x80, 0x80, 0x00], WireFault(.oversized, offset: 0)),
  ]

  static func next(_ bytes: [UInt8], _ reader: FrameReader) throws -> FrameReader.Result {
    try reader.next(in: bytes.span)
  }

  @Test(arguments: refused) func refusesBadLengths(bytes: [UInt8], fault: WireFault) {
    #expect(fault.endsConnection)
    #expect(throws: fault) { try Self.next(bytes, FrameReader(limit: 1024)) }
  }

  @Test func takesEveryLengthUpToTheLimit() throws {
    let reader = FrameReader(limit: 300)
    #expect(try Self.next([], reader) == .incomplete(1))
    #expect(try Self.next([0], reader) == .frame(1..<1))
    #expect(try Self.next([0x80], reader) == .incomplete(1))
    #expect(try Self.next([0xac, 0x02], reader) == .incomplete(300))
    let whole: [UInt8] = [0xac, 0x02] + [UInt8](repeating: 7, count: 300)
    #expect(try Self.next(whole, reader) == .frame(2..<302))
    // A longer way to write the same length.
    #expect(try Self.next([0x83, 0x80, 0x00, 1, 2, 3], reader) == .frame(3..<6))
  }

  @Test(arguments: Golden.all) func framesCutAtEveryByteWait(golden: Golden) throws {
    let reader = FrameReader(limit: Limits.frameDown)
    let payload = golden.frame.count - golden.payload.count..<golden.frame.count
    for cut in golden.frame.indices {
      var queue = ByteQueue()
      queue.append(array: Array(golden.frame[..<cut]))
      guard case .incomplete(let missing) = try reader.next(in: queue.bytes) else {
        Issue.record("\(cut) of \(golden.frame.count) bytes are a frame")
        continue
      }
      #expect(missing >= 1 && cut + missing <= golden.frame.count)
      queue.append(array: Array(golden.frame[cut...]))
      #expect(try reader.next(in: queue.bytes) == .frame(payload))
      #expect(queue.count == golden.frame.count)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aStreamCutAnywhereGivesTheSameRequests(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var stream: [UInt8] = []
    var expected: [Request] = []
    let decoder = RequestDecoder()
    for _ in 0..<1000 {
      let golden = Golden.up[random.below(Golden.up.count)]
      stream += golden.frame
      expected.append(try decoder.decode(golden.payload.span))
    }
    var queue = ByteQueue()
    var got: [Request] = []
    var sent = 0
    while sent < stream.count {
      let count = min(stream.count - sent, 1 + random.below(random.below(10) == 0 ? 9000 : 40))
      let written = queue.writeTail(minimum: count) { room in
        room.copyBytes(from: stream[sent..<sent + count])
        return count
      }
      sent += written
      while case .frame(let range) = try FrameReader().next(in: queue.bytes) {
        got.append(try decoder.decode(queue.bytes.extracting(range)))
        queue.consume(range.upperBound)
      }
    }
    #expect(queue.count == 0)
    #expect(got == expected, "seed \(seed)")
  }
}
