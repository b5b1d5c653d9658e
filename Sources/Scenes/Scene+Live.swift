/// What ends with the process: views, presence, first responders (contract L7).
extension Scene {
  /// Notes that a controller's view was loaded.
  ///
  /// - Parameter id: The controller.
  /// - Returns: Whether it was not before: a view is loaded once (semantics X11).
  public mutating func noteViewLoaded(_ id: UInt64) -> Bool {
    guard let controller = controller(id), !controller.isViewLoaded else { return false }
    change(id) { $0.isViewLoaded = true }
    return true
  }

  /// Attaches a holder.
  ///
  /// - Parameter holder: Who.
  /// - Returns: What changed; nothing where it is attached already.
  /// - Throws: `tooMany`.
  public mutating func attach(_ holder: SceneHolder) throws(SceneFault) -> [SceneChange] {
    guard !attached.contains(holder) else { return [] }
    guard attached.count < SceneLimits.attached else {
      throw .tooMany("clients attached", limit: SceneLimits.attached)
    }
    attached.append(holder)
    return [.attached(holder)]
  }

  /// Detaches a holder; its keyboard goes with it.
  ///
  /// - Parameter holder: Who.
  /// - Returns: What changed.
  public mutating func detach(_ holder: SceneHolder) -> [SceneChange] {
    var changes = resign(holder)
    if let index = attached.firstIndex(of: holder) {
      changes.append(.detached(attached.remove(at: index)))
    }
    return changes
  }

  /// The first responder of a holder.
  ///
  /// - Parameter holder: Who.
  /// - Returns: The responder, or `nil`.
  public func responder(of holder: SceneHolder) -> Responder? {
    responders.first { $0.holder == holder }?.responder
  }

  /// Makes something of the visible controller a holder's first responder.
  ///
  /// - Parameters:
  ///   - responder: The field or node.
  ///   - holder: Who.
  /// - Returns: What changed.
  /// - Throws: `notVisible`, `noSuchController` or `tooMany`.
  public mutating func become(
    _ responder: Responder, _ holder: SceneHolder
  ) throws(SceneFault) -> [SceneChange] {
    guard controller(responder.controller) != nil else {
      throw .noSuchController(responder.controller)
    }
    guard responder.controller == visible.id else { throw .notVisible(responder.controller) }
    if let index = responders.firstIndex(where: { $0.holder == holder }) {
      guard responders[index].responder != responder else { return [] }
      responders[index].responder = responder
      return [.responder(holder, responder)]
    }
    guard responders.count < SceneLimits.responders else {
      throw .tooMany("first responders", limit: SceneLimits.responders)
    }
    responders.append((holder, responder))
    return [.responder(holder, responder)]
  }

  /// Takes the keyboard of a node from all who have it.
  ///
  /// - Parameter node: The node.
  /// - Returns: What changed.
  public mutating func resign(node: UInt64) -> [SceneChange] {
    let holders = responders.filter { $0.responder.node == node }.map(\.holder)
    return holders.flatMap { resign($0) }
  }

  /// Takes the keyboard from a holder.
  ///
  /// - Parameter holder: Who.
  /// - Returns: What changed; nothing where it had none.
  public mutating func resign(_ holder: SceneHolder) -> [SceneChange] {
    guard let index = responders.firstIndex(where: { $0.holder == holder }) else { return [] }
    responders.remove(at: index)
    return [.responder(holder, nil)]
  }
}
