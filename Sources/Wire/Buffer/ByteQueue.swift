/// Bytes that came in and are not handled yet.
///
/// Without content it holds no memory that a big frame left behind, so that an idle
/// connection costs next to nothing.
@safe public struct ByteQueue: ~Copyable {
  // Safe: owned by this value alone, freed in deinit; `capacity` bytes long.
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var head = 0
  private var tail = 0

  private let kept: Int

  /// Makes an empty queue, which takes no memory.
  public init() {
    unsafe base = nil
    kept = Limits.keptInput
  }

  /// Makes an empty queue.
  ///
  /// - Parameter kept: The memory that it keeps once it is empty again.
  public init(keeping kept: Int) {
    unsafe base = nil
    self.kept = kept
  }

  deinit {
    // Safe: owned here; nobody can hold a span of a value that is going.
    unsafe base?.deallocate()
  }

  /// How many bytes are waiting.
  public var count: Int { tail - head }

  /// Bytes of memory held.
  public var memory: Int { capacity }

  /// The waiting bytes, oldest first.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      guard let base = unsafe base else { return Span() }
      // Safe: head..<tail is written and inside the memory; the span's lifetime is tied to
      // this value, which can't change while it is borrowed.
      let start = unsafe (base + head).assumingMemoryBound(to: UInt8.self)
      let span = unsafe Span<UInt8>(_unsafeStart: start, count: tail - head)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Lets `body` write behind the waiting bytes.
  ///
  /// - Parameters:
  ///   - minimum: How many bytes there must be room for.
  ///   - body: Writes from the start of what it is given and returns how many bytes it wrote.
  /// - Returns: How many bytes were written.
  /// - Complexity: O(*n*) in the number of waiting bytes where they have to be moved.
  @discardableResult
  public mutating func writeTail(
    minimum: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    reserve(minimum)
    guard let base = unsafe base else { return 0 }
    // Safe: reserve made tail + minimum <= capacity; the pointer is used in the call only.
    let written = unsafe body(
      UnsafeMutableRawBufferPointer(start: base + tail, count: capacity - tail))
    precondition(written >= 0 && written <= capacity - tail, "wrote past the room given")
    tail += written
    return written
  }

  /// Appends bytes.
  ///
  /// - Parameter content: The bytes.
  /// - Complexity: O(*n*) in their number.
  public mutating func append(_ content: Span<UInt8>) {
    guard !content.isEmpty else { return }
    reserve(content.count)
    guard let base = unsafe base else { return }
    // Safe: reserve made the room; source and room are different memory.
    unsafe content.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + tail).copyMemory(from: start, byteCount: source.count)
    }
    tail += content.count
  }

  /// Drops the oldest bytes.
  ///
  /// - Parameter count: How many; at most as many as are waiting.
  /// - Complexity: O(1)
  public mutating func consume(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "consumed more than was there")
    head += count
    guard head == tail else { return }
    head = 0
    tail = 0
    if capacity > kept { release() }
  }

  /// Gives the memory back if nothing is waiting.
  ///
  /// - Complexity: O(1)
  public mutating func trim() {
    if head == tail { release() }
  }

  private mutating func release() {
    // Safe: owned here; no span of it lives across a mutation.
    unsafe base?.deallocate()
    unsafe base = nil
    capacity = 0
    head = 0
    tail = 0
  }

  private mutating func reserve(_ minimum: Int) {
    precondition(minimum >= 0, "negative room")
    guard capacity - tail < max(minimum, 1) else { return }
    let waiting = count
    if let base = unsafe base, capacity - waiting >= minimum, waiting <= capacity / 2 {
      // Safe: both ranges lie in the memory owned here; memmove allows them to overlap.
      unsafe base.copyMemory(from: base + head, byteCount: waiting)
    } else {
      let larger = max(4096, waiting + minimum, min(2 * capacity, waiting + Limits.frameUp))
      let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
      if let base = unsafe base {
        // Safe: `waiting` bytes from head on are written; the old memory is freed at once.
        unsafe fresh.copyMemory(from: base + head, byteCount: waiting)
        unsafe base.deallocate()
      }
      unsafe base = fresh
      capacity = larger
    }
    head = 0
    tail = waiting
  }
}
