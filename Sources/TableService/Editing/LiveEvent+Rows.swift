extension LiveEvent {
  /// What who sees some rows alone is told of (contracts F3, K3).
  ///
  /// - Parameter rows: The rows' ids.
  /// - Returns: The event, without the rows that are not seen; `nil`: nothing is left of it.
  /// - Complexity: O(*k*) in the number of rows it names.
  public func restricted(to rows: Set<UInt64>) -> LiveEvent? {
    switch what {
    case .willBeginEditing(let row), .swipeClosed(let row), .confirmClosed(let row),
      .dragEnded(let row), .dragCancelled(let row):
      rows.contains(row) ? self : nil
    case .didEndEditing(let row): row.map { rows.contains($0) } ?? true ? self : nil
    case .swipeOpened(let button), .confirmOpened(let button):
      rows.contains(button.row) ? self : nil
    case .dragBegan(let drag), .dragMoved(let drag): rows.contains(drag.row) ? self : nil
    case .draftBegan(let draft), .draftText(let draft), .draftEnded(let draft),
      .draftRejected(let draft):
      rows.contains(draft.row) ? self : nil
    case .selectionChanged(let holder, let cleared, let deselected, let selected):
      restricted(
        rows, holder, cleared: cleared, deselected: deselected, selected: selected)
    case .editingChanged, .holderGone, .leaseEnded, .tableGone, .viewChanged: self
    }
  }

  private func restricted(
    _ rows: Set<UInt64>, _ holder: Holder, cleared: Bool, deselected: [UInt64],
    selected: [UInt64]
  ) -> LiveEvent? {
    let gone = deselected.filter { rows.contains($0) }
    let fresh = selected.filter { rows.contains($0) }
    guard cleared || !gone.isEmpty || !fresh.isEmpty else { return nil }
    var event = self
    event.what = .selectionChanged(
      holder, cleared: cleared, deselected: gone, selected: fresh)
    return event
  }
}
