import Coding
import Testing

@testable import Wire

/// Frames made to cost more than they are worth.
@Suite struct HostileFrameTests {
  /// A frame of 1 MiB in which one member of the batch stands again and again.
  static func full(of member: [UInt8]) -> [UInt8] {
    var batch: [UInt8] = []
    while batch.count + member.count < Limits.frameUp - 16 { batch += member }
    var bytes: [UInt8] = [0x08, 0x01]
    bytes.appendField(50, bytes: batch)
    return bytes
  }

  static let members: [[UInt8]] = [
    [0x2a, 0x00],  // operations
    [0x22, 0x00],  // conditions
    [0x30, 0x00],  // section counts, one by one
    [0xb8, 0x01, 0x00],  // an unknown field
    [0x2a, 0x02, 0x0a, 0x00],  // operations with an insert
  ]

  @Test(arguments: members) func emptyMembersAreCounted(member: [UInt8]) {
    let decoder = RequestDecoder()
    #expect {
      try decoder.decode(Self.full(of: member).span)
    } throws: { error in
      (error as? WireFault)?.reason == .tooManyElements
    }
    // The scan refuses before anything is unpacked.
    #expect(decoder.memory == 0)
  }

  @Test func asManyElementsAsAllowedTakeBoundedMemory() throws {
    // The member that grows most when unpacked.
    var batch: [UInt8] = []
    for _ in 0..<99_990 { batch += [0x2a, 0x02, 0x32, 0x00] }
    var bytes: [UInt8] = [0x08, 0x01]
    bytes.appendField(50, bytes: batch)
    let decoder = RequestDecoder()
    #expect(try decoder.decode(bytes.span).body == .batch)
    #expect(decoder.batch.operations.count == 99_990)
    // Everything goes back once a frame is done, and the batch with the next one.
    #expect(decoder.memory <= Limits.keptMemory)
    _ = try decoder.decode(Golden.named("insert_row").payload.span)
    #expect(decoder.batch.operations.capacity * MemoryLayout<BatchOperation>.stride <= 1 << 17)
    #expect(decoder.memory <= Limits.keptMemory)
  }

  @Test func aLargePackedListIsCounted() {
    let bytes = FrameScanTests.frame(32) {
      $0.appendField(2, bytes: [UInt8](repeating: 1, count: Limits.elements + 1))
    }
    #expect(
      throws: WireFault(.tooManyElements, offset: 11 + Limits.elements - 1, field: 2, request: 1)
    ) {
      try RequestDecoder().decode(bytes.span)
    }
  }

  @Test func theArenaStopsAtItsLimit() {
    let arena = UnpackArena()
    let allocator = arena.allocator.pointee
    var pieces = 0
    while allocator.alloc(allocator.allocator_data, 1 << 20) != nil { pieces += 1 }
    #expect(pieces >= 40)
    #expect(arena.memory <= Limits.unpackMemory)
    arena.reset()
    #expect(arena.memory <= Limits.keptMemory)
    #expect(allocator.alloc(allocator.allocator_data, 1 << 20) != nil)
    #expect(allocator.alloc(allocator.allocator_data, Int.max) == nil)
  }

  @Test func piecesOfTheArenaDoNotOverlap() throws {
    let arena = UnpackArena()
    let allocator = arena.allocator.pointee
    var ranges: [Range<UInt>] = []
    for size in [0, 1, 15, 16, 17, 60_000, 10, 200_000, 1, 64, 1_000_000, 8] {
      let piece = try #require(allocator.alloc(allocator.allocator_data, size))
      let start = UInt(bitPattern: piece)
      #expect(start % 16 == 0)
      piece.initializeMemory(as: UInt8.self, repeating: 0xff, count: size)
      ranges.append(start..<start + UInt(size))
    }
    for (index, range) in ranges.enumerated() {
      #expect(!ranges[..<index].contains { $0.overlaps(range) })
    }
  }
}
