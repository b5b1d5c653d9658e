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
    followEditing()
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
    guard !screens.isEmpty else { return }
    if service.hasPending {
      for table in service.pendingTables { followChange(ofTable: table) }
    }
    followEditing()
    leaveEndedLeases()
  }

  /// Lets titles and flags follow what happened to the editing of tables since the last time,
  /// whoever did it (contract L2), and first responders follow their drafts.
  ///
  /// Called before anything of a scene is told or changed, and at the end of a turn.
  func followEditing() {
    let board = editing.board
    guard board.sequence > editing.followed else { return }
    let last = editing.followed
    editing.followed = board.sequence
    guard !screens.isEmpty else { return }
    for event in board.events where event.sequence > last {
      switch event.what {
      case .editingChanged(let flag, _, let isAnimated): follow(event, flag, isAnimated)
      case .draftEnded(let draft), .draftRejected(let draft): follow(event, draft)
      case .leaseEnded(let holder): leaveScenes(SceneHolder(holder))
      default: break
      }
    }
    leaveEndedLeases()
  }

  private func follow(_ event: LiveEvent, _ flag: LiveEvent.Flag, _ isAnimated: Bool) {
    // A button's title is told before the flag (semantics E4), a swipe's after it (2.5).
    let isSwipe = flag.mode == .swipe || editing.swiped.contains(event.table)
    if flag.mode == .swipe {
      editing.swiped.insert(event.table)
    } else {
      editing.swiped.remove(event.table)
    }
    let wasOn = editing.shown.contains(event.table)
    guard wasOn != flag.isEditing else { return }
    if flag.isEditing {
      editing.shown.insert(event.table)
    } else {
      editing.shown.remove(event.table)
    }
    let now = sceneEncoding.isEditing
    let encoding = SceneEncoding { controller in
      controller.followsTable && controller.table == event.table
        ? flag.isEditing : now(controller)
    }
    for index in screens.entries.indices {
      let scene = screens.entries[index].scene
      let changes = scene.follow(
        table: event.table, flag.isEditing, animated: isAnimated, titlesFirst: !isSwipe)
      guard !changes.isEmpty else { continue }
      beginScreens()
      let by = event.by.map { SceneHolder($0) }
      func tellNodes() {
        for case .editing(let id, _, _) in changes {
          tellTitles(
            index, id, isOn: flag.isEditing, by,
            ahead: isSwipe ? event.sequence + 1 : event.sequence)
        }
      }
      if !isSwipe { tellNodes() }
      defer { if isSwipe { tellNodes() } }
      for change in changes {
        var isTitle = false
        if case .buttonTitle = change { isTitle = true }
        tell(
          index, [change], before: scene, by, encoding,
          ahead: isTitle && !isSwipe ? event.sequence : event.sequence + 1)
      }
    }
  }

  /// A field whose draft has ended is no first responder any more.
  private func follow(_ event: LiveEvent, _ draft: DraftSlot) {
    let holder = SceneHolder(draft.holder)
    for index in screens.entries.indices {
      let before = screens.entries[index].scene
      guard let responder = before.responder(of: holder), responder.column == draft.column,
        let controller = before.controller(responder.controller),
        controller.table == event.table, controller.row == draft.row
      else { continue }
      var scene = before
      let changes = scene.resign(holder)
      beginScreens()
      screens.put(scene, screens.entries[index].content, at: index)
      tell(index, changes, before: before, holder)
    }
  }

  /// Takes the flags as they are for what the scenes show: at the start, and after a failure.
  func followFromHere() {
    titleFromHere()
    editing.followed = editing.board.sequence
    editing.shown = Set(editing.board.tables.filter { $0.value.isEditing }.keys)
    editing.swiped = Set(editing.board.tables.filter { $0.value.mode == .swipe }.keys)
  }

  /// Leases that have ended hold nothing (contract K4).
  private func leaveEndedLeases() {
    for lease in screens.leases where editing.board.leases[lease.lease] == nil {
      leaveScenes(lease)
    }
  }

  /// A client vanishes: it is no longer attached anywhere (contract K4).
  func leaveScenes(_ session: Session) {
    guard session.client != 0, !screens.isEmpty else { return }
    followEditing()
    leaveScenes(
      SceneHolder(uid: UInt64(session.peer.uid), actor: session.actor, client: session.client))
  }

  private func leaveScenes(_ holder: SceneHolder) {
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
