import Glibc
import HouseSupport
import Testing

@testable import TableService

/// Random batches, undos and redos by three actors against whole copies of the table.
///
/// Contract E9. HPD_UNDOS sets how many rounds in all.
@Suite struct UndoRandomTests {
  static let count = getenv("HPD_UNDOS").flatMap { Int(String(cString: $0)) } ?? 1_600

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func agreesWithWholeCopies(seed: UInt64) throws {
    let trial = try UndoTrial(seed: seed)
    let rounds = Self.count / 8
    for round in 0..<rounds { try trial.run(round) }
    #expect(trial.undone > rounds / 15, "seed \(seed)")
    #expect(trial.redone > rounds / 120, "seed \(seed)")
    #expect(trial.conflicts > rounds / 120, "seed \(seed)")
    #expect(trial.exact > rounds / 30, "seed \(seed)")
    #expect(trial.unjudged < rounds / 20 + 3, "seed \(seed)")
    #expect(trial.returned + trial.kept > rounds / 120, "seed \(seed)")
    #expect(trial.kept >= rounds / 400, "seed \(seed)")
  }
}

/// One table of a store, and all that must agree with it.
final class UndoTrial {
  let seed: UInt64
  var generator: BatchGenerator
  let steps: StepTable
  let folded: Table
  var copy = NaiveCopy()
  var naive = NaiveSteps()
  let batch = Batch()
  var undone = 0
  var redone = 0
  var conflicts = 0
  /// Undos of the newest step, after which the table is what it was.
  var exact = 0
  var unjudged = 0
  /// Unique columns that came back, and those that could not.
  var returned = 0
  var kept = 0

  init(seed: UInt64) throws {
    self.seed = seed
    generator = BatchGenerator(random: SeededRandom(seed: seed))
    generator.wrong = 100_000
    steps = try StepTable(columns: TableRandomTests.schema.columns)
    let table = steps.table
    folded = Table(
      id: table.id, name: table.name, schema: table.schema, lastChanged: table.lastChanged,
      identifiers: Identifiers(), pending: PendingWrites())
    copy.columns = table.schema.columns
  }

  func run(_ round: Int) throws {
    let place = "seed \(seed) round \(round)"
    let actor = ["anna", "bert", "cleo"][generator.random.below(3)]
    if generator.chance(15) {
      try bringValueBack(place)
    } else if generator.chance(2) {
      try change(actor, place)
    } else {
      try revert(actor, place)
    }
    if generator.chance(100) {
      let before = NaiveTable(steps.table)
      try steps.restart()
      #expect(NaiveTable(steps.table) == before, "\(place): restarted")
    }
  }

  /// Brings a value back into a unique column that is dropped, while another row has it, and the
  /// column after that; what else happens stands between.
  private func bringValueBack(_ place: String) throws {
    let unique = steps.table.schema.columns.filter(\.isUnique)
    guard let column = unique.randomElement(using: &generator.random) else { return }
    let rows = NaiveTable(steps.table).sections.flatMap(\.rows)
    guard
      let row = rows.filter({ $0.cells[column.id] != nil })
        .randomElement(using: &generator.random),
      let other = rows.filter({ $0.id != row.id }).randomElement(using: &generator.random),
      let value = row.cells[column.id]
    else { return }
    var actors = ["anna", "bert", "cleo"]
    actors.shuffle(using: &generator.random)
    let gone = try change(actors[0], place, isOne: true) { _, _ in .deleteRow(.id(row.id)) }
    try change(actors[1], place, isOne: true) { _, batch in
      let start = batch.cells.count
      let cell: Batch.Value =
        switch value {
        case .text(let text): .text(batch.append(text: text))
        case .boolean(let flag): .number(.boolean, flag ? 1 : 0)
        case .integer(let number), .decimal(let number), .date(let number),
          .timestamp(let number):
          .number(column.kind, number)
        }
      batch.cells.append(Batch.Cell(.id(column.id), cell))
      return .updateRow(.id(other.id), cells: start..<start + 1)
    }
    let dropped = try change(actors[2], place, isOne: true) { _, batch in
      .dropColumn(batch.append(text: Array(column.name.utf8)))
    }
    if let gone { try revert(actors[0], place, isRedo: false, any: false, gone) }
    if generator.chance(4) { try change(actors[1], place) }
    if let dropped { try revert(actors[2], place, isRedo: false, any: false, dropped) }
  }

