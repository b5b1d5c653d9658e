import HouseSupport
import Testing

@testable import TableService

/// Contract S5: labels rise along a root, and few change.
@Suite struct OrderLabelTests {
  /// Where the next element goes among `count`.
  enum Pattern: String, CaseIterable {
    case append, prepend, beforeMiddle, afterLast, alternate, random, queue
  }

  @Test(arguments: Pattern.allCases)
  func relabellingIsAmortised(pattern: Pattern) {
    let start: UInt32 = 20_000
    let isHard = pattern == .beforeMiddle || pattern == .alternate || pattern == .afterLast
    let insertions: UInt32 = isHard ? 100_000 : 30_000
    var random = SeededRandom(seed: 5)
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 0)
    index.load(
      Array(0..<start), labels: (0..<Int64(start)).map { $0 << 32 }, into: root)
    var relabelled = 0
    var worst = 0
    for step in 0..<insertions {
      let count = index.count(root)
      let at: Int
      switch pattern {
      case .append, .queue: at = count
      case .prepend: at = 0
      case .beforeMiddle: at = index.position(of: start / 2).index
      case .afterLast: at = step == 0 ? 777 : index.position(of: start + step - 1).index + 1
      case .alternate: at = index.position(of: start / 2).index + Int(step % 2)
      case .random: at = random.below(count + 1)
      }
      index.begin()
      index.insert(start + step, into: root, at: at)
      if pattern == .queue { index.remove(index.element(root, at: 0)) }
      let changed = index.commit().count
      relabelled += changed - 1
      worst = max(worst, changed)
      if step % 20_000 == 0 { index.checkInvariants() }
    }
    index.checkInvariants()
    let each = Double(relabelled) / Double(insertions)
    print("\(pattern.rawValue): \(each) relabels an insertion, at most \(worst) at once")
    #expect(each < 16)
    if !isHard { #expect(each < 0.1) }
  }

  /// Labels given before the commit are those that it would give; where it can't be, or things
  /// change after it, the commit gives them all the same.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func labelsAheadAreTheSame(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let both = (0..<2).map { _ in OrderIndex(labelled: true) }
    let roots = (0..<3 as Range<UInt32>).map { owner in both.map { $0.makeRoot(owner: owner) }[0] }
    var next: UInt32 = 0
    var old: [UInt32] = []
    for round in 0..<6 {
      for index in both { index.begin() }
      for _ in 0..<1 + random.below(3) {
        let root = roots[random.below(3)]
        let count = both[0].count(root)
        let at = [0, count, random.below(count + 1)][random.below(3)]
        for offset in 0..<random.below(round == 0 ? 400 : 3_000) {
          for index in both { index.insert(next, into: root, at: at + offset) }
          next += 1
        }
      }
      let removes = random.below(4) == 0
      if removes, let element = old.randomElement(using: &random) {
        for index in both { index.remove(element) }
        old.removeAll { $0 == element }
      }
      var rests = 0
      both[0].labelAhead {
        rests += 1
        both[0].checkInvariants()
      }
      if random.below(4) == 0 {
        for index in both { index.insert(next, into: roots[0], at: 0) }
        next += 1
      }
      if random.below(5) == 0 {
        for index in both {
          index.rollback()
          index.checkInvariants()
        }
        continue
      }
      let changed = both.map { Set($0.commit()) }
      #expect(changed[0] == changed[1], "seed \(seed) round \(round)")
      old = roots.flatMap { root in
        (0..<both[0].count(root)).map { both[0].element(root, at: $0) }
      }
      let same = old.allSatisfy { both[0].label(of: $0) == both[1].label(of: $0) }
      #expect(same, "seed \(seed) round \(round)")
      for index in both { index.checkInvariants() }
    }
  }

  @Test func aRunSharesTheGap() {
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 0)
    index.load([0, 1], labels: [0, 1000], into: root)
    index.begin()
    for element in 2..<11 as Range<UInt32> {
      index.insert(element, into: root, at: Int(element) - 1)
    }
    #expect(Set(index.commit()) == Set(2..<11))
    #expect((2..<11).map { index.label(of: $0) } == (1...9).map { $0 * 100 })
  }

  @Test func endsStepBy2To32() {
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 0)
    index.insert(5, into: root, at: 0)
    index.insert(6, into: root, at: 1)
    index.insert(4, into: root, at: 0)
    let middle = index.label(of: 5)
    #expect(index.label(of: 6) == middle + 1 << 32)
    #expect(index.label(of: 4) == middle - 1 << 32)
  }

  static let extremes: [[Int64]] = {
    let limit: Int64 = 1 << 62
    return [
      [.min, .min + 1, .max - 1, .max], [.max - 1, .max], [.min], [.max], [limit - 1, limit],
      [-limit, 0, 1, 2],
    ]
  }()

  /// Labels of any kind may stand in a store.
  @Test(arguments: OrderLabelTests.extremes)
  func extremeLabelsAreNoObstacle(labels: [Int64]) {
    for place in 0...labels.count {
      let index = OrderIndex(labelled: true)
      let root = index.makeRoot(owner: 0)
      index.load(Array(0..<UInt32(labels.count)), labels: labels, into: root)
      for step in 0..<200 as Range<UInt32> {
        index.insert(10 + step, into: root, at: min(place, index.count(root)))
        index.insert(1000 + step, into: root, at: index.count(root))
        index.insert(2000 + step, into: root, at: 0)
        index.checkInvariants()
      }
    }
  }

  @Test func aRunLargerThanTheGapMakesRoom() {
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 0)
    index.load(Array(0..<500), labels: Array(0..<500), into: root)
    index.begin()
    for element in 1000..<6000 as Range<UInt32> { index.insert(element, into: root, at: 250) }
    for element in 6000..<6100 as Range<UInt32> {
      index.insert(element, into: root, at: Int(element - 6000) * 40)
    }
    let changed = index.commit()
    #expect(Set(changed).count == changed.count)
    #expect(Set(changed).isSuperset(of: 1000..<6100))
    index.checkInvariants()
  }
}
