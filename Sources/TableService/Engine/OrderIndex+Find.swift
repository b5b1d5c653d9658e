/// Elements by index, and indices of elements.
extension OrderIndex {
  /// The element at an index now.
  ///
  /// - Complexity: O(log *n*).
  func element(_ root: UInt32, at index: Int) -> UInt32 {
    check(root)
    precondition(index >= 0 && index < Int(roots[Int(root)].counts.live), "index past end")
    let (leafID, offset) = find(root, .live, index)
    return leaf(leafID)[offset] & OrderMark.value
  }

  /// The element that stood at an index before the open batch.
  ///
  /// - Complexity: O(log *n*).
  func oldElement(_ root: UInt32, at index: Int) -> UInt32 {
    check(root)
    precondition(index >= 0 && index < Int(roots[Int(root)].counts.old), "index past end")
    let (leafID, offset) = find(root, .old, index)
    let entry = leaf(leafID)[offset]
    guard entry & OrderMark.tomb != 0 else { return entry }
    return tombs[Int(entry & OrderMark.value)].element
  }

  /// Whether an element stands in the order now.
  func isLive(_ element: UInt32) -> Bool {
    let place = place(element)
    guard place != OrderMark.none else { return false }
    guard place & OrderMark.tomb != 0 else { return true }
    return tombs[Int(place & OrderMark.value)].liveLeaf != OrderMark.none
  }

  /// Whether an element stands where the open batch put it.
  func isFresh(_ element: UInt32) -> Bool {
    let place = place(element)
    guard place != OrderMark.none else { return false }
    guard place & OrderMark.tomb != 0 else { return place & OrderMark.fresh != 0 }
    return tombs[Int(place & OrderMark.value)].liveLeaf != OrderMark.none
  }

  /// The root below which a live element stands.
  ///
  /// - Complexity: O(log *n*).
  func root(of element: UInt32) -> UInt32 {
    climb(liveSpot(element).leaf, .live).root
  }

  /// Where a live element stands.
  ///
  /// - Returns: The owner of its root, and its index.
  /// - Complexity: O(log *n*).
  func position(of element: UInt32) -> (owner: UInt32, index: Int) {
    let spot = liveSpot(element)
    return position(spot.leaf, spot.entry, .live)
  }

  /// Where an element stood before the open batch.
  ///
  /// - Returns: The owner of its root, and its index; `nil` if it was not there.
  /// - Complexity: O(log *n*).
  func oldPosition(of element: UInt32) -> (owner: UInt32, index: Int)? {
    guard let spot = oldSpot(element) else { return nil }
    return position(spot.leaf, spot.entry, .old)
  }

  /// How many elements that stayed in place stand before a live element.
  ///
  /// - Complexity: O(log *n*).
  func plainRank(of element: UInt32) -> Int {
    let spot = liveSpot(element)
    return position(spot.leaf, spot.entry, .plain).index
  }

  /// How many elements that stayed in place stood before the place an element had.
  ///
  /// - Parameter element: One that stood in the order before the open batch.
  /// - Returns: The rank.
  /// - Complexity: O(log *n*).
  func oldPlainRank(of element: UInt32) -> Int {
    guard let spot = oldSpot(element) else { preconditionFailure("element was not there") }
    return position(spot.leaf, spot.entry, .plain).index
  }

  /// The element with a rank among those that stay in place.
  ///
  /// - Parameters:
  ///   - root: A root.
  ///   - rank: Any number.
  /// - Returns: The element, or `nil` where there is none.
  /// - Complexity: O(log *n*).
  func plainElement(_ root: UInt32, at rank: Int) -> UInt32? {
    check(root)
    guard rank >= 0, rank < Int(roots[Int(root)].counts.plain) else { return nil }
    let (leafID, offset) = find(root, .plain, rank)
    return leaf(leafID)[offset] & OrderMark.value
  }

  /// The label of a committed element.
  func label(of element: UInt32) -> Int64 {
    precondition(labelled && place(element) != OrderMark.none, "element has no label")
    return storedLabel(element)
  }

  /// Calls `body` with live elements in order until it returns `false`.
  ///
  /// - Parameters:
  ///   - root: A root.
  ///   - index: Where to begin; the count is allowed.
  ///   - body: Must not change the index.
  /// - Complexity: O(log *n* + *m*) for *m* elements.
  func forEach(_ root: UInt32, from index: Int, _ body: (UInt32) -> Bool) {
    let count = count(root)
    precondition(index >= 0 && index <= count, "index past end")
    guard index < count else { return }
    var (leafID, offset) = find(root, .live, index)
    while true {
      let leaf = leaf(leafID)
      for place in offset..<leaf.count where leaf[place] & OrderMark.tomb == 0 {
        guard body(leaf[place] & OrderMark.value) else { return }
      }
      guard let next = neighbour(of: leafID, step: 1) else { return }
      leafID = next
      offset = 0
    }
  }

