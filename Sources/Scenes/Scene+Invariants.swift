/// What holds at all times.
extension Scene {
  /// Looks for what should never be.
  ///
  /// - Returns: What is wrong, in words, or `nil`.
  /// - Complexity: O(*n* log *n*) in the size of the scene.
  public func fault() -> String? {
    guard !stacks.isEmpty else { return "no tab" }
    guard stacks.count <= SceneLimits.tabs else { return "too many tabs" }
    guard (more != nil) == (stacks.count > SceneLimits.tabsShown) else { return "More" }
    if let selected {
      guard stacks.indices.contains(selected) else { return "a tab that is not there is selected" }
    } else if more == nil {
      return "More is selected and not there"
    }
    var ids: Set<UInt64> = []
    for stack in stacks {
      guard ids.insert(stack.id).inserted else { return "an id twice" }
      guard (1...SceneLimits.depth).contains(stack.controllers.count) else { return "depth" }
      for (index, controller) in stack.controllers.enumerated() {
        guard ids.insert(controller.id).inserted else { return "an id twice" }
        if let fault = fault(of: controller, isRoot: index == 0, &ids) { return fault }
      }
    }
    if let more {
      guard ids.insert(more.id).inserted else { return "an id twice" }
    }
    guard !ids.contains(0), ids.allSatisfy({ $0 < nextID }) else { return "an id not given" }
    return liveFault()
  }

  private func fault(
    of controller: Controller, isRoot: Bool, _ ids: inout Set<UInt64>
  ) -> String? {
    guard controller.kind != .more else { return "More on a stack" }
    if isRoot, controller.kind == .detail { return "a row as a root" }
    if !isRoot, controller.isGone { return "a screen of nothing" }
    if controller.followsTable, controller.isEditing { return "two editing flags" }
    let item = controller.item
    for button in item.left + item.right {
      guard button.isEditButton == (button.id == controller.editButton) else {
        return "the edit button"
      }
    }
    var buttons = Set((item.left + item.right).map(\.id))
    guard buttons.count == item.left.count + item.right.count else { return "a button twice" }
    if controller.editButton != 0 { buttons.insert(controller.editButton) }
    // A back button may be one that stood elsewhere before.
    if let back = item.back { buttons.insert(back.id) }
    guard controller.nodes.count <= SceneLimits.nodes else { return "too many nodes" }
    var nodes: Set<String> = []
    for node in controller.nodes {
      guard nodes.insert("\(node.slot.number) \(node.name)").inserted else { return "a node twice" }
      guard node.slot == .own || item.views.contains(where: { $0.slot == node.slot }) else {
        return "a node of a view that is not there"
      }
    }
    guard ids.isDisjoint(with: buttons) else { return "an id twice" }
    ids.formUnion(buttons)
    return nil
  }

  private func liveFault() -> String? {
    for (index, entry) in responders.enumerated() {
      guard entry.responder.controller == visible.id else { return "a dangling first responder" }
      if responders[..<index].contains(where: { $0.holder == entry.holder }) {
        return "two first responders of one holder"
      }
    }
    for (index, holder) in attached.enumerated() where attached[..<index].contains(holder) {
      return "attached twice"
    }
    return nil
  }
}
