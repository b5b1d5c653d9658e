import Glibc
import HouseSupport
import Testing

@testable import TableService

/// Random transitions and contradictions against plain arrays.
///
/// Semantics 2.1–2.4, contracts E4, E6, E8, E10, E12. HPD_TRANSITIONS sets how many in all.
@Suite struct TransitionRandomTests {
  static let count = getenv("HPD_TRANSITIONS").flatMap { Int(String(cString: $0)) } ?? 10_000

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func agreesWithPlainArrays(seed: UInt64) throws {
    let trial = try TransitionTrial(seed: seed)
    let steps = Self.count / 8
    for step in 0..<steps { try trial.run(step) }
    trial.bench.table.checkInvariants()
    #expect(trial.applied > steps / 2, "seed \(seed)")
    #expect(trial.refused > steps / 5, "seed \(seed)")
    if steps > 1000 {
      for fault in TransitionFault.allCases {
        #expect(trial.met[fault, default: 0] > 0, "seed \(seed) \(fault)")
      }
    }
  }
}

/// One table under random transitions.
final class TransitionTrial {
  typealias Section = TransitionPlan.Section

  let seed: UInt64
  let bench: Bench
  /// A second table that only replays what the first one told.
  let folded: Table
  var random: SeededRandom
  var layout = [Section(title: "S", rows: ["A", "B", "C"]), Section(title: "T", rows: ["D"])]
  var serials: [String: String] = [:]
  var applied = 0
  var refused = 0
  var met: [TransitionFault: Int] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    bench = try Bench([])
    folded = Table(
      id: 1, name: "items", schema: bench.table.schema, lastChanged: 1,
      identifiers: Identifiers(), pending: PendingWrites())
    for section in layout { bench.section(section.title, section.rows) }
    bench.batch.basis = .current
    try folded.fold(try bench.perform().change)
  }

  func run(_ step: Int) throws {
    let place = "seed \(seed) step \(step)"
    let plan = TransitionPlan(layout, tag: "\(step)", &random)
    var codes: Set<TableFault.Code> = []
    var faulty = FaultyPlan(plan)
    if random.below(5) < 2 {
      for _ in 0...(random.below(4) == 0 ? 1 : 0) {
        let fault = TransitionFault.allCases[random.below(TransitionFault.allCases.count)]
        guard faulty.add(fault, &random) else { continue }
        codes.insert(fault.code)
        met[fault, default: 0] += 1
      }
    }
    bench.batch.mode = .transition
    for step in faulty.plan.steps { bench.add(action(step)) }
    if codes.isEmpty {
      try apply(plan, place)
    } else {
      refuse(codes, place)
    }
  }

  private func refuse(_ codes: Set<TableFault.Code>, _ place: String) {
    let mark = bench.identifiers.mark
    let pending = bench.pending.count
    let fault = bench.refusal()
    guard let fault else {
      Issue.record("\(place): not refused for \(codes)")
      return
    }
    refused += 1
    #expect(codes.contains(fault.code), "\(place): \(fault)")
    #expect(fault.operation != nil, "\(place): \(fault)")
    if fault.code != .outOfRange {
      #expect(fault.path != nil && fault.otherPath != nil, "\(place): \(fault)")
    }
    #expect(bench.identifiers.mark == mark && bench.pending.count == pending, "\(place)")
    #expect(read() == layout, "\(place)")
  }

  private func apply(_ plan: TransitionPlan, _ place: String) throws {
    let wrong = random.below(10)
    if random.below(3) == 0 {
      bench.batch.sectionCounts = plan.final.map { UInt64($0.rows.count) }
      if !plan.final.isEmpty, wrong < 2 {
        if wrong == 0 {
          bench.batch.sectionCounts.append(0)
        } else {
          bench.batch.sectionCounts[0] += 1
        }
        refuse([wrong == 0 ? .countSections : .countRows], place, isWhole: true)
        return
      }
    }
    bench.batch.isDryRun = random.below(6) == 0
    let isDryRun = bench.batch.isDryRun
    let mark = bench.identifiers.mark
    let outcome = try bench.perform()
    applied += 1
    let isSame = plan.final == layout && plan.reloaded.isEmpty && plan.reloadedSections.isEmpty
    #expect(outcome.isUnchanged == isSame, "\(place)")
    #expect(outcome.counts.rowsInserted == plan.madeRows.count, "\(place)")
    if isDryRun {
      #expect(outcome.isDryRun && outcome.change.isEmpty, "\(place)")
      #expect(bench.identifiers.mark == mark && read() == layout, "\(place)")
      return
    }
    #expect(read() == plan.final, "\(place)")
    if isSame { return }
    #expect(bench.copy == NaiveCopy(bench.table), "\(place)")
    try folded.fold(outcome.change)
    #expect(bench.copy == NaiveCopy(folded), "\(place)")
    try check(plan, outcome, place)
    layout = plan.final
  }

  private func refuse(_ codes: Set<TableFault.Code>, _ place: String, isWhole: Bool) {
    let fault = bench.refusal()
    refused += 1
    #expect(fault.map { codes.contains($0.code) } == true, "\(place): \(String(describing: fault))")
    #expect(fault?.operation == nil && read() == layout, "\(place)")
  }

  /// What is told: ids in the order of the operations, moves by E10, reloads as (old, final).
  private func check(_ plan: TransitionPlan, _ outcome: Outcome, _ place: String) throws {
    let change = try #require(ProtoChange(parts: outcome.change))
    var names: [UInt64: String] = [:]
    for image in change.rows {
      if case .text(let name)? = RowImage.cell(1, in: image.span)?.value(in: image.span) {
        names[RowImage.id(of: image.span)] = String(decoding: name, as: UTF8.self)
      }
    }
    let ids = outcome.inserted.flatMap { run in (0..<run.count).map { run.first + $0 } }
    #expect(ids.map { names[$0] } == plan.madeRows.map { $0 }, "\(place)")
    let moves = change.stages.flatMap(\.moves).reduce(0) { $0 + $1.count }
    #expect(moves == Self.moved(plan), "\(place)")
    #expect(outcome.counts.rowsMoved == moves && moves <= plan.movedRows.count, "\(place)")
    let sections = Set(change.stages.flatMap(\.moveSections).map { plan.old[$0[0]].title })
    #expect(sections == Self.movedSections(plan), "\(place)")
    let reloads = change.stages.flatMap(\.reloads)
    #expect(reloads.count == plan.reloaded.count, "\(place)")
    for reload in reloads {
      let row = plan.old[reload.oldSection].rows[reload.oldRow]
      #expect(plan.final[reload.section].rows[reload.row] == row, "\(place)")
      guard let serial = plan.reloaded[row] else {
        Issue.record("\(place): \(row) is told as reloaded")
        continue
      }
      #expect(reload.columns == (serial == nil ? [] : [2]), "\(place)")
    }
    #expect(
      Set(change.stages.flatMap(\.reloadSections).map { $0[0] }) == plan.reloadedSections,
      "\(place)")
    // Row changes and reloads are never told in one stage, nor rows inside a reloaded section.
    for stage in change.stages where stage.kind == 3 {
      #expect(stage.deletes.isEmpty && stage.inserts.isEmpty && stage.moves.isEmpty, "\(place)")
    }
    for stage in change.stages where stage.kind != 3 { #expect(stage.reloads.isEmpty, "\(place)") }
  }

  /// How many rows must be told as moved, by pairs (contract E10).
  private static func moved(_ plan: TransitionPlan) -> Int { movedRows(plan).count }

  /// The rows that must be told as moved.
  static func movedRows(_ plan: TransitionPlan) -> Set<String> {
    var moved: Set<String> = []
    for section in plan.old {
      for row in section.rows where plan.movedRows.contains(row) {
        guard let home = plan.final.first(where: { $0.rows.contains(row) }) else { continue }
        if home.title != section.title || isDisplaced(row, section.rows, home.rows) {
          moved.insert(row)
        }
      }
    }
    return moved
  }

  static func movedSections(_ plan: TransitionPlan) -> Set<String> {
    plan.movedSections.filter {
      isDisplaced($0, plan.old.map(\.title), plan.final.map(\.title))
    }
  }

  private static func isDisplaced(_ one: String, _ old: [String], _ new: [String]) -> Bool {
    let stay = Set(old).intersection(new)
    return old.prefix { $0 != one }.filter(stay.contains).count
      != new.prefix { $0 != one }.filter(stay.contains).count
      || Set(old.prefix { $0 != one }.filter(stay.contains))
        != Set(new.prefix { $0 != one }.filter(stay.contains))
  }

  func read() -> [Section] {
    (0..<bench.table.sectionCount).map { index in
      var section = Section(title: "", rows: [])
      section.title = String(
        decoding: bench.table.section(at: index).record.title ?? [], as: UTF8.self)
      bench.table.forEachRow(inSection: index) { image in
        if case .text(let name)? = RowImage.cell(1, in: image)?.value(in: image) {
          section.rows.append(String(decoding: name, as: UTF8.self))
        }
        return true
      }
      return section
    }
  }

  private func rows(_ names: [String]) -> Range<Int> {
    let start = bench.batch.rows.count
    bench.batch.rows += names.map { bench.row($0) }
    return start..<bench.batch.rows.count
  }

  func action(_ step: TransitionPlan.Step) -> Batch.Action {
    switch step {
    case .insertRow(let path, let name):
      return .insertRow(bench.row(name), at: .path(RowPath(path)))
    case .deleteRow(let path): return .deleteRow(.path(RowPath(path)))
    case .moveRow(let from, let to): return .moveRow(.path(RowPath(from)), to: .path(RowPath(to)))
    case .reloadRow(let path, let serial):
      let cells = serial.map { bench.cells([("serial", .text(bench.text($0)))]) } ?? 0..<0
      return .reloadRow(.path(RowPath(path)), cells: cells)
    case .insertSection(let index, let title, let names):
      return .insertSection(
        Batch.NewSection(place: .index(index), title: bench.text(title), rows: rows(names)))
    case .deleteSection(let index): return .deleteSection(.index(index))
    case .moveSection(let from, let to): return .moveSection(.index(from), to: .index(to))
    case .reloadSection(let index, let names):
      return .reloadSection(.index(index), rows: names.map { rows($0) })
    }
  }
}

extension RowPath {
  init(_ path: TransitionPlan.Path) { self.init(section: path.section, row: path.row) }
}
