internal import Coding

/// Writes messages that stand in each other and whose sizes are known, length first.
///
/// Sizes are given instead of moving bytes to make room for a length, so that a page of
/// megabytes is copied once.
enum FrameWriter {
  /// The size of a field with a message or bytes in it.
  static func size(_ field: UInt32, content: Int) -> Int {
    Varint.size(UInt64(field) << 3) + Varint.size(UInt64(content)) + content
  }

  /// The size of a varint field.
  static func size(_ field: UInt32, varint: UInt64) -> Int {
    Varint.size(UInt64(field) << 3) + Varint.size(varint)
  }

  /// The size of a varint field that is left out when there is no value.
  static func size(_ field: UInt32, varint: UInt64?) -> Int {
    guard let varint else { return 0 }
    return size(field, varint: varint)
  }

  /// Appends tag and length of a message whose content follows.
  static func open(_ field: UInt32, content: Int, into out: inout [UInt8]) {
    out.appendTag(field, .lengthDelimited)
    out.appendVarint(UInt64(content))
  }

  /// Appends the frame's length and the head of its only field.
  static func openFrame(_ field: UInt32, content: Int, into out: inout [UInt8]) {
    out.appendVarint(UInt64(size(field, content: content)))
    open(field, content: content, into: &out)
  }
}
