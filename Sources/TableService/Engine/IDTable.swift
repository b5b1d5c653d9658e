/// Slots by row id, in four bytes an entry: the ids themselves are read from the images.
///
/// 256 small tables with linear probing, so that growing one never takes long. Two bits of the
/// hash beside each slot save most looks at images of other rows.
@safe struct IDTable: ~Copyable {
  @safe private struct Shard {
    var entries: UnsafeMutablePointer<UInt32>?
    var capacity: UInt32 = 0
    var count: UInt32 = 0
  }

  private static let empty: UInt32 = .max
  private static let slotMask: UInt32 = 1 << 30 - 1
  private let shards: UnsafeMutablePointer<Shard>
  /// Memory held, in bytes.
  private(set) var bytes = 256 * MemoryLayout<Shard>.stride

  /// Makes an empty table.
  init() {
    // Safe: owned by self, initialised here, freed in deinit.
    unsafe shards = .allocate(capacity: 256)
    // Safe: 256 shards have memory.
    unsafe shards.initialize(repeating: Shard(), count: 256)
  }

  deinit {
    for index in 0..<256 {
      // Safe: a shard's entries are owned by self alone.
      unsafe shards[index].entries?.deallocate()
    }
    // Safe: allocated in init.
    unsafe shards.deallocate()
  }

  /// The slot of a row.
  ///
  /// - Parameters:
  ///   - id: A row id.
  ///   - images: Where the table's rows are.
  /// - Returns: Its slot, or `nil` if no such row was put in.
  /// - Complexity: O(1) expected.
  func slot(of id: UInt64, in images: SlotImages) -> UInt32? {
    let hash = IDTable.hash(id)
    // Safe: the hash's upper byte is below 256.
    let shard = unsafe shards[Int(hash >> 56)]
    // Safe: a copy of the shard, read before the table can change.
    guard let entries = unsafe shard.entries else { return nil }
    var index = IDTable.home(hash, shard.capacity)
    while true {
      // Safe: index stays below the capacity.
      let entry = unsafe entries[Int(index)]
      if entry == IDTable.empty { return nil }
      let slot = entry & IDTable.slotMask
      if entry >> 30 == UInt32(hash & 3), images.id(slot) == id { return slot }
      index += 1
      if index == shard.capacity { index = 0 }
    }
  }

