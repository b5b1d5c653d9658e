import HouseSupport
import Testing

@testable import TableService

/// Trees of several levels.
@Suite struct OrderLargeTests {
  @Test(arguments: [31, 32, 33] as [UInt64])
  func levelsRiseAndFall(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let index = OrderIndex(labelled: true)
    let numbers = [index.makeRoot(owner: 0), index.makeRoot(owner: 1)]
    var lists: [[UInt32]] = [[], []]
    let limit = 60_000
    var spare = Array((0..<UInt32(limit)).reversed())
    var growing = true
    for batch in 0..<60 {
      let old = (lists, spare)
      index.begin()
      let operations = 200 + random.below(6000)
      for _ in 0..<operations {
        let root = random.below(10) == 0 ? 1 : 0
        let count = lists[root].count
        // Half of the changes fall near one place, so that nodes fill and empty unevenly.
        let near = random.below(2) == 0 ? count / 3 : random.below(count + 1)
        if random.below(10) < (growing ? 8 : 1), let element = spare.popLast() {
          let at = min(count, near + random.below(30))
          index.insert(element, into: numbers[root], at: at)
          lists[root].insert(element, at: at)
        } else if count > 0 {
          let at = min(count - 1, near)
          let element = lists[root].remove(at: at)
          #expect(index.element(numbers[root], at: at) == element)
          index.remove(element)
          if random.below(5) == 0 {
            let target = random.below(2)
            let to = random.below(lists[target].count + 1)
            index.insert(element, into: numbers[target], at: to)
            lists[target].insert(element, at: to)
          } else {
            spare.append(element)
          }
        }
      }
      if lists[0].count > 25_000 { growing = false }
      if lists[0].count < 500 { growing = true }
      index.checkInvariants()
      if random.below(5) == 0 {
        index.rollback()
        (lists, spare) = old
      } else {
        _ = index.commit()
      }
      index.checkInvariants()
      for root in 0..<2 {
        var walked: [UInt32] = []
        index.appendElements(numbers[root], 0..<index.count(numbers[root]), to: &walked)
        #expect(walked == lists[root], "seed \(seed) batch \(batch)")
      }
    }
    let elements = lists[0].count + lists[1].count
    #expect(index.standingLeaves <= 2 + elements / 20, "leaves stay filled")
    #expect(index.leavesInUse == index.standingLeaves)
    for root in 0..<2 {
      index.begin()
      for element in lists[root].shuffled(using: &random) { index.remove(element) }
      index.rollback()
      index.checkInvariants()
      for element in lists[root].shuffled(using: &random) { index.remove(element) }
      #expect(index.count(numbers[root]) == 0)
    }
    index.checkInvariants()
    #expect(index.leavesInUse == 0)
  }

  @Test(arguments: [0, 1, 59, 60, 61, 64, 1800, 1801, 100_000])
  func bulkLoadEqualsItsInput(count: Int) {
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 3)
    let elements = (0..<UInt32(count)).map { $0 ^ 1 }
    index.load(elements, labels: (0..<count).map { Int64($0) * 3 - 17 }, into: root)
    index.checkInvariants()
    var walked: [UInt32] = []
    index.forEach(root, from: 0) { element in
      walked.append(element)
      return true
    }
    #expect(walked == elements)
    if count > 10 {
      #expect(index.position(of: 4).index == 5)
      #expect(index.label(of: 4) == -2)
      var some: [UInt32] = []
      index.forEach(root, from: 7) { element in
        some.append(element)
        return some.count < 2
      }
      #expect(some == [6, 9])
    }
    index.dropRoot(root)
    index.checkInvariants()
    #expect(index.leavesInUse == 0)
  }

  /// SPEC 13: memory of 10^6 rows with images of 60 bytes.
  @Test func aMillionRowsTakeAtMostAHundredBytesEach() {
    let rows = 1_000_000
    let store = RowStore()
    let index = OrderIndex(labelled: true)
    let root = index.makeRoot(owner: 0)
    var slots: [UInt32] = []
    slots.reserveCapacity(rows)
    for id in 1...UInt64(rows) {
      var image: [UInt8] = []
      image.appendImage(id: id, size: 60)
      slots.append(store.insert(id: id, image: image))
    }
    index.load(slots, labels: (0..<rows).map { Int64($0) << 32 }, into: root)
    let loaded = Double(store.bytes + index.bytes) / Double(rows)
    print("bytes a row after a load: \(loaded)")
    #expect(loaded <= 100)

    // An order grown element by element at random places has leaves less full.
    var random = SeededRandom(seed: 9)
    let grown = OrderIndex(labelled: true)
    let other = grown.makeRoot(owner: 0)
    let elements = 200_000
    var slot = 0
    while slot < elements {
      grown.begin()
      for _ in 0..<1000 {
        grown.insert(UInt32(slot), into: other, at: random.below(slot + 1))
        slot += 1
      }
      _ = grown.commit()
    }
    grown.checkInvariants()
    // Chunks weigh more on fewer elements, so leaves are counted; place and label are 12 bytes.
    let leaves = Double(grown.standingLeaves * OrderLeaf.stride) / Double(elements)
    let built = Double(store.bytes) / Double(rows) + 12 + leaves * 1.1
    print("bytes a row after random insertions: \(built)")
    #expect(built <= 100)
  }
}

extension [UInt8] {
  /// Appends a row image of a given size.
  fileprivate mutating func appendImage(id: UInt64, size: Int) {
    let filling = rowImage(id, revision: 1, filling: 0).count + 2
    append(contentsOf: rowImage(id, revision: 1, filling: size - filling))
  }
}
