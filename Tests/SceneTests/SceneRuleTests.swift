import Testing

@testable import Scenes

@Suite struct SceneRuleTests {
  private static let table: UInt64 = 7
  private static let items = ControllerSpec(.items, table: table, title: "Items", tabTitle: "Items")

  private func detail(_ row: UInt64) -> ControllerSpec {
    ControllerSpec(.detail, table: SceneRuleTests.table, row: row)
  }

  private func scene(tabs: Int = 1) throws -> Scene {
    try Scene(
      name: "main", roots: Array(repeating: SceneRuleTests.items, count: tabs))
  }

  private func holder(_ client: UInt64) -> SceneHolder {
    SceneHolder(uid: 1, actor: "a\(client)", client: client)
  }

  /// Semantics N1: pop at the root, push, push of the same instance.
  @Test func theRootIsNeverPopped() throws {
    var scene = try scene()
    let root = scene.visible.id
    var (popped, changes) = scene.pop(animated: true)
    #expect(popped.isEmpty && changes.isEmpty)
    let pushed = try scene.push(detail(1), animated: true)
    #expect(
      pushed.changes == [
        .navigation(stack: scene.stacks[0].id, popped: [], pushed: pushed.id, animated: true)
      ])
    #expect(throws: SceneFault.alreadyOnStack(pushed.id)) { try scene.push(instance: pushed.id) }
    #expect(throws: SceneFault.alreadyOnStack(root)) { try scene.push(instance: root) }
    #expect(throws: SceneFault.noSuchController(99)) { try scene.push(instance: 99) }
    (popped, changes) = scene.pop(animated: false)
    #expect(popped == [pushed.id] && changes.count == 1 && scene.visible.id == root)
    #expect(throws: SceneFault.noSuchController(pushed.id)) {
      try scene.push(instance: pushed.id)
    }
  }

  @Test func popToAnywhereGivesWhatStoodAbove() throws {
    var scene = try scene()
    let ids = try (1...4).map { try scene.push(detail($0), animated: false).id }
    let result1 = try scene.pop(to: ids[1], animated: false)
    #expect(result1.popped == [ids[2], ids[3]])
    let result2 = try scene.pop(to: ids[1], animated: false)
    #expect(result2.changes.isEmpty)
    #expect(throws: SceneFault.noSuchController(ids[3])) {
      try scene.pop(to: ids[3], animated: false)
    }
    let result3 = scene.popToRoot(animated: false)
    #expect(result3.popped == [ids[0], ids[1]])
    let result4 = scene.popToRoot(animated: false)
    #expect(result4.popped.isEmpty)
  }

  static let refused: [(spec: ControllerSpec, fault: SceneFault)] = [
    (ControllerSpec(.view, className: "UITabBarController"), .tabBarPushed),
    (ControllerSpec(.items), .badController("it shows a table, and none is named")),
    (ControllerSpec(.detail, table: 1), .badController("it shows a row, and none is named")),
    (ControllerSpec(.view), .badController("it needs a class")),
    (ControllerSpec(.more), .badController("More is not made by hand")),
    (ControllerSpec(.items, table: 1, title: "a\u{1b}b"), .badText("title")),
  ]

  @Test(arguments: refused) func refusesWhatCantBePushed(spec: ControllerSpec, fault: SceneFault)
    throws
  {
    var scene = try scene()
    let before = scene.encoded()
    #expect(throws: fault) { try scene.push(spec, animated: false) }
    #expect(scene.encoded() == before)
  }

  /// What is set on More would be gone after a restart.
  @Test func moreKeepsItsItem() throws {
    var scene = try scene(tabs: 6)
    let more = try #require(scene.more?.id)
    #expect(throws: SceneFault.badController("More's item is hpd's own")) {
      try scene.set(NavigationItem(), of: more)
    }
    #expect(throws: SceneFault.noSuchController(more)) {
      try scene.set(NodeState(slot: .own, name: "x"), of: more)
    }
  }

  /// What is set on a node goes with its view, not before.
  @Test func nodesGoWithTheirView() throws {
    var scene = try scene()
    let id = scene.visible.id
    var item = NavigationItem()
    item.titleView = "Logo"
    _ = try scene.set(item, of: id)
    var state = NodeState(slot: .title, name: "a")
    state.isHidden = true
    #expect(try scene.set(state, of: id) && !scene.set(state, of: id))
    item.prompt = "P"
    _ = try scene.set(item, of: id)
    #expect(scene.node("a", in: .title, of: id) == state && scene.fault() == nil)
    item.titleView = "Other"
    _ = try scene.set(item, of: id)
    #expect(scene.node("a", in: .title, of: id).isHidden == nil)
    state.slot = .own
    for index in 0..<SceneLimits.nodes {
      state.name = "n\(index)"
      _ = try scene.set(state, of: id)
    }
    state.name = "one more"
    #expect(throws: SceneFault.tooMany("nodes with something set", limit: SceneLimits.nodes)) {
      try scene.set(state, of: id)
    }
  }

  @Test func aRowIsNoRoot() throws {
    #expect(throws: SceneFault.self) { try Scene(name: "x", roots: [detail(1)]) }
    #expect(throws: SceneFault.self) { try Scene(name: "x", roots: []) }
    var scene = try scene()
    #expect(throws: SceneFault.self) { try scene.addTab(detail(1)) }
  }

  @Test func stacksAndTabsAreBounded() throws {
    var scene = try scene()
    for row in 1..<UInt64(SceneLimits.depth) { _ = try scene.push(detail(row), animated: false) }
    #expect(throws: SceneFault.tooMany("controllers on a stack", limit: SceneLimits.depth)) {
      try scene.push(detail(99), animated: false)
    }
    for _ in 1..<SceneLimits.tabs { _ = try scene.addTab(SceneRuleTests.items) }
    #expect(throws: SceneFault.tooMany("tabs", limit: SceneLimits.tabs)) {
      try scene.addTab(SceneRuleTests.items)
    }
    #expect(scene.fault() == nil)
  }

  /// More than 5 tabs: 4 and More, whose choice has no index (semantics 2.10).
  @Test func moreTakesTheFifthPlace() throws {
    var scene = try scene(tabs: 5)
    #expect(scene.more == nil && scene.tabsShown == 5)
    #expect(throws: SceneFault.noMore) { try scene.selectMore() }
    _ = try scene.addTab(SceneRuleTests.items)
    #expect(scene.more != nil && scene.tabsShown == 4)
    let result5 = try scene.selectMore()
    #expect(result5 == [.tabSelected])
    #expect(scene.selected == nil && scene.visible.kind == .more && scene.visibleStack == nil)
    #expect(scene.bar { _ in false }.title == "More")
    #expect(throws: SceneFault.moreIsSelected) { try scene.push(detail(1), animated: false) }
    let result6 = scene.pop(animated: false)
    #expect(result6.popped.isEmpty)
    // A tab that only More's list shows can be selected by its index.
    let result7 = try scene.select(tab: 5)
    #expect(result7 == [.tabSelected])
    #expect(scene.selected == 5)
    #expect(throws: SceneFault.noSuchTab(6)) { try scene.select(tab: 6) }
    _ = try scene.selectMore()
    _ = try scene.removeTab(0)
    #expect(scene.more == nil && scene.selected == 0)
  }

  @Test func removingATabKeepsWhatIsSeen() throws {
    var scene = try scene(tabs: 3)
    _ = try scene.select(tab: 2)
    let seen = scene.visible.id
    _ = try scene.removeTab(0)
    #expect(scene.visible.id == seen && scene.selected == 1)
    _ = try scene.removeTab(1)
    #expect(scene.selected == 0)
    #expect(throws: SceneFault.lastTab) { try scene.removeTab(0) }
  }

  /// Semantics 2.10: what stands on the left of the bar.
  @Test func theLeftSideOfTheBar() throws {
    var scene = try scene()
    let root = scene.visible.id
    #expect(scene.bar { _ in false }.back == nil, "nothing at depth 1")
    let top = try scene.push(detail(1), animated: false).id
    #expect(scene.bar { _ in false }.back?.title == "Items")
    var item = NavigationItem()
    _ = try scene.set(item, of: root)
    #expect(scene.bar { _ in false }.back?.title == "Back")
    item.back = BarButton(title: "Home")
    _ = try scene.set(item, of: root)
    #expect(scene.bar { _ in false }.back?.title == "Home")
    var own = NavigationItem()
    own.left = [BarButton(system: "cancel", action: "cancel:")]
    _ = try scene.set(own, of: top)
    #expect(scene.bar { _ in false }.back == nil, "left items stand in its place")
    own = try #require(scene.controller(top)).item
    own.leftSupplementsBack = true
    _ = try scene.set(own, of: top)
    let bar = scene.bar { _ in false }
    #expect(bar.back?.title == "Home" && bar.left.count == 1)
    own.hidesBack = true
    _ = try scene.set(own, of: top)
    #expect(scene.bar { _ in false }.back == nil, "hidesBack wins")
  }

  @Test func aTitleViewStandsForTheTitle() throws {
    var scene = try scene()
    var item = scene.visible.item
    item.titleView = "Logo"
    item.prompt = "Pick one"
    _ = try scene.set(item, of: scene.visible.id)
    let bar = scene.bar { _ in false }
    #expect(bar.title == nil && bar.titleView == "Logo" && bar.prompt == "Pick one")
    let result8 = try scene.set(item, of: scene.visible.id)
    #expect(result8.isEmpty, "as before")
  }

  /// Semantics N13, N14: one edit button, made when it is first asked for.
  @Test func theEditButtonIsMadeOnce() throws {
    var scene = try scene()
    let id = scene.visible.id
    #expect(scene.visible.editButton == 0)
    var item = NavigationItem()
    item.left = [BarButton(isEditButton: true)]
    _ = try scene.set(item, of: id)
    let button = scene.visible.editButton
    #expect(button != 0 && scene.visible.item.left[0].action == "setEditing:animated:")
    #expect(scene.bar { _ in false }.left[0].title == "Edit")
    #expect(scene.bar { _ in true }.left[0].title == "Done")
    item.right = item.left
    #expect(throws: SceneFault.self) { try scene.set(item, of: id) }
    item.left = []
    _ = try scene.set(item, of: id)
    #expect(scene.visible.item.right[0].id == button)
    #expect(try scene.button(button).isEditButton)
    item.right[0].isEnabled = false
    _ = try scene.set(item, of: id)
    #expect(throws: SceneFault.disabled(button)) { try scene.button(button) }
    #expect(throws: SceneFault.noSuchButton(999)) { try scene.button(999) }
    #expect(scene.fault() == nil)
  }

  @Test func buttonsKeepTheirIDs() throws {
    var scene = try scene()
    let id = scene.visible.id
    var item = NavigationItem()
    item.right = [BarButton(system: "add", action: "addNewItem:")]
    _ = try scene.set(item, of: id)
    let first = scene.visible.item.right[0].id
    item = scene.visible.item
    item.right.append(BarButton(title: "Sort", action: "sort:"))
    _ = try scene.set(item, of: id)
    #expect(scene.visible.item.right[0].id == first)
    item.right = [BarButton(id: 12345, title: "Stranger")]
    #expect(throws: SceneFault.noSuchButton(12345)) { try scene.set(item, of: id) }
    item.right = [BarButton(system: "fly")]
    #expect(throws: SceneFault.self) { try scene.set(item, of: id) }
    item.right = [BarButton()]
    #expect(throws: SceneFault.self) { try scene.set(item, of: id) }
  }

  /// Contract L2, semantics E4 and 2.5: titles follow the flag; a swipe's come after it.
  @Test func titlesFollowTheTable() throws {
    var scene = try scene()
    let id = scene.visible.id
    var item = NavigationItem()
    item.left = [BarButton(isEditButton: true)]
    _ = try scene.set(item, of: id)
    let button = scene.visible.editButton
    let table = SceneRuleTests.table
    let title = SceneChange.buttonTitle(controller: id, button: button, title: "Done")
    let flag = SceneChange.editing(controller: id, on: true, animated: true)
    #expect(
      scene.follow(table: table, true, animated: true, titlesFirst: true) == [title, flag])
    #expect(
      scene.follow(table: table, true, animated: true, titlesFirst: false) == [flag, title])
    #expect(scene.follow(table: 8, true, animated: true, titlesFirst: true).isEmpty)
    #expect(throws: SceneFault.self) { try scene.setEditing(id, true, animated: false) }
  }

  @Test func aPlainControllerHasItsOwnFlag() throws {
    var scene = try scene()
    let id = try scene.push(ControllerSpec(.view, className: "Plain"), animated: false).id
    let result9 = try scene.setEditing(id, true, animated: false)
    #expect(
      result9 == [
        .editing(controller: id, on: true, animated: false)
      ])
    let result10 = try scene.setEditing(id, true, animated: false)
    #expect(result10.isEmpty)
    #expect(scene.visible.isEditing)
  }

  /// Semantics N8: who leaves a screen leaves its fields.
  @Test func aScreenThatIsLeftKeepsNoFirstResponder() throws {
    var scene = try scene()
    let id = try scene.push(detail(1), animated: false).id
    let field = Responder(controller: id, column: 3)
    let result11 = try scene.become(field, holder(1))
    #expect(result11 == [.responder(holder(1), field)])
    let result12 = try scene.become(field, holder(2))
    #expect(result12 == [.responder(holder(2), field)])
    let result13 = try scene.become(field, holder(2))
    #expect(result13.isEmpty)
    let changes = scene.pop(animated: true).changes
    #expect(
      changes.prefix(2) == [.responder(holder(1), nil), .responder(holder(2), nil)]
        && changes.count == 3)
    #expect(throws: SceneFault.noSuchController(id)) { try scene.become(field, holder(1)) }
    _ = try scene.push(detail(2), animated: false)
    #expect(throws: SceneFault.notVisible(scene.stacks[0].root.id)) {
      try scene.become(Responder(controller: scene.stacks[0].root.id, node: 4), holder(1))
    }
    #expect(scene.fault() == nil)
  }

  @Test func presenceIsListedOnce() throws {
    var scene = try scene()
    let result14 = try scene.attach(holder(1))
    #expect(result14 == [.attached(holder(1))])
    let result15 = try scene.attach(holder(1))
    #expect(result15.isEmpty)
    let field = Responder(controller: scene.visible.id, node: 3)
    _ = try scene.become(field, holder(1))
    let result16 = scene.detach(holder(1))
    #expect(result16 == [.responder(holder(1), nil), .detached(holder(1))])
    let result17 = scene.detach(holder(1))
    #expect(result17.isEmpty)
    let lease = SceneHolder(uid: 1, actor: "a", client: 1, lease: 5, leaseName: "cron")
    #expect(lease != holder(1))
    #expect(lease == SceneHolder(uid: 1, actor: "b", client: 9, lease: 5))
  }

  /// A row deleted meanwhile pops its screen; a root stays and says that it is empty.
  @Test func screensOfWhatIsGonePop() throws {
    var scene = try scene()
    let root = scene.visible.id
    let first = try scene.push(detail(1), animated: false).id
    let second = try scene.push(detail(2), animated: false).id
    let stack = scene.stacks[0].id
    let result18 = scene.removeGone { _ in true }
    #expect(result18.isEmpty)
    let result19 = scene.removeGone { $0.row != 1 }
    #expect(
      result19 == [
        .navigation(stack: stack, popped: [first, second], pushed: nil, animated: true)
      ])
    let result20 = scene.removeGone { _ in false }
    #expect(result20 == [.gone(controller: root)])
    let result21 = scene.removeGone { _ in false }
    #expect(result21.isEmpty)
    #expect(scene.visible.isGone && scene.fault() == nil)
    // Its table's flag is still its own, as what is gone may come back by an undo.
    let result21a = scene.follow(
      table: scene.visible.table, true, animated: false, titlesFirst: true)
    #expect(result21a == [.editing(controller: root, on: true, animated: false)])
    let result21b = scene.removeGone { _ in true }
    #expect(result21b == [.gone(controller: root)] && !scene.visible.isGone)
  }

  @Test func aViewIsLoadedOnce() throws {
    var scene = try scene()
    let id = scene.visible.id
    let result22 = scene.noteViewLoaded(id)
    #expect(result22)
    let result23 = scene.noteViewLoaded(id)
    #expect(!result23)
    let result24 = scene.noteViewLoaded(99)
    #expect(!result24)
    let again = try Scene(name: "main", decoding: scene.encoded())
    #expect(!again.visible.isViewLoaded, "a restart loads it again")
  }
}
