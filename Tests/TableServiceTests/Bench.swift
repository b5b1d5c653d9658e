@testable import TableService

/// A table with Homepwner's columns for examples, and a short way to write batches.
final class Bench {
  typealias Rows = [(section: String, rows: [String])]

  let identifiers = Identifiers()
  let pending = PendingWrites()
  let table: Table
  let batch = Batch()
  var copy = NaiveCopy()
  var revision: UInt64 = 1

  init(_ start: Rows = [("S", ["A", "B", "C"])]) throws {
    table = Table(
      id: 1, name: "items", schema: Schema(columns: Schema.homepwnerColumns, revision: 1),
      lastChanged: 1, identifiers: identifiers, pending: pending)
    for (title, rows) in start { section(title, rows) }
    copy.columns = table.schema.columns
    if !start.isEmpty { try perform() }
  }

  var context: ChangeContext {
    ChangeContext(
      epoch: 9, revision: revision + 1, time: 1_000_000, uid: 1000, actor: "user/test",
      client: 2, request: 3)
  }

  func text(_ string: String) -> Range<Int> { batch.append(text: Array(string.utf8)) }

  func cells(_ pairs: [(String, Batch.Value)]) -> Range<Int> {
    let start = batch.cells.count
    for (column, value) in pairs { batch.cells.append(Batch.Cell(.name(text(column)), value)) }
    return start..<batch.cells.count
  }

  func row(_ name: String, handle: UInt64? = nil) -> Batch.Row {
    Batch.Row(cells: cells([("name", .text(text(name)))]), handle: handle)
  }

  func section(_ title: String, _ rows: [String], at place: Batch.SectionPlace = .end) {
    let first = batch.rows.count
    batch.rows += rows.map { row($0) }
    add(
      .insertSection(
        Batch.NewSection(place: place, title: text(title), rows: first..<batch.rows.count)))
  }

  func add(_ action: Batch.Action) { batch.operations.append(Batch.Operation(action)) }

  /// The id of the row with a name.
  func id(_ name: String) -> UInt64 {
    for index in 0..<table.sectionCount {
      var found: UInt64?
      table.forEachRow(inSection: index) { image in
        if RowImage.cell(1, in: image)?.value(in: image) == .text(Array(name.utf8)) {
          found = RowImage.id(of: image)
        }
        return found == nil
      }
      if let found { return found }
    }
    return 0
  }

  func ref(_ name: String) -> Batch.RowRef { .id(id(name)) }

  func title(_ title: String) -> Batch.SectionRef { .title(text(title)) }

  @discardableResult
  func perform(_ basis: Batch.Basis = .current) throws -> Outcome {
    defer { batch.removeAll() }
    batch.basis = basis
    let outcome = try table.perform(batch, context)
    if !outcome.isUnchanged, !outcome.isDryRun {
      revision += 1
      if let change = ProtoChange(parts: outcome.change) { try copy.fold(change) }
    }
    return outcome
  }

  /// The fault that the batch is refused with.
  func refusal(_ basis: Batch.Basis = .current) -> TableFault? {
    defer { batch.removeAll() }
    batch.basis = basis
    do throws(TableFault) { _ = try table.perform(batch, context) } catch { return error }
    return nil
  }

  /// Sections and the names of their rows.
  var content: String {
    (0..<table.sectionCount).map { index in
      var names: [String] = []
      table.forEachRow(inSection: index) { image in
        if case .text(let name)? = RowImage.cell(1, in: image)?.value(in: image) {
          names.append(String(decoding: name, as: UTF8.self))
        }
        return true
      }
      let title = table.section(at: index).record.title ?? []
      return String(decoding: title, as: UTF8.self) + ":" + names.joined(separator: ",")
    }.joined(separator: " / ")
  }
}

extension Outcome {
  /// The stages as protobuf-c reads them.
  var stages: [ProtoChange.Stage] { ProtoChange(parts: change)?.stages ?? [] }
}
