import CHPProto
import HouseSupport
import Testing

@testable import TableService

/// Random sequence batches: the table, a table that only folds, a client's copy, the disk and
/// plain arrays must agree after each (contracts E4, E6–E8, E10, E12, K2, S5).
@Suite struct TableRandomTests {
  static let schema: Schema = {
    var name = Column(id: 1, name: "name", kind: .text)
    name.isRequired = true
    var serial = Column(id: 2, name: "serial", kind: .text)
    serial.defaultValue = .text(Array("none".utf8))
    var value = Column(id: 3, name: "value", kind: .decimal)
    value.scale = 2
    var created = Column(id: 4, name: "created", kind: .timestamp)
    created.isReadOnly = true
    created.defaultsToNow = true
    var day = Column(id: 5, name: "day", kind: .date)
    day.defaultValue = .date(0)
    let good = Column(id: 6, name: "good", kind: .boolean)
    var code = Column(id: 7, name: "code", kind: .integer)
    code.isUnique = true
    return Schema(columns: [value, name, good, serial, created, day, code], revision: 1)
  }()

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func agreesWithPlainArrays(seed: UInt64) throws {
    var trial = Trial(seed: seed)
    for step in 0..<2500 {
      try trial.run(step)
    }
    #expect(trial.applied > 500, "seed \(seed)")
    #expect(trial.refused > 200, "seed \(seed)")
    #expect(trial.unchanged > 8, "seed \(seed)")
    #expect(trial.reshaped > 30, "seed \(seed)")
    #expect(trial.duplicates > 4, "seed \(seed)")
  }
}

/// One table under random batches, and everything that must agree with it.
struct Trial {
  let seed: UInt64
  var generator: BatchGenerator
  let identifiers = Identifiers()
  let pending = PendingWrites()
  let table: Table
  let folded: Table
  let foldedPending = PendingWrites()
  var copy = NaiveCopy()
  var disk = NaiveDisk()
  var foldedDisk = NaiveDisk()
  var naive = NaiveTable()
  var revision: UInt64 = 1
  var applied = 0
  var refused = 0
  var unchanged = 0
  /// Revisions that changed columns.
  var reshaped = 0
  /// Batches refused for a value in a unique column.
  var duplicates = 0
  var views: [(view: TableView, copy: NaiveCopy)] = []
  let batch = Batch()

  init(seed: UInt64) {
    self.seed = seed
    let schema = TableRandomTests.schema
    generator = BatchGenerator(random: SeededRandom(seed: seed))
    naive.columns = schema.columns
    copy.columns = schema.columns
    table = Table(
      id: 7, name: "items", schema: schema, lastChanged: 1, identifiers: identifiers,
      pending: pending)
    folded = Table(
      id: 7, name: "items", schema: schema, lastChanged: 1, identifiers: Identifiers(),
      pending: foldedPending)
  }

  mutating func run(_ step: Int) throws {
    let place = "seed \(seed) step \(step)"
    batch.removeAll()
    let isDryRun = generator.chance(8)
    batch.isDryRun = isDryRun
    if !generator.chance(12) { batch.basis = .current }
    let context = ChangeContext(
      epoch: 3, revision: revision + 1, time: Int64(step), uid: 1000, actor: "user/test",
      client: 5, request: UInt64(step))
    var run = NaiveRun(
      schema: table.schema, before: naive, table: naive, nextRow: identifiers.mark.row,
      nextSection: identifiers.mark.section, context: context, batch: batch)
    run.nextColumn = table.schema.nextColumn
    let mark = identifiers.mark
    let schema = table.schema
    let refusal = generate(&run)
    let result: Result<Outcome, TableFault>
    do throws(TableFault) {
      result = .success(try table.perform(batch, context))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .failure(let error):
      refused += 1
      if error.code == .duplicateKey { duplicates += 1 }
      #expect(refusal?.code == error.code, "\(place): \(error)")
      #expect(refusal?.operations.contains(error.operation) == true, "\(place): \(error)")
      #expect(table.schema.columns == schema.columns, "\(place)")
      #expect(table.schema.nextColumn == schema.nextColumn, "\(place)")
      #expect(identifiers.mark == mark, "\(place)")
    case .success(let outcome):
      #expect(refusal == nil, "\(place): should be refused")
      run.settle()
      #expect(outcome.isUnchanged == run.isUnchanged, "\(place)")
      #expect(outcome.counts.matched == UInt64(run.matched), "\(place)")
      if isDryRun {
        #expect(outcome.isDryRun && outcome.change.isEmpty && outcome.revision == revision)
        checkPlaceholders(outcome, place)
        #expect(identifiers.mark == mark, "\(place)")
      } else if outcome.isUnchanged {
        unchanged += 1
        #expect(identifiers.mark == mark && table.lastChanged <= revision, "\(place)")
      } else {
        revision += 1
        applied += 1
        if run.table.columns != naive.columns { reshaped += 1 }
        try check(outcome, run, schema, place)
        naive = run.table
      }
    }
    #expect(NaiveCopy(table) == naive.copy, "\(place)")
    if step % 10 == 0 {
      table.checkInvariants()
      folded.checkInvariants()
    }
    try checkViews(step, place)
  }

