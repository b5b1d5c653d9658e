internal import CHPProto

/// Turns frames of clients into requests.
///
/// One decoder serves all connections of a loop: its arena and batch are reused, so that a
/// warm frame allocates little more than the texts outside a batch.
@safe public final class RequestDecoder {
  /// The content of the last request, where that was a batch.
  public internal(set) var batch = BatchBuffer()

  private let schema = FrameSchema()
  let arena = UnpackArena()

  /// Makes a decoder; reads the schema's descriptors.
  public init() {}

  /// Decodes one frame.
  ///
  /// - Parameter frame: The bytes after the length.
  /// - Returns: The request; a batch's content stands in `batch` then.
  /// - Throws: What is wrong and where; the connection can go on.
  /// - Complexity: O(*n*)
  public func decode(_ frame: Span<UInt8>) throws(WireFault) -> Request {
    if let request = LeanRead.request(frame, &batch) { return request }
    return try decodeBySchema(frame)
  }

  /// Decodes a frame of any kind: scans it by the schema, then lets protobuf-c unpack it.
  @_spi(Fuzzing) public func decodeBySchema(_ frame: Span<UInt8>) throws(WireFault) -> Request {
    do throws(WireFault) {
      return try unpack(frame)
    } catch {
      var fault = error
      fault.request = Envelope.id(of: frame)
      if fault.operation == nil {
        fault.operation = Envelope.operation(of: frame, at: fault.offset)
      }
      throw fault
    }
  }

  /// Bytes of memory kept for the next frame, apart from the batch.
  public var memory: Int { arena.memory }

  private func unpack(_ frame: Span<UInt8>) throws(WireFault) -> Request {
    guard frame.count > 0 else { throw WireFault(.missingID, offset: 0, field: 1) }
    defer { arena.reset() }
    // Safe: the pointer is used inside the closure, where the span lives; the message lives
    // in the arena until the reset above, and everything in the request is a copy.
    return try unsafe frame.withUnsafeBufferPointer { bytes throws(WireFault) -> Request in
      guard let start = bytes.baseAddress else { throw WireFault(.missingID, offset: 0, field: 1) }
      let scan = try unsafe FrameScan(start, count: bytes.count, schema: schema)
      if Envelope.request(of: frame) == RequestKind.uploadPart.rawValue {
        guard unsafe scan.unknownField == 0 else {
          throw unsafe WireFault(
            .unknownField, offset: scan.unknownOffset, field: scan.unknownField)
        }
        return try part(in: frame)
      }
      guard
        let message = unsafe hp__v1__client_frame__unpack(arena.allocator, bytes.count, start)
      else {
        throw WireFault(.outOfMemory, offset: 0)
      }
      let client = unsafe UnsafePointer(message)
      let kind = unsafe RequestKind(rawValue: client.pointee.request_case.rawValue)
      let isRead = unsafe kind == .scene && RequestDecoder.looks(client.pointee.scene)
      if let kind, kind.isMutating, !isRead, unsafe scan.unknownField != 0 {
        throw unsafe WireFault(
          .unknownField, offset: scan.unknownOffset, field: scan.unknownField)
      }
      return try unsafe request(client, kind, frame)
    }
  }

  /// Whether a request about scenes changes none: a field it does not know is skipped (contract K7).
  private static func looks(_ scene: UnsafeMutablePointer<Hp__V1__SceneRequest>?) -> Bool {
    guard let scene = unsafe scene else { return false }
    return unsafe SceneRequest.Step(rawValue: scene.pointee.step.rawValue)?.isRead ?? false
  }

  private func request(
    _ client: UnsafePointer<Hp__V1__ClientFrame>, _ kind: RequestKind?, _ frame: Span<UInt8>
  ) throws(WireFault) -> Request {
    let id = unsafe client.pointee.id
    guard id != 0 else { throw WireFault(.missingID, offset: 0, field: 1) }
    var request = Request(id: id, body: .unknown(0))
    unsafe request.atLeast = Unpacked.cursor(client.pointee.at_least)
    unsafe request.expect = Unpacked.cursor(client.pointee.expect)
    if unsafe client.pointee.has_lease != 0 { unsafe request.lease = client.pointee.lease }
    if let key = unsafe client.pointee.key {
      unsafe request.key = try self.key(
        key, client.pointee.has_retry_until != 0 ? client.pointee.retry_until : nil, frame)
    }
    if let kind {
      request.body = try unsafe body(client, kind)
    } else {
      request.body = .unknown(Envelope.request(of: frame))
    }
    return request
  }

  private func key(
    _ text: UnsafePointer<CChar>, _ retryUntil: Int64?, _ frame: Span<UInt8>
  ) throws(WireFault) -> Request.Key {
    let text = unsafe Unpacked.string(text)
    guard (1...Limits.key).contains(text.utf8.count) else {
      throw WireFault(.badKey, offset: 0, field: 2)
    }
    return Request.Key(text: text, retryUntil: retryUntil, hash: Envelope.hash(of: frame))
  }
}
