/// Labels: numbers that rise along a root (contract S5).
///
/// A run of new entries shares the gap between its neighbours evenly; at the ends of a root the
/// step is 2^32. Where a gap is exhausted, a neighbourhood that doubles until its labels are far
/// enough apart is labelled anew: the wider it is, the more room it must have, so that it stays
/// in order for the longer. That keeps the amortised number of changed labels small wherever
/// the insertions land.
extension OrderIndex {
  /// One entry.
  struct Cursor {
    var leaf: UInt32
    var offset: Int
  }

  /// The distance of labels at the ends of a root.
  static var step: Int64 { 1 << 32 }
  /// Labels given here are at most this far from zero.
  static var limit: Int64 { 1 << 62 }
  /// The least distance of labels in a neighbourhood of `width` entries that is labelled anew.
  ///
  /// It doubles with the width, so that half of a neighbourhood takes as many insertions as it
  /// has entries before it must be labelled anew itself; from 2^18 entries on it rises more
  /// slowly, so that 2^30 fit.
  static func room(_ width: Int) -> Int64 {
    let bits = Int.bitWidth - width.leadingZeroBitCount
    return 1 << Int64(bits <= 18 ? 10 + bits : 28 + (bits - 18) / 4)
  }

  /// Gives labels to the fresh entries of a batch before it is closed, where nothing was taken
  /// from its place and no other label has to change; `commit` has little left to do then.
  ///
  /// The batch stays as it is, and nothing may be put in or taken out of it after that.
  ///
  /// - Parameter rest: Called now and then; may read the old order and the new one.
  /// - Complexity: O(*k*) for *k* fresh entries, and the leaves of the roots that have some.
  func labelAhead(rest: () -> Void) {
    precondition(isOpen, "no batch is open")
    guard labelled, tombs.isEmpty else { return }
    for root in roots.indices where roots[root].inUse && !roots[root].dropped {
      guard roots[root].counts.live > roots[root].counts.plain else { continue }
      guard labelAhead(root, rest) else { return }
    }
    isLabelledAhead = true
  }

  /// The entries that are labelled between two rests.
  private static var stretch: Int { 8192 }

  private func labelAhead(_ root: Int, _ rest: () -> Void) -> Bool {
    var node = roots[root].node
    while node & OrderMark.inner != 0 { node = inner(node).child(0) }
    var cursor = Cursor(leaf: node, offset: 0)
    var done = 0
    while true {
      if leaf(cursor.leaf).dirty, entry(cursor) & OrderMark.fresh != 0 {
        var last = cursor
        var width = 1
        while let next = moved(last, 1), entry(next) & OrderMark.fresh != 0 {
          last = next
          width += 1
          if width % OrderIndex.stretch == 0 { rest() }
        }
        guard let (label, step) = spread(width, moved(cursor, -1), moved(last, 1), 1) else {
          return false
        }
        for place in 0..<width {
          setLabel(entry(cursor) & OrderMark.value, label + Int64(place) * step)
          if place % OrderIndex.stretch == 0 { rest() }
          if place + 1 < width, let next = moved(cursor, 1) { cursor = next }
        }
      } else if !leaf(cursor.leaf).dirty {
        cursor.offset = leaf(cursor.leaf).count - 1
      }
      done += 1
      if done % OrderIndex.stretch == 0 { rest() }
      guard let next = moved(cursor, 1) else { return true }
      cursor = next
    }
  }

  /// Gives labels to all fresh entries, and makes them plain.
  func labelFresh() {
    if isLabelledAhead { changed.reserveCapacity(dirtyLeaves.count * OrderLeaf.capacity) }
    var index = 0
    while index < dirtyLeaves.count {
      let id = dirtyLeaves[index]
      index += 1
      let leaf = leaf(id)
      guard leaf.dirty else { continue }
      for offset in 0..<leaf.count where leaf[offset] & OrderMark.fresh != 0 {
        let cursor = Cursor(leaf: id, offset: offset)
        if labelled && !isLabelledAhead { labelRun(at: cursor) } else { report(cursor) }
      }
      leaf.dirty = false
    }
    for element in changed { setPlace(element, place(element) & OrderMark.value) }
  }

