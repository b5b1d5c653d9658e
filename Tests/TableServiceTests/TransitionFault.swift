import HouseSupport

@testable import TableService

/// One contradiction added to a legal transition.
enum TransitionFault: CaseIterable {
  case insertBeyond, oldRowBeyond, moveBeyond, oldSectionBeyond, sectionBeyond
  case rowTwice, insertTwice, sectionTwice, sectionInsertTwice
  case deleteAndMoveRow, moveAndDeleteRow, deleteAndMoveSection
  case reloadAndMove, insertAndMoveRow, insertAndMoveSection
  case deleteAndReloadRow, deleteAndReloadSection
  case collidingRows, collidingSections, rowMovedTwice, sectionMovedTwice
  case moveIntoInserted, moveFromDeleted, rowsInReloaded

  var code: TableFault.Code {
    switch self {
    case .insertBeyond, .oldRowBeyond, .moveBeyond, .oldSectionBeyond, .sectionBeyond: .outOfRange
    case .rowTwice, .insertTwice, .sectionTwice, .sectionInsertTwice: .duplicate
    case .deleteAndMoveRow, .moveAndDeleteRow, .deleteAndMoveSection: .deleteAndMove
    case .reloadAndMove: .reloadAndMove
    case .insertAndMoveRow, .insertAndMoveSection: .insertAndMove
    case .deleteAndReloadRow, .deleteAndReloadSection: .deleteAndReload
    case .collidingRows, .collidingSections: .moveCollision
    case .rowMovedTwice, .sectionMovedTwice: .moveTwiceFrom
    case .moveIntoInserted: .moveIntoInsertedSection
    case .moveFromDeleted: .moveFromDeletedSection
    case .rowsInReloaded: .rowsInReloadedSection
    }
  }
}

/// Adds faults to a plan; no step of the plan takes part in two of them, so that two faults do
/// not make a third.
struct FaultyPlan {
  typealias Path = TransitionPlan.Path
  typealias Step = TransitionPlan.Step

  var plan: TransitionPlan
  private var candidates: [Step]
  /// Sections that no step names.
  private var spare: [Int]

  init(_ plan: TransitionPlan) {
    self.plan = plan
    candidates = plan.steps
    spare = plan.uses.indices.filter { plan.uses[$0] == .keep }
  }

  static let huge: [UInt64] = [1 << 31, 1 << 32, 1 << 53, 1 << 63, .max]

  /// Adds a fault.
  ///
  /// - Returns: Whether the plan has a place for it.
  mutating func add(_ fault: TransitionFault, _ random: inout SeededRandom) -> Bool {
    guard let step = step(fault, &random) else { return false }
    plan.steps.insert(step, at: random.below(plan.steps.count + 1))
    return true
  }

  private func beyond(_ count: Int, _ random: inout SeededRandom) -> UInt64 {
    random.below(2) == 0
      ? Self.huge[random.below(Self.huge.count)] : UInt64(count + random.below(3))
  }

  private mutating func pick(
    _ random: inout SeededRandom, _ test: (Step) -> Bool
  ) -> Step? {
    let found = candidates.indices.filter { test(candidates[$0]) }
    guard !found.isEmpty else { return nil }
    return candidates.remove(at: found[random.below(found.count)])
  }

  private func isOpen(_ path: Path) -> Bool { plan.isOpen(Int(path.section)) }

  private func slot(of section: Int) -> Int {
    plan.places.firstIndex(of: .old(section)) ?? 0
  }

  /// A row that no step names, in a section that no row enters unless said otherwise.
  private mutating func free(
    _ random: inout SeededRandom, in section: Int? = nil
  ) -> Path? {
    var found: [Path] = []
    for (index, content) in plan.old.enumerated() where plan.isOpen(index) {
      if let section, section != index { continue }
      if section == nil, plan.entered[slot(of: index)] ?? 0 > 0 { continue }
      for row in content.rows.indices where !plan.claimed.contains(Path(index, row)) {
        found.append(Path(index, row))
      }
    }
    guard !found.isEmpty else { return nil }
    let path = found[random.below(found.count)]
    plan.claimed.insert(path)
    return path
  }

