internal import CHPProto
internal import Coding

/// Parts of a batch: looked at when they come, unpacked when it is their turn.
extension RequestDecoder {
  /// Reads a scanned frame that holds a part of a batch; the part itself is not unpacked.
  ///
  /// - Parameter frame: The frame.
  /// - Returns: The request.
  /// - Throws: `missingID`.
  func part(in frame: Span<UInt8>) throws(WireFault) -> Request {
    let id = Envelope.id(of: frame)
    guard id != 0 else { throw WireFault(.missingID, offset: 0, field: 1) }
    var part = UploadPart(upload: 0, part: 0, bytes: [], operations: 0, hasHead: false)
    var range = 0..<0
    var reader = FieldReader(0..<frame.count)
    // The scan has found every field to be sound.
    while let field = try? reader.next(in: frame) {
      guard field.number == RequestKind.uploadPart.rawValue else { continue }
      var inner = FieldReader(field.range)
      while let field = try? inner.next(in: frame) {
        switch field.number {
        case 1: part.upload = field.value
        case 2: part.part = field.value
        case 3: range = field.range
        default: break
        }
      }
    }
    var batch = FieldReader(range)
    while let field = try? batch.next(in: frame) {
      if field.number == RequestDecoder.operations {
        part.operations += 1
      } else {
        part.hasHead = true
      }
    }
    // Safe: the bytes are copied while the frame is borrowed.
    part.bytes = unsafe frame.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    return Request(id: id, body: .upload(.part(part)))
  }

  /// The field of operations in `hp.v1.Batch`.
  private static let operations: UInt32 = 5

  /// Decodes a part that came in a frame which was scanned then; its content stands in `batch`.
  ///
  /// - Parameters:
  ///   - bytes: The part's fields of `hp.v1.Batch`.
  ///   - appends: Whether what stands in `batch` stays and is gone on with.
  /// - Throws: What is wrong with an operation; its index counts within `batch`.
  /// - Complexity: O(*n*)
  public func decode(part bytes: [UInt8], appends: Bool) throws(WireFault) {
    defer { arena.reset() }
    guard !bytes.isEmpty else {
      if !appends { batch.reset() }
      return
    }
    // Safe: the message lives in the arena until the reset above, and the batch copies it.
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(WireFault) in
      guard
        let message = unsafe hp__v1__batch__unpack(
          arena.allocator, bytes.count, bytes.baseAddress)
      else { throw WireFault(.outOfMemory, offset: 0) }
      try unsafe batch.decode(message, appends: appends)
    }
  }
}

extension KeyHash {
  /// Begins the hash of an upload: of its parts, one behind the other (contract E5).
  public struct OfParts {
    private var hasher = Hasher()

    /// Begins with nothing.
    public init() {}

    /// Goes on with a part.
    ///
    /// - Parameter bytes: Its fields of `hp.v1.Batch`.
    /// - Complexity: O(*n*)
    public mutating func add(_ bytes: [UInt8]) { hasher.add(bytes.span, 0..<bytes.count) }

    /// Ends with what else the outcome depends on.
    ///
    /// - Parameter envelope: The hash of the frame that commits.
    /// - Returns: The hash.
    public consuming func finish(_ envelope: KeyHash) -> KeyHash {
      var rest: [UInt8] = []
      rest.appendField(1, fixed64: envelope.low)
      rest.appendField(2, fixed64: envelope.high)
      hasher.add(rest.span, 0..<rest.count)
      return hasher.finish()
    }
  }
}
