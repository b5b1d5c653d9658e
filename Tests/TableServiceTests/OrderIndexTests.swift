import HouseSupport
import Testing

@testable import TableService

/// Naive lists that an `OrderIndex` is held against.
struct OrderModel {
  var lists: [[UInt32]]
  var old: [[UInt32]]
  var fresh: Set<UInt32> = []
  var removed: Set<UInt32> = []

  init(roots: Int) {
    lists = Array(repeating: [], count: roots)
    old = lists
  }

  func place(_ element: UInt32, in lists: [[UInt32]]) -> (Int, Int)? {
    for (root, list) in lists.enumerated() {
      if let index = list.firstIndex(of: element) { return (root, index) }
    }
    return nil
  }

  /// Elements that stood there before the batch and were not touched by it.
  func isPlain(_ element: UInt32) -> Bool {
    !fresh.contains(element) && !removed.contains(element)
  }
}

@Suite struct OrderIndexTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomBatchesAgainstLists(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let roots = 1 + random.below(5)
    let index = OrderIndex(labelled: true)
    var model = OrderModel(roots: roots)
    let numbers = (0..<roots).map { index.makeRoot(owner: UInt32($0) + 100) }
    var spare = Array((0..<UInt32(700)).reversed())
    for batch in 0..<5000 {
      var trail = "seed \(seed) batch \(batch)"
      let oldSpare = spare
      index.begin()
      model.old = model.lists
      model.fresh = []
      model.removed = []
      // Long runs of growth and of decline, so that trees rise and fall.
      let growing = batch / 300 % 2 == 0
      let operations = 1 + random.below(batch % 50 == 0 ? 200 : 6)
      for step in 0..<operations {
        trail += " \(step)"
        let root = random.below(roots)
        let choice = random.below(10)
        if choice < (growing ? 5 : 2), !spare.isEmpty {
          let element = spare.removeLast()
          let at = random.below(model.lists[root].count + 1)
          index.insert(element, into: numbers[root], at: at)
          model.lists[root].insert(element, at: at)
          model.fresh.insert(element)
        } else if !model.lists[root].isEmpty {
          let at = random.below(model.lists[root].count)
          let element = model.lists[root].remove(at: at)
          index.remove(element)
          if model.fresh.remove(element) == nil { model.removed.insert(element) }
          if choice < 7 {
            spare.append(element)
          } else {
            let target = random.below(roots)
            let to = random.below(model.lists[target].count + 1)
            index.insert(element, into: numbers[target], at: to)
            model.lists[target].insert(element, at: to)
            model.fresh.insert(element)
          }
        }
      }
      if batch % 10 == 0 {
        index.checkInvariants()
        compare(index, numbers, model, trail)
      } else {
        spotCheck(index, numbers, model, &random, trail)
      }
      let before = labels(index, model)
      if random.below(4) == 0 {
        index.rollback()
        model.lists = model.old
        spare = oldSpare
      } else {
        let changed = index.commit()
        #expect(Set(changed).count == changed.count, "\(trail)")
        let reported = Set(changed)
        #expect(model.fresh.isSubset(of: reported), "\(trail)")
        for (element, label) in before where !reported.contains(element) {
          if index.isLive(element) { #expect(index.label(of: element) == label, "\(trail)") }
        }
      }
      model.fresh = []
      model.removed = []
      model.old = model.lists
      if batch % 10 == 0 {
        index.checkInvariants()
        compare(index, numbers, model, trail)
      }
    }
    index.checkInvariants()
    compare(index, numbers, model, "seed \(seed) end")
  }

  private func labels(_ index: OrderIndex, _ model: OrderModel) -> [UInt32: Int64] {
    var labels: [UInt32: Int64] = [:]
    for element in model.old.joined() { labels[element] = index.label(of: element) }
    return labels
  }

  /// Every answer of the index.
  private func compare(
    _ index: OrderIndex, _ numbers: [UInt32], _ model: OrderModel, _ trail: String
  ) {
    for (root, list) in model.lists.enumerated() {
      #expect(index.count(numbers[root]) == list.count, "\(trail)")
      #expect(index.oldCount(numbers[root]) == model.old[root].count, "\(trail)")
      var walked: [UInt32] = []
      index.forEach(numbers[root], from: 0) { element in
        walked.append(element)
        return true
      }
      #expect(walked == list, "\(trail)")
      var part: [UInt32] = []
      let range = list.count / 3..<list.count - list.count / 4
      index.appendElements(numbers[root], range, to: &part)
      #expect(part == Array(list[range]), "\(trail)")
      var rank = 0
      for (at, element) in list.enumerated() {
        let position = index.position(of: element)
        let same =
          position.owner == UInt32(root) + 100 && position.index == at
          && index.element(numbers[root], at: at) == element && index.isLive(element)
          && index.plainRank(of: element) == rank
          && index.isFresh(element) == model.fresh.contains(element)
          && index.root(of: element) == numbers[root]
        #expect(same, "\(trail) element \(element)")
        if model.isPlain(element) { rank += 1 }
      }
      rank = 0
      for (at, element) in model.old[root].enumerated() {
        let position = index.oldPosition(of: element)
        let same =
          position?.owner == UInt32(root) + 100 && position?.index == at
          && index.oldElement(numbers[root], at: at) == element
          && index.oldPlainRank(of: element) == rank
        #expect(same, "\(trail) old element \(element)")
        if model.isPlain(element) { rank += 1 }
      }
    }
  }

  /// A few answers of the index.
  private func spotCheck(
    _ index: OrderIndex, _ numbers: [UInt32], _ model: OrderModel, _ random: inout SeededRandom,
    _ trail: String
  ) {
    for _ in 0..<4 {
      let element = UInt32(random.below(700))
      let place = model.place(element, in: model.lists)
      #expect(index.isLive(element) == (place != nil), "\(trail)")
      if let place {
        let position = index.position(of: element)
        #expect(position.owner == UInt32(place.0) + 100, "\(trail)")
        #expect(position.index == place.1, "\(trail)")
      }
      let old = model.place(element, in: model.old)
      let position = index.oldPosition(of: element)
      #expect(position?.owner == old.map { UInt32($0.0) + 100 }, "\(trail)")
      #expect(position?.index == old?.1, "\(trail)")
    }
  }

  @Test func anElementCanBeMovedAwayAndRemovedInOneBatch() {
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 7)
    index.load([0, 1, 2], labels: [10, 20, 30], into: root)
    index.begin()
    index.remove(1)
    index.insert(1, into: root, at: 2)
    #expect(index.isFresh(1))
    #expect(index.position(of: 1).index == 2)
    #expect(index.oldPosition(of: 1)?.index == 1)
    index.remove(1)
    #expect(!index.isLive(1))
    #expect(index.oldPosition(of: 1)?.index == 1)
    #expect(index.commit().isEmpty)
    index.checkInvariants()
    #expect(!index.isLive(1))
    #expect(index.oldPosition(of: 1) == nil)
  }

  @Test func rootsFollowTheirBatch() {
    let index = OrderIndex(labelled: true)
    let kept = index.makeRoot(owner: 1)
    index.load([5, 6], labels: [1, 2], into: kept)
    index.begin()
    let made = index.makeRoot(owner: 2)
    index.remove(5)
    index.remove(6)
    index.insert(6, into: made, at: 0)
    index.dropRoot(kept)
    #expect(index.oldPosition(of: 5)?.owner == 1)
    #expect(index.oldCount(kept) == 2)
    index.rollback()
    #expect(index.count(kept) == 2)
    index.checkInvariants()
    index.begin()
    let again = index.makeRoot(owner: 3)
    #expect(again == made, "a rolled back root's number is free")
    index.remove(5)
    index.remove(6)
    index.insert(6, into: again, at: 0)
    index.dropRoot(kept)
    _ = index.commit()
    #expect(index.makeRoot(owner: 4) == kept, "a dropped root's number is free")
    #expect(index.position(of: 6).owner == 3)
    index.dropRoot(again)
    #expect(!index.isLive(6))
    index.checkInvariants()
  }

  @Test func sectionsNeedNoLabels() {
    let index = OrderIndex(labelled: false)
    let root = index.makeRoot(owner: 0)
    index.load(Array(0..<1000), labels: [], into: root)
    index.begin()
    index.remove(3)
    index.insert(3, into: root, at: 500)
    index.insert(2000, into: root, at: 0)
    #expect(Set(index.commit()) == [3, 2000])
    index.checkInvariants()
    #expect(index.position(of: 3).index == 501)
  }

  @Test func callerBugsTrap() async {
    await #expect(processExitsWith: .failure) {
      let index = OrderIndex(labelled: true)
      index.insert(1, into: index.makeRoot(owner: 0), at: 1)
    }
    await #expect(processExitsWith: .failure) {
      let index = OrderIndex(labelled: true)
      let root = index.makeRoot(owner: 0)
      index.insert(1, into: root, at: 0)
      index.insert(1, into: root, at: 0)
    }
    await #expect(processExitsWith: .failure) {
      let index = OrderIndex(labelled: true)
      _ = index.makeRoot(owner: 0)
      index.remove(70_000)
    }
    await #expect(processExitsWith: .failure) {
      let store = RowStore()
      let slot = store.insert(id: 1, image: rowImage(1, revision: 1, filling: 5))
      store.remove(slot)
      _ = store.image(slot)
    }
  }
}
