/// What epoll is given for a descriptor: a slot and the slot's generation.
///
/// A stale event of a closed descriptor carries an old generation and misses.
struct Token: Equatable {
  let slot: UInt32
  let generation: UInt32

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(packed: UInt64) {
    slot = UInt32(truncatingIfNeeded: packed)
    generation = UInt32(truncatingIfNeeded: packed >> 32)
  }

  var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

  static let listener = Token(slot: .max, generation: 0)
  static let signals = Token(slot: .max, generation: 1)
}
