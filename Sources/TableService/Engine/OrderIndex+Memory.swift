/// Where nodes, places and labels stand.
extension OrderIndex {
  @inline(__always)
  func leaf(_ id: UInt32) -> OrderLeaf {
    // Safe: the record lives as long as self; only ids given by makeLeaf are used.
    unsafe OrderLeaf(leaves.record(Int(id)))
  }

  @inline(__always)
  func inner(_ id: UInt32) -> OrderInner {
    // Safe: the record lives as long as self; only ids given by makeInner are used.
    unsafe OrderInner(inners.record(Int(id & OrderMark.value)))
  }

  /// An empty leaf that no snapshot has seen.
  func makeLeaf() -> UInt32 {
    let id: UInt32
    if firstFreeLeaf != OrderMark.none {
      id = firstFreeLeaf
      firstFreeLeaf = leaf(id).parent
    } else {
      id = leafCount
      leafCount += 1
      // Safe: see the property.
      unsafe leaves.reserve(Int(leafCount))
    }
    leaf(id).clear(generation: generation)
    return id
  }

  func freeLeaf(_ id: UInt32) {
    let leaf = leaf(id)
    leaf.clear(generation: generation)
    leaf.parent = firstFreeLeaf
    firstFreeLeaf = id
  }

  func makeInner() -> UInt32 {
    let id: UInt32
    if firstFreeInner != OrderMark.none {
      id = firstFreeInner
      firstFreeInner = inner(id).parent
    } else {
      id = innerCount | OrderMark.inner
      innerCount += 1
      // Safe: see the property.
      unsafe inners.reserve(Int(innerCount))
    }
    inner(id).clear()
    return id
  }

  func freeInner(_ id: UInt32) {
    let node = inner(id)
    node.clear()
    node.parent = firstFreeInner
    firstFreeInner = id
  }

  /// Where an element is noted to stand; `none` for one never seen.
  @inline(__always)
  func place(_ element: UInt32) -> UInt32 {
    guard Int(element) < placeCount else { return OrderMark.none }
    // Safe: records below placeCount are initialised and live as long as self.
    return unsafe places.record(Int(element)).load(as: UInt32.self)
  }

  @inline(__always)
  func setPlace(_ element: UInt32, _ place: UInt32) {
    // Safe: reservePlace was called for the element; the record lives as long as self.
    unsafe places.record(Int(element)).storeBytes(of: place, as: UInt32.self)
  }

  /// Makes sure that an element's place and label can be set.
  @inline(__always)
  func reservePlace(_ element: UInt32) {
    precondition(element < OrderMark.value, "element too large")
    if Int(element) >= placeCount { growPlaces(to: Int(element) + 1) }
  }

  @inline(never)
  private func growPlaces(to count: Int) {
    let end = (count + 1023) & ~1023
    // Safe: see the properties.
    unsafe places.reserve(end)
    // Safe: see the properties.
    if labelled { unsafe labels.reserve(end) }
    for index in placeCount..<end { setPlace(UInt32(index), OrderMark.none) }
    placeCount = end
  }

  @inline(__always)
  func storedLabel(_ element: UInt32) -> Int64 {
    // Safe: the record has memory (reservePlace) and was set when the element was committed.
    unsafe labels.record(Int(element)).load(as: Int64.self)
  }

  @inline(__always)
  func setLabel(_ element: UInt32, _ label: Int64) {
    // Safe: the record has memory (reservePlace) and lives as long as self.
    unsafe labels.record(Int(element)).storeBytes(of: label, as: Int64.self)
  }

  /// Notes that an entry stands in another leaf now.
  @inline(__always)
  func rehome(_ entry: UInt32, to leaf: UInt32) {
    let value = entry & OrderMark.value
    if entry & OrderMark.tomb != 0 {
      tombs[Int(value)].oldLeaf = leaf
      return
    }
    let place = place(value)
    if place & OrderMark.tomb != 0 {
      tombs[Int(place & OrderMark.value)].liveLeaf = leaf
    } else {
      setPlace(value, leaf | place & OrderMark.fresh)
    }
  }

  /// The counts of everything below a node.
  func counts(of node: UInt32) -> OrderCounts {
    node & OrderMark.inner == 0 ? leaf(node).counts : inner(node).total
  }

  func setParent(of node: UInt32, _ parent: UInt32) {
    if node & OrderMark.inner == 0 {
      leaf(node).parent = parent
    } else {
      inner(node).parent = parent
    }
  }

  /// Adds to the counts of every node above a leaf.
  @inline(__always)
  func add(_ delta: OrderCounts, above leafID: UInt32) {
    var node = leafID
    var parent = leaf(leafID).parent
    while parent & OrderMark.root == 0 {
      let above = inner(parent)
      let index = above.index(of: node)
      var counts = above.counts(index)
      counts += delta
      above.setCounts(index, counts)
      node = parent
      parent = above.parent
    }
    roots[Int(parent & ~OrderMark.root)].counts += delta
  }
}
