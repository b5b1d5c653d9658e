internal import Scenes
internal import TableService
internal import Wire

/// Requests about scenes (SPEC 7).
extension Daemon {
  func scene(_ session: Session, _ request: Request, _ wish: SceneRequest) throws(ErrorReply) {
    var answer = SceneAnswer()
    expireLeases()
    followEditing()
    switch wish.step {
    case .unspecified: throw ErrorReply(.badRequest, "the request names no step")
    case .list:
      answer.scenes = screens.entries.map { entry in
        sceneEncoding.state(entry.scene, sequence: entry.sequence, isWhole: false)
      }
    case .show:
      let index = try index(of: wish)
      loadVisible(index)
      answer.scenes = [state(of: index)]
    default:
      if try replayScene(session, request) { return }
      let revision = service.revision
      try step(session, request, wish, &answer)
      session.written = max(session.written, service.revision > revision ? service.revision : 0)
    }
    answerScene(session, request, answer, isRead: wish.isRead)
  }

  /// Answers a step, and keeps the answer for its key (contract E5).
  func answerScene(
    _ session: Session, _ request: Request, _ answer: SceneAnswer, isRead: Bool = false
  ) {
    let content = answer.encoded(cursor)
    if !isRead, let key = key(session, request) {
      // What is there is asked for again; ids that were given are kept.
      var kept = answer
      kept.scenes = []
      service.keep(reply: kept.encoded(cursor), for: key)
    }
    reply(session, request.id) {
      ReplyEncoder.scene(id: request.id, encoded: content, into: &$0)
    }
  }

  private func step(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let index: Int
    try judgeExpectation(request, on: try tables(of: wish, for: request, session))
    var request = request
    // It is judged once, before anything is done (contract E4): a step may write more than once.
    request.expect = nil
    switch wish.step {
    case .make: index = try makeScene(session, request, wish, &answer)
    case .remove:
      try removeScene(session, request, wish, &answer)
      return
    default:
      index = try self.index(of: wish)
      let sequence = screens.entries[index].sequence
      try performStep(session, request, wish, index, &answer)
      answer.isUnchanged =
        screens.entries[index].sequence == sequence && answer.revisions.isEmpty
    }
    answer.sequence = screens.entries[index].sequence
  }

  /// The scene that a request names.
  func index(of wish: SceneRequest) throws(ErrorReply) -> Int {
    try index(ofScene: wish.scene)
  }

  func index(ofScene name: String?) throws(ErrorReply) -> Int {
    guard let name else { throw ErrorReply(.badRequest, "the request names no scene") }
    guard let index = screens.index(named: name) else {
      var error = ErrorReply(.notFound, "no scene has that name")
      error.value = name
      throw error
    }
    return index
  }

  /// A scene as a newcomer needs it.
  func state(of index: Int) -> [UInt8] {
    let entry = screens.entries[index]
    return encoding(of: index).state(entry.scene, sequence: entry.sequence, isWhole: true)
  }

  private func makeScene(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ answer: inout SceneAnswer
  ) throws(ErrorReply) -> Int {
    guard let name = wish.scene else { throw ErrorReply(.badRequest, "the scene has no name") }
    if let fault = Name.faultOfTable(name) {
      var error = ErrorReply(.badName, "that is no name")
      (error.value, error.expected) = (name, fault)
      throw error
    }
    guard screens.index(named: name) == nil else {
      var error = ErrorReply(.nameInUse, "that name is in use")
      error.value = name
      throw error
    }
    guard screens.entries.count < SceneLimits.scenes else {
      throw ErrorReply(.tooManyElements, "there are \(SceneLimits.scenes) scenes already")
    }
    var roots: [ControllerSpec] = []
    for root in wish.roots { roots.append(try spec(root)) }
    if roots.isEmpty { roots = [try spec(SceneController(items: .name("items")))] }
    let scene: Scene
    do throws(SceneFault) {
      scene = try Scene(name: name, language: wish.language, roots: roots)
    } catch { throw ErrorReply(error) }
    // Without a scene nobody followed; its controllers show the flags as they are now.
    if screens.isEmpty { followFromHere() }
    let holder = try sceneHolder(session, request)
    beginScreens()
    let index = screens.add(scene, [])
    do throws(ErrorReply) {
      // Its bytes are others than none: they are kept once its view was loaded.
      try change(index, scene, [], holder, requester(session, request))
    } catch {
      screens.remove(at: index)
      throw error
    }
    answer.scenes = [state(of: index)]
    return index
  }

  private func removeScene(
    _ session: Session, _ request: Request, _ wish: SceneRequest, _ answer: inout SceneAnswer
  ) throws(ErrorReply) {
    let index = try index(of: wish)
    let entry = screens.entries[index]
    do throws(ServiceFault) {
      try service.keep(
        .scene, name: entry.scene.name, content: nil, by: requester(session, request))
    } catch { throw ErrorReply(error) }
    beginScreens()
    answer.sequence = tell(index, try sceneHolder(session, request), isLast: true) { head in
      head.open(.removed)
    }
    screens.remove(at: index)
  }

  /// The bytes of a scene, accepted for the turn's commit (contract L7).
  func keep(_ scene: Scene, _ requester: Requester) throws(ErrorReply) -> [UInt8] {
    let content = scene.encoded()
    guard content.count <= SceneLimits.durableState else {
      throw ErrorReply(.tooManyElements, "the scene takes \(content.count) bytes")
    }
    do throws(ServiceFault) {
      try service.keep(.scene, name: scene.name, content: content, by: requester)
    } catch { throw ErrorReply(error) }
    return content
  }

  /// A controller as a request describes it, its table and row looked up.
  func spec(_ wish: SceneController) throws(ErrorReply) -> ControllerSpec {
    guard let kind = ControllerKind(rawValue: UInt64(wish.kind)) else {
      throw ErrorReply(.badRequest, "the controller has no kind")
    }
    var spec = ControllerSpec(
      kind, className: wish.className, nibName: wish.nibName, row: wish.row,
      section: wish.section, title: wish.title, tabTitle: wish.tabTitle)
    guard wish.table != .absent else { return spec }
    let table = try table(wish.table)
    spec.table = table.id
    if wish.row != 0, table.path(of: wish.row) == nil {
      var error = ErrorReply(.noSuchRow, "no such row")
      error.row = wish.row
      throw error
    }
    if wish.section != 0, table.sectionIndex(of: wish.section) == nil {
      var error = ErrorReply(.noSuchSection, "no such section")
      error.section = wish.section
      throw error
    }
    if kind == .items, spec.title == nil { spec.title = table.name }
    return spec
  }

  /// Answers a retried step with its first outcome (contract E5).
  func replayScene(_ session: Session, _ request: Request) throws(ErrorReply) -> Bool {
    guard let key = key(session, request) else { return false }
    let outcome: KeptOutcome?
    do throws(ServiceFault) { outcome = try service.outcome(of: key) } catch {
      throw ErrorReply(error)
    }
    guard let outcome else { return false }
    reply(session, request.id) {
      ReplyEncoder.scene(
        id: request.id, encoded: outcome.reply, replayed: true, into: &$0)
    }
    return true
  }
}
