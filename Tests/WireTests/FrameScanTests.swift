import Coding
import Testing

@testable import Wire

/// Frames that are whole but hold no request, and the place each is told.
@Suite struct FrameScanTests {
  /// A frame with id 1 and one more field.
  static func frame(_ field: UInt32, _ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = [0x08, 0x01]
    bytes.appendField(field, message: write)
    return bytes
  }

  /// A frame with id 1 and a batch of one operation.
  static func operation(_ number: UInt32, _ write: (inout [UInt8]) -> Void) -> [UInt8] {
    frame(50) { batch in
      batch.appendField(5) { $0.appendField(number, message: write) }
    }
  }

  /// A frame with id 1 that inserts a row with one cell.
  static func cell(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    operation(1) { insert in insert.appendField(2) { $0.appendField(1, message: write) } }
  }

  typealias Case = (name: String, bytes: [UInt8], fault: WireFault)

  static func fault(
    _ reason: WireFault.Reason, _ offset: Int, _ field: UInt32 = 0, id: UInt64 = 1,
    operation: Int? = nil
  ) -> WireFault {
    WireFault(reason, offset: offset, field: field, request: id, operation: operation)
  }

  static let fields: [Case] = [
    ("nothing", [], fault(.missingID, 0, 1, id: 0)),
    ("no id", [0x92, 0x01, 0x00], fault(.missingID, 0, 1, id: 0)),
    ("id 0", [0x08, 0x00, 0x92, 0x01, 0x00], fault(.missingID, 0, 1, id: 0)),
    ("a tag alone", [0x08], fault(.truncated, 0, 1, id: 0)),
    ("a varint that does not end", [0x08, 0x80], fault(.truncated, 0, 1, id: 0)),
    (
      "a varint of 65 bits",
      [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
      fault(.badVarint, 0, 1, id: 0)
    ),
    (
      "a varint of 11 bytes",
      [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
      fault(.badVarint, 0, 1, id: 0)
    ),
    ("field 0", [0x08, 0x01, 0x00, 0x00], fault(.badTag, 2)),
    ("field 2^29", [0x08, 0x01, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00], fault(.badTag, 2)),
    (
      "a tag of 6 bytes", [0x08, 0x01, 0x90, 0x81, 0x80, 0x80, 0x80, 0x00, 0x00],
      fault(.badTag, 2)
    ),
    ("a tag cut off", [0x08, 0x01, 0x80], fault(.truncated, 2)),
    ("a group", [0x08, 0x01, 0x93, 0x01, 0x94, 0x01], fault(.badWireType, 2, 18)),
    ("an unknown group", [0x08, 0x01, 0xc3, 0x3e], fault(.badWireType, 2, 1000)),
    ("wire type 6", [0x08, 0x01, 0x96, 0x01], fault(.badWireType, 2, 18)),
    ("wire type 7", [0x0f], fault(.badWireType, 0, 1, id: 0)),
    ("a text as a varint", [0x08, 0x01, 0x10, 0x01], fault(.wrongWireType, 2, 2)),
    ("an id as bytes", [0x0a, 0x01, 0x01], fault(.wrongWireType, 0, 1, id: 0)),
    ("a message as a varint", [0x08, 0x01, 0x90, 0x01, 0x00], fault(.wrongWireType, 2, 18)),
    ("an epoch as a varint", [0x08, 0x01, 0x22, 0x02, 0x08, 0x01], fault(.wrongWireType, 4, 1)),
    ("bytes past the end", [0x08, 0x01, 0x92, 0x01, 0x05], fault(.truncated, 2, 18)),
    (
      "bytes past the message", [0x08, 0x01, 0x8a, 0x01, 0x02, 0x0a, 0x01], fault(.truncated, 5, 1)
    ),
    ("a fixed64 cut off", [0x08, 0x01, 0x22, 0x03, 0x09, 1, 2], fault(.truncated, 4, 1)),
    ("an unknown fixed32 cut off", [0x08, 0x01, 0xc5, 0x3e, 1, 2], fault(.truncated, 2, 1000)),
    ("an unknown varint cut off", [0x08, 0x01, 0xc0, 0x3e], fault(.truncated, 2, 1000)),
    (
      "a length of 6 bytes",
      [0x08, 0x01, 0x92, 0x01, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], fault(.badVarint, 4, 18)
    ),
    ("the id twice", [0x08, 0x01, 0x08, 0x02], fault(.setTwice, 2, 1)),
    (
      "a message twice", [0x08, 0x01, 0x22, 0x00, 0x22, 0x00, 0x92, 0x01, 0x00],
      fault(.setTwice, 4, 4)
    ),
    (
      "two requests", [0x08, 0x01, 0x92, 0x01, 0x00, 0x8a, 0x01, 0x00],
      fault(.choiceTwice, 5, 17)
    ),
    (
      "one request twice", [0x08, 0x01, 0x92, 0x01, 0x00, 0x92, 0x01, 0x00],
      fault(.choiceTwice, 5, 18)
    ),
    ("an empty key", [0x08, 0x01, 0x12, 0x00, 0x92, 0x01, 0x00], fault(.badKey, 0, 2)),
    (
      "a key of 65 bytes",
      [0x08, 0x01, 0x12, 65] + [UInt8](repeating: 0x61, count: 65) + [0x92, 0x01, 0x00],
      fault(.badKey, 0, 2)
    ),
    // The id after the fault is found all the same.
    ("an id behind", [0x10, 0x01, 0x08, 0x05], fault(.wrongWireType, 0, 2, id: 5)),
  ]

  static let values: [Case] = [
    ("version 2^32", frame(16) { $0.appendField(1, varint: 1 << 32) }, fault(.tooWide, 5, 1)),
    ("version 2^32+3", frame(16) { $0.appendField(1, varint: 1 << 32 + 3) }, fault(.tooWide, 5, 1)),
    ("bool 2", frame(19) { $0.appendField(3, varint: 2) }, fault(.tooWide, 5, 3)),
    ("bool 2^32", frame(19) { $0.appendField(3, varint: 1 << 32) }, fault(.tooWide, 5, 3)),
    ("mode 2", frame(50) { $0.appendField(2, varint: 2) }, fault(.notInEnum, 5, 2)),
    ("mode -1", frame(50) { $0.appendField(2, varint: .max) }, fault(.notInEnum, 5, 2)),
    ("mode 2^32", frame(50) { $0.appendField(2, varint: 1 << 32) }, fault(.tooWide, 5, 2)),
    ("mode 2^32+1", frame(50) { $0.appendField(2, varint: 1 << 32 + 1) }, fault(.tooWide, 5, 2)),
    (
      "animation 7",
      operation(2) { $0.appendField(2, varint: 7) }, fault(.notInEnum, 9, 2, operation: 0)
    ),
    (
      "animation 300",
      operation(2) { $0.appendField(2, varint: 300) }, fault(.notInEnum, 9, 2, operation: 0)
    ),
    (
      "a choice of values twice",
      cell {
        $0.appendField(3, signed: 1)
        $0.appendField(7, bool: true)
      }, fault(.choiceTwice, 15, 7, operation: 0)
    ),
    (
      "a column of neither number nor name", cell { $0.appendField(3, signed: 1) },
      fault(.missingColumn, 0, 1, operation: 0)
    ),
    (
      "a column of both",
      cell {
        $0.appendField(1, varint: 1)
        $0.appendField(8, text: "name")
      }, fault(.columnTwice, 0, 8, operation: 0)
    ),
    (
      "65 features", frame(16) { for _ in 0..<65 { $0.appendField(5, text: "x") } },
      fault(.tooManyFeatures, 0, 5)
    ),
    (
      "a long actor",
      frame(16) { $0.appendField(4, bytes: [UInt8](repeating: 0x61, count: 256)) },
      fault(.textTooLong, 0)
    ),
    (
      "an unknown field of a batch",
      frame(50) {
        $0.appendField(7, bool: true)
        $0.appendField(99, text: "x")
      }, fault(.unknownField, 7, 99)
    ),
    (
      "an unknown field deep inside", cell { $0.appendField(9, varint: 1) },
      fault(.unknownField, 13, 9, operation: 0)
    ),
    (
      "an unknown field of the envelope",
      [0x08, 0x01, 0x38, 0x01] + frame(50) { _ in }.dropFirst(2), fault(.unknownField, 2, 7)
    ),
    (
      "an unknown field of a request that is not served",
      frame(55) { $0.appendField(9, bool: true) }, fault(.unknownField, 5, 9)
    ),
  ]

  @Test(arguments: fields + values)
  func everyFaultNamesItsPlace(name: String, bytes: [UInt8], fault: WireFault) {
    #expect(throws: fault) { try RequestDecoder().decode(bytes.span) }
    #expect(!fault.endsConnection)
  }

  @Test func readsSkipWhatTheyDoNotKnow() throws {
    // Contract K7: all four wire types, in the envelope and in the request.
    var unknown: [UInt8] = []
    unknown.appendField(700, varint: .max)
    unknown.appendField(701, fixed64: 1)
    unknown.appendField(702, text: "\0")
    unknown += [0xfd, 0x2b, 1, 2, 3, 4]
    let bytes = Self.frame(34) { locate in
      locate.append(contentsOf: unknown)
      locate.appendField(2, varint: 7)
    }
    let request = try RequestDecoder().decode((bytes + unknown).span)
    #expect(request.body == .locateRow(.absent, row: 7))
  }

  @Test func unknownRequestsKeepTheirNumber() throws {
    let decoder = RequestDecoder()
    #expect(try decoder.decode(Self.frame(999) { _ in }.span).body == .unknown(999))
    #expect(try decoder.decode([0x08, 0x01].span).body == .unknown(0))
    // Fields 1 to 15 are no requests (contract K5).
    #expect(try decoder.decode([0x08, 0x01, 0x38, 0x01].span).body == .unknown(0))
    for kind in RequestKind.allCases {
      let body = try decoder.decode(Self.frame(kind.rawValue) { _ in }.span).body
      if case .unknown = body { Issue.record("\(kind)") }
    }
  }

  @Test func packedAndUnpackedNumbersMeanTheSame() throws {
    let packed = Self.frame(32) { $0.appendField(2, bytes: [7, 0xac, 0x02]) }
    let single = Self.frame(32) { get in
      get.appendField(2, varint: 7)
      get.appendField(2, varint: 300)
    }
    let mixed = Self.frame(32) { get in
      get.appendField(2, varint: 7)
      get.appendField(2, bytes: [0xac, 0x02])
    }
    for bytes in [packed, single, mixed] {
      let body = try RequestDecoder().decode(bytes.span).body
      #expect(body == .getRows(.absent, ids: [7, 300]))
    }
    let broken = Self.frame(32) { $0.appendField(2, bytes: [7, 0xac]) }
    #expect(throws: Self.fault(.truncated, 8, 2)) { try RequestDecoder().decode(broken.span) }
  }

  @Test func pathsBeyondAnyTableAreSafeToAddTo() throws {
    let decoder = RequestDecoder()
    let bytes = Self.operation(2) { delete in
      delete.appendField(1) { row in
        row.appendField(3) { path in
          path.appendField(1, varint: .max)
          path.appendField(2, varint: 1 << 63)
        }
      }
    }
    _ = try decoder.decode(bytes.span)
    let greatest = (1 << 53) - 1
    #expect(
      decoder.batch.operations.first?.action
        == .deleteRow(.path(section: greatest, row: greatest), animation: nil))
  }

  @Test func theSchemaStaysWithinTheDepth() {
    let schema = FrameSchema()
    #expect(schema.depth > 4)
    #expect(schema.depth <= Limits.depth)
  }

  @Test func everyFaultHasACodeAMessageAndAnExpectation() {
    for reason in WireFault.Reason.allCases {
      let error = WireFault(reason, offset: 3, field: 4).error
      #expect(!error.message.isEmpty)
      #expect(error.expected?.isEmpty == false)
      #expect(error.field == 4)
      #expect(error.offset == 3)
    }
  }
}
