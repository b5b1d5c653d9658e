internal import Coding

/// What can be told of a frame without unpacking it.
enum Envelope {
  /// The id of a frame that may be broken elsewhere; 0: it can't be read.
  static func id(of frame: Span<UInt8>) -> UInt64 {
    var reader = FieldReader(0..<frame.count)
    while let field = try? reader.next(in: frame) {
      if field.number == 1, field.type == .varint { return field.value }
    }
    return 0
  }

  /// The first field above 15, the numbers of requests, of a frame that was scanned and
  /// holds none that is known; 0: none.
  static func request(of frame: Span<UInt8>) -> UInt32 {
    var reader = FieldReader(0..<frame.count)
    while let field = try? reader.next(in: frame) {
      if field.number > 15 { return field.number }
    }
    return 0
  }

  /// The hash that a key stands for (contract E5): of the frame's fields in the order sent,
  /// without id (1), retry_until (3) and at_least (4); a commit of an upload is not its number
  /// either, nor into how many parts it was cut.
  static func hash(of frame: Span<UInt8>) -> KeyHash {
    var hash = KeyHash.Hasher()
    var reader = FieldReader(0..<frame.count)
    var start = 0
    while let field = try? reader.next(in: frame) {
      if field.number != 1, field.number != 3, field.number != 4,
        field.number != RequestKind.uploadCommit.rawValue
      {
        hash.add(frame, start..<reader.offset)
      }
      start = reader.offset
    }
    return hash.finish()
  }

  /// The operation of a batch in which a byte stands, for a fault that the scan has found;
  /// `nil`: the byte stands elsewhere.
  static func operation(of frame: Span<UInt8>, at offset: Int) -> Int? {
    var reader = FieldReader(0..<frame.count)
    while let field = try? reader.next(in: frame) {
      guard field.number == RequestKind.batch.rawValue, field.range.contains(offset) else {
        continue
      }
      var index = 0
      var batch = FieldReader(field.range)
      while let operation = try? batch.next(in: frame), operation.range.lowerBound <= offset {
        guard operation.number == 5 else { continue }
        if operation.range.contains(offset) { return index }
        index += 1
      }
    }
    return nil
  }
}
