import Coding
import HouseSupport
import Testing

@testable import Scenes

/// Random steps: the rules hold after each, refused ones leave nothing, bytes come back.
@Suite struct SceneRandomTests {
  /// What a step is held against: stacks of rows, as a naive model keeps them.
  private struct Model {
    var stacks: [[UInt64]]
    var selected: Int?

    var visible: UInt64? { selected.flatMap { stacks[$0].last } }
  }

  private func model(_ scene: Scene) -> Model {
    Model(
      stacks: scene.stacks.map { $0.controllers.map(\.id) }, selected: scene.selected)
  }

  @Test(arguments: 0..<20) func rulesHold(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var scene = try Scene(
      name: "s", language: seed % 2 == 0 ? "fr" : nil,
      roots: [ControllerSpec(.items, table: 1, title: "Items")])
    for step in 0..<1500 {
      let place: Comment = "seed \(seed) step \(step)"
      let before = scene
      let old = model(scene)
      var changes: [SceneChange] = []
      var isRefused = false
      do throws(SceneFault) {
        changes = try perform(&scene, &random)
      } catch {
        isRefused = true
      }
      try #require(scene.fault() == nil, place)
      let roots = scene.stacks.map(\.root.id)
      if isRefused {
        // A step is tried on a copy; what it did before it was refused goes with the copy.
        scene = before
      } else if changes.isEmpty {
        #expect(scene.encoded() == before.encoded(), place)
      } else {
        // Roots go with their tab alone.
        if scene.stacks.count >= before.stacks.count {
          #expect(Array(roots.prefix(before.stacks.count)) == before.stacks.map(\.root.id), place)
        }
        check(changes, old, scene, place)
      }
      let again = try Scene(name: "s", decoding: scene.encoded())
      #expect(again.encoded() == scene.encoded(), place)
      #expect(again.visible.id == scene.visible.id, place)
    }
  }

  /// What was told is what happened.
  private func check(
    _ changes: [SceneChange], _ old: Model, _ scene: Scene, _ place: Comment
  ) {
    for change in changes {
      switch change {
      case .navigation(let stack, let popped, let pushed, _):
        guard let index = scene.stacks.firstIndex(where: { $0.id == stack }) else {
          Issue.record(place)
          return
        }
        let now = scene.stacks[index].controllers.map(\.id)
        var expected = old.stacks[index]
        expected.removeLast(popped.count)
        #expect(Array(old.stacks[index].suffix(popped.count)) == popped, place)
        if let pushed { expected.append(pushed) }
        #expect(now == expected, place)
      case .tabSelected: #expect(scene.selected != old.selected, place)
      case .responder(let holder, let responder):
        #expect(scene.responder(of: holder) == responder, place)
      case .attached(let holder): #expect(scene.attached.contains(holder), place)
      case .detached(let holder): #expect(!scene.attached.contains(holder), place)
      case .gone(let id): #expect(scene.controller(id)?.isGone == true, place)
      case .item, .tabs, .viewLoaded, .buttonTitle, .editing: break
      }
    }
  }

