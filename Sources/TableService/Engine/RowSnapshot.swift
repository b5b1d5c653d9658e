/// The images of a table's rows as they were when the snapshot was opened (contract F4).
///
/// It knows no order: the slots to read come from an `OrderSnapshot` opened at the same time.
/// A row's image is kept for it instead of being freed when the row changes or goes; nothing is
/// copied, and of several open snapshots the newest that needs an image holds it for the older
/// ones. Opened, read and closed between batches only.
final class RowSnapshot {
  /// The store's revision at opening.
  let revision: UInt64
  /// Images kept: slot -> address.
  fileprivate(set) var saved: [UInt32: UInt32] = [:]
  fileprivate(set) var isOpen = true
  fileprivate var blockBytes = 0

  fileprivate init(revision: UInt64) { self.revision = revision }

  /// Memory held for this snapshot alone, in bytes.
  var heldBytes: Int { blockBytes + saved.count * 16 }
}

extension RowStore {
  /// Opens a snapshot, between batches.
  ///
  /// - Parameter revision: The store's newest revision: no row here has a later one, and every
  ///   row changed from now on gets a later one.
  /// - Returns: The snapshot, to be given to `close`.
  /// - Complexity: O(1).
  func openSnapshot(revision: UInt64) -> RowSnapshot {
    precondition(snapshots.last.map { $0.revision <= revision } ?? true, "revisions rise")
    let snapshot = RowSnapshot(revision: revision)
    snapshots.append(snapshot)
    return snapshot
  }

  /// Shows the image that a slot had when a snapshot was opened.
  ///
  /// - Parameters:
  ///   - snapshot: An open snapshot.
  ///   - slot: The slot of a row that was there then.
  ///   - body: Must not change the store.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func withImage<Result, Failure: Error>(
    of snapshot: RowSnapshot, _ slot: UInt32,
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withContent(address(of: snapshot, slot), body)
  }

  /// Appends the image that a slot had when a snapshot was opened.
  ///
  /// - Parameters:
  ///   - snapshot: An open snapshot.
  ///   - slot: The slot of a row that was there then.
  ///   - target: Where it is appended.
  func appendImage(of snapshot: RowSnapshot, _ slot: UInt32, to target: inout [UInt8]) {
    // Safe: the bytes are copied before this function returns.
    unsafe target.append(contentsOf: images.arena.content(address(of: snapshot, slot)))
  }

  /// Closes a snapshot and frees what only it needed.
  ///
  /// - Complexity: O(*m*) in the number of images it holds.
  func close(_ snapshot: RowSnapshot) {
    guard let index = snapshots.firstIndex(where: { $0 === snapshot }) else {
      preconditionFailure("snapshot is closed already")
    }
    let older = index > 0 ? snapshots[index - 1] : nil
    for (slot, address) in snapshot.saved {
      if let older, revision(at: address) <= older.revision, older.saved[slot] == nil {
        older.saved[slot] = address
        older.blockBytes += images.arena.blockSize(address)
      } else {
        images.arena.release(address)
      }
    }
    snapshot.saved = [:]
    snapshot.blockBytes = 0
    snapshot.isOpen = false
    snapshots.remove(at: index)
  }

  /// Hands an image that is about to go to the newest snapshot, if that needs it.
  ///
  /// A snapshot that has an image of the slot had it from the first change; one whose revision
  /// is below the image's was opened before that row (or its last change) came.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - address: Its image.
  /// - Returns: Whether the image is the snapshot's now.
  @inline(__always)
  func keep(_ slot: UInt32, _ address: UInt32) -> Bool {
    guard let newest = snapshots.last else { return false }
    return keep(slot, address, newest)
  }

  @inline(never)
  private func keep(_ slot: UInt32, _ address: UInt32, _ newest: RowSnapshot) -> Bool {
    guard revision(at: address) <= newest.revision, newest.saved[slot] == nil else {
      return false
    }
    newest.saved[slot] = address
    newest.blockBytes += images.arena.blockSize(address)
    return true
  }

  private func address(of snapshot: RowSnapshot, _ slot: UInt32) -> UInt32 {
    guard let first = snapshots.firstIndex(where: { $0 === snapshot }) else {
      preconditionFailure("snapshot is closed")
    }
    for index in first..<snapshots.count {
      if let address = snapshots[index].saved[slot] { return address }
    }
    return images.address(slot)
  }
}
