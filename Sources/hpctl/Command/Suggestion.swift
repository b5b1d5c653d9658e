/// "Did you mean": the word that is nearest to a mistyped one.
enum Suggestion {
  /// The nearest candidate within a distance that a slip of the finger explains.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    let limit = word.count <= 3 ? 1 : 2
    return candidates.map { (distance(word, $0), $0) }.filter { $0.0 <= limit }
      .min { $0.0 < $1.0 }?.1
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  ///
  /// - Complexity: O(*n* · *m*).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left), right = Array(right)
    var older = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in 1..<left.count + 1 {
      var current = [row]
      for column in 1..<right.count + 1 {
        let isSame = left[row - 1] == right[column - 1]
        var best = min(
          previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          best = min(best, older[column - 2] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}