  private func perform(
    _ scene: inout Scene, _ random: inout SeededRandom
  ) throws(SceneFault) -> [SceneChange] {
    let some = scene.controllers[random.below(scene.controllers.count)]
    let holder = SceneHolder(uid: 1, actor: "a", client: UInt64(random.below(4) + 1))
    switch random.below(22) {
    case 0...4:
      let spec: ControllerSpec =
        switch random.below(5) {
        case 0: ControllerSpec(.view, className: "Plain", nibName: "Plain")
        case 1: ControllerSpec(.sections, table: 1)
        case 2: ControllerSpec(.items, table: 2, section: 3, title: "Part")
        default: ControllerSpec(.detail, table: 1, row: UInt64(random.below(9) + 1))
        }
      return try scene.push(spec, animated: true).changes
    case 5, 6: return scene.pop(animated: true).changes
    case 7: return random.below(4) == 0 ? scene.popToRoot(animated: true).changes : []
    case 8: return try scene.pop(to: some.id, animated: true).changes
    case 9, 10: return try scene.select(tab: UInt64(random.below(scene.stacks.count + 1)))
    case 11: return try scene.selectMore()
    case 12:
      return try scene.addTab(ControllerSpec(.items, table: 1, tabTitle: "T")).changes
    case 13: return try scene.removeTab(UInt64(random.below(scene.stacks.count + 1))).changes
    case 14: return try scene.set(item(some, &random), of: some.id)
    case 15: return try scene.setEditing(some.id, random.below(2) == 0, animated: true)
    case 16:
      return try scene.become(
        Responder(controller: scene.visible.id, column: UInt64(random.below(3) + 1)), holder)
    case 17: return try scene.attach(holder)
    case 18: return random.below(2) == 0 ? scene.detach(holder) : scene.resign(holder)
    case 19:
      // Told by who has the view; here it is no more than kept.
      let slots = [ViewSlot.own] + some.item.views.map(\.slot)
      let slot = slots[random.below(slots.count)]
      var state = scene.node("n\(random.below(4))", in: slot, of: some.id)
      state.setTitle("t\(random.below(3))", for: random.below(2) == 0 ? "normal" : "selected")
      if random.below(2) == 0 { state.frame = NodeFrame(x: 1, y: -2.5, width: 3, height: 0) }
      if random.below(2) == 0 { state.isHidden = random.below(2) == 0 }
      if random.below(2) == 0 { state.isEnabled = random.below(2) == 0 }
      if random.below(2) == 0 { state.text = "x\n" }
      return try scene.set(state, of: some.id) ? [.item(controller: some.id)] : []
    case 20:
      let buttons = some.item.left + some.item.right
      guard !buttons.isEmpty else { return [] }
      return try scene.set(
        button: buttons[random.below(buttons.count)].id, of: some.id,
        title: random.below(2) == 0 ? "B\(random.below(3))" : nil,
        isEnabled: random.below(2) == 0)
    default:
      let gone = UInt64(random.below(9) + 1)
      return scene.removeGone { $0.row != gone }
    }
  }

  private func item(_ controller: Controller, _ random: inout SeededRandom) -> NavigationItem {
    var item = controller.item
    switch random.below(8) {
    case 6: item.titleView = random.below(3) == 0 ? nil : "V\(random.below(3))"
    case 7: item.right.append(BarButton(view: "V\(random.below(3))"))
    case 0: item.left = [BarButton(isEditButton: true)]
    case 1: item.left = []
    case 2: item.right.append(BarButton(system: "add", action: "addNewItem:"))
    case 3: item.right = []
    case 4: item.back = random.below(2) == 0 ? nil : BarButton(title: "B")
    default: item.title = random.below(3) == 0 ? nil : "T\(random.below(5))"
    }
    item.hidesBack = random.below(5) == 0
    item.leftSupplementsBack = random.below(3) == 0
    return item
  }

  /// Bytes that were changed are refused, or are a scene that keeps the rules; nothing traps.
  @Test(arguments: 0..<4) func damagedBytesAreRefused(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var scene = try Scene(name: "s", roots: [ControllerSpec(.items, table: 1, title: "Items")])
    for _ in 0..<60 { _ = try? perform(&scene, &random) }
    let bytes = scene.encoded()
    for count in bytes.indices {
      if let cut = try? Scene(name: "s", decoding: Array(bytes[..<count])) {
        #expect(cut.fault() == nil, "seed \(seed) cut \(count)")
      }
    }
    for step in 0..<5000 {
      var changed = bytes
      changed[random.below(changed.count)] = UInt8(truncatingIfNeeded: random.next())
      if let scene = try? Scene(name: "s", decoding: changed) {
        #expect(scene.fault() == nil, "seed \(seed) step \(step)")
      }
    }
  }
}
