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

extension CellValue {
  /// Appends the value of an `hp.v1.Cell`.
  func encode(into out: inout [UInt8]) {
    switch self {
    case .text(let text): out.appendField(2, text: text)
    case .integer(let value): out.appendField(3, signed: value)
    case .decimal(let value): out.appendField(4, signed: value)
    case .date(let value): out.appendField(5, signed: value)
    case .timestamp(let value): out.appendField(6, signed: value)
    case .boolean(let value): out.appendField(7, bool: value)
    }
  }
}

extension ColumnInfo {
  /// Appends the fields of `hp.v1.Column`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: id)
    out.appendField(2, text: name)
    if let kind { out.appendField(3, varint: UInt64(kind.rawValue)) }
    if required { out.appendField(4, bool: true) }
    if unique { out.appendField(5, bool: true) }
    if readOnly { out.appendField(6, bool: true) }
    if kind == .decimal { out.appendField(7, varint: UInt64(scale)) }
    if let currency { out.appendField(8, text: currency) }
    if let defaultValue { out.appendField(9) { defaultValue.encode(into: &$0) } }
    if let fill { out.appendField(10) { fill.encode(into: &$0) } }
    if defaultNow { out.appendField(11, bool: true) }
  }
}

extension HeaderFooterInfo {
  /// Appends the fields of `hp.v1.HeaderFooter`.
  func encode(into out: inout [UInt8]) {
    if let title { out.appendField(1, text: title) }
    if let view { out.appendField(2, text: view) }
    if let height { out.appendField(3, double: height) }
  }
}

extension SectionInfo {
  /// Appends the fields of `hp.v1.Section`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: id)
    if let title { out.appendField(2, text: title) }
    if let header { out.appendField(3) { header.encode(into: &$0) } }
    if let footer { out.appendField(4) { footer.encode(into: &$0) } }
    out.appendField(6, varint: UInt64(index))
    out.appendField(7, varint: UInt64(rows))
  }
}

extension TableInfo {
  /// Appends the fields of `hp.v1.Table`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: id)
    out.appendField(2, text: name)
    out.appendField(3, varint: schemaRevision)
    out.appendField(4, varint: lastChanged)
    for column in columns { out.appendField(5) { column.encode(into: &$0) } }
    for section in sections { out.appendField(6) { section.encode(into: &$0) } }
    if let header { out.appendField(7) { header.encode(into: &$0) } }
    if let footer { out.appendField(8) { footer.encode(into: &$0) } }
    out.appendField(9, varint: UInt64(rows))
  }
}
