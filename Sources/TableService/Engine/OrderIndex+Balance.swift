/// Splits and merges of nodes.
extension OrderIndex {
  /// Moves the entries from `half` on into a new leaf to the right.
  ///
  /// - Returns: The new leaf.
  func split(_ id: UInt32, at half: Int) -> UInt32 {
    let rightID = makeLeaf()
    let left = leaf(id)
    let right = leaf(rightID)
    touch(id, left)
    for place in half..<left.count {
      let entry = left[place]
      right[place - half] = entry
      rehome(entry, to: rightID)
    }
    right.count = left.count - half
    left.count = half
    if left.dirty { markDirty(rightID, right) }
    recount(left)
    recount(right)
    insertSibling(rightID, after: id)
    return rightID
  }

  /// Merges a leaf that lost entries with a neighbour if both fit, or frees it if it is empty.
  func settle(_ id: UInt32) {
    let leaf = leaf(id)
    let count = leaf.count
    guard count < OrderLeaf.capacity / 2 else { return }
    let parent = leaf.parent
    if parent & OrderMark.root != 0 {
      guard count == 0 else { return }
      roots[Int(parent & ~OrderMark.root)].node = OrderMark.none
      freeLeaf(id)
      return
    }
    let above = inner(parent)
    let index = above.index(of: id)
    if count == 0 {
      above.remove(at: index)
      freeLeaf(id)
      settleInner(parent)
      return
    }
    let limit = OrderLeaf.capacity * 3 / 4
    if index + 1 < above.count, self.leaf(above.child(index + 1)).count + count <= limit {
      merge(parent, index)
      settle(id)
    } else if index > 0, self.leaf(above.child(index - 1)).count + count <= limit {
      let leftID = above.child(index - 1)
      merge(parent, index - 1)
      settle(leftID)
    }
  }

  /// Moves the entries of a parent's child after `index` into the one at `index`.
  private func merge(_ parent: UInt32, _ index: Int) {
    let above = inner(parent)
    let leftID = above.child(index)
    let rightID = above.child(index + 1)
    let left = leaf(leftID)
    let right = leaf(rightID)
    touch(leftID, left)
    touch(rightID, right)
    let start = left.count
    for place in 0..<right.count {
      let entry = right[place]
      left[start + place] = entry
      rehome(entry, to: leftID)
    }
    left.count = start + right.count
    left.counts += right.counts
    if right.dirty { markDirty(leftID, left) }
    above.setCounts(index, left.counts)
    above.remove(at: index + 1)
    freeLeaf(rightID)
    settleInner(parent)
  }

  /// The same for an inner node; a root with one child gives way to it.
  private func settleInner(_ id: UInt32) {
    let node = inner(id)
    let count = node.count
    guard count < OrderInner.capacity / 2 else { return }
    let parent = node.parent
    if parent & OrderMark.root != 0 {
      guard count <= 1 else { return }
      let child = count == 0 ? OrderMark.none : node.child(0)
      roots[Int(parent & ~OrderMark.root)].node = child
      if count == 1 { setParent(of: child, parent) }
      freeInner(id)
      // A child that is an inner node with one child may have waited for this.
      if count == 1, child & OrderMark.inner != 0 { settleInner(child) }
      return
    }
    let above = inner(parent)
    let index = above.index(of: id)
    if count == 0 {
      above.remove(at: index)
      freeInner(id)
      settleInner(parent)
      return
    }
    let limit = OrderInner.capacity * 3 / 4
    if index + 1 < above.count, inner(above.child(index + 1)).count + count <= limit {
      mergeInner(parent, index)
    } else if index > 0, inner(above.child(index - 1)).count + count <= limit {
      mergeInner(parent, index - 1)
    }
  }

  private func mergeInner(_ parent: UInt32, _ index: Int) {
    let above = inner(parent)
    let leftID = above.child(index)
    let rightID = above.child(index + 1)
    let left = inner(leftID)
    let right = inner(rightID)
    for place in 0..<right.count {
      left.insert(right.child(place), right.counts(place), at: left.count)
      setParent(of: right.child(place), leftID)
    }
    above.setCounts(index, left.total)
    above.remove(at: index + 1)
    freeInner(rightID)
    settleInner(parent)
  }

  /// Hangs a node that took part of another one's entries in after it.
  private func insertSibling(_ node: UInt32, after left: UInt32) {
    let isLeaf = left & OrderMark.inner == 0
    let parent = isLeaf ? leaf(left).parent : inner(left).parent
    if parent & OrderMark.root != 0 {
      let topID = makeInner()
      let top = inner(topID)
      top.parent = parent
      top.insert(left, counts(of: left), at: 0)
      top.insert(node, counts(of: node), at: 1)
      setParent(of: left, topID)
      setParent(of: node, topID)
      roots[Int(parent & ~OrderMark.root)].node = topID
      return
    }
    var targetID = parent
    if inner(parent).count == OrderInner.capacity {
      let rightID = splitInner(parent, at: inner(parent).index(of: left))
      // The children that moved know their new parent.
      targetID = isLeaf ? leaf(left).parent : inner(left).parent
      assert(targetID == parent || targetID == rightID)
    }
    let target = inner(targetID)
    let index = target.index(of: left)
    target.setCounts(index, counts(of: left))
    target.insert(node, counts(of: node), at: index + 1)
    setParent(of: node, targetID)
  }

  /// Moves the upper children into a new node to the right; an end that grows keeps more.
  private func splitInner(_ id: UInt32, at index: Int) -> UInt32 {
    let rightID = makeInner()
    let left = inner(id)
    let right = inner(rightID)
    let end = left.count
    let half = index == end - 1 ? end - 2 : index == 0 ? 2 : end / 2
    for place in half..<end {
      right.insert(left.child(place), left.counts(place), at: place - half)
      setParent(of: left.child(place), rightID)
    }
    left.count = half
    insertSibling(rightID, after: id)
    return rightID
  }

  /// Counts a leaf's entries anew.
  func recount(_ leaf: OrderLeaf) {
    var counts = OrderCounts()
    for place in 0..<leaf.count {
      let entry = leaf[place]
      if entry & OrderMark.tomb != 0 {
        counts.old += 1
      } else if entry & OrderMark.fresh != 0 {
        counts.live += 1
      } else {
        counts += OrderCounts(live: 1, old: 1, plain: 1)
      }
    }
    leaf.counts = counts
  }
}
