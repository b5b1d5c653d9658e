internal import Coding

/// A cell that goes into an image: a value whose text stands elsewhere, or null.
struct ImageCell {
  /// Where the value is.
  enum Source: UInt8 {
    case null, number, text, spare
  }

  var column: UInt64
  var kind: ColumnKind
  var source: Source
  var number: Int64 = 0
  var start: Int = 0
  var count: Int = 0

  var range: Range<Int> { start..<start + count }
}

extension RowImage {
  /// Appends id and revision.
  ///
  /// - Parameters:
  ///   - id: The row's id.
  ///   - revision: The revision that last changed its cells.
  ///   - image: Where the fields go.
  static func appendHead(id: UInt64, revision: UInt64, to image: inout [UInt8]) {
    image.append(addingCapacity: 22) { room in
      room.appendField(1, varint: id)
      room.appendField(2, varint: revision)
    }
  }

  /// Appends a cell.
  ///
  /// - Parameters:
  ///   - cell: The cell; null appends nothing.
  ///   - text: What a `text` cell's range refers to.
  ///   - spare: What a `spare` cell's range refers to.
  ///   - image: Where the field goes.
  static func append(
    _ cell: ImageCell, text: Span<UInt8>, spare: Span<UInt8>, to image: inout [UInt8]
  ) {
    if cell.source == .null { return }
    let raw: UInt64 =
      switch cell.kind {
      case .text: UInt64(cell.count)
      case .boolean: UInt64(bitPattern: cell.number)
      default: Varint.zigzag(cell.number)
      }
    let size =
      2 + Varint.size(cell.column) + Varint.size(raw) + (cell.kind == .text ? cell.count : 0)
    image.append(addingCapacity: 11 + size) { room in
      room.openField(3, count: size)
      room.appendField(1, varint: cell.column)
      room.appendTag(cell.kind.field, cell.kind == .text ? .lengthDelimited : .varint)
      room.appendVarint(raw)
      switch cell.source {
      case .text: room.append(copying: text.extracting(cell.range))
      case .spare: room.append(copying: spare.extracting(cell.range))
      case .number, .null: break
      }
    }
  }

  /// Appends a row's image.
  ///
  /// - Parameters:
  ///   - id: The row's id.
  ///   - revision: The revision that made it.
  ///   - cells: Its cells, by rising column id.
  ///   - text: What the `text` cells' ranges refer to.
  ///   - spare: What the `spare` cells' ranges refer to.
  ///   - image: Where the image goes.
  static func build(
    id: UInt64, revision: UInt64, cells: [ImageCell], text: Span<UInt8>, spare: Span<UInt8>,
    into image: inout [UInt8]
  ) {
    appendHead(id: id, revision: revision, to: &image)
    for cell in cells { append(cell, text: text, spare: spare, to: &image) }
  }

  /// Makes a row's image from values.
  ///
  /// - Parameters:
  ///   - id: The row's id.
  ///   - revision: The revision that last changed its cells.
  ///   - cells: Column ids and values, by rising column id.
  /// - Returns: The image.
  public static func make(
    id: UInt64, revision: UInt64, cells: [(column: UInt64, value: CellValue)]
  ) -> [UInt8] {
    var image: [UInt8] = []
    appendHead(id: id, revision: revision, to: &image)
    for (column, value) in cells {
      image.appendField(3) {
        $0.appendField(1, varint: column)
        value.append(to: &$0)
      }
    }
    return image
  }

  /// Whether bytes are a row image: known fields alone, in their order and shortest form.
  ///
  /// - Parameter bytes: Bytes from the disk.
  /// - Returns: False for anything that this module would not have written.
  /// - Complexity: O(*n*).
  public static func isCanonical(_ bytes: Span<UInt8>) -> Bool {
    (try? canonical(bytes)) ?? false
  }

  private static func canonical(_ bytes: Span<UInt8>) throws(CodingFault) -> Bool {
    var reader = FieldReader(0..<bytes.count)
    guard let id = try reader.next(in: bytes), id.number == 1, id.type == .varint,
      let revision = try reader.next(in: bytes), revision.number == 2, revision.type == .varint
    else { return false }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    appendHead(id: id.value, revision: revision.value, to: &copy)
    var last: UInt64 = 0
    while let field = try reader.next(in: bytes) {
      guard field.number == 3, field.type == .lengthDelimited else { return false }
      var inner = FieldReader(field.range)
      guard let column = try inner.next(in: bytes), column.number == 1, column.value > last,
        let value = try inner.next(in: bytes), value.number >= 2, value.number <= 7,
        let kind = ColumnKind(rawValue: UInt8(value.number - 1)),
        value.type == (kind == .text ? .lengthDelimited : .varint), inner.offset == inner.end
      else { return false }
      last = column.value
      var cell = ImageCell(column: last, kind: kind, source: .number)
      switch kind {
      case .text:
        cell.source = .text
        cell.start = value.range.lowerBound
        cell.count = value.range.count
        guard TextRule.isText(bytes.extracting(value.range)) else { return false }
      case .boolean:
        guard value.value <= 1 else { return false }
        cell.number = Int64(value.value)
      default: cell.number = value.signed
      }
      append(cell, text: bytes, spare: bytes, to: &copy)
    }
    return copy.span.isEqual(to: bytes)
  }
}
