/// Cells of columns that were dropped and can't come back (contract E14).
extension Table {
  /// Removes cells from the rows in memory, one slice; what the rows show stays as it is.
  ///
  /// - Parameters:
  ///   - columns: Ids of columns that the schema does not name.
  ///   - first: The slot to begin with.
  ///   - limit: How many slots to look at.
  /// - Returns: The slot to go on with; `nil` at the end.
  /// - Complexity: O(*limit*) in the size of the rows.
  func removeHidden(_ columns: [UInt64], from first: Int, limit: Int) -> Int? {
    precondition(!order.isOpen, "within a batch")
    precondition(columns.allSatisfy { schema.index(of: $0) == nil }, "a column that is shown")
    let end = min(first + limit, rows.images.slotCount)
    var image: [UInt8] = []
    for slot in UInt32(first)..<UInt32(max(first, end)) where order.isLive(slot) {
      image.removeAll(keepingCapacity: true)
      let isChanged = rows.withImage(slot) {
        RowImage.append($0, without: columns, to: &image)
      }
      if isChanged { rows.replace(slot, image: image) }
    }
    return end < rows.images.slotCount ? end : nil
  }
}
