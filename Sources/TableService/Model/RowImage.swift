internal import Coding

/// A row as one canonical encoded message: how the engine holds it and the wire carries it.
///
/// The bytes are hp.v1.Row in one fixed form, so that listing rows is copying bytes: id = 1,
/// revision = 2, then one field 3 for each cell that is not null, by rising column id; in a
/// cell column = 1, then one value field 2 to 7. Numbers take their shortest varint. Section
/// and position never stand in it.
public enum RowImage {
  /// What stands before the cells.
  struct Head {
    var id: UInt64
    var revision: UInt64
    /// Where the first cell begins.
    var cells: Int
  }

  /// One cell of an image.
  struct Cell {
    var column: UInt64
    var kind: ColumnKind
    /// The value of any kind but text; 0 or 1 for a boolean.
    var number: Int64
    /// Where a text stands in the image.
    var text: Range<Int>
    /// Where the whole field stands in the image, its tag included.
    var field: Range<Int>

    /// Copies the value out.
    func value(in image: Span<UInt8>) -> CellValue {
      kind == .text
        ? .text([UInt8](copying: image, text)) : CellValue(kind: kind, number: number)
    }
  }

  /// Walks the cells of an image.
  struct Cells {
    var offset: Int

    /// Starts at the first cell.
    init(of image: Span<UInt8>) { offset = RowImage.head(of: image).cells }

    /// Reads the next cell.
    ///
    /// - Parameter image: The same image each time.
    /// - Returns: The cell, or `nil` at the end.
    mutating func next(in image: Span<UInt8>) -> Cell? {
      guard offset < image.count else { return nil }
      let start = offset
      offset += 1
      let length = Int(RowImage.varint(image, &offset))
      let end = offset + length
      offset += 1
      let column = RowImage.varint(image, &offset)
      guard let kind = ColumnKind(rawValue: (image[offset] >> 3) - 1) else {
        preconditionFailure("not a row image")
      }
      offset += 1
      let raw = RowImage.varint(image, &offset)
      defer { offset = end }
      return switch kind {
      case .text:
        Cell(column: column, kind: kind, number: 0, text: offset..<end, field: start..<end)
      case .boolean:
        Cell(
          column: column, kind: kind, number: Int64(raw), text: end..<end, field: start..<end)
      default:
        Cell(
          column: column, kind: kind, number: Varint.unzigzag(raw), text: end..<end,
          field: start..<end)
      }
    }
  }

  /// Reads what stands before the cells.
  ///
  /// - Parameter image: A row image.
  /// - Returns: The row's id and revision, and where the cells begin.
  /// - Complexity: O(1).
  static func head(of image: Span<UInt8>) -> Head {
    var offset = 1
    let id = varint(image, &offset)
    offset += 1
    let revision = varint(image, &offset)
    return Head(id: id, revision: revision, cells: offset)
  }

  /// The id in a row image.
  ///
  /// - Parameter image: A row image.
  /// - Returns: The row's id.
  public static func id(of image: Span<UInt8>) -> UInt64 { head(of: image).id }

  /// The revision in a row image: the last one that changed the row's cells (contract E7).
  ///
  /// - Parameter image: A row image.
  /// - Returns: The revision.
  public static func revision(of image: Span<UInt8>) -> UInt64 { head(of: image).revision }

  /// Calls `body` with each cell of an image, by rising column id.
  ///
  /// - Parameters:
  ///   - image: A row image.
  ///   - body: Takes the column's id and the value.
  public static func forEachCell(of image: Span<UInt8>, _ body: (UInt64, CellValue) -> Void) {
    var cells = Cells(of: image)
    while let cell = cells.next(in: image) { body(cell.column, cell.value(in: image)) }
  }

  /// Finds a column's cell.
  ///
  /// - Parameters:
  ///   - column: The column's id.
  ///   - image: A row image.
  /// - Returns: The cell, or `nil` for null.
  /// - Complexity: O(*c*) in the number of cells.
  static func cell(_ column: UInt64, in image: Span<UInt8>) -> Cell? {
    var cells = Cells(of: image)
    while let cell = cells.next(in: image) {
      if cell.column >= column { return cell.column == column ? cell : nil }
    }
    return nil
  }

  /// Reads a varint of an image that is known to be whole.
  static func varint(_ image: Span<UInt8>, _ offset: inout Int) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = image[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }
}
