/// Field types of the protobuf wire format.
///
/// Source: protobuf encoding, "Message structure".
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}

/// Varints, and the zigzag form of signed ones.
///
/// Source: protobuf encoding, "Base 128 varints" and "Signed integers".
public enum Varint {
  /// The longest encoding of a 64-bit value, in bytes.
  public static let maximumSize = 10

  /// The number of bytes that `value` takes.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: 1 to 10.
  /// - Complexity: O(1).
  @inlinable
  public static func size(_ value: UInt64) -> Int {
    if value < 1 << 7 { return 1 }
    if value < 1 << 14 { return 2 }
    return (70 - value.leadingZeroBitCount) / 7
  }

  /// Maps a signed value to the unsigned one that protobuf's `sint64` sends.
  ///
  /// - Parameter value: The signed value.
  /// - Returns: Small for values near zero of either sign.
  @inlinable
  public static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  /// The inverse of `zigzag`.
  ///
  /// - Parameter value: What was read from the wire.
  /// - Returns: The signed value.
  @inlinable
  public static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
