/// Writing of protobuf fields into room that was taken for all of them at once.
///
/// For messages whose greatest size is known and that are written often: the array behind the
/// room is looked at once instead of for each byte. Too little room traps.
extension OutputSpan<UInt8> {
  /// Appends a varint.
  ///
  /// - Parameter value: The value to append.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func appendVarint(_ value: UInt64) {
    if value < 0x80 {
      append(UInt8(truncatingIfNeeded: value))
    } else {
      appendLongVarint(value)
    }
  }

  @usableFromInline
  @_lifetime(self: copy self)
  mutating func appendLongVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a tag.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - type: How its value is written.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func appendTag(_ field: UInt32, _ type: WireType) {
    appendVarint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  /// Appends a varint field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func appendField(_ field: UInt32, varint value: UInt64) {
    appendTag(field, .varint)
    appendVarint(value)
  }

  /// Appends a `fixed64` field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func appendField(_ field: UInt32, fixed64 value: UInt64) {
    appendTag(field, .fixed64)
    for shift in 0..<8 { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }

  /// Appends a tag and a length; the content is to follow.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - count: The content's length.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func openField(_ field: UInt32, count: Int) {
    appendTag(field, .lengthDelimited)
    appendVarint(UInt64(count))
  }

  /// Appends bytes.
  ///
  /// - Parameter bytes: The bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func append(copying bytes: Span<UInt8>) {
    let size = bytes.count
    // Safe: both lend their memory for the call, and the room is checked before the copy.
    unsafe withUnsafeMutableBufferPointer { room, count in
      precondition(room.count - count >= size, "too little room")
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress, let target = room.baseAddress else { return }
        unsafe (target + count).initialize(from: start, count: size)
      }
      count += size
    }
  }
}
