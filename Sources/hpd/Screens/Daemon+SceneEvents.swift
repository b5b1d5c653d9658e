internal import CHPSystem
internal import Coding
internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// Changes of scenes: made durable with the turn, told in one order with the changes of tables
/// (contracts K3, L6, L7).
extension Daemon {
  /// The scenes as the store has them.
  static func screens(of service: Service, _ log: Log) -> Screens {
    Screens(service.states(of: .scene)) { name in
      log.write(.error, "a scene can't be read", ["scene": name])
    }
  }

  var sceneEncoding: SceneEncoding {
    let board = editing.board
    let service = service
    return SceneEncoding { controller in
      guard controller.followsTable else { return controller.isEditing }
      // Of a table that was dropped the board may still hold what goes with it.
      return service.table(id: controller.table) != nil
        && board.state(of: controller.table).isEditing
    }
  }

  /// The encoding of a scene with the views of its controllers.
  func encoding(of index: Int) -> SceneEncoding {
    var encoding = sceneEncoding
    encoding.views = screens.entries[index].views
    return encoding
  }

  /// In whose name a step is taken (contract K4).
  func sceneHolder(
    _ session: Session, _ request: Request
  ) throws(ErrorReply) -> SceneHolder {
    SceneHolder(try holder(session, request))
  }

  /// Notes the scenes as they are before the turn's first change.
  func beginScreens() {
    if screensBefore == nil { screensBefore = screens }
  }

  /// Puts a scene in the place of the one before and tells what changed.
  ///
  /// - Parameters:
  ///   - index: The scene's place.
  ///   - next: The scene after the step.
  ///   - changes: What changed.
  ///   - holder: Who did it; `nil`: hpd itself.
  ///   - requester: In whose name it stands in the journal.
  ///   - reason: Why hpd did it by itself.
  /// - Throws: What the store says; nothing has changed then.
  func change(
    _ index: Int, _ next: Scene, _ changes: [SceneChange], _ holder: SceneHolder?,
    _ requester: Requester, reason: String? = nil
  ) throws(ErrorReply) {
    var next = next
    var changes = changes
    let entry = screens.entries[index]
    let visible = next.visible
    var views: [Screens.ViewPlace: Screens.View] = [:]
    do throws(ErrorReply) {
      views = try loadViews(next, changes, entry.views)
      if next.noteViewLoaded(visible.id) {
        changes.append(.viewLoaded(controller: visible.id))
        viewFaults[visible.className] = nil
      }
    } catch {
      // What hpd does by itself has to be done; the screen is shown without its view.
      guard reason != nil else { throw error }
      note(error, ofViewOf: visible)
    }
    guard !changes.isEmpty else { return }
    var content = next.encoded()
    if content != entry.content { content = try keep(next, requester) }
    beginScreens()
    screens.put(next, content, at: index)
    screens.keep(views, at: index)
    tell(index, changes, before: entry.scene, holder, reason: reason)
  }

  /// Loads the view of what can be seen, where it was not yet: after a restart somebody looks at
  /// the scene for the first time (semantics X11).
  func loadVisible(_ index: Int) {
    let scene = screens.entries[index].scene
    guard !scene.visible.isViewLoaded else { return }
    do throws(ErrorReply) {
      try change(
        index, scene, [], nil, Requester(uid: 0, actor: "hpd", client: 0, request: 0))
    } catch {
      // Its file went bad since it was pushed; the scene is shown without.
      note(error, ofViewOf: scene.visible)
    }
  }