  private func openSlot(_ random: inout SeededRandom) -> Int? {
    let slots = plan.entered.keys.sorted()
    return slots.isEmpty ? nil : slots[random.below(slots.count)]
  }

  /// Behind the last row of a section.
  private func end(_ random: inout SeededRandom) -> Path? {
    openSlot(&random).map { Path($0, plan.final[$0].rows.count) }
  }

  private mutating func step(
    _ fault: TransitionFault, _ random: inout SeededRandom
  ) -> Step? {
    switch fault {
    case .insertBeyond, .oldRowBeyond, .moveBeyond, .oldSectionBeyond, .sectionBeyond:
      return beyondStep(fault, &random)
    case .rowTwice, .deleteAndMoveRow, .moveAndDeleteRow, .deleteAndReloadRow, .rowMovedTwice,
      .insertTwice, .insertAndMoveRow, .collidingRows:
      return rowStep(fault, &random)
    case .moveIntoInserted, .moveFromDeleted, .rowsInReloaded:
      return mixedStep(fault, &random)
    default: return sectionStep(fault, &random)
    }
  }

  private mutating func beyondStep(
    _ fault: TransitionFault, _ random: inout SeededRandom
  ) -> Step? {
    var path = Path(0, 0)
    switch fault {
    case .insertBeyond:
      let slot = random.below(plan.places.count + 1)
      path = Path(slot, 0)
      if slot == plan.places.count {
        path.section = beyond(slot, &random)
      } else if plan.entered[slot] != nil {
        path.row = beyond(plan.final[slot].rows.count + 1, &random)
      } else {
        if case .old(let index) = plan.places[slot], plan.uses[index] == .reload { return nil }
        path.row = beyond(plan.final[slot].rows.count, &random)
      }
      return .insertRow(path, plan.name())
    case .oldRowBeyond:
      let section = random.below(plan.old.count + 1)
      path = Path(section, 0)
      if section == plan.old.count {
        path.section = beyond(section, &random)
      } else {
        path.row = beyond(plan.old[section].rows.count, &random)
      }
      let steps: [Step] = [.deleteRow(path), .reloadRow(path, nil), .moveRow(path, Path(0, 0))]
      return steps[random.below(3)]
    case .moveBeyond:
      guard let from = free(&random), let slot = openSlot(&random) else { return nil }
      let isForeign = slot != self.slot(of: Int(from.section))
      path = Path(slot, 0)
      path.row = beyond(plan.final[slot].rows.count + (isForeign ? 1 : 0), &random)
      return .moveRow(from, path)
    case .oldSectionBeyond:
      let index = beyond(plan.old.count, &random)
      let steps: [Step] = [
        .deleteSection(index), .reloadSection(index, nil), .moveSection(index, 0),
      ]
      return steps[random.below(3)]
    default:
      return .insertSection(beyond(plan.places.count + 1, &random), plan.name(), [])
    }
  }

