/// Row images by slot.
///
/// A slot is a small number that stands for a row as long as the row lives. Freed slots are
/// given again, the last freed first.
final class SlotImages {
  private static let isFree: UInt32 = 1 << 31
  private static let end: UInt32 = 1 << 31 - 1

  var arena = ImageArena()
  /// For each slot its image's address, or the mark and the next free slot.
  // Safe: only this file uses it, and no use calls what could reach it again.
  @exclusivity(unchecked) private var addresses = ChunkedMemory(stride: 4, shift: 16)
  private var firstFree = end
  /// Slots ever given.
  private(set) var slotCount = 0

  /// Memory held, in bytes.
  var bytes: Int {
    // Safe: see the property.
    unsafe arena.bytes + addresses.bytes
  }

  /// Takes a slot for an image that was stored.
  func add(_ address: UInt32) -> UInt32 {
    let slot: UInt32
    if firstFree != SlotImages.end {
      slot = firstFree
      firstFree = word(slot) & ~SlotImages.isFree
    } else {
      precondition(slotCount < Int(OrderMark.value), "too many rows")
      slot = UInt32(slotCount)
      slotCount += 1
      // Safe: see the property.
      unsafe addresses.reserve(slotCount)
    }
    setAddress(slot, address)
    return slot
  }

  /// Frees a slot; its image is the caller's.
  func drop(_ slot: UInt32) {
    setAddress(slot, firstFree | SlotImages.isFree)
    firstFree = slot
  }

  /// The address of the image in a slot that is in use.
  @inline(__always)
  func address(_ slot: UInt32) -> UInt32 {
    precondition(Int(slot) < slotCount, "no such slot")
    let word = word(slot)
    precondition(word & SlotImages.isFree == 0, "slot is free")
    return word
  }

  func setAddress(_ slot: UInt32, _ address: UInt32) {
    // Safe: the record has memory (add) and lives as long as self.
    unsafe addresses.record(Int(slot)).storeBytes(of: address, as: UInt32.self)
  }

  @inline(__always)
  private func word(_ slot: UInt32) -> UInt32 {
    // Safe: the record was set by add or drop and lives as long as self.
    unsafe addresses.record(Int(slot)).load(as: UInt32.self)
  }

  /// The row id in a slot's image: its first field.
  @inline(__always)
  func id(_ slot: UInt32) -> UInt64 {
    // Safe: the bytes are read before this function returns.
    let bytes = unsafe arena.content(address(slot))
    var id: UInt64 = 0
    var shift: UInt64 = 0
    // The image was checked when it came in: a tag of one byte and a whole varint.
    for index in 1..<bytes.count {
      // Safe: index is below the count.
      let byte = unsafe bytes[index]
      id |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return id
  }
}
