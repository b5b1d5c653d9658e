/// What must hold at any time; for tests.
extension OrderIndex {
  /// Traps where the structure contradicts itself.
  ///
  /// - Complexity: O(*n*).
  func checkInvariants() {
    var standing = 0
    for number in roots.indices where roots[number].inUse {
      let root = roots[number]
      var last: Int64?
      guard root.node != OrderMark.none else {
        precondition(root.counts == OrderCounts(), "an empty root has counts")
        continue
      }
      let counts = checkNode(
        root.node, parent: UInt32(number) | OrderMark.root, &last, &standing)
      precondition(counts == root.counts, "root's counts are wrong")
      precondition(isOpen || counts.live == counts.old && counts.old == counts.plain)
    }
    var noted = 0
    for element in 0..<placeCount where place(UInt32(element)) != OrderMark.none { noted += 1 }
    precondition(noted == standing, "elements are noted that stand nowhere")
    precondition(isOpen || tombs.isEmpty && dirtyLeaves.isEmpty, "marks outlive the batch")
  }

  private func checkNode(
    _ node: UInt32, parent: UInt32, _ last: inout Int64?, _ standing: inout Int
  ) -> OrderCounts {
    guard node & OrderMark.inner != 0 else {
      return checkLeaf(node, parent: parent, &last, &standing)
    }
    let inner = inner(node)
    precondition(inner.parent == parent, "node has a wrong parent")
    precondition(inner.count > 0 && inner.count <= OrderInner.capacity, "node's size")
    for index in 0..<inner.count {
      let counts = checkNode(inner.child(index), parent: node, &last, &standing)
      precondition(counts == inner.counts(index), "child's counts are wrong")
    }
    return inner.total
  }

  private func checkLeaf(
    _ id: UInt32, parent: UInt32, _ last: inout Int64?, _ standing: inout Int
  ) -> OrderCounts {
    let leaf = leaf(id)
    precondition(leaf.parent == parent, "leaf has a wrong parent")
    precondition(leaf.count > 0 && leaf.count <= OrderLeaf.capacity, "leaf's size")
    var marked = false
    for offset in 0..<leaf.count {
      let entry = leaf[offset]
      let value = entry & OrderMark.value
      if entry & OrderMark.tomb != 0 {
        marked = true
        standing += 1
        let tomb = tombs[Int(value)]
        precondition(tomb.oldLeaf == id && place(tomb.element) == entry, "tombstone is lost")
        continue
      }
      let spot = liveSpot(value)
      precondition(spot.leaf == id && spot.entry == entry, "element is noted elsewhere")
      if place(value) & OrderMark.tomb == 0 { standing += 1 }
      if entry & OrderMark.fresh != 0 {
        marked = true
      } else if labelled {
        let label = storedLabel(value)
        if let last { precondition(last < label, "labels don't rise") }
        last = label
      }
    }
    precondition(!marked || leaf.dirty, "marked leaf is not listed")
    precondition(isOpen || !leaf.dirty, "leaf is listed outside a batch")
    let noted = leaf.counts
    recount(leaf)
    precondition(leaf.counts == noted, "leaf's counts are wrong")
    return noted
  }

  /// Leaves below the roots.
  var standingLeaves: Int {
    var count = 0
    for root in roots.indices where roots[root].inUse {
      var node = firstLeaf(UInt32(root))
      while let id = node {
        count += 1
        node = neighbour(of: id, step: 1)
      }
    }
    return count
  }

  /// Leaves that are not free, copies for snapshots included.
  var leavesInUse: Int {
    var count = Int(leafCount)
    var free = firstFreeLeaf
    while free != OrderMark.none {
      count -= 1
      free = leaf(free).parent
    }
    return count
  }
}
