/// Insertion and removal.
extension OrderIndex {
  /// Puts an element at an index of the live order.
  ///
  /// A move is a removal and an insertion. Without an open batch the insertion is a batch of
  /// its own, whose new labels are not reported.
  ///
  /// - Parameters:
  ///   - element: One that is not live, below 2^30 - 1.
  ///   - root: A root.
  ///   - index: Where it stands afterwards, at most the count.
  /// - Complexity: O(log *n*).
  func insert(_ element: UInt32, into root: UInt32, at index: Int) {
    check(root)
    precondition(!roots[Int(root)].dropped, "root was dropped")
    guard isOpen else {
      begin()
      insert(element, into: root, at: index)
      _ = commit()
      return
    }
    isLabelledAhead = false
    reservePlace(element)
    let count = Int(roots[Int(root)].counts.live)
    precondition(index >= 0 && index <= count, "index past end")
    let place = place(element)
    let isBack = place != OrderMark.none
    precondition(!isBack || !isLive(element), "element is in the order already")
    var (leafID, offset) = spot(root, index)
    if leaf(leafID).count == OrderLeaf.capacity {
      let half: Int
      if index == count && offset == OrderLeaf.capacity {
        half = OrderLeaf.capacity - OrderIndex.edge
      } else if index == 0 && offset == 0 {
        half = OrderIndex.edge
      } else {
        half = OrderLeaf.capacity / 2
      }
      let right = split(leafID, at: half)
      if offset > half {
        leafID = right
        offset -= half
      }
    }
    let leaf = leaf(leafID)
    touch(leafID, leaf)
    leaf.insert(element | OrderMark.fresh, at: offset)
    leaf.counts += OrderCounts(live: 1)
    markDirty(leafID, leaf)
    if isBack {
      tombs[Int(place & OrderMark.value)].liveLeaf = leafID
    } else {
      setPlace(element, leafID | OrderMark.fresh)
    }
    add(OrderCounts(live: 1), above: leafID)
  }

  /// Takes an element out of the live order.
  ///
  /// Without an open batch the removal is a batch of its own.
  ///
  /// - Parameter element: A live element.
  /// - Complexity: O(log *n*).
  func remove(_ element: UInt32) {
    guard isOpen else {
      begin()
      remove(element)
      _ = commit()
      return
    }
    isLabelledAhead = false
    let (leafID, entry) = liveSpot(element)
    let leaf = leaf(leafID)
    let offset = leaf.index(of: entry)
    touch(leafID, leaf)
    if entry & OrderMark.fresh == 0 {
      precondition(tombs.count < Int(OrderMark.value), "batch too large")
      let tomb = UInt32(tombs.count) | OrderMark.tomb
      tombs.append(Tomb(element: element, oldLeaf: leafID, liveLeaf: OrderMark.none))
      leaf[offset] = tomb
      leaf.counts += OrderCounts(live: -1, plain: -1)
      markDirty(leafID, leaf)
      setPlace(element, tomb)
      add(OrderCounts(live: -1, plain: -1), above: leafID)
      return
    }
    let place = place(element)
    if place & OrderMark.tomb != 0 {
      tombs[Int(place & OrderMark.value)].liveLeaf = OrderMark.none
    } else {
      setPlace(element, OrderMark.none)
    }
    leaf.remove(at: offset)
    leaf.counts += OrderCounts(live: -1)
    add(OrderCounts(live: -1), above: leafID)
    settle(leafID)
  }

  /// Entries that stay in (or go to) the leaf at an end of a root when it is split there, so
  /// that appending and prepending leave full leaves behind.
  static var edge: Int { 4 }

  /// Notes that a leaf may hold marked entries.
  @inline(__always)
  func markDirty(_ id: UInt32, _ leaf: OrderLeaf) {
    guard !leaf.dirty else { return }
    leaf.dirty = true
    dirtyLeaves.append(id)
  }

  /// Where a new entry with a live index goes; makes the first leaf.
  private func spot(_ root: UInt32, _ index: Int) -> (leaf: UInt32, offset: Int) {
    var node = roots[Int(root)].node
    if node == OrderMark.none {
      node = makeLeaf()
      leaf(node).parent = root | OrderMark.root
      roots[Int(root)].node = node
      return (node, 0)
    }
    if index == 0 {
      while node & OrderMark.inner != 0 { node = inner(node).child(0) }
      return (node, 0)
    }
    let before = find(root, .live, index - 1)
    return (before.leaf, before.offset + 1)
  }
}
