/// Rows by their value in one column: the index of a unique column (contract E15).
///
/// Four bytes an entry, as in `IDTable`: the values are read from the images. A value may stand
/// several times, as within a batch; rows without a value have no entry. The hash is seeded anew in
/// each process, so that nobody can choose values that collide.
final class KeyIndex {
  private struct Shard {
    var entries: [UInt32] = []
    var count = 0
  }

  private static let empty: UInt32 = .max
  private static let slotMask: UInt32 = 1 << 30 - 1

  /// The column's id.
  let column: UInt64
  /// Small tables with linear probing, so that growing one never takes long.
  private var shards = [Shard](repeating: Shard(), count: 256)

  /// Makes an empty index.
  ///
  /// - Parameter column: The column's id.
  init(column: UInt64) { self.column = column }

  /// Memory held, in bytes.
  var bytes: Int { shards.reduce(0) { $0 + 32 + $1.entries.capacity * 4 } }

  /// The number of rows with a value.
  var count: Int { shards.reduce(0) { $0 + $1.count } }

  /// Puts a row in whose image is in the store.
  ///
  /// - Complexity: O(1) expected; now and then O(*n* / 256).
  func insert(_ slot: UInt32, in rows: RowStore) {
    guard let hash = hash(of: slot, in: rows) else { return }
    let shard = Int(hash >> 56)
    if (shards[shard].count + 1) * 4 > shards[shard].entries.count * 3 { grow(shard, in: rows) }
    KeyIndex.place(hash, slot, &shards[shard].entries)
    shards[shard].count += 1
  }

  /// Takes a row out whose image is still as it was when it was put in.
  ///
  /// - Complexity: O(1) expected.
  func remove(_ slot: UInt32, in rows: RowStore) {
    guard let hash = hash(of: slot, in: rows) else { return }
    let shard = Int(hash >> 56)
    let capacity = shards[shard].entries.count
    precondition(capacity > 0, "row is not in the index")
    var hole = KeyIndex.home(hash, capacity)
    while true {
      let entry = shards[shard].entries[hole]
      precondition(entry != KeyIndex.empty, "row is not in the index")
      if entry & KeyIndex.slotMask == slot { break }
      hole = hole + 1 == capacity ? 0 : hole + 1
    }
    var index = hole
    while true {
      index = index + 1 == capacity ? 0 : index + 1
      let entry = shards[shard].entries[index]
      if entry == KeyIndex.empty { break }
      guard let other = self.hash(of: entry & KeyIndex.slotMask, in: rows) else {
        preconditionFailure("a row without a value is in the index")
      }
      let home = KeyIndex.home(other, capacity)
      // An entry may fill the hole unless its home lies after the hole and up to it.
      let stays = hole < index ? home > hole && home <= index : home > hole || home <= index
      if stays { continue }
      shards[shard].entries[hole] = entry
      hole = index
    }
    shards[shard].entries[hole] = KeyIndex.empty
    shards[shard].count -= 1
  }

  /// Finds a row.
  ///
  /// - Parameters:
  ///   - value: A value of the column's kind.
  ///   - rows: The store.
  ///   - isWanted: Whether a row that has the value counts.
  /// - Returns: The slot of the first that counts, or `nil`.
  /// - Complexity: O(1) expected.
  func slot(
    of value: CellValue, in rows: RowStore, where isWanted: (UInt32) -> Bool
  ) -> UInt32? {
    let hash = KeyIndex.hash(value)
    let shard = Int(hash >> 56)
    let capacity = shards[shard].entries.count
    if capacity == 0 { return nil }
    var index = KeyIndex.home(hash, capacity)
    while true {
      let entry = shards[shard].entries[index]
      if entry == KeyIndex.empty { return nil }
      let slot = entry & KeyIndex.slotMask
      if entry >> 30 == UInt32(hash & 3), has(slot, value, in: rows), isWanted(slot) {
        return slot
      }
      index = index + 1 == capacity ? 0 : index + 1
    }
  }

  /// Whether a row that would get an image would have another value.
  func changes(_ slot: UInt32, to image: Span<UInt8>, in rows: RowStore) -> Bool {
    let new = RowImage.cell(column, in: image)
    return rows.withImage(slot) { old in
      switch (RowImage.cell(column, in: old), new) {
      case (nil, nil): false
      case (let before?, let after?):
        before.kind != after.kind || before.number != after.number
          || !old.extracting(before.text).isEqual(to: image.extracting(after.text))
      default: true
      }
    }
  }

  private func has(_ slot: UInt32, _ value: CellValue, in rows: RowStore) -> Bool {
    rows.withImage(slot) { image in
      guard let cell = RowImage.cell(column, in: image) else { return false }
      if case .text(let text) = value {
        return cell.kind == .text && image.extracting(cell.text).isEqual(to: text)
      }
      return cell.kind != .text && CellValue(kind: cell.kind, number: cell.number) == value
    }
  }

  private func hash(of slot: UInt32, in rows: RowStore) -> UInt64? {
    rows.withImage(slot) { image in
      guard let cell = RowImage.cell(column, in: image) else { return nil }
      return cell.kind == .text
        ? KeyIndex.hash(image.extracting(cell.text)) : KeyIndex.hash(cell.number)
    }
  }

  private func grow(_ shard: Int, in rows: RowStore) {
    let old = shards[shard].entries
    let capacity = max(8, old.count + old.count / 2)
    var entries = [UInt32](repeating: KeyIndex.empty, count: capacity)
    for entry in old where entry != KeyIndex.empty {
      let slot = entry & KeyIndex.slotMask
      guard let hash = hash(of: slot, in: rows) else {
        preconditionFailure("a row without a value is in the index")
      }
      KeyIndex.place(hash, slot, &entries)
    }
    shards[shard].entries = entries
  }

  private static func place(_ hash: UInt64, _ slot: UInt32, _ entries: inout [UInt32]) {
    var index = home(hash, entries.count)
    while entries[index] != empty { index = index + 1 == entries.count ? 0 : index + 1 }
    entries[index] = slot | UInt32(hash & 3) << 30
  }

  private static func home(_ hash: UInt64, _ capacity: Int) -> Int {
    Int(((hash >> 24 & 0xffff_ffff) * UInt64(capacity)) >> 32)
  }

  private static func hash(_ value: CellValue) -> UInt64 {
    switch value {
    case .text(let text): hash(text.span)
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      hash(number)
    case .boolean(let flag): hash(flag ? 1 : 0)
    }
  }

  private static func hash(_ text: Span<UInt8>) -> UInt64 {
    var hasher = Hasher()
    // Safe: the bytes are borrowed for the call only.
    unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func hash(_ number: Int64) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
