import HouseSupport
import Testing

@testable import TableService

/// Transitions written for an earlier revision (contract E3), against plain arrays.
@Suite struct TransitionRebaseTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func keepsTheIntendedOrder(seed: UInt64) throws {
    let trial = try RebaseTrial(seed: seed)
    for step in 0..<1500 { try trial.run(step) }
    #expect(trial.applied > 300, "seed \(seed): \(trial.applied), \(trial.stale) stale")
    #expect(trial.stale > 60, "seed \(seed)")
  }

  @Test func anInsertFollowsItsPredecessor() throws {
    let bench = try Bench([("S", ["A", "B", "C"]), ("T", [])])
    let cursor = StoreCursor(epoch: 9, revision: bench.revision)
    bench.add(.moveRow(bench.ref("C"), to: .path(RowPath(section: 0, row: 0))))
    bench.add(.insertRow(bench.row("N"), at: .after(bench.ref("A"))))
    let change = try bench.perform().change
    #expect(bench.content == "S:C,A,N,B / T:")
    bench.batch.mode = .transition
    bench.batch.since = [change]
    // Meant as A,X,B,Y,C: C has moved, so Y stands behind B.
    bench.add(.insertRow(bench.row("X"), at: .path(RowPath(section: 0, row: 1))))
    bench.add(.insertRow(bench.row("Y"), at: .path(RowPath(section: 0, row: 3))))
    bench.add(.moveRow(.path(RowPath(section: 0, row: 2)), to: .path(RowPath(section: 1, row: 0))))
    try bench.perform(.rebased(cursor))
    #expect(bench.content == "S:A,X,N,B,Y / T:C")
  }

  @Test func whatIsGoneIsStale() throws {
    let bench = try Bench([("S", ["A", "B"]), ("T", ["C"]), ("U", [])])
    let cursor = StoreCursor(epoch: 9, revision: bench.revision)
    bench.add(.deleteRow(bench.ref("A")))
    bench.add(.deleteSection(bench.title("U")))
    bench.add(.insertRow(bench.row("D"), at: .last(of: bench.title("T"))))
    let change = try bench.perform().change
    let actions: [Batch.Action] = [
      .deleteRow(.path(RowPath(section: 0, row: 0))), .deleteSection(.index(2)),
      .insertRow(bench.row("X"), at: .path(RowPath(section: 2, row: 0))),
      .deleteSection(.index(1)),
    ]
    for action in actions {
      bench.batch.mode = .transition
      bench.batch.since = [change]
      bench.add(action)
      #expect(bench.refusal(.rebased(cursor))?.code == .stale, "\(action)")
    }
    // Without the history since then.
    bench.batch.mode = .transition
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 1))))
    #expect(bench.refusal(.rebased(cursor))?.code == .stale)
    bench.batch.mode = .transition
    bench.batch.since = [change]
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 2))))
    #expect(bench.refusal(.rebased(cursor))?.code == .outOfRange)
    bench.batch.mode = .transition
    bench.batch.since = [change]
    bench.add(.deleteRow(.path(RowPath(section: 0, row: 1))))
    try bench.perform(.rebased(cursor))
    #expect(bench.content == "S: / T:C,D")
  }
}

/// Random transitions, some of them meant as the table was some revisions ago.
final class RebaseTrial {
  typealias Section = TransitionPlan.Section

  struct Revision {
    var number: UInt64
    var layout: [Section]
    /// What the change to it was.
    var change: [[UInt8]] = []
    var movedRows: Set<String> = []
    var movedSections: Set<String> = []
  }

  let trial: TransitionTrial
  var revisions: [Revision] = []
  var applied = 0
  var stale = 0
  private let seed: UInt64

  init(seed: UInt64) throws {
    self.seed = seed
    trial = try TransitionTrial(seed: seed)
    revisions = [Revision(number: trial.bench.revision, layout: trial.layout)]
  }

  func run(_ step: Int) throws {
    let place = "seed \(seed) step \(step)"
    let now = revisions[revisions.count - 1]
    let past = max(0, revisions.count - 1 - trial.random.below(4))
    let base = revisions[past]
    let plan = TransitionPlan(base.layout, tag: "\(step)", isCalm: true, &trial.random)
    let since = revisions[(past + 1)...]
    let expected = since.isEmpty ? plan.final : carried(plan, to: now.layout, Array(since))
    let bench = trial.bench
    bench.batch.mode = .transition
    for step in plan.steps { bench.add(trial.action(step)) }
    bench.batch.since = since.map(\.change)
    let basis = Batch.Basis.rebased(StoreCursor(epoch: 9, revision: base.number))
    guard let expected else {
      stale += 1
      let fault = bench.refusal(basis)
      #expect(fault?.code == .stale, "\(place): \(String(describing: fault))")
      #expect(trial.read() == now.layout, "\(place)")
      return
    }
    let outcome = try bench.perform(basis)
    #expect(trial.read() == expected, "\(place)")
    if outcome.isUnchanged { return }
    #expect(bench.copy == NaiveCopy(bench.table), "\(place)")
    if !since.isEmpty { applied += 1 }
    var revision = Revision(
      number: bench.revision, layout: expected, change: outcome.change)
    // What is told as moved counts as moved.
    var names: [UInt64: String] = [:]
    for index in 0..<bench.table.sectionCount {
      bench.table.forEachRow(inSection: index) { image in
        if case .text(let name)? = RowImage.cell(1, in: image)?.value(in: image) {
          names[RowImage.id(of: image)] = String(decoding: name, as: UTF8.self)
        }
        return true
      }
    }
    for stage in outcome.stages {
      for move in stage.moves {
        for offset in 0..<UInt64(move.count) {
          if let name = names[move.id + offset] { revision.movedRows.insert(name) }
        }
      }
      for move in stage.moveSections { revision.movedSections.insert(now.layout[move[0]].title) }
    }
    revisions.append(revision)
  }

