import Testing

@testable import TableService

@Suite struct ChunkedMemoryTests {
  private static func word(_ record: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt64> {
    unsafe record.bindMemory(to: UInt64.self, capacity: 3)
  }

  /// Ordinary chunks and those of large pages alike: no two records share memory.
  @Test(arguments: [(24, 4, 40), (24, 12, 20), (272, 11, 75)])
  func recordsKeepTheirContent(stride: Int, shift: Int, chunks: Int) {
    var first = ChunkedMemory(stride: stride, shift: shift)
    var second = ChunkedMemory(stride: stride, shift: shift)
    for count in 1...chunks {
      // They grow by turns, so that their chunks are neighbours.
      first.reserve(count << shift)
      second.reserve(count << shift)
    }
    #expect(first.capacity == chunks << shift)
    for index in 0..<first.capacity {
      unsafe Self.word(first.record(index))[0] = UInt64(index)
      unsafe Self.word(first.record(index))[2] = ~UInt64(index)
      unsafe Self.word(second.record(index))[0] = UInt64(index) << 32
      unsafe Self.word(second.record(index))[2] = 7
    }
    var wrong = 0
    for index in 0..<first.capacity {
      let (one, other) = unsafe (Self.word(first.record(index)), Self.word(second.record(index)))
      if unsafe one[0] != UInt64(index) || one[2] != ~UInt64(index) { wrong += 1 }
      if unsafe other[0] != UInt64(index) << 32 || other[2] != 7 { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
