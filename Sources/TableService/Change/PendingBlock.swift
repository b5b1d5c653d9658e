/// A run of revisions of `PendingWrites`.
final class PendingBlock {
  /// Where a revision ends in the list.
  private struct Mark {
    var revision: UInt64
    var writes: Int
    var bytes: Int
  }

  private var writes: [PendingWrite] = []
  private var bytes: [UInt8] = []
  private var marks: [Mark] = []
  private var done = Mark(revision: 0, writes: 0, bytes: 0)
  private var firstMark = 0

  /// Whether its one revision is not whole yet: nothing from here on is handed out.
  var isOpen = false
  /// Whether its one revision is written in slices.
  var isLarge = false

  /// The number of writes that wait.
  var count: Int { writes.count - done.writes }

  /// The number of bytes that wait.
  var byteCount: Int { bytes.count - done.bytes }

  /// The oldest revision that waits.
  var firstRevision: UInt64? { firstMark < marks.count ? marks[firstMark].revision : nil }

  /// The newest revision that waits.
  var lastRevision: UInt64? { firstMark < marks.count ? marks.last?.revision : nil }

  /// Appends a write of the revision that `close` will name.
  ///
  /// - Parameters:
  ///   - kind: What to write.
  ///   - table: The table's id.
  ///   - id: The row's or section's id.
  ///   - section: The id of a row's section.
  ///   - label: The order.
  ///   - content: Appends its bytes.
  func append(
    _ kind: PendingWrite.Kind, table: UInt64, id: UInt64 = 0, section: UInt64 = 0,
    label: Int64 = 0, content: (inout [UInt8]) -> Void = { _ in }
  ) {
    let start = bytes.count
    content(&bytes)
    writes.append(
      PendingWrite(
        kind: kind, table: table, id: id, section: section, label: label,
        bytes: start..<bytes.count))
  }

  /// Ends a revision, or one more table's part of it (contract E13).
  ///
  /// - Parameter revision: Its number; never falling.
  func close(revision: UInt64) {
    if firstMark < marks.count, marks[marks.count - 1].revision == revision { marks.removeLast() }
    marks.append(Mark(revision: revision, writes: writes.count, bytes: bytes.count))
  }

  /// Hands out the oldest revisions, whole ones, in their order.
  ///
  /// - Parameters:
  ///   - limit: The number of writes after which no further revision is begun.
  ///   - last: The newest revision to hand out.
  ///   - body: Takes each write and the bytes that its range refers to; `false` stops.
  /// - Returns: The newest revision that was handed out whole, or `nil`. Nothing is taken
  ///   out of the list.
  /// - Complexity: O(*n*) in the number of writes handed out.
  func forEach(
    limit: Int = .max, through last: UInt64 = .max,
    _ body: (PendingWrite, Span<UInt8>) -> Bool
  ) -> UInt64? {
    var reached: UInt64?
    var index = done.writes
    // One reference for the whole walk, which also keeps the bytes while body looks at them.
    let bytes = bytes
    for mark in marks[firstMark...] {
      guard mark.revision <= last, index - done.writes < limit else { break }
      while index < mark.writes {
        guard body(writes[index], bytes.span) else { return reached }
        index += 1
      }
      reached = mark.revision
    }
    return reached
  }

  /// Takes out what is on disk.
  ///
  /// - Parameter revision: The newest revision that is materialised.
  /// - Complexity: Amortised O(1) for each write.
  func remove(through revision: UInt64) {
    while firstMark < marks.count, marks[firstMark].revision <= revision {
      done = marks[firstMark]
      firstMark += 1
    }
    if firstMark == marks.count {
      empty(&writes)
      empty(&bytes)
      empty(&marks)
      (done, firstMark) = (Mark(revision: revision, writes: 0, bytes: 0), 0)
    } else if done.writes > writes.count / 2 {
      compact()
    }
  }

  private func empty<Element>(_ array: inout [Element]) {
    array.removeAll(keepingCapacity: array.capacity <= 65_536)
  }

  private func compact() {
    writes.removeFirst(done.writes)
    bytes.removeFirst(done.bytes)
    marks.removeFirst(firstMark)
    for index in writes.indices {
      let range = writes[index].bytes
      writes[index].bytes = range.lowerBound - done.bytes..<range.upperBound - done.bytes
    }
    for index in marks.indices {
      marks[index].writes -= done.writes
      marks[index].bytes -= done.bytes
    }
    (done, firstMark) = (Mark(revision: done.revision, writes: 0, bytes: 0), 0)
  }

  /// Makes room, so that it does not grow by copying.
  func reserve(_ count: Int) {
    writes.reserveCapacity(count)
    bytes.reserveCapacity(count * 128)
  }

  /// A write that waits.
  subscript(index: Int) -> PendingWrite { writes[done.writes + index] }

  /// Its bytes.
  func content(_ write: PendingWrite) -> ArraySlice<UInt8> { bytes[write.bytes] }

  /// Hands out some of the writes that wait.
  ///
  /// - Parameters:
  ///   - range: Which of them.
  ///   - body: Takes each write and the bytes that its range refers to.
  /// - Throws: What `body` throws.
  func forEach<Failure: Error>(
    _ range: Range<Int>, _ body: (PendingWrite, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes = bytes
    for index in range { try body(self[index], bytes.span) }
  }
}
