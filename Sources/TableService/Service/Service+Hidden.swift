extension Service {
  /// Removes cells of dropped columns that no undo brings back, one slice (contract E14).
  ///
  /// First from memory, then from disk: what is written meanwhile has them no more. Called while
  /// no write waits.
  ///
  /// - Parameter limit: How many rows to look at.
  /// - Returns: Whether there is more to remove.
  /// - Throws: What the store says; the next call goes on.
  func removeHidden(limit: Int) throws(StoreFault) -> Bool {
    guard long == nil else { return hiddenSweep != nil }
    if hiddenSweep == nil { hiddenSweep = try store.forgettableColumns() }
    guard var sweep = hiddenSweep else { return false }
    hiddenSweep = nil
    guard let table = table(id: sweep.table) else { return true }
    if sweep.slots >= 0 {
      sweep.slots = table.removeHidden(sweep.columns, from: sweep.slots, limit: limit) ?? -1
    } else if try !store.removeHidden(&sweep, limit: limit) {
      return true
    }
    hiddenSweep = sweep
    return true
  }
}
