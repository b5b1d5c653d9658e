extension TableFault {
  /// The same fault with the operation at fault, unless one is named already.
  func at(_ operation: Int) -> TableFault {
    if self.operation != nil { return self }
    var fault = self
    fault.operation = operation
    return fault
  }
}

/// Telling that two operations contradict each other.
extension Table {
  /// The fault of a pair: it names the later operation and both paths (contract E12).
  ///
  /// - Parameters:
  ///   - code: What is wrong with the pair.
  ///   - one: An operation.
  ///   - other: The other one.
  ///   - batch: The batch.
  ///   - transition: What the operations name.
  /// - Returns: The fault.
  func clash(
    _ code: TableFault.Code, _ one: Int, _ other: Int, in batch: Batch,
    _ transition: Transition
  ) -> TableFault {
    let later = max(one, other)
    let earlier = min(one, other)
    var fault = TableFault(
      code, path: path(of: later, in: batch, transition),
      expected: "nothing that contradicts operation \(earlier)")
    fault.otherPath = path(of: earlier, in: batch, transition)
    fault.operation = later
    return fault
  }

  /// The path by which an operation is known: of what it names, else where it puts something.
  ///
  /// A section is told as the path of its first row.
  private func path(
    of operation: Int, in batch: Batch, _ transition: Transition
  ) -> RowPath? {
    switch batch.operations[operation].action {
    case .insertRow(_, at: .path(let path)), .deleteRow(.path(let path)),
      .moveRow(.path(let path), _), .updateRow(.path(let path), _),
      .reloadRow(.path(let path), _):
      return path
    case .deleteRow(.id(let id)), .moveRow(.id(let id), _), .updateRow(.id(let id), _),
      .reloadRow(.id(let id), _):
      guard let slot = rows.slot(of: id), let old = order.oldPosition(of: slot),
        let section = sectionOrder.oldPosition(of: old.owner)
      else { return nil }
      return RowPath(section: UInt64(section.index), row: UInt64(old.index))
    case .insertSection(let new):
      guard case .index(let index) = new.place else { return nil }
      return RowPath(section: index, row: 0)
    case .deleteSection, .moveSection, .reloadSection, .retitleSection, .setHeaderFooter:
      let slot = transition.slots[operation]
      guard slot != Transition.none, let old = sectionOrder.oldPosition(of: slot) else {
        return nil
      }
      return RowPath(section: UInt64(old.index), row: 0)
    default: return nil
    }
  }
}
