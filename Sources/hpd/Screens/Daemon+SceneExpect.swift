internal import Scenes
internal import TableService
internal import Wire

/// The tables that a step of a scene is about, for what it expects of them (contract E1).
extension Daemon {
  /// The tables that a step shows or may write.
  ///
  /// Those of the controllers that it is about, the named one and the visible one; of a controller
  /// that it makes; and of the fields that its holder writes in, which it may end.
  func tables(
    of wish: SceneRequest, for request: Request, _ session: Session
  ) throws(ErrorReply) -> [Table] {
    guard request.expect != nil else { return [] }
    var found: [Table] = []
    for root in wish.roots where root.table != .absent { found.append(try table(root.table)) }
    guard wish.step != .make else { return found }
    let scene = screens.entries[try index(of: wish)].scene
    guard wish.step != .remove else { return found }
    var controllers = [scene.visible]
    if let named = wish.controller.flatMap({ scene.controller($0) }) { controllers.append(named) }
    if wish.step == .becomeFirstResponder {
      let holder = try sceneHolder(session, request)
      for entry in screens.entries {
        guard let old = entry.scene.responder(of: holder), old.column != 0,
          let shown = entry.scene.controller(old.controller)
        else { continue }
        controllers.append(shown)
      }
    }
    return found + tables(of: controllers)
  }

  /// The tables that controllers show, those that are gone left out.
  func tables(of controllers: [Controller]) -> [Table] {
    controllers.compactMap { $0.table == 0 ? nil : service.table(id: $0.table) }
  }
}
