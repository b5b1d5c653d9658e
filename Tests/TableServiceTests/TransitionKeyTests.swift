import Testing

@testable import TableService

/// Unique columns in transitions: judged by the new table (contracts E12, E15).
@Suite struct TransitionKeyTests {
  private let table: Table
  private let batch = Batch()
  private var context: ChangeContext {
    ChangeContext(
      epoch: 9, revision: table.lastChanged + 1, time: 0, uid: 1, actor: "test", client: 1,
      request: 1)
  }

  init() throws {
    var code = Column(id: 1, name: "code", kind: .text)
    code.isUnique = true
    let made = try Table.make(
      name: "parts", columns: [code], titles: ["S"], identifiers: Identifiers(),
      pending: PendingWrites(),
      ChangeContext(epoch: 9, revision: 1, time: 0, uid: 1, actor: "", client: 1, request: 1))
    table = made.table
    for (row, name) in ["a", "b"].enumerated() { insert(name, at: UInt64(row)) }
    try perform()
  }

  private func cells(_ name: String) -> Range<Int> {
    let start = batch.cells.count
    batch.cells.append(
      Batch.Cell(.id(1), .text(batch.append(text: name.utf8))))
    return start..<start + 1
  }

  private func path(_ row: UInt64) -> RowPath { RowPath(section: 0, row: row) }

  private func insert(_ name: String, at row: UInt64) {
    let row = Batch.Action.insertRow(Batch.Row(cells: cells(name)), at: .path(path(row)))
    batch.operations.append(Batch.Operation(row))
  }

  private func reload(_ row: UInt64, _ name: String) {
    batch.operations.append(
      Batch.Operation(.reloadRow(.path(path(row)), cells: cells(name))))
  }

  private func perform() throws(TableFault) {
    defer { batch.removeAll() }
    batch.mode = .transition
    batch.basis = .current
    _ = try table.perform(batch, context)
    table.checkInvariants()
  }

  private func refusal() -> TableFault? {
    do throws(TableFault) { try perform() } catch { return error }
    return nil
  }

  @Test func twoNewRowsMayNotHaveOneValue() {
    insert("c", at: 0)
    insert("c", at: 3)
    let fault = refusal()
    #expect(fault?.code == .duplicateKey && fault?.column == "code")
    #expect(table.rowCount == 2)
  }

  @Test func aNewRowMayNotHaveTheValueOfOneThatMoves() {
    batch.operations.append(
      Batch.Operation(.moveRow(.path(path(0)), to: .path(path(2)))))
    insert("a", at: 0)
    #expect(refusal()?.code == .duplicateKey)
  }

  @Test func aNewRowMayHaveTheValueOfOneThatGoes() throws {
    insert("a", at: 0)
    batch.operations.append(Batch.Operation(.deleteRow(.path(path(0)))))
    try perform()
    #expect(table.rowCount == 2)
  }

  @Test func valuesMayChangePlaces() throws {
    reload(0, "b")
    reload(1, "a")
    try perform()
    let first = try #require(table.rowID(at: path(0)))
    #expect(
      table.row(first).map { RowImage.cell(1, in: $0.span)?.value(in: $0.span) }
        == .text(Array("b".utf8)))
  }
}
