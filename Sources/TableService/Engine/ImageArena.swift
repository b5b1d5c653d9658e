/// Byte strings of up to 512 KiB in chunks of 1 MiB, found by 31-bit addresses.
///
/// A block is a multiple of eight bytes: a length of four bytes and the content. Sizes up to
/// 512 bytes are exact, larger ones are rounded up by at most an eighth. Freed blocks are used
/// again for their own size, and cut up for smaller ones before a new chunk is taken.
struct ImageArena: ~Copyable {
  /// The longest content (contract S8).
  static let maximumLength = 512 * 1024
  /// No address.
  static let none: UInt32 = .max

  private static let unit = 8
  private static let chunkShift = 17
  private static let classes = 152
  private var units = ChunkedMemory(stride: unit, shift: chunkShift)
  /// The first free block of each size.
  private var free = ContiguousArray(repeating: none, count: classes)
  /// The unused end of the newest chunk.
  private var next = 0
  private var end = 0
  /// Bytes of the blocks in use.
  private(set) var usedBytes = 0

  /// Memory held, in bytes.
  var bytes: Int { units.bytes }

  /// Stores a byte string.
  ///
  /// - Parameter content: At most `maximumLength` bytes.
  /// - Returns: Its address.
  /// - Complexity: O(*n*) in its length.
  mutating func store(_ content: [UInt8]) -> UInt32 {
    precondition(content.count <= ImageArena.maximumLength, "image too long")
    let kind = ImageArena.kind(ofLength: content.count)
    let address = take(kind)
    usedBytes += ImageArena.size(of: kind) * ImageArena.unit
    write(content, at: address)
    return address
  }

  /// Replaces a byte string where it stands if the new one needs a block of the same size.
  ///
  /// - Parameters:
  ///   - address: A stored byte string.
  ///   - content: What shall stand there.
  /// - Returns: Whether it was done.
  mutating func overwrite(_ address: UInt32, _ content: [UInt8]) -> Bool {
    guard content.count <= ImageArena.maximumLength,
      ImageArena.kind(ofLength: content.count) == ImageArena.kind(ofLength: length(address))
    else { return false }
    write(content, at: address)
    return true
  }

  /// Gives a byte string's memory back.
  ///
  /// - Parameter address: A stored byte string.
  mutating func release(_ address: UInt32) {
    let kind = ImageArena.kind(ofLength: length(address))
    usedBytes -= ImageArena.size(of: kind) * ImageArena.unit
    push(address, kind)
  }

  /// How many bytes the block of a byte string takes.
  func blockSize(_ address: UInt32) -> Int {
    ImageArena.size(of: ImageArena.kind(ofLength: length(address))) * ImageArena.unit
  }

  /// The length of a byte string.
  @inline(__always)
  func length(_ address: UInt32) -> Int {
    // Safe: a block's first word is its length; the block lives as long as self.
    Int(unsafe units.record(Int(address)).load(as: UInt32.self))
  }

  /// A byte string's content; valid until the block is overwritten or released.
  @inline(__always)
  func content(_ address: UInt32) -> UnsafeRawBufferPointer {
    // Safe: length bytes follow the first word of the block, within one chunk.
    unsafe UnsafeRawBufferPointer(
      start: units.record(Int(address)) + 4, count: length(address))
  }

  private func write(_ content: [UInt8], at address: UInt32) {
    // Safe: the block was taken for at least this length.
    let start = unsafe units.record(Int(address))
    // Safe: the block's first word.
    unsafe start.storeBytes(of: UInt32(content.count), as: UInt32.self)
    // Safe: the pointer is used during the call only.
    unsafe content.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      // Safe: source lives during the call and is no part of the arena.
      unsafe (start + 4).copyMemory(from: base, byteCount: content.count)
    }
  }

  private mutating func take(_ kind: Int) -> UInt32 {
    if let address = pop(kind) { return address }
    let size = ImageArena.size(of: kind)
    if end - next >= size {
      next += size
      return UInt32(next - size)
    }
    for larger in kind + 1..<ImageArena.classes where free[larger] != ImageArena.none {
      guard let address = pop(larger) else { break }
      scatter(Int(address) + size, ImageArena.size(of: larger) - size)
      return address
    }
    scatter(next, end - next)
    next = units.capacity
    precondition(next < 1 << 31 - 1 << ImageArena.chunkShift, "more than 16 GiB of images")
    units.reserve(next + 1)
    end = units.capacity
    next += size
    return UInt32(next - size)
  }

  /// Makes free blocks of a stretch of units.
  private mutating func scatter(_ start: Int, _ count: Int) {
    var start = start
    var left = count
    while left > 0 {
      let kind = ImageArena.kind(within: left)
      push(UInt32(start), kind)
      start += ImageArena.size(of: kind)
      left -= ImageArena.size(of: kind)
    }
  }

  private mutating func pop(_ kind: Int) -> UInt32? {
    let address = free[kind]
    guard address != ImageArena.none else { return nil }
    // Safe: the first word of a free block is the next free one.
    free[kind] = unsafe units.record(Int(address)).load(as: UInt32.self)
    return address
  }

  private mutating func push(_ address: UInt32, _ kind: Int) {
    // Safe: the first word of a free block is the next free one.
    unsafe units.record(Int(address)).storeBytes(of: free[kind], as: UInt32.self)
    free[kind] = address
  }

  /// The size class of a block for a content.
  @inline(__always)
  private static func kind(ofLength length: Int) -> Int { kind((length + 4 + unit - 1) / unit) }

  /// The smallest class of at least so many units.
  @inline(__always)
  private static func kind(_ units: Int) -> Int {
    if units <= 64 { return units - 1 }
    let top = 63 - (units - 1).leadingZeroBitCount
    return 64 + (top - 6) * 8 + ((units - 1) >> (top - 3)) - 8
  }

  /// The largest class of at most so many units.
  private static func kind(within units: Int) -> Int {
    let kind = min(kind(min(units, size(of: classes - 1))), classes - 1)
    return size(of: kind) > units ? kind - 1 : kind
  }

  /// The units of a class's blocks.
  @inline(__always)
  private static func size(of kind: Int) -> Int {
    if kind < 64 { return kind + 1 }
    let top = (kind - 64) / 8 + 6
    return ((kind - 64) % 8 + 9) << (top - 3)
  }
}
