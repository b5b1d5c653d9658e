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
  /// - Parameters:
  ///   - last: The last pieces of what happened.
  ///   - lastOlds: The last pieces of what was there before.
  ///   - empty: A piece in which nothing happens.
  /// - Returns: At least one part.
  func record(_ last: [[UInt8]], _ lastOlds: [[UInt8]], empty: [UInt8]) -> [JournalPart] {
    var parts = bodies.map { JournalPart(body: [], storedBody: $0) }
    parts += last.map { JournalPart(body: $0) }
    let before = olds.count + lastOlds.count
    while parts.count < before { parts.append(JournalPart(body: empty)) }
    for (index, old) in olds.enumerated() { parts[index].storedOld = old }
    for (index, old) in lastOlds.enumerated() { parts[olds.count + index].old = old }
    return parts
  }

  /// Removes what was written, for a change that is not made after all.
  func remove() {
    guard let first = (bodies + olds).map(\.id).min() else { return }
    // What fails here is removed by the next start.
    while (try? store.removeParts(from: first, limit: 8)) == true { rest() }
  }
}
