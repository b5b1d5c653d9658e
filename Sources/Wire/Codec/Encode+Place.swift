internal import Coding

extension Cursor {
  /// The size of its message.
  var size: Int { 9 + FrameWriter.size(2, varint: revision) }

  /// Appends the fields of `hp.v1.Cursor`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, fixed64: epoch)
    out.appendField(2, varint: revision)
  }
}

extension IndexPath {
  /// The size of its message.
  var size: Int {
    FrameWriter.size(1, varint: UInt64(section)) + FrameWriter.size(2, varint: UInt64(row))
  }

  /// Appends the fields of `hp.v1.Path`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: UInt64(section))
    out.appendField(2, varint: UInt64(row))
  }
}
