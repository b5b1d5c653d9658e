/// What an id names (contract K9).
///
/// Columns are counted by their table.
enum IDKind: Int, CaseIterable, Sendable {
  case table
  case section
  case row
  case client
  case lease

  /// How many ids are reserved on disk at once.
  ///
  /// A crash leaves a gap of at most this.
  var block: UInt64 {
    switch self {
    case .row: 1 << 16
    case .client: 1 << 12
    case .table, .section, .lease: 1 << 8
    }
  }
}

/// The next id of each kind.
///
/// A value: an attempt that is given up puts the copy from before it back.
struct IDCounters: Equatable, Sendable {
  var next: [UInt64]

  init() { next = IDKind.allCases.map { _ in 1 } }

  /// Gives out `count` neighbouring ids.
  ///
  /// - Parameters:
  ///   - kind: What they name.
  ///   - count: How many, at least 1.
  /// - Returns: The first of them.
  /// - Throws: `exhausted` past 2^53 − 1; nothing is given then.
  /// - Complexity: O(1).
  mutating func take(_ kind: IDKind, count: UInt64 = 1) throws(StoreFault) -> UInt64 {
    let first = next[kind.rawValue]
    guard count <= StoreLimits.largestID, first + count - 1 <= StoreLimits.largestID else {
      throw .exhausted
    }
    next[kind.rawValue] = first + count
    return first
  }

  /// The next id of a kind: `take` gives it.
  subscript(kind: IDKind) -> UInt64 {
    get { next[kind.rawValue] }
    set { next[kind.rawValue] = newValue }
  }

  /// Moves every counter past what an older copy of the store may have given out (contract S3).
  mutating func jump(by distance: UInt64) throws(StoreFault) {
    for kind in IDKind.allCases {
      guard next[kind.rawValue] + distance <= StoreLimits.largestID else { throw .exhausted }
      next[kind.rawValue] += distance
    }
  }
}
