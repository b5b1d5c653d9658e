/// The writes of revisions that are in the journal but not yet in the tables on disk.
///
/// Writing a prefix that ends with a revision gives exactly that revision on disk
/// (contract S5). One list serves all tables of a store.
public final class PendingWrites {
  /// In order; the last takes what comes.
  private(set) var blocks = [PendingBlock()]

  /// Makes an empty list.
  public init() {}

  /// Fills a block that was kept free in another list.
  init(filling block: PendingBlock) { blocks = [block] }

  /// The number of writes that wait.
  public var count: Int { blocks.reduce(0) { $0 + $1.count } }

  /// The number of bytes that wait.
  public var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }

  /// The oldest revision that waits and is whole.
  public var firstRevision: UInt64? {
    for block in blocks where block.firstRevision != nil || block.isOpen {
      return block.isOpen ? nil : block.firstRevision
    }
    return nil
  }

  /// The oldest revision that waits, where it is one to be written in slices.
  var firstLarge: PendingBlock? {
    let first = blocks.first { $0.firstRevision != nil || $0.isOpen }
    guard let first, first.isLarge, !first.isOpen else { return nil }
    return first
  }

  /// The newest revision that waits.
  public var lastRevision: UInt64? { blocks.reversed().lazy.compactMap(\.lastRevision).first }

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
    blocks[blocks.count - 1].append(
      kind, table: table, id: id, section: section, label: label, content: content)
  }

  /// Ends a revision, or one more table's part of it (contract E13).
  ///
  /// - Parameter revision: Its number; never falling.
  func close(revision: UInt64) { blocks[blocks.count - 1].close(revision: revision) }

  /// Keeps the place of a revision whose writes come later, in slices; those of later ones are
  /// kept behind it.
  ///
  /// - Returns: Takes its writes; whoever fills it says when it is whole.
  func reserve() -> PendingBlock {
    let block = PendingBlock()
    block.isOpen = true
    block.isLarge = true
    if blocks[blocks.count - 1].firstRevision == nil { blocks.removeLast() }
    blocks.append(block)
    blocks.append(PendingBlock())
    return block
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
  public func forEach(
    limit: Int = .max, through last: UInt64 = .max,
    _ body: (PendingWrite, Span<UInt8>) -> Bool
  ) -> UInt64? {
    var reached: UInt64?
    var left = limit
    for block in blocks where block.firstRevision != nil || block.isOpen {
      guard !block.isOpen, left > 0 else { break }
      if block.isLarge, block.count > Store.largeWrites, reached != nil { break }
      var isStopped = false
      let found = block.forEach(limit: left, through: last) { write, bytes in
        left -= 1
        if !body(write, bytes) { isStopped = true }
        return !isStopped
      }
      reached = found ?? reached
      guard !isStopped, found == block.lastRevision else { break }
    }
    return reached
  }

  /// Takes out what is on disk.
  ///
  /// - Parameter revision: The newest revision that is materialised.
  /// - Complexity: Amortised O(1) for each write.
  public func remove(through revision: UInt64) {
    if revision == .max { blocks = [PendingBlock()] }
    for block in blocks where !block.isOpen {
      guard let first = block.firstRevision, first <= revision else { continue }
      block.remove(through: revision)
    }
    while blocks.count > 1, !blocks[0].isOpen, blocks[0].firstRevision == nil {
      blocks.removeFirst()
    }
  }
}
