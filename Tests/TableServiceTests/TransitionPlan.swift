import HouseSupport

/// A random transition over plain arrays, written from the rules alone (semantics 2.1–2.4):
/// every place of the new table is drawn, and what stays fills the rest in its old order.
///
/// Rows and sections are told apart by names, which are never used twice.
struct TransitionPlan {
  struct Section: Equatable {
    var title: String
    var rows: [String]
  }

  struct Path: Hashable {
    var section: UInt64
    var row: UInt64

    init(_ section: Int, _ row: Int) {
      self.section = UInt64(section)
      self.row = UInt64(row)
    }
  }

  enum Step: Equatable {
    case insertRow(Path, String)
    case deleteRow(Path)
    case moveRow(Path, Path)
    /// With a new serial, where there is one.
    case reloadRow(Path, String?)
    case insertSection(UInt64, String, [String])
    case deleteSection(UInt64)
    case moveSection(UInt64, UInt64)
    case reloadSection(UInt64, [String]?)
  }

  enum Use { case keep, move, delete, replace, reload }

  enum Place: Equatable {
    case old(Int)
    case new(String, [String])
  }

  let old: [Section]
  var steps: [Step] = []
  var uses: [Use] = []
  var places: [Place] = []
  var final: [Section] = []
  var brought: [Int: [String]] = [:]
  var movedRows: Set<String> = []
  var movedSections: Set<String> = []
  var reloaded: [String: String?] = [:]
  var reloadedSections: Set<Int> = []
  /// Old paths that steps name.
  var claimed: Set<Path> = []
  /// How many rows get a place of their own, by the index of a section that rows may enter.
  var entered: [Int: Int] = [:]
  /// New rows in the order of the steps.
  var madeRows: [String] = []

  private let tag: String
  private let isCalm: Bool
  private var serial = 0

  /// Draws a transition.
  ///
  /// - Parameters:
  ///   - old: The table.
  ///   - tag: Begins the names of what is new.
  ///   - isCalm: Whether it names little.
  ///   - random: Where it draws from.
  init(
    _ old: [Section], tag: String, isCalm: Bool = false, _ random: inout SeededRandom
  ) {
    self.old = old
    self.isCalm = isCalm
    self.tag = tag
    planSections(&random)
    planRows(&random)
    steps.shuffle(using: &random)
    for step in steps {
      switch step {
      case .insertRow(_, let name) where name != "absorbed": madeRows.append(name)
      case .insertSection(_, _, let rows), .reloadSection(_, let rows?): madeRows += rows
      default: break
      }
    }
  }

  func isOpen(_ section: Int) -> Bool { uses[section] == .keep || uses[section] == .move }

  mutating func name() -> String {
    serial += 1
    return "\(tag).\(serial)"
  }

  private mutating func names(_ count: Int) -> [String] { (0..<count).map { _ in name() } }

  /// Places for those that arrive; the others fill the rest.
  private static func fill<Element>(
    _ stay: [Element], _ arrivals: [Element], _ random: inout SeededRandom
  ) -> (all: [Element], slots: [Int]) {
    let total = stay.count + arrivals.count
    let slots = Array((0..<total).shuffled(using: &random).prefix(arrivals.count))
    var all = [Element?](repeating: nil, count: total)
    for (slot, element) in zip(slots, arrivals) { all[slot] = element }
    var rest = stay[...]
    return (all.compactMap { $0 ?? rest.popFirst() }, slots)
  }

