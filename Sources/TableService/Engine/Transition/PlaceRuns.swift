/// Runs of places in one list that are taken out or put in, and what stands between them.
struct PlaceRuns {
  /// Neighbouring places with rising ids.
  struct Run {
    var start: Int
    var count: Int
    var id: UInt64 = 0
    /// How many places stand in the runs before.
    var before = 0
  }

  private(set) var runs: [Run] = []

  /// How many places there are in all.
  var count: Int { runs.last.map { $0.before + $0.count } ?? 0 }

  /// Adds a run; `sort` must be called before anything is asked.
  mutating func append(_ start: Int, _ count: Int, id: UInt64 = 0) {
    runs.append(Run(start: start, count: count, id: id))
  }

  /// Puts the runs in order.
  mutating func sort() {
    runs.sort { $0.start < $1.start }
    var before = 0
    for index in runs.indices {
      runs[index].before = before
      before += runs[index].count
    }
  }

  /// The id at a place that is in a run.
  ///
  /// - Parameter place: A place.
  /// - Returns: The id, or `nil` where no run holds the place.
  /// - Complexity: O(log *k*).
  func id(at place: Int) -> UInt64? {
    let index = firstRun { $0.start > place } - 1
    guard index >= 0, place < runs[index].start + runs[index].count else { return nil }
    return runs[index].id &+ UInt64(place - runs[index].start)
  }

  /// Whether a place is in a run.
  func contains(_ place: Int) -> Bool { id(at: place) != nil }

  /// How many places of the runs stand before one that is in none.
  func count(before place: Int) -> Int {
    let index = firstRun { $0.start > place } - 1
    return index < 0 ? 0 : runs[index].before + runs[index].count
  }

  /// The place with a rank among those that are in no run.
  func free(_ rank: Int) -> Int {
    let index = firstRun { $0.start - $0.before > rank } - 1
    return index < 0 ? rank : rank + runs[index].before + runs[index].count
  }

  private func firstRun(_ isBehind: (Run) -> Bool) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(runs[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
