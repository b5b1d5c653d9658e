/// 128 bits that stand for a request's bytes (contract E5).
///
/// SipHash-2-4 with a 128-bit result and the fixed key 00 01 … 0f. It is stored beside the
/// key, so it must not change. A peer can only deceive itself by two requests of one hash.
public struct KeyHash: Equatable, Hashable, Sendable {
  /// The first eight bytes of the result, little-endian.
  public var low: UInt64
  /// The other eight.
  public var high: UInt64

  /// Takes a stored hash.
  ///
  /// - Parameters:
  ///   - low: Its first half.
  ///   - high: Its second half.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}

extension KeyHash {
  /// SipHash-2-4-128 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", with the
  /// reference code's 128-bit form).
  struct Hasher {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var pending: UInt64 = 0
    private var count: UInt64 = 0

    /// Starts with the fixed key.
    init() {
      let k0: UInt64 = 0x0706_0504_0302_0100
      let k1: UInt64 = 0x0f0e_0d0c_0b0a_0908
      v0 = k0 ^ 0x736f_6d65_7073_6575
      v1 = k1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
      v2 = k0 ^ 0x6c79_6765_6e65_7261
      v3 = k1 ^ 0x7465_6462_7974_6573
    }

    /// Adds bytes.
    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      for index in range {
        pending |= UInt64(bytes[index]) << (8 * (count & 7))
        count &+= 1
        if count & 7 == 0 {
          compress(pending)
          pending = 0
        }
      }
    }

    /// The result; the hasher is used up.
    consuming func finish() -> KeyHash {
      compress(pending | count << 56)
      v2 ^= 0xee
      for _ in 0..<4 { round() }
      let low = v0 ^ v1 ^ v2 ^ v3
      v1 ^= 0xdd
      for _ in 0..<4 { round() }
      return KeyHash(low: low, high: v0 ^ v1 ^ v2 ^ v3)
    }

    private mutating func compress(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    private mutating func round() {
      v0 &+= v1
      v1 = v1 << 13 | v1 >> 51
      v1 ^= v0
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v3
      v3 = v3 << 16 | v3 >> 48
      v3 ^= v2
      v0 &+= v3
      v3 = v3 << 21 | v3 >> 43
      v3 ^= v0
      v2 &+= v1
      v1 = v1 << 17 | v1 >> 47
      v1 ^= v2
      v2 = v2 << 32 | v2 >> 32
    }
  }
}
