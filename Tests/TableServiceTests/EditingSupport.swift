@testable import TableService

/// A table to edit: a section of seven rows with a sentinel, and one of one row.
///
/// Rows are named as the tests speak of them: plain ones, one that can't be edited, one with an
/// insert control, one that can't be moved.
final class EditedTable {
  let table: Table
  let identifiers = Identifiers()
  let pending = PendingWrites()
  private(set) var revision: UInt64 = 1
  private(set) var rows: [String: UInt64] = [:]
  let section: UInt64

  static let names = ["one", "two", "three", "four", "fixed", "insert", "pinned"]

  init() throws {
    let made = try Table.make(
      name: "t", columns: [Column(id: 0, name: "name", kind: .text)],
      titles: ["near", "far"], identifiers: identifiers, pending: pending,
      EditedTable.context(1))
    table = made.table
    section = table.section(at: 0).record.id
    for name in EditedTable.names { rows[name] = try insert(.last(of: .id(section))) }
    rows["far"] = try insert(.last(of: .index(1)))
    rows["gone"] = 1 << 40
    try policy(.row(.id(row("fixed")))) { $0.policy.canEdit = false }
    try policy(.row(.id(row("insert")))) { $0.policy.style = .insert }
    try policy(.row(.id(row("pinned")))) { $0.policy.canMove = false }
    try policy(.section(.id(section))) { $0.sentinel = Sentinel(text: "none", height: nil) }
  }

  func row(_ name: String) -> UInt64 { rows[name] ?? 0 }

  static func context(_ revision: UInt64) -> ChangeContext {
    ChangeContext(
      epoch: 1, revision: revision, time: 0, uid: 1, actor: "a", client: 1, request: 1)
  }

  /// Performs a batch; its effect.
  @discardableResult
  func perform(_ fill: (Batch) -> Void) throws(TableFault) -> Outcome {
    let batch = Batch()
    batch.basis = .current
    fill(batch)
    let outcome = try table.perform(batch, EditedTable.context(revision + 1))
    revision = outcome.revision
    return outcome
  }

  func insert(_ place: Batch.Place) throws -> UInt64 {
    let outcome = try perform {
      $0.operations = [Batch.Operation(.insertRow(Batch.Row(cells: 0..<0), at: place))]
    }
    return outcome.inserted[0].first
  }

  @discardableResult
  func policy(
    _ scope: Batch.PolicyChange.Scope, _ fill: (inout Batch.PolicyChange) -> Void
  ) throws(TableFault) -> Outcome {
    try perform { batch in
      var change = Batch.PolicyChange(scope)
      fill(&change)
      batch.policies = [change]
      batch.operations = [Batch.Operation(.setPolicy(0))]
    }
  }
}

/// Two connections and a lease.
enum Who {
  static let a = Holder(id: .client(1), uid: 1, actor: "a")
  static let b = Holder(id: .client(2), uid: 1, actor: "b")
}
