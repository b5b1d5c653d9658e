import Coding
import HouseSupport
import Testing

@testable import TableService

/// An image of an id, a revision and filling bytes.
func rowImage(_ id: UInt64, revision: UInt64, filling: Int, byte: UInt8 = 7) -> [UInt8] {
  var image: [UInt8] = []
  image.appendField(1, varint: id)
  image.appendField(2, varint: revision)
  if filling > 0 { image.appendField(3, bytes: Array(repeating: byte, count: filling)) }
  return image
}

@Suite struct RowStoreTests {
  /// Rows whose ids are listed together are found before, meanwhile and after; others as ever.
  @Test(arguments: [0, 5, 3_000]) func rowsListedTogether(known: Int) {
    let store = RowStore()
    for id in 0..<UInt64(known) {
      _ = store.insert(id: id * 3 + 1, image: rowImage(id * 3 + 1, revision: 1, filling: 9))
    }
    var slots: [UInt64: UInt32] = [:]
    for round in 0..<3 {
      let first = UInt64(20_000 + round * 7_000)
      for id in first..<first + 5_000 {
        slots[id] = store.insert(unlisted: id, image: rowImage(id, revision: 2, filling: 9))
      }
      func check() {
        let found = slots.allSatisfy { store.slot(of: $0.key) == $0.value }
        #expect(found && store.slot(of: first + 5_000) == nil && store.slot(of: 2) == nil)
        #expect(known == 0 || store.slot(of: 1).map { store.id($0) } == 1)
      }
      check()
      var rests = 0
      store.list {
        rests += 1
        if rests % 100 == 0 { check() }
      }
      #expect(rests >= 256)
      check()
    }
    #expect(store.count == known + 15_000 && store.meanProbes < 4)
    for (id, slot) in slots {
      store.remove(slot)
      #expect(store.slot(of: id) == nil)
    }
    #expect(store.count == known)
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func randomEditsAgainstDictionary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let store = RowStore()
    var model: [UInt64: (slot: UInt32, image: [UInt8])] = [:]
    var ids: [UInt64] = []
    for step in 0..<40_000 {
      let growing = step / 4000 % 2 == 0
      let filling: Int
      switch random.below(200) {
      case 0: filling = random.below(40_000)
      case 1...20: filling = random.below(900)
      default: filling = random.below(90)
      }
      let choice = random.below(10)
      if ids.isEmpty || choice < (growing ? 6 : 2) {
        // Ids in sequence, far apart, and at the upper end (contract K9).
        let id =
          [UInt64(step), UInt64(step) << 33, 1 << 53 - 1 - UInt64(step)][random.below(3)] + 1
        guard model[id] == nil else { continue }
        let image = rowImage(id, revision: UInt64(step), filling: filling)
        let slot = store.insert(id: id, image: image)
        model[id] = (slot, image)
        ids.append(id)
      } else if choice < 8 {
        let place = random.below(ids.count)
        let id = ids[place]
        ids.swapAt(place, ids.count - 1)
        ids.removeLast()
        if let row = model.removeValue(forKey: id) { store.remove(row.slot) }
        #expect(store.slot(of: id) == nil, "seed \(seed) step \(step)")
      } else {
        let id = ids[random.below(ids.count)]
        guard let row = model[id] else { continue }
        let image = rowImage(id, revision: UInt64(step), filling: filling, byte: UInt8(step % 251))
        store.replace(row.slot, image: image)
        model[id] = (row.slot, image)
      }
      if let id = ids.randomElement(using: &random), let row = model[id] {
        let same =
          store.slot(of: id) == row.slot && store.image(row.slot) == row.image
          && store.id(row.slot) == id
        #expect(same, "seed \(seed) step \(step) id \(id)")
      }
      #expect(store.slot(of: random.next() >> 11 | 1 << 52) == nil)
      #expect(store.count == model.count)
    }
    #expect(Set(model.values.map(\.slot)).count == model.count)
    for (id, row) in model {
      #expect(store.slot(of: id) == row.slot)
      #expect(store.image(row.slot) == row.image)
      #expect(store.revision(row.slot) <= 40_000)
      #expect(store.imageLength(row.slot) == row.image.count)
      store.withImage(row.slot) { #expect($0.count == row.image.count) }
    }
    for row in model.values { store.remove(row.slot) }
    #expect(store.count == 0)
    #expect(store.images.arena.usedBytes == 0)
  }

  @Test func imagesOfEveryLengthComeBack() {
    let store = RowStore()
    var slots: [(UInt32, [UInt8])] = []
    var length = 0
    var id: UInt64 = 1
    while length + 20 <= ImageArena.maximumLength {
      let image = rowImage(id, revision: id, filling: length, byte: UInt8(id % 256))
      slots.append((store.insert(id: id, image: image), image))
      id += 1
      length += length < 600 ? 1 : length / 9
    }
    var largest = rowImage(id, revision: 1, filling: ImageArena.maximumLength - 10)
    largest.append(contentsOf: repeatElement(0, count: ImageArena.maximumLength - largest.count))
    slots.append((store.insert(id: id, image: largest), largest))
    for (slot, image) in slots { #expect(store.image(slot) == image) }
    let held = store.bytes
    for (slot, _) in slots { store.remove(slot) }
    // Memory of large blocks serves small ones.
    for id in 1...10_000 as ClosedRange<UInt64> {
      _ = store.insert(id: id, image: rowImage(id, revision: 1, filling: 50))
    }
    #expect(store.bytes < held + 256 * 1024, "only the slots and the table of ids grow")
    for id in 1...10_000 as ClosedRange<UInt64> {
      let slot = store.slot(of: id)
      #expect(slot.map { store.image($0) } == rowImage(id, revision: 1, filling: 50))
    }
  }

  @Test func undoingRemovalsInReverseGivesTheSlotsBack() {
    let store = RowStore()
    let slots = (1...20).map { id in
      store.insert(id: id, image: rowImage(id, revision: 1, filling: 30))
    }
    for id in [3, 9, 4] { store.remove(slots[id - 1]) }
    for id in [4, 9, 3] as [UInt64] {
      let slot = store.insert(id: id, image: rowImage(id, revision: 1, filling: 30))
      #expect(slot == slots[Int(id) - 1])
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func snapshotsShowTheRowsAsTheyWere(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let store = RowStore()
    let order = OrderIndex(labelled: true)
    let roots = [order.makeRoot(owner: 0), order.makeRoot(owner: 1), order.makeRoot(owner: 2)]
    struct View {
      var rows: RowSnapshot
      var order: OrderSnapshot
      var want: [[[UInt8]]]
      var at = (root: 0, index: 0)
    }
    var views: [View] = []
    var nextID: UInt64 = 1
    for revision in 1...6000 as ClosedRange<UInt64> {
      if views.count < 4, random.below(40) == 0 {
        let want = roots.map { root in
          (0..<order.count(root)).map { store.image(order.element(root, at: $0)) }
        }
        views.append(
          View(
            rows: store.openSnapshot(revision: revision - 1), order: order.openSnapshot(roots),
            want: want))
      }
      order.begin()
      let keeps = random.below(5) > 0
      var undo: [() -> Void] = []
      for _ in 0..<1 + random.below(8) {
        let root = roots[random.below(3)]
        let count = order.count(root)
        switch random.below(count > 400 ? 6 : 5) {
        case 0, 1:
          let id = nextID
          nextID += 1
          let slot = store.insert(
            id: id, image: rowImage(id, revision: revision, filling: random.below(80)))
          order.insert(slot, into: root, at: random.below(count + 1))
          undo.append { store.remove(slot) }
        case 2 where count > 0:
          let slot = order.element(root, at: random.below(count))
          let old = store.image(slot)
          let id = store.id(slot)
          store.replace(
            slot, image: rowImage(id, revision: revision, filling: random.below(80), byte: 9))
          undo.append { store.replace(slot, image: old) }
        case 3 where count > 0:
          let slot = order.element(root, at: random.below(count))
          order.remove(slot)
          let target = roots[random.below(3)]
          order.insert(slot, into: target, at: random.below(order.count(target) + 1))
        case 4 where count > 0, 5:
          for _ in 0..<min(count, 1 + random.below(count > 400 ? 100 : 2)) {
            let slot = order.element(root, at: random.below(order.count(root)))
            let old = store.image(slot)
            let id = store.id(slot)
            order.remove(slot)
            store.remove(slot)
            undo.append { #expect(store.insert(id: id, image: old) == slot) }
          }
        default: break
        }
      }
      if keeps {
        _ = order.commit()
      } else {
        order.rollback()
        for step in undo.reversed() { step() }
      }
      var done: [Int] = []
      for index in views.indices where random.below(6) == 0 {
        var view = views[index]
        let want = view.want[view.at.root]
        #expect(view.order.roots[view.at.root].count == want.count)
        let end = min(want.count, view.at.index + 1 + random.below(60))
        var slots: [UInt32] = []
        order.appendElements(of: view.order, view.at.root, view.at.index..<end, to: &slots)
        for (offset, slot) in slots.enumerated() {
          var image: [UInt8] = []
          store.appendImage(of: view.rows, slot, to: &image)
          let place = "seed \(seed) revision \(revision) at \(view.at)"
          #expect(image == want[view.at.index + offset], "\(place)")
        }
        #expect(slots.count == end - view.at.index)
        view.at.index = end
        if end == want.count { view.at = (view.at.root + 1, 0) }
        views[index] = view
        if view.at.root == 3 { done.append(index) }
      }
      for index in done.reversed() {
        let view = views.remove(at: index)
        #expect(view.order.heldBytes >= 0 && view.rows.heldBytes >= 0)
        order.close(view.order)
        store.close(view.rows)
      }
      if revision % 200 == 0 { order.checkInvariants() }
    }
    for view in views {
      order.close(view.order)
      store.close(view.rows)
    }
    order.checkInvariants()
    var blocks = 0
    for root in roots {
      order.forEach(root, from: 0) { slot in
        blocks += (store.imageLength(slot) + 11) / 8 * 8
        return true
      }
    }
    #expect(store.images.arena.usedBytes == blocks, "no image outlives its snapshots")
    #expect(order.standingLeaves == order.leavesInUse, "no leaf outlives its snapshots")
  }

  /// Ids that come in sequence, in blocks far apart, or from anywhere.
  @Test(arguments: [1, 1 << 12, 1 << 24, 1 << 33, 0x1_0000_0001, 0] as [UInt64])
  func probesStayShort(step: UInt64) {
    var random = SeededRandom(seed: step)
    let store = RowStore()
    for number in 1...20_000 as ClosedRange<UInt64> {
      let id = step == 0 ? random.next() >> 11 | 1 : number &* step & (1 << 53 - 1)
      _ = store.insert(id: id, image: rowImage(id, revision: 1, filling: 1))
    }
    #expect(store.meanProbes < 3)
  }

  @Test func aSnapshotCountsWhatItHolds() {
    let store = RowStore()
    for id in 1...100 as ClosedRange<UInt64> {
      _ = store.insert(id: id, image: rowImage(id, revision: 1, filling: 40))
    }
    let first = store.openSnapshot(revision: 1)
    let second = store.openSnapshot(revision: 1)
    #expect(first.heldBytes == 0)
    for slot in 0..<50 as Range<UInt32> {
      store.replace(
        slot, image: rowImage(store.id(slot), revision: 2, filling: 40, byte: 1))
      store.replace(
        slot, image: rowImage(store.id(slot), revision: 3, filling: 40, byte: 2))
    }
    #expect(second.saved.count == 50, "one image a row, whatever happens to it")
    #expect(first.heldBytes == 0, "held once")
    let held = second.heldBytes
    store.close(second)
    #expect(first.heldBytes == held)
    let used = store.images.arena.usedBytes
    store.close(first)
    #expect(store.images.arena.usedBytes < used)
  }
}
