internal import Coding

extension ReplyEncoder {
  /// Appends what stands of an upload.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - upload: The upload's number.
  ///   - parts: Its parts so far.
  ///   - bytes: Their bytes.
  ///   - out: Gets the frame.
  public static func upload(
    id: UInt64, upload: UInt64, parts: UInt64, bytes: UInt64, into out: inout [UInt8]
  ) {
    append(id, .upload, into: &out) { reply in
      reply.appendField(1, varint: upload)
      reply.appendField(2, varint: parts)
      reply.appendField(3, varint: bytes)
    }
  }
}