  /// Fills the batch operation by operation, applying each to the arrays.
  private mutating func generate(
    _ run: inout NaiveRun
  ) -> (code: TableFault.Code, operations: Set<Int?>)? {
    if generator.chance(30) {
      batch.conditions.append(generator.condition(run))
      do throws(NaiveRun.Refusal) { try run.judge(batch.conditions[0]) } catch {
        return (error.code, [nil])
      }
    }
    let count = generator.chance(10) ? 30 : 1 + generator.random.below(6)
    for index in 0..<count {
      let operation = generator.operation(run)
      batch.operations.append(operation)
      let before = run.table
      do throws(NaiveRun.Refusal) { try run.apply(operation) } catch {
        return (error.code, [index])
      }
      run.noteSuspects(since: before, index)
    }
    let guilty = run.guilty
    return guilty.isEmpty ? nil : (.duplicateKey, guilty)
  }

  private mutating func check(
    _ outcome: Outcome, _ run: NaiveRun, _ schema: Schema, _ place: String
  ) throws {
    for part in outcome.change {
      #expect(isCanonical(part, .change), "\(place)")
    }
    let change = try #require(ProtoChange(parts: outcome.change), "\(place)")
    #expect(change.revision == revision && change.table == 7 && change.uid == 1000)
    do { try copy.fold(change) } catch { Issue.record("\(place): \(error)") }
    #expect(copy == run.table.copy, "\(place)")
    try folded.fold(outcome.change)
    #expect(NaiveCopy(folded) == run.table.copy, "\(place)")
    #expect(folded.lastChanged == table.lastChanged)
    #expect(change.columnsChanged == (run.table.columns != run.before.columns), "\(place)")
    for id in run.table.copy.images.keys {
      // Hidden cells, too, are after a replay what they are after the batch.
      let (one, other) = (table.rows.slot(of: id), folded.rows.slot(of: id))
      #expect(one.map(table.rows.image) == other.map(folded.rows.image), "\(place)")
    }
    checkMoves(change, run, place)
    checkReloads(change, run, place)
    checkReply(outcome, change, run, place)
    checkOldRows(outcome, run, schema, place)
    if generator.chance(6) { try checkDisk(place) }
  }

