/// Deadlines on the monotonic clock, the nearest first.
///
/// A timer that is no longer wanted is not removed: its owner sees when it fires that nothing
/// is due. With nothing pending the loop sleeps without an end.
struct Timers {
  /// What a deadline is for.
  enum Kind: UInt8 {
    case hello
    case frame
    case waiting
    case progress
    case reopen
    case heartbeat
    case pages
    case upload
    case views
    case goodbye
    case accept
    case leases
  }

  struct Entry {
    let deadline: Int64
    let kind: Kind
    let token: Token
  }

  private var heap: [Entry] = []

  /// When the nearest deadline is, in microseconds.
  var next: Int64? { heap.first?.deadline }

  mutating func add(_ kind: Kind, at deadline: Int64, for token: Token) {
    heap.append(Entry(deadline: deadline, kind: kind, token: token))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].deadline < heap[parent].deadline else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the nearest entry whose deadline has come.
  mutating func due(at now: Int64) -> Entry? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].deadline < heap[least].deadline {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
