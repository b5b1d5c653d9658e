import Testing

@testable import TableService

/// Rows of large revisions on their way to disk (contract S5).
@Suite struct StoreLargeTests {
  private static let columns: [Column] = [.make(1, "name", .text)]
  private static let rows = Store.largeWrites + 1

  /// Appends a revision of many rows, which is written in slices.
  private func appendLarge(
    _ pending: PendingWrites, _ store: Store, name: String, withTable: Bool = false,
    padding: Int = 0
  ) -> UInt64 {
    let padding = String(repeating: "x", count: padding)
    let revision = store.lastRevision + 1
    let block = pending.reserve()
    let list = PendingWrites(filling: block)
    if withTable {
      list.append(.table, table: 1, bytes: table(1, "items", Self.columns))
      list.append(.section, table: 1, id: 1, label: 0, bytes: section(1, nil))
    }
    for id in 1...UInt64(Self.rows) {
      list.append(
        .row, table: 1, id: id, section: 1, label: Int64(id),
        bytes: RowImage.make(
          id: id, revision: revision, cells: [(1, .text(Array("\(name)\(id)\(padding)".utf8)))]))
    }
    list.close(revision: revision)
    block.isOpen = false
    _ = store.append([record(revision, "large")])
    return revision
  }

  @Test func notesThatAreLeftGoOneAtATime() throws {
    let folder = StoreFolder()
    let store = try folder.open()
    let pending = PendingWrites()
    let first = appendLarge(pending, store, name: "a", withTable: true, padding: 200)
    while try store.materialise(pending, limit: 2_000, through: first) {}
    let second = appendLarge(pending, store, name: "b", padding: 200)
    let left = store.leftRedo
    #expect(left > 2)
    for gone in 1...left {
      #expect(try store.materialise(pending, limit: 2_000, through: second))
      #expect(store.leftRedo == left - gone)
      #expect(folder.sql("SELECT count(*) FROM hpd_redo") == "\(left - gone)")
    }
    // A stop while the second one's are noted: the next look finds them.
    #expect(try store.materialise(pending, limit: 2_000, through: second))
    try store.finishLarge()
    #expect(store.leftRedo == 1)
    while try store.materialise(pending, limit: 2_000, through: second) {}
    #expect(folder.sql("SELECT count(*) FROM items WHERE name LIKE 'b%'") == "\(Self.rows)")
    try store.close(now: .now())
  }

  @Test func notesOfOneAreNotTakenForThoseOfTheNext() throws {
    let folder = StoreFolder()
    var store = try folder.open()
    let pending = PendingWrites()
    let first = appendLarge(pending, store, name: "a", withTable: true)
    while try store.materialise(pending, limit: 2_000, through: first) {}
    #expect(store.leftRedo > 0)
    let second = appendLarge(pending, store, name: "b")
    // Its notes are all on disk, and a part of its rows; what the first one left is gone.
    while folder.sql("SELECT count(*) FROM items WHERE name LIKE 'b%'") == "0" {
      #expect(try store.materialise(pending, limit: 2_000, through: second))
    }
    let notes = folder.sql("SELECT count(*) FROM hpd_redo")
    #expect(try !store.removeRedo())
    #expect(folder.sql("SELECT count(*) FROM hpd_redo") == notes)
    #expect(folder.sql("SELECT partial FROM hpd_status") == "1")
    // The daemon ends here: the next start finishes the second one from its notes.
    _ = run("cp -r '\(folder.path)' '\(folder.path)-kept'")
    try store.close(now: .now())
    _ = run("rm -rf '\(folder.path)'; mv '\(folder.path)-kept' '\(folder.path)'")
    store = try folder.open()
    try store.finishLarge()
    #expect(folder.sql("SELECT count(*) FROM items WHERE name LIKE 'b%'") == "\(Self.rows)")
    #expect(folder.sql("SELECT partial FROM hpd_status") == "0")
    try store.close(now: .now())
  }
}
