/// Row counts of sections in their order, to go between flat positions and paths.
///
/// A Fenwick tree: one section's count changes, and a position is found, in O(log *s*).
struct FlatIndex {
  private var counts: [Int] = []
  private var sums: [Int] = [0]
  private(set) var total = 0

  /// Takes the counts of all sections.
  ///
  /// - Parameter counts: Their numbers of rows, in order.
  /// - Complexity: O(*s*).
  mutating func rebuild(_ counts: [Int]) {
    self.counts = counts
    total = counts.reduce(0, +)
    sums = [0] + counts
    for index in sums.indices.dropFirst() {
      let above = index + (index & -index)
      if above < sums.count { sums[above] += sums[index] }
    }
  }

  /// Sets the count of one section.
  mutating func set(_ section: Int, _ count: Int) {
    let change = count - counts[section]
    guard change != 0 else { return }
    counts[section] = count
    total += change
    var index = section + 1
    while index < sums.count {
      sums[index] += change
      index += index & -index
    }
  }

  /// The number of rows in the sections before one.
  func rows(before section: Int) -> Int {
    var sum = 0
    var index = section
    while index > 0 {
      sum += sums[index]
      index -= index & -index
    }
    return sum
  }

  /// The section and the row at a flat position, which is below `total`.
  func path(of position: Int) -> (section: Int, row: Int) {
    var section = 0
    var rest = position
    var step = 1
    while step * 2 < sums.count { step *= 2 }
    while step > 0 {
      if section + step < sums.count, sums[section + step] <= rest {
        section += step
        rest -= sums[section]
      }
      step /= 2
    }
    return (section, rest)
  }
}
