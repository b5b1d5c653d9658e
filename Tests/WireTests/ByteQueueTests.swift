import HouseSupport
import Testing

@testable import Wire

extension ByteQueue {
  mutating func append(array: [UInt8]) { append(array.span) }
}

@Suite struct ByteQueueTests {
  static func bytes(_ queue: borrowing ByteQueue) -> [UInt8] {
    queue.bytes.withUnsafeBufferPointer { Array($0) }
  }

  @Test func holdsNothingUntilSomethingComes() {
    var queue = ByteQueue()
    #expect(queue.memory == 0)
    #expect(queue.count == 0)
    queue.append(array: [])
    #expect(queue.memory == 0)
    queue.append(array: [1, 2, 3])
    queue.consume(1)
    #expect(Self.bytes(queue) == [2, 3])
    queue.trim()
    #expect(queue.memory > 0)
    queue.consume(2)
    queue.trim()
    #expect(queue.memory == 0)
  }

  @Test func givesBackWhatABigFrameTook() {
    var queue = ByteQueue()
    let big = [UInt8](repeating: 5, count: Limits.frameUp)
    queue.append(array: big)
    #expect(queue.memory >= Limits.frameUp)
    #expect(queue.memory <= 2 * Limits.frameUp)
    queue.consume(Limits.frameUp)
    #expect(queue.memory == 0)
  }

  @Test func anIdleConnectionKeepsLittle() {
    // A read offers much room and brings a small request.
    var queue = ByteQueue()
    queue.writeTail(minimum: 64 << 10) { room in
      room[0] = 0
      return 1
    }
    queue.consume(1)
    #expect(queue.memory <= Limits.keptInput)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func behavesAsAnArray(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = ByteQueue()
    var model: [UInt8] = []
    for step in 0..<5000 {
      switch random.below(3) {
      case 0:
        let content = (0..<random.below(5000)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        queue.append(array: content)
        model += content
      case 1:
        let count = random.below(300)
        queue.writeTail(minimum: count) { room in
          for index in 0..<count { room[index] = UInt8(truncatingIfNeeded: index) }
          return count
        }
        model += (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      default:
        let count = random.below(model.count + 1)
        queue.consume(count)
        model.removeFirst(count)
      }
      guard queue.count == model.count, Self.bytes(queue) == model else {
        Issue.record("seed \(seed) step \(step)")
        return
      }
    }
  }

  @Test func consumingTooMuchIsACallersBug() async {
    await #expect(processExitsWith: .failure) {
      var queue = ByteQueue()
      queue.append(array: [1])
      queue.consume(2)
    }
  }
}
