/// The tab bar (semantics N1, 2.10).
extension Scene {
  /// Selects a tab, whether the bar shows it or More's list does.
  ///
  /// - Parameter index: The tab.
  /// - Returns: What changed; nothing where it is selected already.
  /// - Throws: `noSuchTab`.
  public mutating func select(tab index: UInt64) throws(SceneFault) -> [SceneChange] {
    guard index < UInt64(stacks.count) else { throw .noSuchTab(index) }
    guard selected != Int(index) else { return [] }
    let before = visible.id
    selected = Int(index)
    return leaving(before) + [.tabSelected]
  }

  /// Selects More: the selected index is not found then.
  ///
  /// - Returns: What changed.
  /// - Throws: `noMore` where every tab stands in the bar.
  public mutating func selectMore() throws(SceneFault) -> [SceneChange] {
    guard more != nil else { throw .noMore }
    guard selected != nil else { return [] }
    let before = visible.id
    selected = nil
    return leaving(before) + [.tabSelected]
  }

  /// Adds a tab as the last one.
  ///
  /// - Parameter root: The root of its stack.
  /// - Returns: The root's id, and what changed.
  /// - Throws: `badController` or `tooMany`.
  public mutating func addTab(
    _ root: ControllerSpec
  ) throws(SceneFault) -> (id: UInt64, changes: [SceneChange]) {
    try Scene.checkRoot(root)
    guard stacks.count < SceneLimits.tabs else {
      throw .tooMany("tabs", limit: SceneLimits.tabs)
    }
    let stack = takeID()
    let id = takeID()
    stacks.append(
      NavigationStack(
        id: stack, tabTitle: root.tabTitle, controllers: [Controller(root, id: id)]))
    if stacks.count > SceneLimits.tabsShown, more == nil {
      var list = Controller(ControllerSpec(.more), id: takeID())
      list.item.title = "More"
      more = list
    }
    return (id, [.tabs])
  }

  /// Removes a tab with its stack; where it was selected the first one is from then on.
  ///
  /// - Parameter index: The tab.
  /// - Returns: What was on its stack, and what changed.
  /// - Throws: `noSuchTab` or `lastTab`.
  public mutating func removeTab(
    _ index: UInt64
  ) throws(SceneFault) -> (popped: [UInt64], changes: [SceneChange]) {
    guard index < UInt64(stacks.count) else { throw .noSuchTab(index) }
    guard stacks.count > 1 else { throw .lastTab }
    let place = Int(index)
    let before = visible.id
    let removed = stacks.remove(at: place)
    if stacks.count <= SceneLimits.tabsShown {
      more = nil
      if selected == nil { selected = 0 }
    }
    if let old = selected {
      if old == place {
        selected = 0
      } else if old > place {
        selected = old - 1
      }
    }
    return (removed.controllers.map(\.id), leaving(before) + [.tabs])
  }
}
