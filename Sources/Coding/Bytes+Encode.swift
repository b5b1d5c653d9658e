/// Writing of protobuf fields at the end of a byte array.
///
/// Nothing here knows a message: callers name field numbers. A buffer that is emptied with
/// `removeAll(keepingCapacity: true)` is written again without an allocation.
extension [UInt8] {
  /// Appends a varint.
  ///
  /// - Parameter value: The value to append.
  /// - Complexity: O(1), at most ten bytes.
  @inlinable
  public mutating func appendVarint(_ value: UInt64) {
    if value < 0x80 {
      append(UInt8(truncatingIfNeeded: value))
    } else {
      appendLongVarint(value)
    }
  }

  /// Takes room once for many bytes instead of looking at the array for each; for two that look
  /// costs less.
  @usableFromInline
  mutating func appendLongVarint(_ value: UInt64) {
    if value < 1 << 14 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      append(UInt8(truncatingIfNeeded: value >> 7))
    } else {
      append(addingCapacity: Varint.maximumSize) { $0.appendVarint(value) }
    }
  }

  /// Appends a field's tag.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - type: How its value is written.
  @inlinable
  public mutating func appendTag(_ field: UInt32, _ type: WireType) {
    appendVarint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  /// Appends a varint field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  public mutating func appendField(_ field: UInt32, varint value: UInt64) {
    appendTag(field, .varint)
    appendVarint(value)
  }

  /// Appends a `sint64` field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  public mutating func appendField(_ field: UInt32, signed value: Int64) {
    appendField(field, varint: Varint.zigzag(value))
  }

  /// Appends a `bool` field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  public mutating func appendField(_ field: UInt32, bool value: Bool) {
    appendField(field, varint: value ? 1 : 0)
  }

  /// Appends a `fixed64` field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  public mutating func appendField(_ field: UInt32, fixed64 value: UInt64) {
    appendTag(field, .fixed64)
    append(addingCapacity: 8) { room in
      for shift in 0..<8 { room.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
    }
  }

  /// Appends a `double` field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - value: Its value.
  @inlinable
  public mutating func appendField(_ field: UInt32, double value: Double) {
    appendField(field, fixed64: value.bitPattern)
  }

  /// Appends a field of bytes, text or an encoded message.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - content: Its bytes.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public mutating func appendField(_ field: UInt32, bytes content: some Collection<UInt8>) {
    appendTag(field, .lengthDelimited)
    appendVarint(UInt64(content.count))
    append(contentsOf: content)
  }

  /// Appends a field of bytes, text or an encoded message.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - content: Its bytes.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public mutating func appendField(_ field: UInt32, bytes content: Span<UInt8>) {
    append(addingCapacity: 5 + Varint.maximumSize + content.count) { room in
      room.openField(field, count: content.count)
      room.append(copying: content)
    }
  }

  /// Appends a text field.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - text: Its text.
  /// - Complexity: O(*n*) in the length of the text.
  @inlinable
  public mutating func appendField(_ field: UInt32, text: String) {
    appendField(field, bytes: text.utf8)
  }

  /// Appends a message field whose content `write` appends.
  ///
  /// The length is written in front once the content is known, so that nothing has to be
  /// measured first; contents under 128 bytes are not moved.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - write: Appends the message's fields.
  /// - Throws: What `write` throws.
  /// - Complexity: O(*n*) in the size of the message.
  @inlinable
  public mutating func appendField<Failure: Error>(
    _ field: UInt32, message write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    appendTag(field, .lengthDelimited)
    let start = count
    append(0)
    try write(&self)
    closeLength(at: start)
  }

  /// Appends a message field whose content is short, into room that is taken once.
  ///
  /// - Parameters:
  ///   - field: The field number.
  ///   - greatest: The most bytes that the content may have; at most 127, or it traps.
  ///   - write: Appends the message's fields.
  @inlinable
  public mutating func appendField(
    _ field: UInt32, upTo greatest: Int, _ write: (inout OutputSpan<UInt8>) -> Void
  ) {
    precondition(greatest < 0x80, "a length of more than one byte")
    append(addingCapacity: greatest + 6) { room in
      room.appendTag(field, .lengthDelimited)
      let start = room.count
      room.append(0)
      write(&room)
      room[start] = UInt8(room.count - start - 1)
    }
  }

  /// Writes the length of what follows the byte at `start` into its place.
  ///
  /// - Parameter start: Where one byte was left for the length.
  @inlinable
  public mutating func closeLength(at start: Int) {
    let length = count - start - 1
    if length < 0x80 {
      self[start] = UInt8(length)
      return
    }
    var prefix: UInt64 = UInt64(length)
    let extra = Varint.size(prefix) - 1
    append(contentsOf: repeatElement(0, count: extra))
    var source = count - 1 - extra
    while source > start {
      self[source + extra] = self[source]
      source -= 1
    }
    var index = start
    while prefix >= 0x80 {
      self[index] = UInt8(truncatingIfNeeded: prefix) | 0x80
      prefix >>= 7
      index += 1
    }
    self[index] = UInt8(truncatingIfNeeded: prefix)
  }
}
