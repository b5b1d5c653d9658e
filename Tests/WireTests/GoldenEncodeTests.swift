import CHPProto
import Coding
import Testing

@testable import Wire

/// What the encoders write is what Google's protobuf wrote into the golden frames, and what
/// protobuf-c reads.
@Suite struct GoldenEncodeTests {
  static let epoch: UInt64 = 0x1234_5678_9abc_def0

  static func at(_ revision: UInt64) -> Cursor { Cursor(epoch: epoch, revision: revision) }

  static func setConnections(of limits: inout LimitsReport) {
    limits.clients = 1024
    limits.clientsPerUID = 256
    limits.output = 32 << 20
  }

  /// Appends a row image as the table keeps it.
  static func row(
    _ id: UInt64, _ revision: UInt64, name: String? = nil, value: Int64? = nil
  ) -> [UInt8] {
    var image: [UInt8] = []
    image.appendField(1, varint: id)
    image.appendField(2, varint: revision)
    if let name {
      image.appendField(3) {
        $0.appendField(1, varint: 1)
        $0.appendField(2, text: name)
      }
    }
    if let value {
      image.appendField(3) {
        $0.appendField(1, varint: 3)
        $0.appendField(4, signed: value)
      }
    }
    return image
  }

  /// The bytes of field `path` in a message, one level a number.
  static func content(_ bytes: [UInt8], _ path: [UInt32]) throws -> [UInt8] {
    var range = bytes.indices
    for number in path {
      var reader = FieldReader(range)
      var found: Range<Int>?
      while let field = try reader.next(in: bytes.span) {
        if field.number == number { found = field.range }
      }
      range = try #require(found)
    }
    return Array(bytes[range])
  }

  typealias Encode = @Sendable (inout [UInt8]) throws -> Void

  static let encodings: [String: Encode] = replies.merging(events) { first, _ in first }

  @Test func everyGoldenOfTheDaemonIsHere() {
    #expect(Set(Self.encodings.keys) == Set(Golden.down.map(\.name)))
  }

  @Test(arguments: Golden.down) func encodersWriteTheGoldenBytes(golden: Golden) throws {
    let encode = try #require(Self.encodings[golden.name])
    // Something stands before it already.
    var out: [UInt8] = [0xaa]
    try encode(&out)
    #expect(Array(out.dropFirst()) == golden.frame)
  }

  @Test(arguments: Golden.down) func protobufCReadsAndWritesTheSame(golden: Golden) throws {
    let payload = golden.payload
    let message = try #require(hp__v1__server_frame__unpack(nil, payload.count, payload))
    defer { hp__v1__server_frame__free_unpacked(message, nil) }
    var packed = [UInt8](repeating: 0, count: hp__v1__server_frame__get_packed_size(message))
    #expect(hp__v1__server_frame__pack(message, &packed) == packed.count)
    #expect(packed == payload)
  }

  @Test(arguments: Golden.up) func protobufCReadsAndWritesTheSameRequests(golden: Golden) throws {
    let payload = golden.payload
    let message = try #require(hp__v1__client_frame__unpack(nil, payload.count, payload))
    defer { hp__v1__client_frame__free_unpacked(message, nil) }
    var packed = [UInt8](repeating: 0, count: hp__v1__client_frame__get_packed_size(message))
    #expect(hp__v1__client_frame__pack(message, &packed) == packed.count)
    #expect(packed == payload)
  }

  @Test(arguments: [0, 1, 100, 127, 128, 16_383, 16_384, 2_097_152])
  func headsFitBodiesOfAnySize(size: Int) throws {
    var out: [UInt8] = []
    let head = EventEncoder.Head(subscription: 1 << 40, from: 1 << 50, part: .max, last: false)
    EventEncoder.head(head, .rows, size: size, into: &out)
    #expect(out.count <= 64)
    out.append(contentsOf: repeatElement(0, count: size))
    var reader = FieldReader(0..<out.count)
    let length = try reader.varint(in: out.span)
    #expect(Int(length) == out.count - reader.offset)
    let body = try Self.content(Array(out[reader.offset...]), [2, 18])
    #expect(body.count == size)
  }
}
