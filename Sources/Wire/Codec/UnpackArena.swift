internal import CHPProto

/// Memory for one unpacked message: taken from the front of a block, given back all at once.
///
/// protobuf-c asks for a few pieces a message and frees them one by one; here a piece costs
/// an addition and a free nothing. Messages that need more than the first block get further
/// ones, which go with the reset, and beyond `Limits.unpackMemory` the unpacking fails.
@safe final class UnpackArena {
  // Safe: owned by this object, freed in deinit; protobuf-c gets it as allocator data for
  // the length of one call.
  private let state: UnsafeMutablePointer<ArenaState>

  /// What protobuf-c is given; valid as long as the arena.
  let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ArenaState())
    unsafe allocator = .allocate(capacity: 1)
    let functions = unsafe ProtobufCAllocator(
      alloc: { data, size in
        // Safe: `data` is the state above, alive for the length of the call.
        unsafe data?.assumingMemoryBound(to: ArenaState.self).pointee.take(size)
      },
      free: { _, _ in },
      allocator_data: state)
    unsafe allocator.initialize(to: functions)
  }

  deinit {
    // Safe: nobody holds memory of an arena that is going.
    unsafe state.pointee.releaseBlocks(keepingOne: false)
    unsafe state.deallocate()
    unsafe allocator.deallocate()
  }

  /// Bytes held.
  var memory: Int { unsafe state.pointee.held }

  /// Takes all pieces back; keeps one block.
  func reset() {
    // Safe: the caller holds no unpacked message any more.
    unsafe state.pointee.reset()
  }
}

/// The blocks of an arena.
@unsafe struct ArenaState {
  private var next: UInt = 0
  private var end: UInt = 0
  private var blocks: UnsafeMutablePointer<Block>?
  fileprivate var held = 0

  /// Stands at the front of each block.
  @unsafe private struct Block {
    var older: UnsafeMutablePointer<Block>?
    var size: Int
  }

  private static let alignment: UInt = 16
  private static let firstSize = Limits.keptMemory

  /// Cuts off a piece; `nil` where the limit is reached.
  mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size >= 0, size <= Limits.unpackMemory else { return nil }
    let rounded = unsafe (UInt(max(size, 1)) &+ Self.alignment &- 1) & ~(Self.alignment &- 1)
    if unsafe rounded > end &- next {
      guard unsafe addBlock(atLeast: size) else { return nil }
    }
    let piece = unsafe UnsafeMutableRawPointer(bitPattern: next)
    unsafe next &+= rounded
    return unsafe piece
  }

  /// Starts again with the oldest block.
  mutating func reset() {
    if let newest = unsafe blocks, unsafe newest.pointee.older != nil {
      unsafe releaseBlocks(keepingOne: true)
    }
    guard let block = unsafe blocks else { return }
    unsafe start(block)
  }

  /// Frees the blocks, all or all but the first.
  mutating func releaseBlocks(keepingOne: Bool) {
    while let block = unsafe blocks {
      if keepingOne, unsafe block.pointee.older == nil, unsafe block.pointee.size == Self.firstSize
      {
        return
      }
      unsafe blocks = unsafe block.pointee.older
      unsafe held -= unsafe block.pointee.size
      unsafe UnsafeMutableRawPointer(block).deallocate()
    }
    unsafe next = 0
    unsafe end = 0
  }

  private mutating func addBlock(atLeast size: Int) -> Bool {
    let room = unsafe Limits.unpackMemory - held
    let least = unsafe size + Int(2 * Self.alignment)
    guard least <= room else { return false }
    let doubled = unsafe (blocks == nil ? Self.firstSize : 2 * held)
    let total = min(max(least, doubled), room)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: total, alignment: 16)
    let block = unsafe memory.bindMemory(to: Block.self, capacity: 1)
    unsafe block.initialize(to: Block(older: blocks, size: total))
    unsafe blocks = block
    unsafe held += total
    unsafe start(block)
    return true
  }

  private mutating func start(_ block: UnsafeMutablePointer<Block>) {
    unsafe next = UInt(bitPattern: block) + Self.alignment
    unsafe end = unsafe UInt(bitPattern: block) + UInt(block.pointee.size)
  }
}
