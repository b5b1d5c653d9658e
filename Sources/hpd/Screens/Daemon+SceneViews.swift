internal import Coding
internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// The views of a scene's controllers (semantics 2.9; contract K3).
extension Daemon {
  /// Loads the views that a scene shows for the first time: of the controller that can be seen, and
  /// of an item that is another now.
  ///
  /// - Parameters:
  ///   - scene: The scene after a step.
  ///   - changes: What the step changed.
  ///   - views: What is loaded already.
  /// - Returns: What was loaded, with what clients have set on the nodes.
  /// - Throws: What is wrong with a nib, with file and line; or that the views are too large.
  func loadViews(
    _ scene: Scene, _ changes: [SceneChange], _ views: [Screens.ViewPlace: Screens.View]
  ) throws(ErrorReply) -> [Screens.ViewPlace: Screens.View] {
    var shown: [Controller] = scene.visible.isViewLoaded ? [] : [scene.visible]
    for case .item(let id) in changes where !shown.contains(where: { $0.id == id }) {
      // One that was not seen yet is loaded when it is.
      if let controller = scene.controller(id), controller.isViewLoaded {
        shown.append(controller)
      }
    }
    var loaded: [Screens.ViewPlace: Screens.View] = [:]
    guard !shown.isEmpty else { return loaded }
    var size = views.reduce(0) { sum, entry in
      Screens.isShown(entry.key, entry.value, in: scene) ? sum + entry.value.size : sum
    }
    for controller in shown {
      var wanted: [(slot: ViewSlot, name: String?)] = controller.item.views.map { ($0, $1) }
      if controller.kind != .more { wanted.insert((.own, nil), at: 0) }
      for (slot, name) in wanted {
        let place = Screens.ViewPlace(controller: controller.id, slot: slot)
        if let view = views[place], view.name == name { continue }
        let view = try loadView(slot, name, of: controller, scene)
        size += view.size
        guard view.size <= Screens.viewBytes, size <= Screens.viewsBytes else {
          var error = ErrorReply(.tooManyElements, "the view does not fit the scene")
          error.expected =
            "at most \(Screens.viewBytes) bytes a view, \(Screens.viewsBytes) bytes a scene"
          throw error
        }
        loaded[place] = view
      }
    }
    return loaded
  }

  /// A controller's own view: by the search of `loadView` (semantics X10), else blank, or what hpd
  /// itself has to show; or one that stands for something of its item: the nib of its name, if the
  /// bundle has one.
  private func loadView(
    _ slot: ViewSlot, _ name: String?, of controller: Controller, _ scene: Scene
  ) throws(ErrorReply) -> Screens.View {
    let owner = NibOwner(className: controller.className)
    var nib: LoadedNib
    do throws(NibFault) {
      if let name {
        nib = try bundle.load(name, owner: owner, language: scene.language, keepsAll: true)
      } else if controller.kind == .view {
        nib = try bundle.loadView(
          owner: owner, nibName: controller.nibName, language: scene.language)
      } else {
        let found = try bundle.findView(
          owner: owner, nibName: controller.nibName, language: scene.language)
        guard let found else { return Screens.View(name: nil, nib: nil, size: 0) }
        nib = found
      }
    } catch {
      if name != nil, error.code == .notFound { return Screens.View(name: name, nib: nil, size: 0) }
      throw ErrorReply(error)
    }
    if !controller.nodes.isEmpty {
      for index in nib.nodes.indices {
        let state = scene.node(nib.name(ofNode: index), in: slot, of: controller.id)
        nib.nodes[index].take(state)
      }
    }
    var bytes: [UInt8] = []
    for node in nib.nodes where bytes.count <= Screens.viewBytes { bytes.appendNode(node) }
    return Screens.View(name: name, nib: nib, size: bytes.count)
  }

  /// Changes what a node or a bar button of a scene shows: an event to all, and durable with the
  /// scene.
  func setSceneNode(
    _ session: Session, _ request: Request, _ wish: SetViewNodeRequest
  ) throws(ErrorReply) {
    guard wish.table == .absent else {
      throw ErrorReply(.badRequest, "a node belongs to a table or to a scene, not to both")
    }
    followEditing()
    let index = try index(ofScene: wish.scene)
    if try replayScene(session, request) { return }
    let shown = screens.entries[index].scene
    let owner = wish.controller.flatMap { shown.controller($0) } ?? shown.visible
    try judgeExpectation(request, on: tables(of: [owner]))
    let sequence = screens.entries[index].sequence
    if let button = wish.button {
      try set(button, session, request, wish, index)
    } else {
      try setNode(session, request, wish, index)
    }
    var answer = SceneAnswer()
    answer.sequence = screens.entries[index].sequence
    answer.isUnchanged = answer.sequence == sequence
    answerScene(session, request, answer)
  }