  /// Logs that a controller's view can't be loaded: once for each fault, not at each look.
  private func note(_ fault: ErrorReply, ofViewOf controller: Controller) {
    let place = [fault.file, fault.line.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
    let told = "\(place) \(fault.value ?? "") \(fault.message)"
    guard viewFaults[controller.className] != told else { return }
    if viewFaults.count >= Daemon.viewFaultLimit { viewFaults.removeAll() }
    viewFaults[controller.className] = told
    log.write(
      .warning, "a view can't be loaded",
      ["class": controller.className, "file": place, "reason": fault.message])
  }

  /// The classes of which the last fault is remembered.
  private static let viewFaultLimit = 1_024

  /// Queues the events of a step.
  ///
  /// - Parameters:
  ///   - index: The scene's place.
  ///   - changes: What the step changed.
  ///   - before: The scene before it.
  ///   - holder: Who did it; `nil`: hpd itself.
  ///   - reason: Why hpd did it by itself.
  ///   - encoding: How the scene is told, where that is not as it is now.
  ///   - event: The event of editing that they stand before; `nil`: behind all.
  func tell(
    _ index: Int, _ changes: [SceneChange], before: Scene, _ holder: SceneHolder?,
    reason: String? = nil, _ encoding: SceneEncoding? = nil, ahead event: UInt64? = nil
  ) {
    let scene = screens.entries[index].scene
    let encoding = encoding ?? self.encoding(of: index)
    let isVisibleNew = before.visible.id != scene.visible.id
    let bar = scene.bar(encoding.isEditing)
    let isBarNew =
      before.bar(encoding.isEditing) != bar
      || changes.contains {
        if case .buttonTitle(scene.visible.id, _, _) = $0 { true } else { false }
      }
    // The bar goes with the last event of those that may change it (semantics N5).
    let carrier = changes.lastIndex(where: \.mayChangeBar)
    for (place, change) in changes.enumerated() {
      tell(index, holder, ahead: event) { head in
        var body = encoding.event(change, head, scene, before: before, reason: reason)
        guard place == carrier else { return body }
        if isBarNew { body.appendField(23) { encoding.encode(bar, into: &$0) } }
        if isVisibleNew { body.appendField(24, varint: scene.visible.id) }
        return body
      }
    }
  }

  /// Queues one event.
  ///
  /// - Returns: Its number.
  @discardableResult
  func tell(
    _ index: Int, _ holder: SceneHolder?, isLast: Bool = false, ahead event: UInt64? = nil,
    _ body: (SceneEventHead) -> [UInt8]
  ) -> UInt64 {
    let sequence = screens.nextSequence(index)
    let entry = screens.entries[index]
    let head = SceneEventHead(
      scene: entry.scene.name, sequence: sequence, start: startID, revision: service.revision,
      by: holder)
    news.append(
      LiveNews(
        audience: .scene(entry.number), revision: service.revision,
        mark: event.map { $0 - 1 } ?? editing.board.sequence, kind: .scene, body: body(head),
        end: isLast ? .sceneRemoved : nil))
    return sequence
  }

  /// Gives a subscriber who has come to the present all of its scene.
  func tellState(to subscription: Subscription) {
    let number = subscription.scope.scene
    guard number != 0, let index = screens.index(number: number) else { return }
    let entry = screens.entries[index]
    let head = SceneEventHead(
      scene: entry.scene.name, sequence: entry.sequence, start: startID,
      revision: service.durableRevision)
    var body = head.open(.state)
    body.appendField(8, bytes: state(of: index))
    let item = LiveNews(
      audience: .scene(number), revision: service.durableRevision, mark: 0, kind: .scene,
      body: body)
    feed.append(item, to: subscription, self)
  }

  /// Nothing of the turn is on disk: no scene has changed (contract S2).
  func takeBackScenes() {
    news.removeAll()
    if let before = screensBefore { screens = before }
    screensBefore = nil
    followFromHere()
    readScenes()
  }

  /// Tells all of every scene: what its watchers know may not be so.
  func tellScenes() {
    followFromHere()
    for index in screens.entries.indices {
      tell(index, nil) { head in
        var body = head.open(.state)
        body.appendField(8, bytes: state(of: index))
        return body
      }
    }
  }

  /// Compares the scenes with those of a store that was read anew; who looks on gets all of those
  /// that are others.
  func readScenes() {
    guard !service.isLost else { return }
    let stored = service.states(of: .scene)
    for (index, entry) in screens.entries.enumerated().reversed() {
      guard let now = stored.first(where: { $0.name == entry.scene.name }) else {
        tell(index, nil, isLast: true) { $0.open(.removed) }
        screens.remove(at: index)
        continue
      }
      guard now.content != entry.content,
        let scene = try? Scene(name: now.name, decoding: now.content)
      else { continue }
      screens.put(scene, now.content, at: index)
      screens.forgetViews(at: index)
      tell(index, nil) { head in
        var body = head.open(.state)
        body.appendField(8, bytes: state(of: index))
        return body
      }
    }
    for state in stored where screens.index(named: state.name) == nil {
      if let scene = try? Scene(name: state.name, decoding: state.content) {
        _ = screens.add(scene, state.content)
      }
    }
  }
}

extension SceneChange {
  /// Whether another bar may come of it.
  var mayChangeBar: Bool {
    switch self {
    case .navigation, .tabSelected, .tabs, .item, .buttonTitle: true
    case .viewLoaded, .editing, .responder, .attached, .detached, .gone: false
    }
  }
}
