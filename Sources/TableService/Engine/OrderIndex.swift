/// The order of elements below many roots: a counted B+tree with an overlay for one open batch.
///
/// Elements are small numbers given by the caller (row or section slots); one stands below at
/// most one root. Inside a batch nothing that was there before is lost: a removed element
/// leaves a tombstone and an inserted one is marked fresh, so that for every element the index
/// before the batch, the index now and the rank among those that stayed can be asked in
/// O(log *n*). `commit` makes the live order the only one, `rollback` the old one; both cost
/// O(*k* log *n*) for a batch of *k* operations (contract S9).
///
/// A labelled index keeps a 64-bit label for each element, rising along a root (contract S5).
///
/// Caller bugs (indices past the end, elements in the order twice) trap.
final class OrderIndex {
  /// One ordered list of elements.
  struct Root {
    var node: UInt32
    var owner: UInt32
    var counts = OrderCounts()
    var inUse = true
    var dropped = false
  }

  /// An element that the open batch took from its place.
  struct Tomb {
    var element: UInt32
    /// The leaf that holds the tombstone.
    var oldLeaf: UInt32
    /// The leaf that holds the fresh entry, if the element was put back.
    var liveLeaf: UInt32
  }

  let labelled: Bool
  // Safe: these four are reached through the accessors of OrderIndex+Memory only, which call
  // nothing that could reach them again; checks at run time cost a quarter of an insertion.
  @exclusivity(unchecked) var leaves = ChunkedMemory(stride: OrderLeaf.stride, shift: 11)
  var leafCount: UInt32 = 0
  var firstFreeLeaf = OrderMark.none
  @exclusivity(unchecked) var inners = ChunkedMemory(stride: OrderInner.stride, shift: 10)
  var innerCount: UInt32 = 0
  var firstFreeInner = OrderMark.none
  /// For each element a leaf with or without the mark fresh, a tombstone's index, or none.
  @exclusivity(unchecked) var places = ChunkedMemory(stride: 4, shift: 16)
  var placeCount = 0
  @exclusivity(unchecked) var labels = ChunkedMemory(stride: 8, shift: 16)
  var roots: ContiguousArray<Root> = []
  var freeRoots: ContiguousArray<UInt32> = []

  var isOpen = false
  var tombs: ContiguousArray<Tomb> = []
  var dirtyLeaves: ContiguousArray<UInt32> = []
  var madeRoots: ContiguousArray<UInt32> = []
  var droppedRoots: ContiguousArray<UInt32> = []
  /// Whether all fresh entries of the open batch have their labels.
  var isLabelledAhead = false
  /// What the last commit reported; kept so that its memory is used again.
  var changed: [UInt32] = []

  /// Open snapshots, oldest first.
  var snapshots: ContiguousArray<OrderSnapshot> = []
  var generation: UInt32 = 0

  /// Makes an index without roots.
  ///
  /// - Parameter labelled: Whether elements get labels.
  init(labelled: Bool) { self.labelled = labelled }

  /// Memory held, in bytes, without open snapshots' lists.
  var bytes: Int {
    // Safe: see the properties.
    unsafe leaves.bytes + inners.bytes + places.bytes + labels.bytes
      + roots.capacity * MemoryLayout<Root>.stride
      + tombs.capacity * MemoryLayout<Tomb>.stride
      + (dirtyLeaves.capacity + changed.capacity) * 4
  }

  /// Makes an empty root.
  ///
  /// Made in a batch, it goes when the batch is rolled back.
  ///
  /// - Parameter owner: What `position(of:)` answers for its elements: a section's slot.
  /// - Returns: The root's number.
  func makeRoot(owner: UInt32) -> UInt32 {
    let root: UInt32
    if let free = freeRoots.popLast() {
      root = free
      roots[Int(root)] = Root(node: OrderMark.none, owner: owner)
    } else {
      root = UInt32(roots.count)
      roots.append(Root(node: OrderMark.none, owner: owner))
    }
    if isOpen { madeRoots.append(root) }
    return root
  }

  /// Takes a root away.
  ///
  /// In a batch the root must have no live elements; it goes at the commit, so that old
  /// positions can be asked until then, and stays when the batch is rolled back. Outside a
  /// batch its elements go with it.
  ///
  /// - Parameter root: A root.
  /// - Complexity: O(1) in a batch, else O(*n*) in the number of its elements.
  func dropRoot(_ root: UInt32) {
    check(root)
    precondition(!roots[Int(root)].dropped, "root dropped twice")
    if isOpen {
      precondition(roots[Int(root)].counts.live == 0, "dropped root has elements")
      roots[Int(root)].dropped = true
      droppedRoots.append(root)
    } else {
      clearRoot(root)
      freeRoot(root)
    }
  }

  /// The owner given when the root was made.
  func owner(of root: UInt32) -> UInt32 {
    check(root)
    return roots[Int(root)].owner
  }

  /// How many elements stand below a root now.
  ///
  /// - Complexity: O(1).
  func count(_ root: UInt32) -> Int {
    check(root)
    return Int(roots[Int(root)].counts.live)
  }

  /// How many elements stood below a root before the open batch.
  ///
  /// - Complexity: O(1).
  func oldCount(_ root: UInt32) -> Int {
    check(root)
    return Int(roots[Int(root)].counts.old)
  }

  @inline(__always)
  func check(_ root: UInt32) {
    precondition(Int(root) < roots.count && roots[Int(root)].inUse, "no such root")
  }

  func freeRoot(_ root: UInt32) {
    precondition(roots[Int(root)].node == OrderMark.none, "freed root has elements")
    roots[Int(root)].inUse = false
    freeRoots.append(root)
  }
}