  private func set(
    _ button: UInt64, _ session: Session, _ request: Request, _ wish: SetViewNodeRequest,
    _ index: Int
  ) throws(ErrorReply) {
    guard wish.node == 0, wish.isHidden == nil, wish.frame == nil, wish.state == nil else {
      throw ErrorReply(.badRequest, "of a bar button the title and whether it is enabled are set")
    }
    var scene = screens.entries[index].scene
    let owner = scene.controllers.first { controller in
      let item = controller.item
      return item.left.contains { $0.id == button } || item.right.contains { $0.id == button }
        || item.back?.id == button
    }
    let by = try sceneHolder(session, request)
    let changes: [SceneChange]
    do throws(SceneFault) {
      guard let id = wish.controller ?? owner?.id else { throw .noSuchButton(button) }
      changes = try scene.set(
        button: button, of: id, title: wish.title, isEnabled: wish.isEnabled)
    } catch { throw ErrorReply(error) }
    try change(index, scene, changes, by, requester(session, request))
  }

  private func setNode(
    _ session: Session, _ request: Request, _ wish: SetViewNodeRequest, _ index: Int
  ) throws(ErrorReply) {
    let entry = screens.entries[index]
    if let id = wish.controller, entry.scene.controller(id) == nil {
      throw ErrorReply(SceneFault.noSuchController(id))
    }
    guard let (place, number) = entry.node(wish.node),
      wish.controller == nil || wish.controller == place.controller,
      var nib = entry.views[place]?.nib
    else {
      var error = ErrorReply(.notFound, "no view of the scene's controllers has that node")
      error.value = "\(wish.node)"
      throw error
    }
    try wish.check()
    let by = try sceneHolder(session, request)
    nib.nodes[number].set(wish)
    let node = nib.nodes[number]
    guard node != entry.views[place]?.nib?.nodes[number] else { return }
    var scene = entry.scene
    var state = scene.node(nib.name(ofNode: number), in: place.slot, of: place.controller)
    state.note(node, wish)
    do throws(SceneFault) { _ = try scene.set(state, of: place.controller) } catch {
      throw ErrorReply(error)
    }
    var content = scene.encoded()
    if content != entry.content { content = try keep(scene, requester(session, request)) }
    beginScreens()
    // Who wrote in what can't be seen or used any more has no keyboard there.
    let lost = Set(scene.responders.map(\.responder.node)).filter { id in
      nib.shownNode(id).map { $0.isHidden || !$0.isEnabled } ?? false
    }
    let resigned = lost.sorted().flatMap { scene.resign(node: $0) }
    screens.put(scene, content, at: index)
    screens.put(node, place, at: index)
    tell(index, resigned, before: entry.scene, by)
    tell(node, of: place.controller, index, by)
  }

  /// Tells what a node shows, its title as its controller's flag says.
  func tell(
    _ node: ViewNode, of id: UInt64, _ index: Int, _ by: SceneHolder?, isEditing: Bool? = nil,
    ahead event: UInt64? = nil
  ) {
    guard let controller = screens.entries[index].scene.controller(id) else { return }
    let isOn = isEditing ?? sceneEncoding.isEditing(controller)
    beginScreens()
    tell(index, by, ahead: event) { head in
      var body = head.open(.node)
      body.appendField(13) { $0.appendField(1, varint: id) }
      body.appendField(14) { $0.appendNode(node.titled(isOn)) }
      return body
    }
  }

  /// Tells the titles of nodes that toggle a controller's flag.
  func tellTitles(
    _ index: Int, _ controller: UInt64, isOn: Bool, _ by: SceneHolder?, ahead event: UInt64? = nil
  ) {
    let views = screens.entries[index].views.filter { $0.key.controller == controller }
    let nodes = views.values.flatMap { $0.nib?.nodes ?? [] }.filter(\.togglesEditing)
    for node in nodes.sorted(by: { $0.id < $1.id }) {
      tell(node, of: controller, index, by, isEditing: isOn, ahead: event)
    }
  }
}

extension Screens.Entry {
  /// Where the node with an id stands: its view, and its place there.
  ///
  /// - Complexity: O(*v* log *n*) in the number of views and of a view's nodes.
  func node(_ id: UInt64) -> (place: Screens.ViewPlace, index: Int)? {
    for (place, view) in views {
      if let index = view.nib?.index(of: id) { return (place, index) }
    }
    return nil
  }
}

extension LoadedNib {
  /// What a node is called from one load to the next: its id in the file, or its number there.
  fileprivate func name(ofNode index: Int) -> String {
    nodes[index].xibID.isEmpty ? "#\(index)" : nodes[index].xibID
  }
}

extension ViewNode {
  /// Takes what clients have set before.
  fileprivate mutating func take(_ state: NodeState) {
    for title in state.titles { setTitle(title.title, for: title.state) }
    if let text = state.text { self.text = text }
    if let isEnabled = state.isEnabled { self.isEnabled = isEnabled }
    if let isHidden = state.isHidden { self.isHidden = isHidden }
    if let frame = state.frame {
      self.frame = ViewFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
  }
}

extension NodeState {
  /// Notes what a request has set on a node.
  fileprivate mutating func note(_ node: ViewNode, _ wish: SetViewNodeRequest) {
    if let title = wish.title {
      if node.showsText { text = title } else { setTitle(title, for: wish.state ?? "normal") }
    }
    if let isEnabled = wish.isEnabled { self.isEnabled = isEnabled }
    if let isHidden = wish.isHidden { self.isHidden = isHidden }
    if wish.frame != nil, let frame = node.frame {
      self.frame = NodeFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
  }
}
