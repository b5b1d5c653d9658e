/// The order below some roots as it was when the snapshot was opened (contract F4).
///
/// It holds the list of leaves, and of those that changed since a copy of their content before
/// the change. A copy is held once, by the newest snapshot that needs it, and looked up from the
/// older ones; closing a snapshot hands it on. Opened, read and closed between batches only.
final class OrderSnapshot {
  /// A root as it was.
  struct Root {
    /// The root's number then; it may be another root's by now.
    var root: UInt32
    var owner: UInt32
    var count: Int
    /// Its leaves in the list.
    var leaves: Range<Int>
  }

  let generation: UInt32
  /// The roots in the order in which they were named at opening.
  let roots: ContiguousArray<Root>
  let leaves: ContiguousArray<UInt32>
  /// Elements of the root up to and including each leaf.
  let ends: ContiguousArray<UInt32>
  /// Copies by leaf: leaf -> the leaf that holds its old content.
  var saved: [UInt32: UInt32] = [:]
  var isOpen = true

  init(
    generation: UInt32, roots: ContiguousArray<Root>, leaves: ContiguousArray<UInt32>,
    ends: ContiguousArray<UInt32>
  ) {
    self.generation = generation
    self.roots = roots
    self.leaves = leaves
    self.ends = ends
  }

  /// Memory held for this snapshot alone, in bytes.
  var heldBytes: Int { leaves.count * 8 + saved.count * (OrderLeaf.stride + 16) }
}

extension OrderIndex {
  /// Opens a snapshot, between batches.
  ///
  /// - Parameter wanted: Roots, in the order in which they will be read.
  /// - Returns: The snapshot, to be given to `close`.
  /// - Complexity: O(*n* / 60) in the number of elements.
  func openSnapshot(_ wanted: [UInt32]) -> OrderSnapshot {
    precondition(!isOpen, "a batch is open")
    precondition(generation < .max, "too many snapshots")
    var list: ContiguousArray<OrderSnapshot.Root> = []
    var leafIDs: ContiguousArray<UInt32> = []
    var ends: ContiguousArray<UInt32> = []
    list.reserveCapacity(wanted.count)
    for root in wanted {
      check(root)
      let start = leafIDs.count
      var sum: UInt32 = 0
      var node = firstLeaf(root)
      while let id = node {
        sum += UInt32(leaf(id).count)
        leafIDs.append(id)
        ends.append(sum)
        node = neighbour(of: id, step: 1)
      }
      list.append(
        OrderSnapshot.Root(
          root: root, owner: roots[Int(root)].owner, count: Int(sum),
          leaves: start..<leafIDs.count))
    }
    generation += 1
    let snapshot = OrderSnapshot(
      generation: generation, roots: list, leaves: leafIDs, ends: ends)
    snapshots.append(snapshot)
    return snapshot
  }

  /// Appends elements as they stood when a snapshot was opened.
  ///
  /// Also while a batch is open: whatever that changes was saved before.
  ///
  /// - Parameters:
  ///   - snapshot: An open snapshot.
  ///   - ordinal: The root's place in `snapshot.roots`.
  ///   - range: Indices below the root's count then.
  ///   - target: Where they are appended.
  /// - Complexity: O(log *n* + *m*) for *m* elements.
  func appendElements(
    of snapshot: OrderSnapshot, _ ordinal: Int, _ range: Range<Int>, to target: inout [UInt32]
  ) {
    precondition(snapshot.isOpen, "read while open")
    let root = snapshot.roots[ordinal]
    precondition(range.lowerBound >= 0 && range.upperBound <= root.count, "range past end")
    guard !range.isEmpty else { return }
    var low = root.leaves.lowerBound
    var high = root.leaves.upperBound - 1
    while low < high {
      let middle = (low + high) / 2
      if Int(snapshot.ends[middle]) > range.lowerBound { high = middle } else { low = middle + 1 }
    }
    let chain = snapshots.firstIndex { $0 === snapshot }
    guard let chain else { preconditionFailure("snapshot of another index") }
    var left = range.count
    var offset = range.lowerBound
    if low > root.leaves.lowerBound { offset -= Int(snapshot.ends[low - 1]) }
    while left > 0 {
      let content = leaf(content(of: snapshot.leaves[low], from: chain))
      let end = min(content.count, offset + left)
      for place in offset..<end { target.append(content[place]) }
      left -= end - offset
      offset = 0
      low += 1
    }
  }

  /// Closes a snapshot and frees what only it needed.
  ///
  /// - Complexity: O(*m*) in the number of leaves that changed while it was open.
  func close(_ snapshot: OrderSnapshot) {
    precondition(!isOpen, "a batch is open")
    guard let index = snapshots.firstIndex(where: { $0 === snapshot }) else {
      preconditionFailure("snapshot is closed already")
    }
    let older = index > 0 ? snapshots[index - 1] : nil
    for (id, copy) in snapshot.saved {
      if let older, leaf(copy).generation < older.generation, older.saved[id] == nil {
        older.saved[id] = copy
      } else {
        freeLeaf(copy)
      }
    }
    snapshot.saved = [:]
    snapshot.isOpen = false
    snapshots.remove(at: index)
  }

  /// Saves a leaf's content for the open snapshots before it changes.
  @inline(__always)
  func touch(_ id: UInt32, _ leaf: OrderLeaf) {
    if leaf.generation != generation { save(id, leaf) }
  }

  @inline(never)
  private func save(_ id: UInt32, _ leaf: OrderLeaf) {
    if let newest = snapshots.last, leaf.generation < newest.generation {
      let copy = makeLeaf()
      self.leaf(copy).copy(leaf)
      newest.saved[id] = copy
    }
    leaf.generation = generation
  }

  /// The leaf that holds what a leaf held when the snapshot at `chain` was opened.
  private func content(of id: UInt32, from chain: Int) -> UInt32 {
    for index in chain..<snapshots.count {
      if let copy = snapshots[index].saved[id] { return copy }
    }
    return id
  }

  func firstLeaf(_ root: UInt32) -> UInt32? {
    var node = roots[Int(root)].node
    guard node != OrderMark.none else { return nil }
    while node & OrderMark.inner != 0 { node = inner(node).child(0) }
    return node
  }
}
