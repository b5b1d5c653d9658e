internal import CHPSystem

/// Records of one size in chunks that never move.
///
/// Growing takes one chunk and copies only the short list of chunks, so that ten million
/// records neither need twice their memory for a moment nor stop a turn of the loop. The
/// content of new records is not set.
///
/// From the third on chunks come from large pages: a large store is walked at random, and what that
/// costs beside a small one are mostly looks into page tables. A small store would only take more
/// memory for it.
@safe struct ChunkedMemory: ~Copyable {
  /// Bytes of one record, a multiple of its alignment.
  let stride: Int
  private static let ordinary = 2
  private let shift: Int
  private let mask: Int
  private var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private var directory = 8
  /// How many chunks there are.
  private(set) var chunkCount = 0

  /// Makes an empty store of records.
  ///
  /// - Parameters:
  ///   - stride: Bytes of one record.
  ///   - shift: The binary logarithm of the records in a chunk.
  init(stride: Int, shift: Int) {
    self.stride = stride
    self.shift = shift
    mask = 1 << shift - 1
    // Safe: owned by self, freed in deinit; entries below chunkCount are initialised.
    unsafe chunks = .allocate(capacity: directory)
  }

  deinit {
    for index in 0..<chunkCount {
      // Safe: each chunk was taken by reserve and belongs to self alone.
      if index < ChunkedMemory.ordinary {
        unsafe chunks[index].deallocate()
      } else {
        unsafe hp_pages_give(chunks[index], stride << shift)
      }
    }
    // Safe: allocated by init or grow; nobody else holds it.
    unsafe chunks.deallocate()
  }

  /// Memory held, in bytes.
  var bytes: Int { chunkCount * (stride << shift) + directory * 8 }

  /// How many records have memory.
  var capacity: Int { chunkCount << shift }

  /// Where a record stands.
  ///
  /// - Parameter index: A record below `capacity`.
  /// - Returns: Its first byte; valid as long as self lives.
  /// - Complexity: O(1).
  @inline(__always)
  func record(_ index: Int) -> UnsafeMutableRawPointer {
    precondition(UInt(bitPattern: index) >> UInt(shift) < UInt(chunkCount), "no such record")
    // Safe: the chunk exists (checked above) and the record lies inside it.
    return unsafe chunks[index >> shift] + (index & mask) * stride
  }

  /// Makes sure that records below `count` have memory.
  ///
  /// - Parameter count: The number of records wanted.
  mutating func reserve(_ count: Int) {
    while capacity < count {
      if chunkCount == directory { grow() }
      // Safe: room in the directory was made above; the chunk is given back in deinit.
      unsafe (chunks + chunkCount).initialize(to: makeChunk())
      chunkCount += 1
    }
  }

  private func makeChunk() -> UnsafeMutableRawPointer {
    let size = stride << shift
    if chunkCount < ChunkedMemory.ordinary {
      return .allocate(byteCount: size, alignment: 16)
    }
    // Safe: so many bytes are self's own from here on.
    guard let chunk = unsafe hp_pages_take(size) else { fatalError("out of memory") }
    return unsafe chunk
  }

  private mutating func grow() {
    let wider = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(
      capacity: directory * 2)
    // Safe: both lists have room for chunkCount entries, and don't overlap.
    unsafe wider.moveInitialize(from: chunks, count: chunkCount)
    // Safe: its content was moved out; nobody else holds it.
    unsafe chunks.deallocate()
    // Safe: self owns the new list.
    unsafe chunks = wider
    directory *= 2
  }
}
