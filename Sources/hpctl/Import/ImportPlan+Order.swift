extension ImportPlan {
  /// The fewest rows that have to be moved within their sections so that all stand as in the file.
  func strays(_ places: [UInt64: RowPlace]) -> Set<UInt64> {
    var sections: [UInt64: [(id: UInt64, index: UInt64)]] = [:]
    for id in entries.compactMap(\.id) {
      guard let place = places[id] else { continue }
      sections[place.section, default: []].append((id, place.index))
    }
    var strays: Set<UInt64> = []
    for rows in sections.values {
      let staying = Self.longestRise(rows.map(\.index))
      for (row, stays) in zip(rows, staying) where !stays { strays.insert(row.id) }
    }
    return strays
  }

  /// Which elements make the longest rising part of a list.
  ///
  /// - Complexity: O(*n* log *n*).
  static func longestRise(_ values: [UInt64]) -> [Bool] {
    // Where the best parts of each length end, and what stands before each element in its part.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isIn = [Bool](repeating: false, count: values.count)
    var index = ends.last ?? -1
    while index >= 0 {
      isIn[index] = true
      index = before[index]
    }
    return isIn
  }
}