  private func checkMoves(_ change: ProtoChange, _ run: NaiveRun, _ place: String) {
    var moved: Set<UInt64> = []
    var told: [UInt64: Int] = [:]
    for stage in change.stages {
      for move in stage.moves {
        for id in move.id..<move.id + UInt64(move.count) {
          #expect(moved.insert(id).inserted, "\(place)")
        }
      }
      for end in stage.deletes + stage.inserts + stage.contents {
        for id in end.id..<end.id + UInt64(end.count) where end.moved { told[id, default: 0] += 1 }
        let isNew = run.before.find(end.id) == nil || run.table.find(end.id) == nil
        #expect(end.moved != isNew, "\(place)")
      }
    }
    #expect(moved.isDisjoint(with: told.keys), "\(place)")
    #expect(moved.union(told.keys) == run.movedRows, "\(place)")
    let sections = Set(
      change.stages.flatMap(\.moveSections).map { run.before.sections[$0[0]].id })
    #expect(sections == run.movedSections, "\(place)")
    // A stage two has an end in a moved section in each of its changes (contract E10).
    for stage in change.stages where stage.kind == 1 {
      let from = Set(change.stages.flatMap(\.moveSections).map { $0[0] })
      let to = Set(change.stages.flatMap(\.moveSections).map { $0[1] })
      for run in stage.deletes { #expect(!from.contains(run.section), "\(place)") }
      for run in stage.inserts + stage.contents { #expect(!to.contains(run.section), "\(place)") }
      for move in stage.moves {
        #expect(!from.contains(move.fromSection) && !to.contains(move.section), "\(place)")
      }
      for run in stage.inserts { #expect(!stage.insertSections.contains(run.section)) }
      for run in stage.deletes { #expect(!stage.deleteSections.contains(run.section)) }
    }
  }

  private func checkReloads(_ change: ProtoChange, _ run: NaiveRun, _ place: String) {
    var expected: [UInt64: [UInt64]] = [:]
    let before = run.before.projected(to: run.table.columns)
    for section in run.table.sections {
      for row in section.rows {
        guard let at = run.before.find(row.id) else { continue }
        let old = before.sections[at.section].rows[at.row]
        let columns = run.schema.columns.map(\.id).filter { old.cells[$0] != row.cells[$0] }
        if !columns.isEmpty || run.reloadedRows.contains(row.id) {
          expected[row.id] = columns.sorted()
        }
      }
    }
    var found: [UInt64: [UInt64]] = [:]
    for reload in change.stages.flatMap(\.reloads) {
      found[reload.id] = reload.columns
      #expect(run.before.sections[reload.oldSection].rows[reload.oldRow].id == reload.id)
      #expect(run.table.sections[reload.section].rows[reload.row].id == reload.id)
    }
    #expect(found == expected, "\(place)")
  }

  private func checkReply(
    _ outcome: Outcome, _ change: ProtoChange, _ run: NaiveRun, _ place: String
  ) {
    #expect(isCanonical(outcome.reply, .reply), "\(place)")
    guard let reply = hp__v1__batch_reply__unpack(nil, outcome.reply.count, outcome.reply) else {
      return
    }
    defer { hp__v1__batch_reply__free_unpacked(reply, nil) }
    var stages = ProtoChange()
    for stage in list(reply.pointee.stages, reply.pointee.n_stages) { stages.read(stage) }
    #expect(stages.stages == change.stages, "\(place)")
    var inserted: [UInt64] = []
    for run in list(reply.pointee.inserted, reply.pointee.n_inserted) {
      inserted += (0..<run.count).map { run.first + $0 }
    }
    let new = run.table.sections.flatMap(\.rows).map(\.id).filter { run.before.find($0) == nil }
    #expect(inserted == new.sorted(), "\(place)")
    #expect(outcome.counts.rowsInserted == new.count, "\(place)")
    #expect(outcome.counts.rowsDeleted == change.deleted.count, "\(place)")
    #expect(outcome.counts.rowsMoved == run.movedRows.count, "\(place)")
    #expect(reply.pointee.counts?.pointee.rows_inserted ?? 0 == new.count, "\(place)")
  }

  private func checkOldRows(
    _ outcome: Outcome, _ run: NaiveRun, _ schema: Schema, _ place: String
  ) {
    var expected: Set<[UInt8]> = []
    let (before, after) = (run.before.copy.images, run.table.copy.images)
    let same = run.before.projected(to: run.table.columns).copy.images
    for (id, image) in before where after[id] != same[id] { expected.insert(image) }
    var found: Set<[UInt8]> = []
    for part in outcome.oldRows {
      guard let change = hp__v1__change__unpack(nil, part.count, part) else { continue }
      defer { hp__v1__change__free_unpacked(change, nil) }
      for index in 0..<change.pointee.n_old_rows {
        change.pointee.old_rows[index]?.withMemoryRebound(to: ProtobufCMessage.self, capacity: 1) {
          var shown: [UInt8] = []
          RowImage.appendShown(packed($0).span, by: schema, to: &shown)
          found.insert(shown)
        }
      }
    }
    #expect(found == expected, "\(place)")
  }

  private func checkPlaceholders(_ outcome: Outcome, _ place: String) {
    for run in outcome.inserted + outcome.insertedSections {
      #expect(Int64(bitPattern: run.first) < 0 && run.count == 1, "\(place)")
    }
  }

  private mutating func checkDisk(_ place: String) throws {
    disk.write(pending)
    foldedDisk.write(foldedPending)
    #expect(pending.count == 0 && disk.revision == revision, "\(place)")
    #expect(disk.lastChanged == table.lastChanged, "\(place)")
    for disk in [disk, foldedDisk] {
      let loaded =
        if let stored = disk.table {
          try Table(
            stored: stored.span, nextColumn: table.schema.nextColumn,
            lastChanged: disk.lastChanged, identifiers: Identifiers(), pending: PendingWrites())
        } else {
          Table(
            id: 7, name: "items", schema: table.schema, lastChanged: disk.lastChanged,
            identifiers: Identifiers(), pending: PendingWrites())
        }
      try disk.load(into: loaded)
      loaded.checkInvariants()
      #expect(NaiveCopy(loaded) == NaiveCopy(table), "\(place)")
    }
  }

  private mutating func checkViews(_ step: Int, _ place: String) throws {
    if step % 23 == 0, views.count < 4 {
      views.append((table.openView(revision: revision), naive.copy))
    }
    guard step % 7 == 0, !views.isEmpty else { return }
    let index = generator.random.below(views.count)
    #expect(NaiveCopy(views[index].view) == views[index].copy, "\(place)")
    if generator.chance(3) { views.remove(at: index).view.close() }
  }
}
