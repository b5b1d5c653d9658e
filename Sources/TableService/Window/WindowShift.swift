/// Two contents of a window of which the rows in both stand in the same order, but for some that
/// are known to have moved.
///
/// Most changes are of that kind: it is found in one pass, without a table of places.
struct WindowShift {
  /// How far ahead a row is looked for that is not where the last ones were.
  private static let lookahead = 8

  /// Places in the old content, rising.
  private(set) var deletes: [Int] = []
  /// Places in the new content, rising.
  private(set) var inserts: [Int] = []

  /// Of the rows that are known to have moved: where they are in both.
  private(set) var moves: [(from: Int, to: Int)] = []

  /// Compares two contents; `nil` where another row in both may have moved.
  ///
  /// - Parameters:
  ///   - old: The rows before, none twice.
  ///   - new: The rows after, none twice.
  ///   - named: The rows that moved.
  ///   - places: Where these are in `new`, rising.
  /// - Complexity: O(*n*).
  init?(
    from old: [UInt32], to new: [UInt32], named: Set<UInt32> = [], at places: [Int] = []
  ) {
    let most = min(old.count, new.count) + 128
    var (left, right) = (0, 0)
    if let first = new.first, let start = WindowShift.place(of: first, in: old) {
      deletes = Array(0..<start)
      left = start
    } else if let first = old.first, let start = WindowShift.place(of: first, in: new) {
      inserts = Array(0..<start)
      right = start
    }
    // Those before `right` are inserts already.
    var known = places.drop { $0 < right }
    while left < old.count, right < new.count {
      if known.first == right {
        known.removeFirst()
        inserts.append(right)
        if old[left] == new[right] {
          deletes.append(left)
          left += 1
        }
        right += 1
        continue
      }
      if old[left] == new[right] {
        left += 1
        right += 1
        continue
      }
      if named.contains(old[left]) {
        deletes.append(left)
        left += 1
        continue
      }
      guard deletes.count + inserts.count <= most,
        let (gone, come) = WindowShift.step(old[left...], new[right...])
      else { break }
      deletes.append(contentsOf: left..<left + gone)
      inserts.append(contentsOf: right..<right + come)
      left += gone
      right += come
      known = known.drop { $0 < right }
    }
    deletes.append(contentsOf: left..<old.count)
    inserts.append(contentsOf: right..<new.count)
    guard !deletes.isEmpty, !inserts.isEmpty else { return }
    guard pair(old, new, named) else { return nil }
  }

  /// Finds the moves among what went and came.
  ///
  /// - Returns: Whether they are rows that are known to have moved.
  private mutating func pair(
    _ old: [UInt32], _ new: [UInt32], _ named: Set<UInt32>
  ) -> Bool {
    var gone: [UInt32: Int] = [:]
    for index in deletes { gone[old[index]] = index }
    for index in inserts {
      guard let from = gone.removeValue(forKey: new[index]) else { continue }
      guard named.contains(new[index]) else { return false }
      moves.append((from, index))
    }
    guard !moves.isEmpty else { return true }
    let moved = Set(moves.map(\.to))
    inserts.removeAll { moved.contains($0) }
    deletes = gone.values.sorted()
    return true
  }

  /// Where a row stands among many, as a window is moved by a part of its length.
  private static func place(of row: UInt32, in rows: [UInt32]) -> Int? {
    rows.firstIndex(of: row)
  }

  /// How many rows went and came until both agree again.
  private static func step(
    _ old: ArraySlice<UInt32>, _ new: ArraySlice<UInt32>
  ) -> (Int, Int)? {
    let old = old.prefix(lookahead)
    let new = new.prefix(lookahead)
    for sum in 1..<2 * lookahead {
      for gone in 0...min(sum, old.count - 1) where sum - gone < new.count {
        if old[old.startIndex + gone] == new[new.startIndex + sum - gone] {
          return (gone, sum - gone)
        }
      }
    }
    return nil
  }
}
