public import Coding

/// A section without its rows and its place (SPEC 2).
public struct SectionRecord: Equatable, Sendable {
  /// Its id, never used again.
  public var id: UInt64
  /// Its title's bytes; `nil` is untitled.
  public var title: [UInt8]?
  /// Its header, as canonical hp.v1.HeaderFooter.
  public var header: [UInt8]?
  /// Its footer, as canonical hp.v1.HeaderFooter.
  public var footer: [UInt8]?
  /// Its last line that is not a row, as canonical hp.v1.Sentinel (contract E11).
  public var sentinel: [UInt8]?
  /// What may be done by hand in it, as canonical hp.v1.Policy; `nil` inherits all.
  public var policy: [UInt8]?

  /// Makes a section.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - title: Its title's bytes; `nil` is untitled.
  public init(id: UInt64, title: [UInt8]? = nil) {
    self.id = id
    self.title = title
  }

  /// Appends the section as hp.v1.Section.
  ///
  /// - Parameters:
  ///   - bytes: Where its fields go.
  ///   - index: Its place among the sections, if it is to be told.
  ///   - rows: Its number of rows, if it is to be told.
  public func append(to bytes: inout [UInt8], index: Int? = nil, rows: Int? = nil) {
    bytes.appendField(1, varint: id)
    if let title { bytes.appendField(2, bytes: title) }
    if let header { bytes.appendField(3, bytes: header) }
    if let footer { bytes.appendField(4, bytes: footer) }
    if let sentinel { bytes.appendField(5, bytes: sentinel) }
    if let index { bytes.appendField(6, varint: UInt64(index)) }
    if let rows { bytes.appendField(7, varint: UInt64(rows)) }
    if let policy { bytes.appendField(8, bytes: policy) }
  }

  /// Reads hp.v1.Section; its index and number of rows are left out.
  ///
  /// - Parameters:
  ///   - range: Where its fields stand.
  ///   - bytes: The bytes that hold them.
  /// - Throws: Any `CodingFault`; `badTag` where there is no id.
  public init(at range: Range<Int>, in bytes: Span<UInt8>) throws(CodingFault) {
    self.init(id: 0)
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: id = field.value
      case 2: title = Array(copying: bytes, field.range)
      case 3: header = Array(copying: bytes, field.range)
      case 4: footer = Array(copying: bytes, field.range)
      case 5: sentinel = Array(copying: bytes, field.range)
      case 8: policy = Array(copying: bytes, field.range)
      default: break
      }
    }
    guard id > 0 else { throw .badTag }
  }
}
