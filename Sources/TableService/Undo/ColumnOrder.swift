/// Which columns another order of them moved; the journal has only the order before and after.
enum ColumnOrder {
  /// The longest list of ids that stand in the same order in both lists.
  static func longest(of old: [UInt64], in new: [UInt64]) -> [UInt64] {
    let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let common = old.filter { places[$0] != nil }
    var lengths: [Int] = []
    var previous: [Int?] = []
    for (index, id) in common.enumerated() {
      var best: Int?
      for other in 0..<index where places[common[other], default: 0] < places[id, default: 0] {
        if lengths[other] > best.map({ lengths[$0] }) ?? 0 { best = other }
      }
      lengths.append((best.map { lengths[$0] } ?? 0) + 1)
      previous.append(best)
    }
    var result: [UInt64] = []
    var next = lengths.indices.max { lengths[$0] < lengths[$1] }
    while let index = next {
      result.append(common[index])
      next = previous[index]
    }
    return result
  }

  /// Ids that may have been moved: the rest keeps its order without them.
  ///
  /// Of two neighbours that changed places it is either.
  ///
  /// - Complexity: O(*n*³) for *n* columns that changed places, else O(*n*²).
  static func moved(from old: [UInt64], to new: [UInt64]) -> Set<UInt64> {
    let longest = longest(of: old, in: new).count
    let known = Set(new)
    let common = old.filter { known.contains($0) }
    if longest == common.count { return [] }
    return Set(
      common.filter { id in
        Self.longest(of: common.filter { $0 != id }, in: new).count == longest
      })
  }
}

extension Reversal {
  /// Columns that its inverse moves.
  var displacedColumns: Set<UInt64> {
    let (old, new) = (columns.map(\.id), change.columns.map(\.id))
    let stay = Set(ColumnOrder.longest(of: old, in: new))
    let known = Set(new)
    return Set(old.filter { known.contains($0) && !stay.contains($0) })
  }

  /// Columns that were there and got another place, name or rule, and whether it was a place.
  var touchedColumns: [(id: UInt64, isPlaced: Bool)] {
    let moved = ColumnOrder.moved(from: columns.map(\.id), to: change.columns.map(\.id))
    let old = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, $0) })
    return change.columns.compactMap { column in
      guard let before = old[column.id] else { return nil }
      let isPlaced = moved.contains(column.id)
      return isPlaced || before != column ? (column.id, isPlaced) : nil
    }
  }
}
