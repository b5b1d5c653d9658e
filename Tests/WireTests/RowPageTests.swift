import HouseSupport
import Testing

@testable import Wire

/// A page that is written where it is sent from is the one that is put together first.
@Suite struct RowPageTests {
  private static let cursor = Cursor(epoch: 9, revision: 300)

  private static func fill(_ page: inout RowPageEncoder, _ sizes: [Int]) {
    for (row, size) in sizes.enumerated() {
      let image = [UInt8](repeating: UInt8(truncatingIfNeeded: row), count: size)
      page.add(
        image.span, path: IndexPath(section: row % 3 * 200, row: row * 77), section: UInt64(size))
    }
  }

  private static func finish(_ page: inout RowPageEncoder, into out: inout [UInt8]) {
    page.finish(
      id: 1 << 20, cursor: cursor, lastChanged: 300, schemaRevision: 2, into: &out)
  }

  @Test(arguments: UInt64(1)...4) func bothAreTheSame(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (direct, gathered) = (RowPageEncoder(), RowPageEncoder())
    var (queue, expected): ([UInt8], [UInt8]) = ([], [])
    for step in 0..<300 {
      let most = [3, 200, 20_000][random.below(3)]
      let sizes = (0..<random.below(12)).map { _ in random.below(most) }
      if random.below(3) == 0 {
        // What is given up leaves nothing behind.
        direct.begin(in: &queue)
        Self.fill(&direct, sizes)
        direct.abandon(in: &queue)
        #expect(queue == expected, "seed \(seed) step \(step)")
        #expect(direct.size == 0)
      }
      direct.begin(in: &queue)
      Self.fill(&direct, sizes)
      Self.fill(&gathered, sizes)
      #expect(direct.size == gathered.size)
      Self.finish(&direct, into: &queue)
      Self.finish(&gathered, into: &expected)
      #expect(queue == expected, "seed \(seed) step \(step)")
      if random.below(8) == 0 {
        queue.removeAll()
        expected.removeAll()
      }
    }
  }
}