  /// The table that a plan for an earlier one makes of the newest; `nil` where it is stale.
  private func carried(
    _ plan: TransitionPlan, to now: [Section], _ since: [Revision]
  ) -> [Section]? {
    let movedRows = since.reduce(into: Set<String>()) { $0.formUnion($1.movedRows) }
    let movedSections = since.reduce(into: Set<String>()) { $0.formUnion($1.movedSections) }
    let homes = Dictionary(uniqueKeysWithValues: now.map { ($0.title, $0.rows) })
    let rows = Set(now.flatMap(\.rows))
    var gone: Set<String> = []
    var lifted: Set<String> = []
    var named: Set<String> = []
    var namedSections: Set<String> = []
    func old(_ path: TransitionPlan.Path) -> String {
      plan.old[Int(path.section)].rows[Int(path.row)]
    }
    for step in plan.steps {
      switch step {
      case .deleteRow(let path), .reloadRow(let path, _), .moveRow(let path, _):
        guard rows.contains(old(path)) else { return nil }
        guard plan.isOpen(Int(path.section)) else { continue }
        named.insert(old(path))
        if case .reloadRow = step { continue }
        lifted.insert(old(path))
      case .deleteSection(let index), .reloadSection(let index, _), .moveSection(let index, _):
        let section = plan.old[Int(index)]
        guard let content = homes[section.title] else { return nil }
        namedSections.insert(section.title)
        if case .moveSection = step { continue }
        if case .reloadSection(_, nil) = step { continue }
        if !Set(content).isSubset(of: section.rows) { return nil }
        if case .deleteSection = step { gone.insert(section.title) }
      default: break
      }
    }
    for (slot, place) in plan.places.enumerated() {
      guard case .old(let index) = place, plan.entered[slot] ?? 0 > 0 else { continue }
      if homes[plan.old[index].title] == nil { return nil }
    }
    // Sections: who arrives stands behind the nearest one that nobody named or moved.
    var groups: [String: [String]] = [:]
    var anchor = ""
    var arriving: Set<String> = []
    for place in plan.places {
      switch place {
      case .new(let title, _):
        groups[anchor, default: []].append(title)
        arriving.insert(title)
      case .old(let index):
        let title = plan.old[index].title
        if plan.uses[index] == .move {
          groups[anchor, default: []].append(title)
          arriving.insert(title)
        } else if homes[title] != nil, !namedSections.contains(title),
          !movedSections.contains(title)
        {
          anchor = title
        }
      }
    }
    var titles = groups[""] ?? []
    for section in now where !gone.contains(section.title) && !arriving.contains(section.title) {
      titles.append(section.title)
      titles += groups[section.title] ?? []
    }
    return titles.map { title in
      Section(
        title: title,
        rows: self.rows(
          of: title, plan, homes, lifted: lifted, named: named, moved: movedRows))
    }
  }

  private func rows(
    of title: String, _ plan: TransitionPlan, _ homes: [String: [String]],
    lifted: Set<String>, named: Set<String>, moved: Set<String>
  ) -> [String] {
    let content = (homes[title] ?? []).filter { !lifted.contains($0) }
    guard let index = plan.old.firstIndex(where: { $0.title == title }) else {
      for case .new(title, let rows) in plan.places { return rows }
      return content
    }
    if let brought = plan.brought[index] { return brought }
    guard plan.isOpen(index),
      let final = plan.final.first(where: { $0.title == title })?.rows
    else { return content }
    let before = Set(plan.old[index].rows)
    let stay = Set(content)
    var groups: [String: [String]] = [:]
    var anchor = ""
    for row in final {
      if !before.contains(row) || lifted.contains(row) {
        groups[anchor, default: []].append(row)
      } else if stay.contains(row), !named.contains(row), !moved.contains(row) {
        anchor = row
      }
    }
    var rows = groups[""] ?? []
    for row in content {
      rows.append(row)
      rows += groups[row] ?? []
    }
    return rows
  }
}