  /// Makes room for so many rows, so that filling an empty table looks at no image twice.
  ///
  /// - Parameter count: The number of rows that are to come; some shards get a few more.
  mutating func reserve(_ count: Int) {
    let capacity = UInt32(count / 256) * 3 / 2 + 16
    for index in 0..<256 {
      // Safe: shards below 256 exist and belong to self.
      let shard = unsafe shards + index
      // Safe: as above.
      guard unsafe shard.pointee.entries == nil else { continue }
      let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(capacity))
      // Safe: so many entries were allocated.
      unsafe entries.initialize(repeating: IDTable.empty, count: Int(capacity))
      // Safe: self owns the new entries.
      unsafe shard.pointee = Shard(entries: entries, capacity: capacity)
      bytes += Int(capacity) * 4
    }
  }

  /// Rows by the shard that each goes to.
  struct Group {
    fileprivate var hashes: [UInt64] = []
    /// The rows' slots, shard by shard.
    fileprivate var slots: [UInt32]
    /// Where the rows of each shard begin; at last the number of rows.
    fileprivate var starts = [Int](repeating: 0, count: 257)

    /// Groups rows.
    ///
    /// - Parameters:
    ///   - list: The rows' slots.
    ///   - images: Where they are.
    ///   - rest: Called now and then.
    /// - Complexity: O(*n*).
    init(_ list: [UInt32], in images: SlotImages, rest: () -> Void) {
      slots = [UInt32](repeating: 0, count: list.count)
      var unordered: [UInt64] = []
      unordered.reserveCapacity(list.count)
      for (place, slot) in list.enumerated() {
        let hash = IDTable.hash(images.id(slot))
        unordered.append(hash)
        starts[Int(hash >> 56)] += 1
        if place & 0xffff == 0 { rest() }
      }
      hashes = unordered
      // Each falls from where its rows end to where they begin.
      for shard in 1..<257 { starts[shard] += starts[shard - 1] }
      for (place, slot) in list.enumerated() {
        let hash = unordered[place]
        let shard = Int(hash >> 56)
        starts[shard] -= 1
        slots[starts[shard]] = slot
        hashes[starts[shard]] = hash
        if place & 0xffff == 0 { rest() }
      }
    }
  }

  /// The number of shards, each of which `insert(_:shard:in:)` fills.
  static var shardCount: Int { 256 }

  /// Puts the rows of a shard in whose images are there and whose ids no row has had before.
  ///
  /// One by one, in the order of their ids, each would wait for memory.
  ///
  /// - Parameters:
  ///   - group: The rows.
  ///   - index: The shard.
  ///   - images: Where the table's rows are.
  /// - Complexity: O(*n*) for the rows, and for those of the shard where it grows.
  mutating func insert(_ group: borrowing Group, shard index: Int, in images: SlotImages) {
    let range = group.starts[index]..<group.starts[index + 1]
    // Safe: shards below 256 exist and belong to self.
    let shard = unsafe shards + index
    // Safe: as above.
    unsafe makeRoom(range.count, shard, in: images)
    for place in range {
      // Safe: it has room for all of its rows.
      _ = unsafe IDTable.place(group.hashes[place], group.slots[place], &shard.pointee)
    }
    // Safe: as above.
    unsafe shard.pointee.count += UInt32(range.count)
  }

  /// Puts a row in whose image is there.
  ///
  /// - Returns: False where a row with the id is in already.
  /// - Complexity: O(1) expected; now and then O(*n* / 256).
  mutating func insert(_ id: UInt64, _ slot: UInt32, in images: SlotImages) -> Bool {
    let hash = IDTable.hash(id)
    // Safe: the hash's upper byte is below 256.
    let shard = unsafe shards + Int(hash >> 56)
    // Safe: shard points into memory that self owns.
    if unsafe (shard.pointee.count + 1) * 4 > shard.pointee.capacity * 3 {
      // Safe: as above.
      unsafe grow(shard, to: shard.pointee.capacity + shard.pointee.capacity / 2, in: images)
    }
    // Safe: as above; the shard has entries now.
    guard unsafe IDTable.place(hash, slot, &shard.pointee, unless: id, in: images) else {
      return false
    }
    // Safe: as above.
    unsafe shard.pointee.count += 1
    return true
  }

  /// Takes a row out whose image is still there.
  ///
  /// - Complexity: O(1) expected.
  mutating func remove(_ id: UInt64, in images: SlotImages) {
    let hash = IDTable.hash(id)
    // Safe: the hash's upper byte is below 256.
    let shard = unsafe shards + Int(hash >> 56)
    // Safe: shard points into memory that self owns.
    guard let entries = unsafe shard.pointee.entries else {
      preconditionFailure("row is not in the table")
    }
    // Safe: as above.
    let capacity = unsafe shard.pointee.capacity
    var hole = IDTable.home(hash, capacity)
    while true {
      // Safe: hole stays below the capacity.
      let entry = unsafe entries[Int(hole)]
      precondition(entry != IDTable.empty, "row is not in the table")
      if entry >> 30 == UInt32(hash & 3), images.id(entry & IDTable.slotMask) == id { break }
      hole = hole + 1 == capacity ? 0 : hole + 1
    }
    var index = hole
    while true {
      index = index + 1 == capacity ? 0 : index + 1
      // Safe: index stays below the capacity.
      let entry = unsafe entries[Int(index)]
      if entry == IDTable.empty { break }
      let home = IDTable.home(
        IDTable.hash(images.id(entry & IDTable.slotMask)), capacity)
      // An entry may fill the hole unless its home lies after the hole and up to it.
      let stays = hole < index ? home > hole && home <= index : home > hole || home <= index
      if stays { continue }
      // Safe: hole stays below the capacity.
      unsafe entries[Int(hole)] = entry
      hole = index
    }
    // Safe: hole stays below the capacity.
    unsafe entries[Int(hole)] = IDTable.empty
    // Safe: shard points into memory that self owns.
    unsafe shard.pointee.count -= 1
  }

  /// How many entries are looked at to find a row, on average; for tests.
  ///
  /// - Complexity: O(*n*).
  func meanProbes(in images: SlotImages) -> Double {
    var probes = 0
    var rows = 0
    for index in 0..<256 {
      // Safe: a copy of the shard, read before the table can change.
      let shard = unsafe shards[index]
      for place in 0..<shard.capacity {
        // Safe: a shard with a capacity has so many entries.
        guard let entry = unsafe shard.entries?[Int(place)], entry != IDTable.empty else {
          continue
        }
        let hash = IDTable.hash(images.id(entry & IDTable.slotMask))
        let home = IDTable.home(hash, shard.capacity)
        rows += 1
        probes += 1 + Int(place >= home ? place - home : place + shard.capacity - home)
      }
    }
    return rows == 0 ? 0 : Double(probes) / Double(rows)
  }

  /// Makes a shard large enough for so many more rows.
  private mutating func makeRoom(
    _ count: Int, _ shard: UnsafeMutablePointer<Shard>, in images: SlotImages
  ) {
    // Safe: shard points into memory that self owns.
    let old = unsafe shard.pointee
    let needed = (old.count + UInt32(count)) * 4 / 3 + 1
    guard needed > old.capacity else { return }
    // Safe: as above. What grows bit by bit grows by halves, as it does for single rows.
    unsafe grow(shard, to: max(needed, old.capacity + old.capacity / 2), in: images)
  }

  private mutating func grow(
    _ shard: UnsafeMutablePointer<Shard>, to capacity: UInt32, in images: SlotImages
  ) {
    // Safe: shard points into memory that self owns.
    let old = unsafe shard.pointee
    let capacity = max(8, capacity)
    let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(capacity))
    // Safe: so many entries were allocated.
    unsafe entries.initialize(repeating: IDTable.empty, count: Int(capacity))
    // Safe: self owns the new entries; the old ones are freed below.
    unsafe shard.pointee.entries = entries
    // Safe: as above.
    unsafe shard.pointee.capacity = capacity
    for index in 0..<Int(old.capacity) {
      // Safe: old.entries holds old.capacity entries until it is freed.
      guard let entry = unsafe old.entries?[index], entry != IDTable.empty else { continue }
      let slot = entry & IDTable.slotMask
      // Safe: as above.
      _ = unsafe IDTable.place(IDTable.hash(images.id(slot)), slot, &shard.pointee)
    }
    // Safe: nothing refers to the old entries any more.
    unsafe old.entries?.deallocate()
    bytes += Int(capacity - old.capacity) * 4
  }

  /// Writes an entry into the first free place from its home on; there must be one.
  ///
  /// - Returns: False where a row with `id` stands before it.
  @inline(__always)
  private static func place(
    _ hash: UInt64, _ slot: UInt32, _ shard: inout Shard, unless id: UInt64? = nil,
    in images: SlotImages? = nil
  ) -> Bool {
    // Safe: a shard with room has entries; index stays below its capacity.
    guard let entries = unsafe shard.entries else { preconditionFailure("no room") }
    var index = home(hash, shard.capacity)
    while true {
      // Safe: as above.
      let entry = unsafe entries[Int(index)]
      if entry == empty { break }
      if let images, entry >> 30 == UInt32(hash & 3), images.id(entry & slotMask) == id {
        return false
      }
      index += 1
      if index == shard.capacity { index = 0 }
    }
    // Safe: as above.
    unsafe entries[Int(index)] = slot | UInt32(hash & 3) << 30
    return true
  }

  @inline(__always)
  private static func hash(_ id: UInt64) -> UInt64 {
    var hash = id &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 32) &* 0xd6e8_feb8_6659_fd93
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func home(_ hash: UInt64, _ capacity: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: ((hash >> 24 & 0xffff_ffff) * UInt64(capacity)) >> 32)
  }
}
