/// Stacks: push and pop (semantics N2 to N4, 2.10).
extension Scene {
  /// Pushes a new controller on the visible stack.
  ///
  /// - Parameters:
  ///   - spec: The controller.
  ///   - animated: Whether clients are to animate it.
  /// - Returns: Its id, and what changed.
  /// - Throws: `tabBarPushed`, `badController`, `tooMany`, or `moreIsSelected`.
  /// - Complexity: O(1) in the depth of the stack.
  public mutating func push(
    _ spec: ControllerSpec, animated: Bool
  ) throws(SceneFault) -> (id: UInt64, changes: [SceneChange]) {
    try spec.check()
    guard let selected else { throw .moreIsSelected }
    guard stacks[selected].controllers.count < SceneLimits.depth else {
      throw .tooMany("controllers on a stack", limit: SceneLimits.depth)
    }
    let id = takeID()
    let before = visible.id
    stacks[selected].controllers.append(Controller(spec, id: id))
    let change = SceneChange.navigation(
      stack: stacks[selected].id, popped: [], pushed: id, animated: animated)
    return (id, leaving(before) + [change])
  }

  /// Pushes an instance that was made before.
  ///
  /// An instance stands on a stack for as long as it is there, so it can't be pushed again.
  ///
  /// - Parameter id: The instance.
  /// - Throws: `alreadyOnStack`, or `noSuchController` where it was popped.
  public func push(instance id: UInt64) throws(SceneFault) {
    throw controller(id) == nil ? .noSuchController(id) : .alreadyOnStack(id)
  }

  /// Takes the topmost controller off the visible stack; the root stays.
  ///
  /// - Parameter animated: Whether clients are to animate it.
  /// - Returns: What was popped, and what changed; both empty at the root.
  public mutating func pop(animated: Bool) -> (popped: [UInt64], changes: [SceneChange]) {
    guard let selected else { return ([], []) }
    return cut(stack: selected, to: max(1, stacks[selected].controllers.count - 1), animated)
  }

  /// Takes all but the root off the visible stack.
  ///
  /// - Parameter animated: Whether clients are to animate it.
  /// - Returns: What was popped, the lowest first, and what changed.
  public mutating func popToRoot(animated: Bool) -> (popped: [UInt64], changes: [SceneChange]) {
    guard let selected else { return ([], []) }
    return cut(stack: selected, to: 1, animated)
  }

  /// Takes off what stands above a controller of the visible stack.
  ///
  /// - Parameters:
  ///   - id: The controller that will be on top.
  ///   - animated: Whether clients are to animate it.
  /// - Returns: What was popped, the lowest first, and what changed.
  /// - Throws: `noSuchController` where it is not on the visible stack.
  public mutating func pop(
    to id: UInt64, animated: Bool
  ) throws(SceneFault) -> (popped: [UInt64], changes: [SceneChange]) {
    guard let selected,
      let index = stacks[selected].controllers.firstIndex(where: { $0.id == id })
    else { throw .noSuchController(id) }
    return cut(stack: selected, to: index + 1, animated)
  }

  /// Shortens a stack.
  mutating func cut(
    stack index: Int, to count: Int, _ animated: Bool
  ) -> (popped: [UInt64], changes: [SceneChange]) {
    let before = visible.id
    let popped = stacks[index].controllers[count...].map(\.id)
    guard !popped.isEmpty else { return ([], []) }
    stacks[index].controllers.removeLast(popped.count)
    let change = SceneChange.navigation(
      stack: stacks[index].id, popped: popped, pushed: nil, animated: animated)
    return (popped, leaving(before) + [change])
  }

  /// Takes away what shows things that are no longer there.
  ///
  /// A screen of a row that was deleted, or of a table that was dropped, is popped with all above
  /// it. A root stays, and says that what it showed is gone, until it is there again.
  ///
  /// - Parameter isThere: Whether a controller's table, row and section still exist.
  /// - Returns: What changed.
  /// - Complexity: O(*n*) in the number of controllers.
  public mutating func removeGone(_ isThere: (Controller) -> Bool) -> [SceneChange] {
    var changes: [SceneChange] = []
    for index in stacks.indices {
      let members = stacks[index].controllers
      let isGone = !isThere(members[0])
      if members[0].isGone != isGone {
        change(members[0].id) { $0.isGone = isGone }
        changes.append(.gone(controller: members[0].id))
      }
      guard let gone = members.indices.dropFirst().first(where: { !isThere(members[$0]) }) else {
        continue
      }
      changes += cut(stack: index, to: gone, true).changes
    }
    return changes
  }

  /// After a step: who wrote in a screen that is no longer seen has no first responder any more.
  ///
  /// - Parameter before: The controller that was visible.
  /// - Returns: Their changes; they come before the step's own.
  mutating func leaving(_ before: UInt64) -> [SceneChange] {
    guard visible.id != before else { return [] }
    var changes: [SceneChange] = []
    responders.removeAll { entry in
      guard entry.responder.controller == before else { return false }
      changes.append(.responder(entry.holder, nil))
      return true
    }
    return changes
  }
}
