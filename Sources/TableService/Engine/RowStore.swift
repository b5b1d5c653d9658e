internal import Coding

/// The rows of a table without their order: images by slot, and slots by row id.
///
/// An image is the canonical encoding of a row: field 1 its id, field 2 its revision, then its
/// cells. All operations are O(1) apart from copying the image. Caller bugs (an id put in
/// twice, a slot that is free) trap.
final class RowStore {
  let images = SlotImages()
  private var table = IDTable()
  /// New rows of a long change, by rising id, that are not in the table of ids yet.
  private var unlisted: [UInt32] = []
  /// How many rows there are.
  private(set) var count = 0
  /// Open snapshots, oldest first.
  var snapshots: ContiguousArray<RowSnapshot> = []

  /// Indexes of columns, kept right through every change of an image.
  var keys: [KeyIndex] = []

  /// Memory held, in bytes, images kept for snapshots included.
  var bytes: Int { images.bytes + table.bytes + keys.reduce(0) { $0 + $1.bytes } }

  /// Puts a row in.
  ///
  /// - Parameters:
  ///   - id: Its id, which no row here has.
  ///   - image: Its image, which begins with the id.
  /// - Returns: Its slot: the one freed last, or a new one. So undoing removals in reverse
  ///   order gives every row its old slot.
  func insert(id: UInt64, image: [UInt8]) -> UInt32 {
    precondition(RowStore.idField(of: image) == id, "image of another row")
    let slot = images.add(images.arena.store(image))
    let isNew = table.insert(id, slot, in: images)
    precondition(isNew, "row is there already")
    count += 1
    for index in keys { index.insert(slot, in: self) }
    return slot
  }

  /// Puts a row in with a new id, which `list` puts into the table of ids together with others.
  ///
  /// - Parameters:
  ///   - id: An id above those of all rows that were ever here.
  ///   - image: Its image, which begins with the id.
  /// - Returns: As `insert`.
  func insert(unlisted id: UInt64, image: [UInt8]) -> UInt32 {
    precondition(RowStore.idField(of: image) == id, "image of another row")
    let slot = images.add(images.arena.store(image))
    unlisted.append(slot)
    count += 1
    for index in keys { index.insert(slot, in: self) }
    return slot
  }

  /// Puts the rows into the table of ids that are not there yet.
  ///
  /// - Parameter rest: Called now and then; may look rows up, but change nothing.
  /// - Complexity: O(*n*) for those rows.
  func list(rest: () -> Void = {}) {
    guard !unlisted.isEmpty else { return }
    let group = IDTable.Group(unlisted, in: images, rest: rest)
    for shard in 0..<IDTable.shardCount {
      table.insert(group, shard: shard, in: images)
      rest()
    }
    unlisted = []
  }

  /// The slot of a row that is not in the table of ids yet.
  private func unlistedSlot(of id: UInt64) -> UInt32? {
    var (low, high) = (0, unlisted.count)
    while low < high {
      let middle = (low + high) / 2
      if images.id(unlisted[middle]) < id { low = middle + 1 } else { high = middle }
    }
    guard low < unlisted.count, images.id(unlisted[low]) == id else { return nil }
    return unlisted[low]
  }

  /// Keeps an image that only its slot finds until `indexLoaded`.
  ///
  /// - Parameter image: Its image, which begins with an id.
  /// - Returns: Its slot.
  func load(_ image: [UInt8]) -> UInt32 {
    precondition(RowStore.idField(of: image) != nil, "image of no row")
    count += 1
    let slot = images.add(images.arena.store(image))
    for index in keys { index.insert(slot, in: self) }
    return slot
  }

  /// Lets ids find the rows that were loaded into an empty store.
  ///
  /// Knowing how many there are, the table of ids is made once instead of growing with them.
  ///
  /// - Returns: False where two have the same id.
  /// - Complexity: O(*n*).
  func indexLoaded() -> Bool {
    table.reserve(count)
    for slot in 0..<UInt32(count) where !table.insert(images.id(slot), slot, in: images) {
      return false
    }
    return true
  }

