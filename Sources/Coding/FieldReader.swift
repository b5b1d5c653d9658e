/// What is wrong with bytes that should be protobuf fields.
public enum CodingFault: UInt8, Error, Sendable {
  case truncated = 1
  case badVarint
  case badTag
  case badWireType
}

/// One field as it stands in the bytes.
public struct Field: Sendable {
  /// The field number.
  public var number: UInt32
  /// How the value is written.
  public var type: WireType
  /// The value of a varint, fixed32 or fixed64 field, else 0.
  public var value: UInt64
  /// Where the content of a length-delimited field stands, else empty.
  public var range: Range<Int>

  /// The value as protobuf's `sint64`.
  @inlinable
  public var signed: Int64 { Varint.unzigzag(value) }

  @inlinable
  init(number: UInt32, type: WireType, value: UInt64, range: Range<Int>) {
    self.number = number
    self.type = type
    self.value = value
    self.range = range
  }
}

/// Walks the fields of one message.
///
/// The reader holds positions only; each call is given the bytes, so that it can be kept
/// while they move.
public struct FieldReader: Sendable {
  /// The next byte to read.
  public var offset: Int
  /// One past the message's last byte.
  public let end: Int

  /// Reads the fields of the message that stands at `range`.
  ///
  /// - Parameter range: Positions in the bytes that every call is given.
  @inlinable
  public init(_ range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Reads the next field.
  ///
  /// - Parameter bytes: The bytes that the range refers to.
  /// - Returns: The field, or `nil` at the end of the message.
  /// - Throws: Any `CodingFault`; the reader stands then where the fault is.
  /// - Complexity: O(1).
  @inlinable
  public mutating func next(in bytes: Span<UInt8>) throws(CodingFault) -> Field? {
    guard offset < end else { return nil }
    let tag = try varint(in: bytes)
    let number = tag >> 3
    guard number > 0, number < 1 << 29 else { throw .badTag }
    guard let type = WireType(rawValue: UInt8(truncatingIfNeeded: tag & 7)) else {
      throw .badWireType
    }
    var field = Field(number: UInt32(number), type: type, value: 0, range: offset..<offset)
    switch type {
    case .varint: field.value = try varint(in: bytes)
    case .fixed64: field.value = try fixed(in: bytes, size: 8)
    case .fixed32: field.value = try fixed(in: bytes, size: 4)
    case .lengthDelimited:
      let length = try varint(in: bytes)
      guard length <= UInt64(end - offset) else { throw .truncated }
      field.range = offset..<offset + Int(length)
      offset += Int(length)
    }
    return field
  }

  /// Reads a varint.
  ///
  /// - Parameter bytes: The bytes that the range refers to.
  /// - Returns: Its value.
  /// - Throws: `truncated` or `badVarint`.
  @inlinable
  public mutating func varint(in bytes: Span<UInt8>) throws(CodingFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < end else { throw .truncated }
      let byte = bytes[offset]
      if shift == 63, byte > 1 { throw .badVarint }
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  @inlinable
  mutating func fixed(in bytes: Span<UInt8>, size: Int) throws(CodingFault) -> UInt64 {
    guard end - offset >= size else { throw .truncated }
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    offset += size
    return value
  }
}