  /// Appends live elements in order.
  ///
  /// - Parameters:
  ///   - root: A root.
  ///   - range: Indices below the count.
  ///   - target: Where they are appended.
  /// - Complexity: O(log *n* + *m*) for *m* elements.
  func appendElements(_ root: UInt32, _ range: Range<Int>, to target: inout [UInt32]) {
    precondition(range.upperBound <= count(root), "range past end")
    var left = range.count
    guard left > 0 else { return }
    var (leafID, offset) = find(root, .live, range.lowerBound)
    while true {
      let leaf = leaf(leafID)
      for place in offset..<leaf.count where leaf[place] & OrderMark.tomb == 0 {
        target.append(leaf[place] & OrderMark.value)
        left -= 1
        if left == 0 { return }
      }
      guard let next = neighbour(of: leafID, step: 1) else { return }
      leafID = next
      offset = 0
    }
  }

  /// The leaf and the entry of a live element.
  @inline(__always)
  func liveSpot(_ element: UInt32) -> (leaf: UInt32, entry: UInt32) {
    let place = place(element)
    precondition(place != OrderMark.none, "element is not in the order")
    guard place & OrderMark.tomb != 0 else {
      return (place & OrderMark.value, element | place & OrderMark.fresh)
    }
    let live = tombs[Int(place & OrderMark.value)].liveLeaf
    precondition(live != OrderMark.none, "element is not in the order")
    return (live, element | OrderMark.fresh)
  }

  /// The leaf and the entry where an element stood before the batch.
  @inline(__always)
  func oldSpot(_ element: UInt32) -> (leaf: UInt32, entry: UInt32)? {
    let place = place(element)
    guard place != OrderMark.none else { return nil }
    if place & OrderMark.tomb != 0 {
      return (tombs[Int(place & OrderMark.value)].oldLeaf, place)
    }
    return place & OrderMark.fresh != 0 ? nil : (place, element)
  }

  @inline(__always)
  private func position(
    _ leafID: UInt32, _ entry: UInt32, _ kind: OrderKind
  ) -> (owner: UInt32, index: Int) {
    let leaf = leaf(leafID)
    let inside = leaf.rank(leaf.index(of: entry), excluding: kind.excluded)
    let above = climb(leafID, kind)
    return (roots[Int(above.root)].owner, above.sum + inside)
  }

  /// The root above a leaf, and how many entries stand in the leaves before it.
  @inline(__always)
  func climb(_ leafID: UInt32, _ kind: OrderKind) -> (root: UInt32, sum: Int) {
    var sum = 0
    var node = leafID
    var parent = leaf(leafID).parent
    while parent & OrderMark.root == 0 {
      let above = inner(parent)
      sum += above.sum(kind, before: above.index(of: node))
      node = parent
      parent = above.parent
    }
    return (parent & ~OrderMark.root, sum)
  }

  /// The leaf and place of the entry with an index of a kind; there must be one.
  @inline(__always)
  func find(_ root: UInt32, _ kind: OrderKind, _ index: Int) -> (leaf: UInt32, offset: Int) {
    var rest = index
    var node = roots[Int(root)].node
    while node & OrderMark.inner != 0 {
      let above = inner(node)
      var place = 0
      while true {
        let count = above.count(kind, place)
        if rest < count { break }
        rest -= count
        place += 1
        precondition(place < above.count, "counts do not add up")
      }
      node = above.child(place)
    }
    return (node, leaf(node).index(ofRank: rest, excluding: kind.excluded))
  }

  /// The leaf after (`step` 1) or before (`step` -1) another one of the same root.
  func neighbour(of leafID: UInt32, step: Int) -> UInt32? {
    var node = leafID
    var parent = leaf(leafID).parent
    while parent & OrderMark.root == 0 {
      let above = inner(parent)
      let index = above.index(of: node) + step
      if index >= 0 && index < above.count {
        node = above.child(index)
        while node & OrderMark.inner != 0 {
          let below = inner(node)
          node = below.child(step > 0 ? 0 : below.count - 1)
        }
        return node
      }
      node = parent
      parent = above.parent
    }
    return nil
  }
}