  private mutating func planSections(_ random: inout SeededRandom) {
    var arrivals: [Place] = []
    var stay: [Place] = []
    for index in old.indices {
      let use: Use =
        switch random.below(isCalm ? 80 : 20) {
        case 0...2: .move
        case 3: .delete
        case 4: .replace
        case 5: random.below(2) == 0 ? .reload : .keep
        default: .keep
        }
      uses.append(use)
      if use == .move { arrivals.append(.old(index)) }
      if use != .move, use != .delete { stay.append(.old(index)) }
    }
    if old.count < 7, random.below(3) == 0 {
      for _ in 0...random.below(2) { arrivals.append(.new(name(), names(random.below(3)))) }
    }
    let (all, slots) = Self.fill(stay, arrivals, &random)
    places = all
    for (slot, arrival) in zip(slots, arrivals) {
      switch arrival {
      case .old(let index):
        steps.append(.moveSection(UInt64(index), UInt64(slot)))
        movedSections.insert(old[index].title)
      case .new(let title, let rows):
        steps.append(.insertSection(UInt64(slot), title, rows))
      }
    }
    for (index, use) in uses.enumerated() {
      switch use {
      case .delete: steps.append(.deleteSection(UInt64(index)))
      case .replace:
        let rows = names(random.below(3))
        brought[index] = rows
        steps.append(.reloadSection(UInt64(index), rows))
        reloadedSections.insert(index)
      case .reload:
        steps.append(.reloadSection(UInt64(index), nil))
        reloadedSections.insert(index)
      default: break
      }
    }
  }

  private mutating func planRows(_ random: inout SeededRandom) {
    var stay: [[String]] = []
    var movers: [(from: Path, row: String)] = []
    let isCrowded = old.reduce(0) { $0 + $1.rows.count } > 40
    let busy = isCalm ? (isCrowded ? 14 : 20) : (isCrowded ? 2 : 4)
    for (index, section) in old.enumerated() {
      stay.append(isOpen(index) || uses[index] == .reload ? [] : section.rows)
      for (place, row) in section.rows.enumerated() {
        let path = Path(index, place)
        guard isOpen(index) else {
          if uses[index] == .reload {
            stay[index].append(row)
          } else if random.below(8) == 0 {
            steps.append(random.below(2) == 0 ? .deleteRow(path) : .reloadRow(path, nil))
          }
          continue
        }
        if random.below(busy) == 0, random.below(2) == 0 {
          steps.append(.deleteRow(path))
          claimed.insert(path)
          continue
        }
        if random.below(isCalm ? 30 : 10) == 0 {
          let serial = random.below(2) == 0 ? name() : nil
          steps.append(.reloadRow(path, serial))
          reloaded[row] = .some(serial)
          claimed.insert(path)
        }
        if random.below(busy) == 0 {
          movers.append((path, row))
          movedRows.insert(row)
          claimed.insert(path)
        } else {
          stay[index].append(row)
        }
      }
    }
    let homes = places.indices.filter {
      if case .old(let index) = places[$0] { return isOpen(index) }
      return false
    }
    var arriving: [Int: [(from: Path?, row: String)]] = [:]
    for mover in movers {
      let own = places.firstIndex(of: .old(Int(mover.from.section))) ?? 0
      let slot = random.below(2) == 0 ? own : homes[random.below(homes.count)]
      arriving[slot, default: []].append(mover)
    }
    for slot in homes where random.below(isCalm ? 5 : 2) == 0 {
      for _ in 0..<random.below(4) { arriving[slot, default: []].append((nil, name())) }
    }
    for (slot, place) in places.enumerated() {
      guard case .old(let index) = place else {
        if case .new(let title, let rows) = place {
          final.append(Section(title: title, rows: rows))
          absorb(slot, rows.count, &random)
        }
        continue
      }
      let title = old[index].title
      guard isOpen(index) else {
        final.append(Section(title: title, rows: brought[index] ?? stay[index]))
        if let rows = brought[index] { absorb(slot, rows.count, &random) }
        continue
      }
      let arrivals = arriving[slot] ?? []
      let (rows, slots) = Self.fill(stay[index], arrivals.map(\.row), &random)
      for (to, arrival) in zip(slots, arrivals) {
        if let from = arrival.from {
          steps.append(.moveRow(from, Path(slot, to)))
        } else {
          steps.append(.insertRow(Path(slot, to), arrival.row))
        }
      }
      entered[slot] = arrivals.count
      final.append(Section(title: title, rows: rows))
    }
  }

  /// Rows for a section that brings its own.
  private mutating func absorb(_ slot: Int, _ count: Int, _ random: inout SeededRandom) {
    for row in 0..<count where random.below(8) == 0 {
      steps.append(.insertRow(Path(slot, row), "absorbed"))
    }
  }
}
