/// Numbers that stand for an element, an entry or a node of an `OrderIndex`.
enum OrderMark {
  /// Nothing: no leaf, no place, no node.
  static let none: UInt32 = .max
  /// The bits of an element, a leaf, an inner node or a tombstone's index.
  static let value: UInt32 = 1 << 30 - 1
  /// An entry (or place) made by the open batch.
  static let fresh: UInt32 = 1 << 31
  /// An entry (or place) that refers to the list of tombstones.
  static let tomb: UInt32 = 1 << 30
  /// A place whose element was reported by the commit that is under way.
  static let reported: UInt32 = fresh | tomb
  /// A node that is not a leaf.
  static let inner: UInt32 = 1 << 30
  /// A parent that is a root.
  static let root: UInt32 = 1 << 31

  /// Where a word stands that is known to be there, looking at four at a time.
  ///
  /// - Parameters:
  ///   - word: What to look for.
  ///   - words: Words on a 16-byte boundary, whole groups of four of which are initialised.
  ///   - count: How many of them count.
  /// - Returns: The first place where it stands.
  @inline(__always)
  static func index(of word: UInt32, in words: UnsafeRawPointer, count: Int) -> Int {
    let wanted = SIMD4(repeating: word)
    var index = 0
    while index < count {
      // Safe: the group that begins before count is initialised.
      let group = unsafe words.load(fromByteOffset: index * 4, as: SIMD4<UInt32>.self)
      if any(group .== wanted) {
        while group[index & 3] != word { index += 1 }
        precondition(index < count, "word is not in its node")
        return index
      }
      index += 4
    }
    preconditionFailure("word is not in its node")
  }
}

/// Which entries are counted.
enum OrderKind: Int {
  case live = 0
  case old = 1
  case plain = 2

  /// The marks of entries that are not counted.
  @inline(__always)
  var excluded: UInt32 {
    switch self {
    case .live: OrderMark.tomb
    case .old: OrderMark.fresh
    case .plain: OrderMark.tomb | OrderMark.fresh
    }
  }
}

/// How many entries of each kind stand below a node.
struct OrderCounts: Equatable {
  var live: Int32 = 0
  var old: Int32 = 0
  var plain: Int32 = 0

  @inline(__always)
  static func += (sum: inout OrderCounts, other: OrderCounts) {
    sum.live += other.live
    sum.old += other.old
    sum.plain += other.plain
  }
}

/// A view of one leaf: a header of 16 bytes and 64 entries.
///
/// Valid as long as the index that gave it lives and the leaf is not freed.
@safe struct OrderLeaf {
  static let capacity = 64
  static let stride = 16 + capacity * 4
  private let base: UnsafeMutableRawPointer

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }

  @inline(__always)
  private func byte(_ offset: Int) -> Int {
    // Safe: offsets below 16 lie in the header.
    Int(unsafe base.load(fromByteOffset: offset, as: UInt8.self))
  }

  @inline(__always)
  private func setByte(_ offset: Int, _ value: Int) {
    // Safe: offsets below 16 lie in the header.
    unsafe base.storeBytes(
      of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
  }

  /// The inner node above, or a root's number with its mark; in a free leaf the next free one.
  @inline(__always)
  var parent: UInt32 {
    // Safe: the header's first word.
    get { unsafe base.load(as: UInt32.self) }
    // Safe: the header's first word.
    nonmutating set { unsafe base.storeBytes(of: newValue, as: UInt32.self) }
  }

  /// The generation in which the content was last changed.
  @inline(__always)
  var generation: UInt32 {
    // Safe: the header's second word.
    get { unsafe base.load(fromByteOffset: 4, as: UInt32.self) }
    // Safe: the header's second word.
    nonmutating set { unsafe base.storeBytes(of: newValue, toByteOffset: 4, as: UInt32.self) }
  }

  /// Entries of every kind.
  @inline(__always)
  var count: Int {
    get { byte(8) }
    nonmutating set { setByte(8, newValue) }
  }

  /// Whether the leaf stands in the batch's list of leaves with marked entries.
  @inline(__always)
  var dirty: Bool {
    get { byte(12) != 0 }
    nonmutating set { setByte(12, newValue ? 1 : 0) }
  }

  @inline(__always)
  var counts: OrderCounts {
    get { OrderCounts(live: Int32(byte(9)), old: Int32(byte(10)), plain: Int32(byte(11))) }
    nonmutating set {
      setByte(9, Int(newValue.live))
      setByte(10, Int(newValue.old))
      setByte(11, Int(newValue.plain))
    }
  }

  /// Makes the leaf empty.
  func clear(generation current: UInt32) {
    parent = OrderMark.none
    generation = current
    count = 0
    counts = OrderCounts()
    dirty = false
    // Safe: the entries follow the header.
    unsafe (base + 16).initializeMemory(as: UInt32.self, repeating: 0, count: OrderLeaf.capacity)
  }

  @inline(__always)
  subscript(index: Int) -> UInt32 {
    get {
      assert(index >= 0 && index < OrderLeaf.capacity)
      // Safe: callers stay below count, which is at most the capacity.
      return unsafe base.load(fromByteOffset: 16 + index * 4, as: UInt32.self)
    }
    nonmutating set {
      assert(index >= 0 && index < OrderLeaf.capacity)
      // Safe: callers stay below the capacity.
      unsafe base.storeBytes(of: newValue, toByteOffset: 16 + index * 4, as: UInt32.self)
    }
  }

  /// Opens a gap and writes an entry into it; there must be room.
  @inline(__always)
  func insert(_ entry: UInt32, at index: Int) {
    let rest = count - index
    precondition(rest >= 0 && count < OrderLeaf.capacity, "leaf overflow")
    // Safe: the bytes moved end at count + 1 entries, which is within the capacity.
    unsafe (base + 20 + index * 4).copyMemory(from: base + 16 + index * 4, byteCount: rest * 4)
    count += 1
    self[index] = entry
  }

  /// Takes an entry out.
  @inline(__always)
  func remove(at index: Int) {
    let rest = count - index - 1
    precondition(rest >= 0, "leaf underflow")
    // Safe: the bytes moved end at count entries.
    unsafe (base + 16 + index * 4).copyMemory(from: base + 20 + index * 4, byteCount: rest * 4)
    count -= 1
  }

  /// Copies entries and header of another leaf.
  func copy(_ other: OrderLeaf) {
    // Safe: both are whole leaves that do not overlap.
    unsafe base.copyMemory(from: other.base, byteCount: OrderLeaf.stride)
  }

  /// Where an entry stands.
  @inline(__always)
  func index(of entry: UInt32) -> Int {
    // Safe: the entries follow the header.
    unsafe OrderMark.index(of: entry, in: base + 16, count: count)
  }

  /// How many entries without the marks in `excluded` stand before `index`.
  @inline(__always)
  func rank(_ index: Int, excluding excluded: UInt32) -> Int {
    guard dirty else { return index }
    var rank = 0
    for place in 0..<index where self[place] & excluded == 0 { rank += 1 }
    return rank
  }

  /// Where the entry stands that has `rank` entries without the marks in `excluded` before it.
  @inline(__always)
  func index(ofRank rank: Int, excluding excluded: UInt32) -> Int {
    guard dirty else { return rank }
    var left = rank
    for place in 0..<count where self[place] & excluded == 0 {
      if left == 0 { return place }
      left -= 1
    }
    preconditionFailure("leaf has fewer entries than its counts say")
  }
}

