/// Something that a batch took from its place and put back below the same root.
struct Mover {
  /// Its slot.
  var slot: UInt32
  /// The slot of a row's section; 0 for sections.
  var home: UInt32
  /// Its index before the batch.
  var old: Int
  /// Its index now.
  var new: Int
  /// Whether its place among those that the batch left alone is another one.
  var isDisplaced: Bool
}

extension Mover {
  /// Tells which of them moved (contract E10): those whose order relative to anything else
  /// that stays below the same root changed, named by the batch or not.
  ///
  /// - Parameters:
  ///   - movers: All movers; sorted here by home and old index.
  ///   - moved: Takes each that moved.
  ///   - stays: Takes each that did not.
  ///   - rest: Called now and then.
  /// - Complexity: O(*m* log *m*) in their number.
  static func judge(
    _ movers: inout [Mover], moved: (Mover) -> Void, stays: (Mover) -> Void,
    rest: () -> Void = {}
  ) {
    if movers.isEmpty { return }
    movers.sort {
      rest()
      return ($0.home, $0.old) < ($1.home, $1.old)
    }
    var start = 0
    while start < movers.count {
      var end = start + 1
      while end < movers.count, movers[end].home == movers[start].home { end += 1 }
      // Displaced among the named ones: something before it is now behind it, or the reverse.
      var highest = -1
      for index in start..<end {
        if movers[index].new < highest { movers[index].isDisplaced = true }
        highest = max(highest, movers[index].new)
      }
      var lowest = Int.max
      for index in (start..<end).reversed() {
        if movers[index].new > lowest { movers[index].isDisplaced = true }
        lowest = min(lowest, movers[index].new)
      }
      for mover in movers[start..<end] {
        rest()
        if mover.isDisplaced { moved(mover) } else { stays(mover) }
      }
      start = end
    }
  }
}
