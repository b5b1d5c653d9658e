/// Bringing one removed row back, as a step of its own.
extension Table {
  /// Restores a row under its id and at its old place (contract E9, as for an undo).
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - step: The revision that removed it.
  ///   - later: What came after that.
  ///   - isDryRun: Whether nothing is to change.
  ///   - context: Revision, time and who asks.
  /// - Returns: What changed.
  /// - Throws: `conflict` where its section is gone or it breaks a column's promise.
  /// - Complexity: O(log *n*).
  func restore(
    _ id: UInt64, removedBy step: Reversal, _ later: any LaterSteps, isDryRun: Bool,
    _ context: borrowing ChangeContext
  ) throws(ServiceFault) -> Outcome {
    guard let block = step.places.first(where: { $0.ids.contains(id) }) else {
      throw .store(.damaged(.reading))
    }
    begin()
    do throws(ServiceFault) {
      var revert = Revert(step, later, context, rest: breathe)
      guard let home = sectionSlots[block.section], sectionOrder.isLive(home) else {
        try revert.blame(.section(block.section), isRemoved: true)
        try revert.judge(expected: "its section, which is gone")
        throw .table(TableFault(.noSuchSection, section: block.section))
      }
      let place = try index(of: id, in: block, home, &revert)
      let slot = try restore(id, &revert, context)
      order.insert(slot, into: sections[Int(home)].root, at: place)
      if let policy = step.policies.first(where: { $0.row == id })?.policy {
        do throws(TableFault) { try set(policy: policy, ofRow: id) } catch { throw .table(error) }
      }
      try closeRevert(&revert)
      try revert.judge()
    } catch {
      rollback()
      throw error
    }
    return finish(isDryRun: isDryRun, context)
  }

  /// Where the row goes: behind a neighbour that went with it and is back already, else behind
  /// the anchor of them all.
  private func index(
    of id: UInt64, in block: Reversal.Places, _ home: UInt32, _ revert: inout Revert
  ) throws(ServiceFault) -> Int {
    for other in block.ids.prefix(while: { $0 != id }).reversed() {
      guard let slot = slot(of: other), order.position(of: slot).owner == home else { continue }
      return order.position(of: slot).index + 1
    }
    let anchor = try anchor(afterRow: block.after, in: home, &revert)
    return anchor.map { order.position(of: $0).index + 1 } ?? 0
  }
}