  /// The slot of a row.
  ///
  /// - Parameter id: Any number.
  /// - Returns: Its slot, or `nil` if there is no such row.
  func slot(of id: UInt64) -> UInt32? {
    if !unlisted.isEmpty, let slot = unlistedSlot(of: id) { return slot }
    return table.slot(of: id, in: images)
  }

  /// How many entries are looked at to find a row, on average; for tests.
  var meanProbes: Double { table.meanProbes(in: images) }

  /// Shows a row's image.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - body: Must not change the store.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inline(__always)
  func withImage<Result, Failure: Error>(
    _ slot: UInt32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withContent(images.address(slot), body)
  }

  /// A row's image.
  func image(_ slot: UInt32) -> [UInt8] {
    // Safe: the bytes are copied before this function returns.
    unsafe Array(images.arena.content(images.address(slot)))
  }

  /// Appends a row's image.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - target: Where it is appended.
  func appendImage(_ slot: UInt32, to target: inout [UInt8]) {
    // Safe: the bytes are copied before this function returns.
    unsafe target.append(contentsOf: images.arena.content(images.address(slot)))
  }

  /// The length of a row's image.
  func imageLength(_ slot: UInt32) -> Int { images.arena.length(images.address(slot)) }

  /// The id of the row in a slot.
  func id(_ slot: UInt32) -> UInt64 { images.id(slot) }

  /// The revision in the image of the row in a slot; 0 where there is none.
  func revision(_ slot: UInt32) -> UInt64 { revision(at: images.address(slot)) }

  /// Changes a row.
  ///
  /// - Parameters:
  ///   - slot: The row's slot.
  ///   - image: Its new image, with the same id.
  func replace(_ slot: UInt32, image: [UInt8]) {
    precondition(RowStore.idField(of: image) == images.id(slot), "image of another row")
    if keys.isEmpty { return put(slot, image) }
    let changed = keys.filter { $0.changes(slot, to: image.span, in: self) }
    for index in changed { index.remove(slot, in: self) }
    put(slot, image)
    for index in changed { index.insert(slot, in: self) }
  }

  private func put(_ slot: UInt32, _ image: [UInt8]) {
    let address = images.address(slot)
    if keep(slot, address) {
      images.setAddress(slot, images.arena.store(image))
      return
    }
    if images.arena.overwrite(address, image) { return }
    images.arena.release(address)
    images.setAddress(slot, images.arena.store(image))
  }

  /// Takes a row out and frees its slot.
  ///
  /// - Parameter slot: The row's slot.
  func remove(_ slot: UInt32) {
    list()
    for index in keys { index.remove(slot, in: self) }
    table.remove(images.id(slot), in: images)
    let address = images.address(slot)
    if !keep(slot, address) { images.arena.release(address) }
    images.drop(slot)
    count -= 1
  }

  @inline(__always)
  func withContent<Result, Failure: Error>(
    _ address: UInt32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: the block is neither moved nor freed while body runs, since body must not change
    // the store; the span cannot outlive the call.
    let content = unsafe images.arena.content(address).bindMemory(to: UInt8.self)
    // Safe: as above.
    return try unsafe body(content.span)
  }

  /// The revision in an image; 0 where there is none.
  func revision(at address: UInt32) -> UInt64 {
    withContent(address) { image in
      var reader = FieldReader(0..<image.count)
      // The store's own images are sound; a fault would read as no revision.
      while let field = try? reader.next(in: image), field.number <= 2 {
        if field.number == 2 { return field.value }
      }
      return 0
    }
  }

  /// The first field of an image, if it is a row id.
  private static func idField(of image: [UInt8]) -> UInt64? {
    var reader = FieldReader(0..<image.count)
    guard let field = try? reader.next(in: image.span), field.number == 1,
      field.type == .varint, image[0] < 0x80
    else { return nil }
    return field.value
  }
}
