import Coding
import Testing

@Suite struct CodingTests {
  static let values: [UInt64] = [0, 1, 127, 128, 16383, 16384, 1 << 32, 1 << 63, .max]

  @Test(arguments: values) func varintsComeBack(value: UInt64) throws {
    var bytes: [UInt8] = []
    bytes.appendVarint(value)
    #expect(bytes.count == Varint.size(value))
    var reader = FieldReader(0..<bytes.count)
    #expect(try reader.varint(in: bytes.span) == value)
    #expect(reader.offset == bytes.count)
  }

  @Test(arguments: [0, 1, -1, 63, -64, Int64.max, Int64.min]) func zigzagComesBack(value: Int64) {
    #expect(Varint.unzigzag(Varint.zigzag(value)) == value)
  }

  @Test(arguments: [0, 1, 127, 128, 16383, 16384, 70000])
  func messagesOfAnyLengthGetTheirPrefix(length: Int) throws {
    var bytes: [UInt8] = [9]
    let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    bytes.appendField(3) { $0.append(contentsOf: content) }
    var reader = FieldReader(1..<bytes.count)
    let field = try #require(try reader.next(in: bytes.span))
    #expect(field.number == 3)
    #expect(Array(bytes[field.range]) == content)
    #expect(try reader.next(in: bytes.span)?.number == nil)
  }

  static let refused: [(bytes: [UInt8], fault: CodingFault)] = [
    ([0x08], .truncated), ([0x08, 0x80], .truncated), ([0x00, 0x01], .badTag),
    ([0x0b], .badWireType), ([0x0a, 0x02, 0x01], .truncated), ([0x09, 1, 2, 3], .truncated),
    ([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02], .badVarint),
  ]

  @Test(arguments: refused) func refusesBrokenFields(bytes: [UInt8], fault: CodingFault) {
    #expect(throws: fault) {
      var reader = FieldReader(0..<bytes.count)
      while try reader.next(in: bytes.span) != nil {}
    }
  }
}
