/// Random numbers that are the same for the same seed (SplitMix64), so that a failing test can
/// be run again.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts a sequence.
  ///
  /// - Parameter seed: Any number; name it in the test's failure message.
  public init(seed: UInt64) { state = seed }

  /// The next number of the sequence.
  ///
  /// - Returns: 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// A number below a bound.
  ///
  /// - Parameter bound: Greater than zero.
  /// - Returns: 0 to `bound` - 1.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