  private func labelRun(at cursor: Cursor) {
    var first = cursor
    var last = cursor
    var width = 1
    skipFresh(&first, -1, &width)
    skipFresh(&last, 1, &width)
    var reach = 8
    var least: Int64 = 1
    while true {
      let below = moved(first, -1)
      let above = moved(last, 1)
      if let (label, step) = spread(width, below, above, least) {
        assign(first, last, label, step)
        return
      }
      for _ in 0..<reach {
        guard let next = moved(first, -1) else { break }
        first = next
        width += 1
      }
      skipFresh(&first, -1, &width)
      for _ in 0..<reach {
        guard let next = moved(last, 1) else { break }
        last = next
        width += 1
      }
      skipFresh(&last, 1, &width)
      reach *= 2
      least = OrderIndex.room(width)
    }
  }

  /// Goes on while the next entry is a fresh one, which has no label yet.
  private func skipFresh(_ cursor: inout Cursor, _ direction: Int, _ width: inout Int) {
    while let next = moved(cursor, direction), entry(next) & OrderMark.fresh != 0 {
      cursor = next
      width += 1
    }
  }

  @inline(__always)
  private func entry(_ cursor: Cursor) -> UInt32 { leaf(cursor.leaf)[cursor.offset] }

  /// The entry after (1) or before (-1) one; leaves are not empty here.
  @inline(__always)
  private func moved(_ cursor: Cursor, _ direction: Int) -> Cursor? {
    let offset = cursor.offset + direction
    if offset >= 0 && offset < leaf(cursor.leaf).count {
      return Cursor(leaf: cursor.leaf, offset: offset)
    }
    guard let next = neighbour(of: cursor.leaf, step: direction) else { return nil }
    return Cursor(leaf: next, offset: direction > 0 ? 0 : leaf(next).count - 1)
  }

  /// The first label and the distance for `count` entries between two others, if there is room.
  private func spread(
    _ count: Int, _ below: Cursor?, _ above: Cursor?, _ least: Int64
  ) -> (label: Int64, step: Int64)? {
    let lower = below.map { storedLabel(entry($0)) }
    let upper = above.map { storedLabel(entry($0)) }
    let step: Int64
    switch (lower, upper) {
    case (nil, nil):
      return (-Int64(count / 2) * OrderIndex.step, OrderIndex.step)
    case (let lower?, nil):
      // Labels read from a store may lie anywhere: nothing here may overflow.
      guard lower < OrderIndex.limit else { return nil }
      let gap = UInt64(bitPattern: OrderIndex.limit &- lower)
      step = Int64(min(UInt64(OrderIndex.step), gap / UInt64(count)))
      return step >= least ? (lower + step, step) : nil
    case (nil, let upper?):
      guard upper > -OrderIndex.limit else { return nil }
      let gap = UInt64(bitPattern: upper &+ OrderIndex.limit)
      step = Int64(min(UInt64(OrderIndex.step), gap / UInt64(count)))
      return step >= least ? (upper - step * Int64(count), step) : nil
    case (let lower?, let upper?):
      step = Int64(UInt64(bitPattern: upper &- lower) / UInt64(count + 1))
      return step >= least ? (lower + step, step) : nil
    }
  }

  private func assign(_ first: Cursor, _ last: Cursor, _ label: Int64, _ step: Int64) {
    var cursor = first
    var label = label
    while true {
      report(cursor)
      setLabel(entry(cursor), label)
      if cursor.leaf == last.leaf && cursor.offset == last.offset { return }
      guard let next = moved(cursor, 1) else { return }
      cursor = next
      label += step
    }
  }

  /// Makes an entry plain and reports its element, once in a commit.
  private func report(_ cursor: Cursor) {
    let leaf = leaf(cursor.leaf)
    let element = leaf[cursor.offset] & OrderMark.value
    leaf[cursor.offset] = element
    let place = place(element)
    guard place & OrderMark.reported != OrderMark.reported else { return }
    setPlace(element, cursor.leaf | OrderMark.reported)
    changed.append(element)
  }
}