  @discardableResult
  private func change(
    _ actor: String, _ place: String, isOne: Bool = false,
    _ action: ((NaiveRun, Batch) -> Batch.Action)? = nil
  ) throws -> UInt64? {
    let table = steps.table
    let before = NaiveTable(table)
    batch.removeAll()
    batch.basis = .current
    var run = NaiveRun(
      schema: table.schema, before: before, table: before,
      nextRow: steps.service.identifiers.mark.row,
      nextSection: steps.service.identifiers.mark.section,
      context: ChangeContext(
        epoch: 1, revision: steps.service.revision + 1, time: 1, uid: 1000, actor: actor,
        client: 1, request: 1),
      batch: batch)
    run.nextColumn = table.schema.nextColumn
    // Unique columns come and go more often than other things happen to columns.
    let isUnique = generator.chance(12)
    for _ in 0..<(isOne || isUnique ? 1 : 1 + generator.random.below(4)) {
      let operation =
        if let action {
          Batch.Operation(action(run, batch))
        } else if isUnique {
          Batch.Operation(generator.uniqueColumnAction(run))
        } else {
          generator.operation(run)
        }
      batch.operations.append(operation)
      do throws(NaiveRun.Refusal) { try run.apply(operation) } catch {
        batch.operations.removeLast()
        break
      }
    }
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try steps.service.perform(
        batch, on: table, by: StepTable.requester(actor))
    } catch { return nil }
    guard !outcome.isUnchanged else { return nil }
    try follow(outcome, place)
    note(outcome, actor, .step, 0, before)
    return outcome.revision
  }

  private func revert(_ actor: String, _ place: String) throws {
    var step: UInt64?
    if generator.chance(3), !naive.order.isEmpty {
      let recent = naive.order.suffix(20)
      step = recent[recent.startIndex + generator.random.below(recent.count)]
    }
    try revert(actor, place, isRedo: generator.chance(3), any: generator.chance(4), step)
  }

  private func revert(
    _ actor: String, _ place: String, isRedo: Bool, any: Bool, _ step: UInt64?
  ) throws {
    let before = NaiveTable(steps.table)
    var bringsUnique = false
    let expected = naive.expected(isRedo: isRedo, actor, step: step, any: any, now: before)
    if case .success(let found) = naive.choose(isRedo: isRedo, actor, step: step, any: any) {
      let done = isRedo ? found.undone : found.applied
      bringsUnique = naive.records[done].map(\.bringsUnique) ?? false
      if naive.isAsAfter(done), let record = naive.records[done] {
        exact += 1
        switch expected {
        case .unjudged: break
        case .table(let table):
          let difference = table.unstamped.difference(from: record.before.unstamped)
          #expect(difference == "nothing", "\(place): nothing came between")
        default: Issue.record("\(place): nothing came between, yet \(expected)")
        }
      }
    }
    let result: Result<StepOutcome, ServiceFault>
    do throws(ServiceFault) {
      if generator.chance(4) {
        let dry = try steps.plan(isRedo: isRedo, actor, step, any: any)
        let real = try steps.revert(isRedo: isRedo, actor, step, any: any)
        #expect(dry.outcome.counts == real.outcome.counts, "\(place)")
        #expect(dry.outcome.inserted == real.outcome.inserted, "\(place)")
        #expect(dry.step == real.step, "\(place)")
        result = .success(real)
      } else {
        result = .success(try steps.revert(isRedo: isRedo, actor, step, any: any))
      }
    } catch { result = .failure(error) }
    let now = NaiveTable(steps.table)
    let what = "\(place): \(isRedo ? "redo" : "undo") \(step ?? 0) by \(actor)"
    switch (result, expected) {
    case (.failure(.nothingToUndo), .nothing), (.failure(.nothingToRedo), .nothing),
      (.failure(.notOwnStep), .notOwn):
      #expect(now == before)
    case (.failure(.table(let fault)), .conflict):
      #expect(fault.code == .conflict && !fault.conflicts.isEmpty, "\(what): \(fault)")
      #expect(fault.conflicts.allSatisfy { $0.revision > 0 }, "\(what): \(fault.conflicts)")
      #expect(now == before, "\(what)")
      conflicts += 1
      if bringsUnique { kept += 1 }
    case (.failure, .unjudged):
      #expect(now == before, "\(what)")
      unjudged += 1
    case (.success(let outcome), .unjudged):
      unjudged += 1
      #expect(now.isSound, "\(what)")
      try follow(outcome.outcome, what)
      note(outcome.outcome, actor, isRedo ? .redo : .undo, outcome.step, before)
    case (.success(let outcome), .table(let table)):
      if isRedo { redone += 1 } else { undone += 1 }
      if bringsUnique { returned += 1 }
      let difference = now.unstamped.difference(from: table.unstamped)
      #expect(difference == "nothing", "\(what)")
      try follow(outcome.outcome, what)
      note(outcome.outcome, actor, isRedo ? .redo : .undo, outcome.step, before)
    default: Issue.record("\(what): \(result), expected \(expected)")
    }
  }

  /// Commits, and lets the copies follow.
  private func follow(_ outcome: Outcome, _ place: String) throws {
    guard case .durable(let records) = steps.service.commit() else { throw StoreFault.unsettled }
    for record in records {
      for part in record.parts { #expect(isCanonical(part, .change), "\(place)") }
      let change = try #require(ProtoChange(parts: record.parts), "\(place)")
      do { try copy.fold(change) } catch { Issue.record("\(place): \(error)") }
      try folded.fold(record.parts)
    }
    let now = NaiveTable(steps.table)
    #expect(NaiveTable(folded) == now, "\(place): replayed")
    #expect(NaiveCopy(steps.table) == copy, "\(place): a client's copy")
    for row in now.sections.flatMap(\.rows) {
      // Hidden cells, too, are after a replay what they are after the change.
      let (one, other) = (steps.table.rows.slot(of: row.id), folded.rows.slot(of: row.id))
      #expect(
        one.map(steps.table.rows.image) == other.map(folded.rows.image), "\(place): \(row.id)")
    }
  }

  private func note(
    _ outcome: Outcome, _ actor: String, _ kind: NaiveSteps.Kind, _ target: UInt64,
    _ before: NaiveTable
  ) {
    guard let change = ProtoChange(parts: outcome.change) else { return }
    var rows: Set<UInt64> = []
    var sections: Set<UInt64> = []
    for stage in change.stages {
      for move in stage.moves {
        for offset in 0..<move.count { rows.insert(move.id + UInt64(offset)) }
      }
      for run in stage.inserts + stage.contents where run.moved {
        for offset in 0..<run.count { rows.insert(run.id + UInt64(offset)) }
      }
      for pair in stage.moveSections { sections.insert(before.sections[pair[0]].id) }
    }
    let after = NaiveTable(steps.table)
    let isOther = kind == .step && after == before
    naive.note(
      NaiveSteps.Record(
        revision: outcome.revision, actor: actor, kind: isOther ? .other : kind, target: target,
        before: before, after: after, movedRows: rows, movedSections: sections, applied: 0))
  }
}
