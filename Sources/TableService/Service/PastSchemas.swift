/// The columns that a table had after revisions of its history, newest first.
struct PastSchemas {
  private let table: UInt64
  /// Revisions that changed the columns, whose turn has not come, by rising revision.
  private var changes: [StepLine]
  /// The columns before the newest ones whose turn has come.
  private var schema: Schema

  /// Looks which revisions changed the columns.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - since: Only what came after this revision.
  ///   - store: Where its history is.
  /// - Throws: Where the store can't be read.
  /// - Complexity: O(*n*) in the number of revisions since that changed columns, headers or policies.
  init(_ table: Table, since: UInt64, _ store: Store) throws(StoreFault) {
    self.table = table.id
    schema = table.schema
    changes = try store.structure(of: table.id, after: since).filter(\.changesColumns)
  }

  /// The columns after a revision, which is no later than the last one that was asked for.
  ///
  /// Where it is no longer kept what changed them, they are those of a later time.
  ///
  /// - Complexity: O(*n*) in the size of the records that changed them since.
  mutating func schema(after revision: UInt64, _ store: Store) throws(StoreFault) -> Schema {
    while let last = changes.last, last.revision > revision {
      changes.removeLast()
      // Only the oldest of them has to be read.
      if let next = changes.last, next.revision > revision { continue }
      guard let step = try store.reversal(at: last.position, of: table), !step.columns.isEmpty
      else { continue }
      schema = Schema(columns: step.columns, revision: 0)
    }
    return schema
  }
}
