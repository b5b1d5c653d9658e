internal import CHPSystem
internal import Scenes
internal import TableService
internal import Wire

/// Scenes follow what happens elsewhere: rows and tables that go, clients that vanish.
extension Daemon {
  /// Looks after the scenes once a table has changed, so that what a revision causes comes right
  /// after it.
  ///
  /// - Parameter id: The table.
  /// - Complexity: O(1) where no scene shows it, else O(*n*) in the number of controllers.
  func followChange(ofTable id: UInt64) {
    guard !screens.isEmpty, screens.shows(table: id) else { return }
    let table = service.table(id: id)
    for index in screens.entries.indices {
      var scene = screens.entries[index].scene
      let changes = scene.removeGone { controller in
        guard controller.table == id, !controller.isGone else { return true }
        guard let table else { return false }
        if controller.row != 0, table.path(of: controller.row) == nil { return false }
        return controller.section == 0 || table.sectionIndex(of: controller.section) != nil
      }
      guard !changes.isEmpty else { continue }
      do throws(ErrorReply) {
        try change(
          index, scene, changes, nil,
          Requester(uid: 0, actor: "hpd", client: 0, request: 0), reason: "gone")
      } catch {
        log.write(.warning, "a scene can't follow", ["reason": error.message])
      }
    }
  }

  /// Looks after the scenes for whatever the turn has changed, whoever performed it.
  func followTurn() {
    guard !screens.isEmpty, service.hasPending else { return }
    for table in service.pendingTables { followChange(ofTable: table) }
  }

  /// A client vanishes: it is no longer attached anywhere (contract K4).
  func leaveScenes(_ session: Session) {
    guard session.client != 0, !screens.isEmpty else { return }
    let holder = SceneHolder(
      uid: UInt64(session.peer.uid), actor: session.actor, client: session.client)
    for index in screens.entries.indices {
      let before = screens.entries[index].scene
      var scene = before
      let changes = scene.detach(holder)
      guard !changes.isEmpty else { continue }
      beginScreens()
      screens.put(scene, screens.entries[index].content, at: index)
      tell(index, changes, before: before, holder)
    }
  }
}
