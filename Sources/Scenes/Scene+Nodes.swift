/// What clients set on the nodes of a scene's views: durable with it.
extension Scene {
  /// What is set on a node.
  ///
  /// - Parameters:
  ///   - name: Its id in the nib.
  ///   - slot: The view that it is in.
  ///   - id: The controller.
  /// - Returns: What is set; a state that sets nothing where nothing is.
  /// - Complexity: O(*n*) in the number of nodes that something is set on.
  public func node(_ name: String, in slot: ViewSlot, of id: UInt64) -> NodeState {
    controller(id)?.nodes.first { $0.slot == slot && $0.name == name }
      ?? NodeState(slot: slot, name: name)
  }

  /// Sets something on a node.
  ///
  /// - Parameters:
  ///   - state: All that is set on it from now on.
  ///   - id: The controller.
  /// - Returns: Whether that is another state than before.
  /// - Throws: `noSuchController`, `badNodeText` or `tooMany`.
  /// - Complexity: O(*n*) in the number of nodes that something is set on.
  public mutating func set(_ state: NodeState, of id: UInt64) throws(SceneFault) -> Bool {
    guard let controller = controller(id), controller.kind != .more else {
      throw .noSuchController(id)
    }
    for (field, text) in [("title", state.text)] + state.titles.map({ ("title", $0.title) })
      + state.titles.map({ ("state", $0.state) })
    {
      guard SceneText.isShort(text, allows: (field == "title" ? "\n\t" : "").unicodeScalars) else {
        throw .badNodeText(field)
      }
    }
    guard self.node(state.name, in: state.slot, of: id) != state else { return false }
    let index = controller.nodes.firstIndex { $0.slot == state.slot && $0.name == state.name }
    guard index != nil || controller.nodes.count < SceneLimits.nodes else {
      throw .tooMany("nodes with something set", limit: SceneLimits.nodes)
    }
    change(id) {
      if let index { $0.nodes[index] = state } else { $0.nodes.append(state) }
    }
    return true
  }

  /// Sets something on a bar button itself; another item comes of it.
  ///
  /// - Parameters:
  ///   - button: The button's id.
  ///   - id: The controller.
  ///   - title: Its new title; `nil`: as before.
  ///   - isEnabled: Whether it can be tapped; `nil`: as before.
  /// - Returns: What changed.
  /// - Throws: `noSuchController`, `noSuchButton`, `badText`; `badButton` for the edit button's
  ///   title, which follows its controller's flag.
  public mutating func set(
    button: UInt64, of id: UInt64, title: String?, isEnabled: Bool?
  ) throws(SceneFault) -> [SceneChange] {
    guard let controller = controller(id) else { throw .noSuchController(id) }
    var item = controller.item
    var isKnown = false
    func set(_ changed: inout BarButton) throws(SceneFault) {
      guard changed.id == button else { return }
      isKnown = true
      if let title {
        guard !changed.isEditButton else {
          throw .badButton("the edit button's title follows the editing flag")
        }
        changed.title = title
      }
      if let isEnabled { changed.isEnabled = isEnabled }
    }
    for index in item.left.indices { try set(&item.left[index]) }
    for index in item.right.indices { try set(&item.right[index]) }
    if var back = item.back {
      try set(&back)
      item.back = back
    }
    guard isKnown, button != 0 else { throw .noSuchButton(button) }
    return try self.set(item, of: id)
  }
}

extension NavigationItem {
  /// The views that stand for something of the item, by the names of their nibs.
  public var views: [(slot: ViewSlot, name: String)] {
    var views: [(slot: ViewSlot, name: String)] = []
    if let titleView { views.append((.title, titleView)) }
    for button in left + right + [back].compactMap({ $0 }) {
      if let view = button.view { views.append((.button(button.id), view)) }
    }
    return views
  }
}
