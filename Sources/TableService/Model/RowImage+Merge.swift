internal import Coding

extension RowImage {
  /// Appends an image with some cells replaced.
  ///
  /// - Parameters:
  ///   - updates: The new cells by rising column id; null takes a cell out.
  ///   - old: The image before.
  ///   - revision: The revision of the new image.
  ///   - text: What the `text` cells' ranges refer to.
  ///   - spare: What the `spare` cells' ranges refer to.
  ///   - image: Where the new image goes.
  /// - Complexity: O(*n*) in the size of both.
  static func merge(
    _ updates: [ImageCell], into old: Span<UInt8>, revision: UInt64, text: Span<UInt8>,
    spare: Span<UInt8>, to image: inout [UInt8]
  ) {
    let head = head(of: old)
    appendHead(id: head.id, revision: revision, to: &image)
    var cells = Cells(of: old)
    var next = 0
    while let cell = cells.next(in: old) {
      while next < updates.count, updates[next].column < cell.column {
        append(updates[next], text: text, spare: spare, to: &image)
        next += 1
      }
      if next < updates.count, updates[next].column == cell.column {
        append(updates[next], text: text, spare: spare, to: &image)
        next += 1
      } else {
        image.append(copying: old, cell.field)
      }
    }
    for update in updates[next...] { append(update, text: text, spare: spare, to: &image) }
  }

  /// Whether two images hold the same cells, whatever their revisions (contract E6).
  ///
  /// - Parameters:
  ///   - left: An image.
  ///   - right: Another.
  /// - Returns: True where all values are equal.
  static func haveEqualCells(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    left.extracting(head(of: left).cells..<left.count).isEqual(
      to: right.extracting(head(of: right).cells..<right.count))
  }

  /// Appends the ids of the columns in which two images differ, rising.
  ///
  /// - Parameters:
  ///   - old: The image before.
  ///   - new: The image after.
  ///   - columns: Where the ids go.
  static func appendChangedColumns(
    from old: Span<UInt8>, to new: Span<UInt8>, into columns: inout [UInt64]
  ) {
    var left = Cells(of: old)
    var right = Cells(of: new)
    var before = left.next(in: old)
    var after = right.next(in: new)
    while true {
      switch (before, after) {
      case (nil, nil): return
      case (let cell?, nil):
        columns.append(cell.column)
        before = left.next(in: old)
      case (nil, let cell?):
        columns.append(cell.column)
        after = right.next(in: new)
      case (let one?, let other?):
        if one.column < other.column {
          columns.append(one.column)
          before = left.next(in: old)
        } else if other.column < one.column {
          columns.append(other.column)
          after = right.next(in: new)
        } else {
          if !old.extracting(one.field).isEqual(to: new.extracting(other.field)) {
            columns.append(one.column)
          }
          before = left.next(in: old)
          after = right.next(in: new)
        }
      }
    }
  }

  /// Makes the same image with another revision.
  ///
  /// - Parameters:
  ///   - image: An image.
  ///   - revision: The new revision.
  /// - Returns: The new image.
  static func restamped(_ image: Span<UInt8>, revision: UInt64) -> [UInt8] {
    let head = head(of: image)
    var copy: [UInt8] = []
    copy.reserveCapacity(image.count + 4)
    appendHead(id: head.id, revision: revision, to: &copy)
    copy.append(copying: image, head.cells..<image.count)
    return copy
  }
}
