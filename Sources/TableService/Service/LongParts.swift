/// Takes a long change as it is told: its parts go to disk ahead of its record, a few at a time,
/// so that neither a turn nor memory ever holds all of it (contracts K2, F10).
///
/// Until the record names them they are nobody's; a start removes those without one.
final class LongParts {
  /// Bytes of one slice.
  static let slice = 1 << 20

  private let store: Store
  private let rest: () -> Void
  /// What was written: what happened, and what was there before.
  private(set) var bodies: [StoredPart] = []
  private(set) var olds: [StoredPart] = []
  /// Why not all of it could be written.
  private(set) var fault: StoreFault?

  /// Begins with nothing.
  ///
  /// - Parameters:
  ///   - store: Where it goes.
  ///   - rest: Called after each slice.
  init(_ store: Store, rest: @escaping () -> Void) {
    self.store = store
    self.rest = rest
  }

  /// Writes pieces of what happened.
  func write(bodies list: [[UInt8]]) { bodies += write(list) }

  /// Writes pieces of what was there before.
  func write(olds list: [[UInt8]]) { olds += write(list) }

  private func write(_ list: [[UInt8]]) -> [StoredPart] {
    guard fault == nil else { return [] }
    do throws(StoreFault) {
      let stored = try store.writeParts(list)
      rest()
      return stored
    } catch {
      fault = error
      return []
    }
  }

  /// The parts of the record: those written, and the last ones, which were not.
  ///
  /// - Parameter outcome: Has the last pieces, and what stands beside each part.
  /// - Returns: At least one part.
  func record(_ outcome: borrowing Outcome) -> [JournalPart] {
    var parts = bodies.map { JournalPart(body: [], storedBody: $0) }
    parts += outcome.change.map { JournalPart(body: $0) }
    for (index, side) in outcome.sites.enumerated() where index < parts.count {
      parts[index].old = side
    }
    var beside = olds.map { JournalPart(body: [], storedOld: $0) }
    beside += outcome.oldRows.map { JournalPart(body: [], old: $0) }
    beside += outcome.sidePieces.map { JournalPart(body: [], old: $0) }
    guard !beside.isEmpty else { return parts }
    // A part without a body stands neither first nor last.
    if parts.count == 1 { parts.append(JournalPart(body: outcome.emptyPart)) }
    parts.insert(contentsOf: beside, at: 1)
    return parts
  }

  /// Removes what was written, for a change that is not made after all.
  func remove() {
    guard let first = (bodies + olds).map(\.id).min() else { return }
    // What fails here is removed by the next start.
    while (try? store.removeParts(from: first, limit: 8)) == true { rest() }
  }
}
