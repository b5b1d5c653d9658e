/// The overlay of one open batch.
extension OrderIndex {
  /// Opens a batch.
  func begin() {
    precondition(!isOpen, "a batch is open already")
    isOpen = true
  }

  /// Makes the live order the only one.
  ///
  /// - Returns: The elements that got a label or another one, each once, in no certain order;
  ///   without labels the inserted ones.
  /// - Complexity: O(*k* log *n*) for *k* insertions and removals.
  func commit() -> [UInt32] {
    precondition(isOpen, "no batch is open")
    changed.empty()
    purge()
    settleDirtyLeaves()
    labelFresh()
    for root in droppedRoots {
      roots[Int(root)].dropped = false
      freeRoot(root)
    }
    close()
    return changed
  }

  /// Makes the old order the only one.
  ///
  /// - Complexity: O(*k* log *n*) for *k* insertions and removals.
  func rollback() {
    precondition(isOpen, "no batch is open")
    revive()
    settleDirtyLeaves()
    for id in dirtyLeaves { leaf(id).dirty = false }
    for root in droppedRoots { roots[Int(root)].dropped = false }
    for root in madeRoots { freeRoot(root) }
    close()
  }

  private func close() {
    tombs.empty()
    dirtyLeaves.empty()
    madeRoots.empty()
    droppedRoots.empty()
    isLabelledAhead = false
    isOpen = false
  }

  /// Takes the tombstones out; fresh entries keep their mark and count as plain.
  private func purge() {
    for id in dirtyLeaves {
      let leaf = leaf(id)
      guard leaf.dirty else { continue }
      guard !tombs.isEmpty else {
        even(id, leaf)
        continue
      }
      var kept = 0
      for place in 0..<leaf.count {
        let entry = leaf[place]
        if entry & OrderMark.tomb != 0 {
          let tomb = tombs[Int(entry & OrderMark.value)]
          setPlace(
            tomb.element,
            tomb.liveLeaf == OrderMark.none
              ? OrderMark.none : tomb.liveLeaf | OrderMark.fresh)
        } else {
          leaf[kept] = entry
          kept += 1
        }
      }
      leaf.count = kept
      even(id, leaf)
    }
  }

  /// Takes the fresh entries out and puts the elements back that the tombstones stand for.
  private func revive() {
    for id in dirtyLeaves {
      let leaf = leaf(id)
      guard leaf.dirty else { continue }
      var kept = 0
      for place in 0..<leaf.count {
        let entry = leaf[place]
        if entry & OrderMark.tomb != 0 {
          let element = tombs[Int(entry & OrderMark.value)].element
          leaf[kept] = element
          kept += 1
          setPlace(element, id)
        } else if entry & OrderMark.fresh == 0 {
          leaf[kept] = entry
          kept += 1
        } else {
          // An element with a tombstone gets its place where that stands.
          let element = entry & OrderMark.value
          if self.place(element) == id | OrderMark.fresh { setPlace(element, OrderMark.none) }
        }
      }
      leaf.count = kept
      even(id, leaf)
    }
  }

  /// Sets all three counts of a leaf to its entries, and those above it.
  private func even(_ id: UInt32, _ leaf: OrderLeaf) {
    let was = leaf.counts
    let now = Int32(leaf.count)
    leaf.counts = OrderCounts(live: now, old: now, plain: now)
    add(
      OrderCounts(live: now - was.live, old: now - was.old, plain: now - was.plain), above: id)
  }

  /// Merges and frees leaves once no tombstone is left; merges may add to the list.
  private func settleDirtyLeaves() {
    var index = 0
    while index < dirtyLeaves.count {
      let id = dirtyLeaves[index]
      if leaf(id).dirty { settle(id) }
      index += 1
    }
  }
}