/// A view of one inner node: a header of 16 bytes, children, and three counts for each.
///
/// Valid as long as the index that gave it lives and the node is not freed.
@safe struct OrderInner {
  static let capacity = 32
  static let stride = 16 + capacity * 16
  private let base: UnsafeMutablePointer<UInt32>

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer) {
    // Safe: the memory of a node holds words only.
    unsafe self.base = base.assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  private subscript(word: Int) -> UInt32 {
    // Safe: callers stay within the node's words.
    get { unsafe base[word] }
    // Safe: callers stay within the node's words.
    nonmutating set { unsafe base[word] = newValue }
  }

  /// The inner node above, or a root's number with its mark; in a free node the next free one.
  @inline(__always)
  var parent: UInt32 {
    get { self[0] }
    nonmutating set { self[0] = newValue }
  }

  /// How many children there are.
  @inline(__always)
  var count: Int {
    get { Int(self[1]) }
    nonmutating set { self[1] = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Makes the node empty.
  func clear() {
    parent = OrderMark.none
    count = 0
    for index in 0..<OrderInner.capacity { setChild(index, 0) }
  }

  @inline(__always)
  func child(_ index: Int) -> UInt32 { self[4 + index] }

  @inline(__always)
  func setChild(_ index: Int, _ node: UInt32) { self[4 + index] = node }

  /// Entries of one kind below a child.
  @inline(__always)
  func count(_ kind: OrderKind, _ index: Int) -> Int {
    Int(self[4 + OrderInner.capacity * (1 + kind.rawValue) + index])
  }

  /// Entries of one kind below the children before `index`.
  @inline(__always)
  func sum(_ kind: OrderKind, before index: Int) -> Int {
    let start = 4 + OrderInner.capacity * (1 + kind.rawValue)
    var sum: UInt32 = 0
    for word in start..<start + index { sum &+= self[word] }
    return Int(sum)
  }

  @inline(__always)
  func counts(_ index: Int) -> OrderCounts {
    OrderCounts(
      live: Int32(count(.live, index)), old: Int32(count(.old, index)),
      plain: Int32(count(.plain, index)))
  }

  @inline(__always)
  func setCounts(_ index: Int, _ counts: OrderCounts) {
    let start = 4 + OrderInner.capacity + index
    self[start] = UInt32(bitPattern: counts.live)
    self[start + OrderInner.capacity] = UInt32(bitPattern: counts.old)
    self[start + 2 * OrderInner.capacity] = UInt32(bitPattern: counts.plain)
  }

  /// The sum over all children.
  var total: OrderCounts {
    var total = OrderCounts()
    for index in 0..<count { total += counts(index) }
    return total
  }

  /// Where a child stands.
  @inline(__always)
  func index(of node: UInt32) -> Int {
    // Safe: the children follow the header.
    unsafe OrderMark.index(of: node, in: UnsafeRawPointer(base + 4), count: count)
  }

  /// Puts a child in; there must be room.
  func insert(_ node: UInt32, _ counts: OrderCounts, at index: Int) {
    precondition(count < OrderInner.capacity && index <= count, "node overflow")
    var place = count
    while place > index {
      setChild(place, child(place - 1))
      setCounts(place, self.counts(place - 1))
      place -= 1
    }
    count += 1
    setChild(index, node)
    setCounts(index, counts)
  }

  /// Takes a child out.
  func remove(at index: Int) {
    precondition(index < count, "node underflow")
    for place in index..<count - 1 {
      setChild(place, child(place + 1))
      setCounts(place, counts(place + 1))
    }
    count -= 1
  }
}
