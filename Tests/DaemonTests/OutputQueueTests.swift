import Glibc
import HouseSupport
import Testing

@testable import hpd

@Suite struct OutputQueueTests {
  /// Two connected sockets, both non-blocking.
  private func pair() throws -> (left: CInt, right: CInt) {
    var ends: [CInt] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  private func drain(_ descriptor: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  @Test(arguments: 0..<40) func sendsEveryByteOnceInOrder(seed: Int) throws {
    let (left, right) = try pair()
    defer { close(left); close(right) }
    var random = SeededRandom(seed: UInt64(seed))
    var queue = OutputQueue()
    var expected: [UInt8] = []
    var received: [UInt8] = []
    var reached: [UInt64] = []
    var frames: UInt64 = 0
    for _ in 0..<400 {
      let length = Int(random.next() % 900)
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      frames += 1
      if random.next() % 2 == 0 {
        queue.appendFrame(subscription: 1, revision: frames, body: bytes) { $0.append(7) }
        expected += [7] + bytes
      } else {
        queue.appendFrame(subscription: 1, revision: frames) { $0 += bytes + [1] }
        expected += bytes + [1]
      }
      if random.next() % 3 == 0 {
        _ = queue.flush(to: left, durable: 0, cap: Int(random.next() % 5000)) { reached.append($1) }
        if random.next() % 2 == 0 { received += drain(right) }
      }
    }
    while queue.count > 0 {
      _ = queue.flush(to: left, durable: 0, cap: 1 << 20) { reached.append($1) }
      received += drain(right)
    }
    received += drain(right)
    #expect((received == expected) as Bool, "seed \(seed)")
    #expect((reached == Array(1...frames)) as Bool, "seed \(seed)")
  }

  @Test func keepsWhatIsNotDurable() throws {
    let (left, right) = try pair()
    defer { close(left); close(right) }
    var queue = OutputQueue()
    queue.appendFrame { $0.append(1) }
    queue.gate(5)
    queue.appendFrame { $0.append(2) }
    _ = queue.flush(to: left, durable: 4, cap: 100) { _, _ in }
    #expect(drain(right) == [1])
    queue.gate(6)
    queue.appendFrame { $0.append(3) }
    _ = queue.flush(to: left, durable: 5, cap: 100) { _, _ in }
    #expect(drain(right) == [2])
    queue.dropGated(5)
    queue.appendFrame { $0.append(4) }
    _ = queue.flush(to: left, durable: 5, cap: 100) { _, _ in }
    #expect(drain(right) == [4])
  }

  @Test(arguments: [0, 1, 3, 4, 5, 700, 1003, 1004, 1010]) func goodbyeKeepsTheFrameThatWasBegun(
    cut: Int
  ) throws {
    let (left, right) = try pair()
    defer { close(left); close(right) }
    var queue = OutputQueue()
    queue.appendFrame { $0 += [1, 1, 1, 1] }
    queue.appendFrame(
      subscription: 1, revision: 1, body: [UInt8](repeating: 2, count: 999)
    ) { $0.append(2) }
    queue.appendFrame { $0 += [UInt8](repeating: 3, count: 20) }
    if cut > 0 { _ = queue.flush(to: left, durable: 0, cap: cut) { _, _ in } }
    let begun = queue.dropUnsent()
    #expect(begun?.revision == ((5..<1004).contains(cut) ? 1 : nil))
    queue.appendFrame { $0.append(9) }
    while queue.count > 0 { _ = queue.flush(to: left, durable: 0, cap: 4096) { _, _ in } }
    let whole: [[UInt8]] = [
      [1, 1, 1, 1], [UInt8](repeating: 2, count: 1000), [UInt8](repeating: 3, count: 20),
    ]
    var expected: [UInt8] = []
    for frame in whole where expected.count < cut { expected += frame }
    #expect(drain(right) == expected + [9])
  }
}
