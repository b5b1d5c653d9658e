internal import Coding
internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// Target and action: what a tap does (semantics X6, N14; SPEC 7).
extension Daemon {
  /// What an action is about.
  struct SceneAction {
    /// The scene's number.
    var scene: UInt64
    /// The controller that is its target.
    var controller: Controller
    var selector: String
    /// The button or node that sends it.
    var sender: UInt64
    /// The event that was sent; `nil`: a button of the bar was tapped.
    var event: String?
  }

  /// Taps a button of the bar; without one the back button.
  func tapBarButton(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let scene = screens.entries[index].scene
    let bar = scene.bar(sceneEncoding.isEditing)
    guard let id = wish.button, id != bar.back?.id || id == 0 else {
      guard let back = bar.back, back.isEnabled else {
        throw ErrorReply(.notFound, "the bar has no back button")
      }
      let by = try sceneHolder(session, request)
      let isAnimated = wish.animated ?? true
      try leaveAndChange(session, request, index, by, &answer) { scene, answer in
        let (popped, changes) = scene.pop(animated: isAnimated)
        answer.popped = popped
        return changes
      }
      return
    }
    let button: BarButton
    do throws(SceneFault) { button = try scene.button(id) } catch { throw ErrorReply(error) }
    guard let selector = button.action else { return }
    let action = SceneAction(
      scene: screens.entries[index].number, controller: scene.visible, selector: selector,
      sender: id)
    try perform(action, session, request, &answer)
  }

  /// Sends an event to a node of a view, a header or a footer that the visible controller shows.
  ///
  /// Its actions are performed in the order of the file (semantics X2).
  func sendEvent(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    guard let id = wish.node else { throw ErrorReply(.badRequest, "the request names no node") }
    let entry = screens.entries[index]
    let controller = entry.scene.visible
    guard let node = node(id, shownBy: controller, entry) else {
      var error = ErrorReply(.notFound, "the visible controller shows no such node")
      error.value = "\(id)"
      throw error
    }
    guard node.isEnabled, !node.isHidden else {
      var error = ErrorReply(.badRequest, "the node takes no events: it is hidden or not enabled")
      error.value = "\(id)"
      throw error
    }
    let event = wish.event ?? "touchUpInside"
    for action in node.actions where action.event == nil || action.event == event {
      let next = SceneAction(
        scene: entry.number, controller: controller, selector: action.selector, sender: id,
        event: event)
      do throws(ErrorReply) {
        switch action.target {
        case .owner, .firstResponder: try perform(next, session, request, &answer)
        // What another object would do, a client that has it can do.
        case .node, .application:
          send(next, try sceneHolder(session, request), &answer)
        }
      } catch {
        guard !answer.performed.isEmpty || !answer.sent.isEmpty else { throw error }
        answer.refused = (action.selector, error.code.schemaName)
        return
      }
    }
  }

  /// A node of a controller's views, or of its table's header or footer.
  private func node(
    _ id: UInt64, shownBy controller: Controller, _ entry: Screens.Entry
  ) -> ViewNode? {
    if let (place, _) = entry.node(id) {
      return place.controller == controller.id ? entry.views[place]?.nib?.shownNode(id) : nil
    }
    return controller.followsTable ? shownNode(id, ofTable: controller.table) : nil
  }

  /// Performs one selector, or hands it to those who look on.
  func perform(
    _ action: SceneAction, _ session: Session, _ request: Request, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    switch action.selector {
    case "addNewItem:": try addNewItem(action, session, request, &answer)
    case "toggleEditingMode:", Scene.editAction:
      try toggle(action, session, request, &answer)
    case "endEditing:":
      guard let index = screens.index(number: action.scene) else { return }
      try endEditing(session, request, force: true, index, &answer)
    default:
      send(action, try sceneHolder(session, request), &answer)
      return
    }
    answer.performed.append(action.selector)
  }

  /// Tells a selector that hpd does not know to the scene's subscribers, who may perform it.
  private func send(_ action: SceneAction, _ by: SceneHolder, _ answer: inout SceneAnswer) {
    guard let index = screens.index(number: action.scene) else { return }
    beginScreens()
    tell(index, by) { head in
      var body = head.open(.action)
      body.appendField(13) { $0.appendField(1, varint: action.controller.id) }
      body.appendField(16, text: action.selector)
      body.appendField(17, varint: action.sender)
      if let event = action.event { body.appendField(18, text: event) }
      return body
    }
    answer.sent.append(action.selector)
  }

  private func addNewItem(
    _ action: SceneAction, _ session: Session, _ request: Request, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    guard action.controller.table != 0, let table = service.table(id: action.controller.table)
    else {
      throw ErrorReply(.badRequest, "the controller shows no table to add an item to")
    }
    try judgeHolding(session, request, table)
    try fillRandomItem(for: table)
    batch.operations.append(
      Batch.Operation(
        .insertRow(Batch.Row(cells: 0..<batch.cells.count), at: .end)))
    var requester = requester(session, request)
    requester.cause = "new_item"
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.perform(batch, on: table, by: requester)
    } catch { throw ErrorReply(error) }
    answer.revisions.append(outcome.revision)
    answer.inserted += outcome.inserted
    followChange(ofTable: table.id)
  }

  private func toggle(
    _ action: SceneAction, _ session: Session, _ request: Request, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    var wish = SceneRequest(scene: nil, step: .setEditing)
    wish.controller = action.controller.id
    wish.editing = !sceneEncoding.isEditing(action.controller)
    guard let index = screens.index(number: action.scene) else { return }
    try setEditing(session, request, wish, index, &answer)
  }

  /// Sets a controller's editing flag; a table's controller has its table's (contract L2).
  func setEditing(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ index: Int,
    _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    guard let on = wish.editing else { throw ErrorReply(.badRequest, "the flag is not given") }
    var scene = screens.entries[index].scene
    let id = wish.controller ?? scene.visible.id
    let isAnimated = wish.animated ?? true
    if let controller = scene.controller(id), controller.followsTable {
      try setEditing(session, request, on, isAnimated, ofTable: controller.table)
      answer.editing = on
      return
    }
    let by = try sceneHolder(session, request)
    let changes: [SceneChange]
    do throws(SceneFault) {
      changes = try scene.setEditing(id, on, animated: isAnimated)
    } catch { throw ErrorReply(error) }
    if !changes.isEmpty { tellTitles(index, id, isOn: on, by) }
    try change(index, scene, changes, by, requester(session, request))
    answer.editing = on
  }

  /// Sets a table's flag, of which all its controllers show the same (contract L2).
  private func setEditing(
    _ session: Session, _ request: Request, _ on: Bool, _ isAnimated: Bool, ofTable id: UInt64
  ) throws(ErrorReply) {
    let table = try editedTable(.id(id), request)
    let holder = try holder(session, request)
    var flag = EditingBoard.FlagWish(on: on)
    flag.isAnimated = isAnimated
    flag.isAdmin = isAdmin(session)
    _ = try stepFlag(session, request, table.id, holder) { (board) throws(EditingFault) in
      try board.setEditing(flag, table: table.id, by: holder)
    }
    followEditing()
  }
}
