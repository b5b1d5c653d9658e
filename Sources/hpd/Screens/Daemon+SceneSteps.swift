internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// The steps of a scene that is there.
extension Daemon {
  func performStep(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    switch wish.step {
    case .tapBarButton:
      try tapBarButton(session, request, wish, index, &answer)
      return
    case .setEditing:
      try setEditing(session, request, wish, index, &answer)
      return
    case .becomeFirstResponder:
      try becomeFirstResponder(session, request, wish, index, &answer)
      return
    case .endEditing:
      try endEditing(session, request, force: wish.force, index, &answer)
      return
    case .sendEvent:
      try sendEvent(session, request, wish, index, &answer)
      return
    default: break
    }
    let by = try sceneHolder(session, request)
    let made = try made(by: wish)
    try leaveAndChange(session, request, index, by, &answer) {
      (scene, answer) throws(SceneFault) in
      try Daemon.apply(wish, making: made, to: &scene, by, &answer)
    }
  }

  /// Takes a step; where it leaves a screen, what is written there is ended first, so that the
  /// reply has both (contract L6).
  func leaveAndChange(
    _ session: Session, _ request: Request, _ index: Int, _ by: SceneHolder,
    _ answer: inout SceneAnswer,
    _ apply: (inout Scene, inout SceneAnswer) throws(SceneFault) -> [SceneChange]
  ) throws(ErrorReply) {
    let number = screens.entries[index].number
    var scene = screens.entries[index].scene
    var changes: [SceneChange]
    do throws(SceneFault) { changes = try apply(&scene, &answer) } catch {
      throw ErrorReply(error)
    }
    let leaving = changes.compactMap { change -> SceneHolder? in
      if case .responder(let holder, nil) = change { holder } else { nil }
    }
    if !leaving.isEmpty {
      if !scene.visible.isViewLoaded {
        // What can't be shown is refused before anything is written.
        _ = try loadViews(scene, changes, screens.entries[index].views)
      }
      try endFields(of: leaving, session, request, index, &answer)
      guard screens.index(number: number) == index else { return }
      scene = screens.entries[index].scene
      do throws(SceneFault) { changes = try apply(&scene, &answer) } catch {
        throw ErrorReply(error)
      }
    }
    try change(index, scene, changes, by, requester(session, request))
  }

  /// The controller that a step makes, its table and row looked up.
  private func made(by wish: SceneRequest) throws(ErrorReply) -> ControllerSpec? {
    guard wish.step == .push || wish.step == .addTab else { return nil }
    if wish.step == .push, wish.controller != nil, wish.roots.isEmpty { return nil }
    guard wish.roots.count == 1, let root = wish.roots.first else {
      throw ErrorReply(.badRequest, "the step makes one controller, \(wish.roots.count) are given")
    }
    return try spec(root)
  }

  /// Performs a step that concerns the scene alone.
  private static func apply(
    _ wish: SceneRequest, making spec: ControllerSpec?, to scene: inout Scene, _ by: SceneHolder,
    _ answer: inout SceneAnswer
  ) throws(SceneFault) -> [SceneChange] {
    let animated = wish.animated ?? true
    var changes: [SceneChange] = []
    switch wish.step {
    case .attach: return try scene.attach(by)
    case .detach: return scene.detach(by)
    case .push:
      guard let spec else {
        try scene.push(instance: wish.controller ?? 0)
        return []
      }
      let pushed = try scene.push(spec, animated: animated)
      answer.pushed = pushed.id
      return pushed.changes
    case .addTab:
      guard let spec else { return [] }
      let added = try scene.addTab(spec)
      answer.pushed = added.id
      return added.changes
    case .removeTab: (answer.popped, changes) = try scene.removeTab(wish.index ?? .max)
    case .pop: (answer.popped, changes) = scene.pop(animated: animated)
    case .popToRoot: (answer.popped, changes) = scene.popToRoot(animated: animated)
    case .popTo:
      (answer.popped, changes) = try scene.pop(to: wish.controller ?? 0, animated: animated)
    case .selectTab:
      guard let tab = wish.index else { return try scene.selectMore() }
      return try scene.select(tab: tab)
    case .setItem:
      let item = wish.item.map { NavigationItem($0) } ?? NavigationItem()
      return try scene.set(item, of: wish.controller ?? scene.visible.id)
    case .unspecified, .make, .show, .remove, .list, .sendEvent, .tapBarButton,
      .becomeFirstResponder, .setEditing, .endEditing:
      preconditionFailure("\(wish.step) is no step of the scene alone")
    }
    return changes
  }

  /// Gives a holder the keyboard of a field or a node of the visible controller.
  private func becomeFirstResponder(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let scene = screens.entries[index].scene
    let controller = scene.controller(wish.controller ?? scene.visible.id) ?? scene.visible
    var responder = Responder(controller: wish.controller ?? controller.id)
    guard responder.controller == scene.visible.id else {
      throw ErrorReply(
        scene.controller(responder.controller) == nil
          ? SceneFault.noSuchController(responder.controller) : .notVisible(responder.controller))
    }
    guard (wish.column == nil) != (wish.node == nil) else {
      throw ErrorReply(.badRequest, "the request names one field, or one node")
    }
    if let node = wish.node {
      responder.node = node
      try judgeKeyboard(node, of: controller, screens.entries[index])
      let listed = try sceneHolder(session, request)
      if let old = scene.responder(of: listed), old.column != 0 {
        try endFields(of: [listed], session, request, index, &answer)
      }
    } else if let name = wish.column {
      responder.column = try field(name, of: controller)
      try beginField(session, request, controller, name, responder.column, index, &answer)
    }
    var next = screens.entries[index].scene
    let by = try sceneHolder(session, request)
    let changes: [SceneChange]
    do throws(SceneFault) { changes = try next.become(responder, by) } catch {
      throw ErrorReply(error)
    }
    try change(index, next, changes, by, requester(session, request))
  }

  /// The column of a field of a detail screen.
  private func field(_ name: String, of controller: Controller) throws(ErrorReply) -> UInt64 {
    guard controller.kind == .detail, let table = service.table(id: controller.table) else {
      throw ErrorReply(.badRequest, "the controller has no fields")
    }
    guard let column = table.schema.column(named: name) else {
      var error = ErrorReply(.noSuchColumn, "no such column")
      error.column = name
      throw error
    }
    return column.id
  }

  /// Whether a node of the controller's own view takes a keyboard (semantics N8).
  private func judgeKeyboard(
    _ id: UInt64, of controller: Controller, _ entry: Screens.Entry
  ) throws(ErrorReply) {
    let place = Screens.ViewPlace(controller: controller.id, slot: .own)
    var error: ErrorReply
    if let node = entry.views[place]?.nib?.shownNode(id) {
      if node.takesText, node.isEnabled, !node.isHidden { return }
      error = ErrorReply(
        .badRequest, "the node takes no keyboard: it is no text field, hidden or not enabled")
    } else {
      error = ErrorReply(.notFound, "the visible controller's view has no such node")
    }
    error.value = "\(id)"
    throw error
  }
}

extension ViewNode {
  /// Whether it is written in, by its class's name.
  fileprivate var takesText: Bool {
    ["TextField", "TextView", "SearchBar"].contains { className.hasSuffix($0) }
  }
}
