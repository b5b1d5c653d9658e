internal import Coding

/// Between a row as it is stored and as it is shown (contract E14): stored rows may hold cells of
/// dropped columns, and lack what a column fills.
extension RowImage {
  /// Appends an image as a schema shows it: cells of its columns alone, fills where there are none.
  ///
  /// - Parameters:
  ///   - image: A stored image.
  ///   - schema: The columns to show.
  ///   - result: Where the shown image goes.
  /// - Complexity: O(*n*) in the size of the image.
  static func appendShown(
    _ image: Span<UInt8>, by schema: Schema, to result: inout [UInt8]
  ) {
    var cells = Cells(of: image)
    result.append(copying: image, 0..<cells.offset)
    var fills = schema.fills[...]
    while let cell = cells.next(in: image) {
      while let fill = fills.first, fill.column <= cell.column {
        fills.removeFirst()
        if fill.column < cell.column { result.append(contentsOf: fill.cell) }
      }
      if schema.index(of: cell.column) != nil { result.append(copying: image, cell.field) }
    }
    for fill in fills { result.append(contentsOf: fill.cell) }
  }

  /// Appends a shown image with the cells of an older image that a schema hides.
  ///
  /// - Parameters:
  ///   - old: The stored image before.
  ///   - image: The new image as the schema shows it.
  ///   - schema: The columns that are shown.
  ///   - result: Where the image to be stored goes.
  /// - Complexity: O(*n*) in the size of both.
  static func appendKeeping(
    hiddenOf old: Span<UInt8>, _ image: Span<UInt8>, by schema: Schema, to result: inout [UInt8]
  ) {
    var cells = Cells(of: image)
    result.append(copying: image, 0..<cells.offset)
    var next = cells.next(in: image)
    var kept = Cells(of: old)
    while let hidden = kept.next(in: old) {
      if schema.index(of: hidden.column) != nil { continue }
      while let cell = next, cell.column < hidden.column {
        result.append(copying: image, cell.field)
        next = cells.next(in: image)
      }
      result.append(copying: old, hidden.field)
    }
    while let cell = next {
      result.append(copying: image, cell.field)
      next = cells.next(in: image)
    }
  }
}

extension RowImage {
  /// Appends an image without the cells of some columns.
  ///
  /// - Parameters:
  ///   - image: A stored image.
  ///   - columns: The ids of the columns.
  ///   - result: Where the image goes.
  /// - Returns: Whether it had any such cell.
  /// - Complexity: O(*n*) in the size of the image.
  static func append(
    _ image: Span<UInt8>, without columns: [UInt64], to result: inout [UInt8]
  ) -> Bool {
    var cells = Cells(of: image)
    result.append(copying: image, 0..<cells.offset)
    var isChanged = false
    while let cell = cells.next(in: image) {
      if columns.contains(cell.column) {
        isChanged = true
      } else {
        result.append(copying: image, cell.field)
      }
    }
    return isChanged
  }

  /// Appends an image that has only what a schema hides of a stored one.
  ///
  /// - Parameters:
  ///   - image: A stored image.
  ///   - schema: The columns that are shown.
  ///   - result: Where the image goes.
  /// - Returns: Whether there is anything hidden.
  /// - Complexity: O(*n*) in the size of the image.
  static func appendHidden(
    _ image: Span<UInt8>, by schema: Schema, to result: inout [UInt8]
  ) -> Bool {
    var cells = Cells(of: image)
    result.append(copying: image, 0..<cells.offset)
    let start = result.count
    while let cell = cells.next(in: image) {
      if schema.index(of: cell.column) == nil { result.append(copying: image, cell.field) }
    }
    return result.count > start
  }
}
