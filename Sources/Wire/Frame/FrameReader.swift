/// Finds frames in a stream: a varint length of at most 5 bytes, then as many bytes (SPEC 9).
public struct FrameReader: Sendable {
  /// The greatest length that is taken.
  public let limit: Int

  /// Makes a reader.
  ///
  /// - Parameter limit: The greatest length that is taken.
  public init(limit: Int = Limits.frameUp) {
    precondition(limit >= 0 && limit <= Int(Int32.max), "limit out of range")
    self.limit = limit
  }

  /// Where a frame stands, or how much of it is missing.
  public enum Result: Equatable, Sendable {
    /// The payload's place; drop everything up to its end once it is handled.
    case frame(Range<Int>)
    /// At least as many more bytes are needed.
    case incomplete(Int)
  }

  /// Looks for a whole frame at the front of `bytes`.
  ///
  /// Nothing is consumed, and the length is judged before anybody reserves memory for it.
  ///
  /// - Parameter bytes: What the peer has sent and nobody has handled yet.
  /// - Returns: The frame's place, or how many bytes are missing.
  /// - Throws: `badLength` or `oversized`; the stream can't be read on after either.
  /// - Complexity: O(1). At most five bytes are looked at.
  public func next(in bytes: Span<UInt8>) throws(WireFault) -> Result {
    var length: UInt64 = 0
    for index in 0..<min(bytes.count, 5) {
      let byte = bytes[index]
      length |= UInt64(byte & 0x7f) << UInt64(7 * index)
      guard byte < 0x80 else { continue }
      guard length <= UInt64(limit) else { throw WireFault(.oversized, offset: 0) }
      let end = index + 1 + Int(length)
      return end <= bytes.count ? .frame(index + 1..<end) : .incomplete(end - bytes.count)
    }
    guard bytes.count < 5 else { throw WireFault(.badLength, offset: 4) }
    return .incomplete(1)
  }
}