  private mutating func rowStep(
    _ fault: TransitionFault, _ random: inout SeededRandom
  ) -> Step? {
    let plan = plan
    let isDelete: (Step) -> Bool = {
      if case .deleteRow(let path) = $0 { plan.isOpen(Int(path.section)) } else { false }
    }
    let isReloaded: (Path) -> Bool = { path in
      plan.steps.contains {
        if case .reloadRow(path, _) = $0 { true } else { false }
      }
    }
    let isMove: (Step) -> Bool = {
      if case .moveRow(let from, _) = $0 {
        fault != .moveAndDeleteRow || !isReloaded(from)
      } else {
        false
      }
    }
    switch fault {
    case .rowTwice:
      return pick(&random) {
        if case .reloadRow(let path, _) = $0 { return plan.isOpen(Int(path.section)) }
        return isDelete($0)
      }
    case .deleteAndMoveRow, .deleteAndReloadRow:
      guard case .deleteRow(let path)? = pick(&random, isDelete) else { return nil }
      if fault == .deleteAndReloadRow { return .reloadRow(path, nil) }
      return end(&random).map { .moveRow(path, $0) }
    case .insertTwice:
      let isInsert: (Step) -> Bool = {
        if case .insertRow(let path, _) = $0 {
          plan.entered[Int(path.section)] != nil
        } else {
          false
        }
      }
      guard case .insertRow(let path, _)? = pick(&random, isInsert) else { return nil }
      return .insertRow(path, self.plan.name())
    default:
      guard case .moveRow(let from, let to)? = pick(&random, isMove) else { return nil }
      switch fault {
      case .moveAndDeleteRow: return .deleteRow(from)
      case .rowMovedTwice: return end(&random).map { .moveRow(from, $0) }
      case .insertAndMoveRow: return .insertRow(to, self.plan.name())
      default:
        guard case .old(let home) = plan.places[Int(to.section)] else { return nil }
        return free(&random, in: home).map { .moveRow($0, to) }
      }
    }
  }

  private mutating func mixedStep(
    _ fault: TransitionFault, _ random: inout SeededRandom
  ) -> Step? {
    switch fault {
    case .moveIntoInserted:
      let slots = plan.places.indices.filter { plan.entered[$0] == nil }
      guard !slots.isEmpty, let from = free(&random) else { return nil }
      return .moveRow(from, Path(slots[random.below(slots.count)], 0))
    case .moveFromDeleted:
      let sections = plan.old.indices.filter { !plan.isOpen($0) && !plan.old[$0].rows.isEmpty }
      guard !sections.isEmpty, let to = end(&random) else { return nil }
      let section = sections[random.below(sections.count)]
      return .moveRow(Path(section, random.below(plan.old[section].rows.count)), to)
    default:
      guard let section = plan.uses.firstIndex(of: .reload) else { return nil }
      let count = plan.old[section].rows.count
      if count == 0 || random.below(3) == 0 {
        return .insertRow(Path(slot(of: section), random.below(count + 1)), plan.name())
      }
      let path = Path(section, random.below(count))
      return random.below(2) == 0 ? .deleteRow(path) : .reloadRow(path, nil)
    }
  }

  private mutating func sectionStep(
    _ fault: TransitionFault, _ random: inout SeededRandom
  ) -> Step? {
    let count = UInt64(plan.places.count)
    let rows = random.below(2) == 0 ? nil : [plan.name()]
    switch fault {
    case .sectionTwice:
      return pick(&random) {
        switch $0 {
        case .deleteSection, .reloadSection: true
        default: false
        }
      }
    case .sectionInsertTwice:
      let isInsert: (Step) -> Bool = { if case .insertSection = $0 { true } else { false } }
      guard case .insertSection(let index, _, _)? = pick(&random, isInsert) else { return nil }
      return .insertSection(index, plan.name(), [])
    case .deleteAndMoveSection, .deleteAndReloadSection:
      let isDelete: (Step) -> Bool = { if case .deleteSection = $0 { true } else { false } }
      guard case .deleteSection(let index)? = pick(&random, isDelete) else { return nil }
      return fault == .deleteAndMoveSection
        ? .moveSection(index, count) : .reloadSection(index, rows)
    default:
      let isMove: (Step) -> Bool = { if case .moveSection = $0 { true } else { false } }
      guard case .moveSection(let from, let to)? = pick(&random, isMove) else { return nil }
      switch fault {
      case .reloadAndMove: return .reloadSection(from, rows)
      case .insertAndMoveSection: return .insertSection(to, plan.name(), [])
      case .sectionMovedTwice: return .moveSection(from, count)
      default:
        return spare.popLast().map { .moveSection(UInt64($0), to) }
      }
    }
  }
}
