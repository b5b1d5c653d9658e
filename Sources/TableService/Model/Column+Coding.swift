public import Coding

extension Column {
  /// Appends the column as hp.v1.Column.
  ///
  /// - Parameter bytes: Where its fields go.
  public func append(to bytes: inout [UInt8]) {
    bytes.appendField(1, varint: id)
    bytes.appendField(2, text: name)
    bytes.appendField(3, varint: UInt64(kind.rawValue))
    if isRequired { bytes.appendField(4, bool: true) }
    if isUnique { bytes.appendField(5, bool: true) }
    if isReadOnly { bytes.appendField(6, bool: true) }
    if kind == .decimal { bytes.appendField(7, varint: UInt64(scale)) }
    if let currency { bytes.appendField(8, text: currency) }
    if let defaultValue { bytes.appendField(9, message: { defaultValue.append(to: &$0) }) }
    if let fill { bytes.appendField(10, message: { fill.append(to: &$0) }) }
    if defaultsToNow { bytes.appendField(11, bool: true) }
  }

  /// Reads hp.v1.Column.
  ///
  /// - Parameters:
  ///   - range: Where its fields stand.
  ///   - bytes: The bytes that hold them.
  /// - Throws: Any `CodingFault`; `badTag` also where a column has no id, name or kind.
  public init(at range: Range<Int>, in bytes: Span<UInt8>) throws(CodingFault) {
    self.init(id: 0, name: "", kind: .text)
    var reader = FieldReader(range)
    var known = false
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: id = field.value
      case 2: name = try bytes.text(field.range)
      case 3:
        guard let kind = ColumnKind(rawValue: UInt8(truncatingIfNeeded: field.value)) else {
          throw .badTag
        }
        self.kind = kind
        known = true
      case 4: isRequired = field.value != 0
      case 5: isUnique = field.value != 0
      case 6: isReadOnly = field.value != 0
      case 7: scale = UInt32(truncatingIfNeeded: field.value)
      case 8: currency = try bytes.text(field.range)
      case 9: defaultValue = try CellValue(at: field.range, in: bytes)
      case 10: fill = try CellValue(at: field.range, in: bytes)
      case 11: defaultsToNow = field.value != 0
      default: break
      }
    }
    guard known, id > 0, !name.isEmpty else { throw .badTag }
  }
}

extension CellValue {
  /// Reads the value of an hp.v1.Cell.
  ///
  /// - Parameters:
  ///   - range: Where the cell's fields stand.
  ///   - bytes: The bytes that hold them.
  /// - Throws: Any `CodingFault`; `badTag` where there is no value.
  init(at range: Range<Int>, in bytes: Span<UInt8>) throws(CodingFault) {
    var reader = FieldReader(range)
    var value: CellValue?
    while let field = try reader.next(in: bytes) {
      guard field.number >= 2, field.number <= 7,
        let kind = ColumnKind(rawValue: UInt8(field.number - 1))
      else { continue }
      switch kind {
      case .text: value = .text(Array(copying: bytes, field.range))
      case .boolean: value = .boolean(field.value != 0)
      default: value = CellValue(kind: kind, number: field.signed)
      }
    }
    guard let value else { throw .badTag }
    self = value
  }
}
