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
    if table == nil { followDrop(ofTable: id) }
    for index in screens.entries.indices {
      var scene = screens.entries[index].scene
      let changes = scene.removeGone { controller in
        guard controller.table == id else { return !controller.isGone }
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
    tellFlag(
      ofTable: event.table, flag.isEditing, isAnimated, isSwipe: isSwipe,
      event.by.map { SceneHolder($0) }, at: event.sequence)
  }

  /// A dropped table edits no more, and its live state goes without an event of its own: what
  /// shows it is told so before it is told that it is gone (contract L2).
  private func followDrop(ofTable id: UInt64) {
    editing.swiped.remove(id)
    tellFlag(ofTable: id, false, false, isSwipe: false, nil, at: nil)
  }

  /// Tells all that shows a table its flag, where it is another than it was told.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - isOn: Its flag.
  ///   - isAnimated: Whether clients are to animate it.
  ///   - isSwipe: Whether a swipe raised or lowered it: titles come after it then.
  ///   - by: Who did it; `nil`: hpd itself.
  ///   - sequence: The event of editing that it belongs to; `nil`: behind all.
  private func tellFlag(
    ofTable table: UInt64, _ isOn: Bool, _ isAnimated: Bool, isSwipe: Bool, _ by: SceneHolder?,
    at sequence: UInt64?
  ) {
    let wasOn = editing.shown.contains(table)
    guard wasOn != isOn else { return }
    if isOn { editing.shown.insert(table) } else { editing.shown.remove(table) }
    let now = sceneEncoding.isEditing
    let encoding = SceneEncoding { controller in
      controller.followsTable && controller.table == table ? isOn : now(controller)
    }
    let behind = sequence.map { $0 + 1 }
    for index in screens.entries.indices {
      let scene = screens.entries[index].scene
      let changes = scene.follow(
        table: table, isOn, animated: isAnimated, titlesFirst: !isSwipe)
      guard !changes.isEmpty else { continue }
      beginScreens()
      func tellNodes() {
        for case .editing(let id, _, _) in changes {
          tellTitles(index, id, isOn: isOn, by, ahead: isSwipe ? behind : sequence)
        }
      }
      if !isSwipe { tellNodes() }
      defer { if isSwipe { tellNodes() } }
      for change in changes {
        var isTitle = false
        if case .buttonTitle = change { isTitle = true }
        tell(
          index, [change], before: scene, by, encoding,
          ahead: isTitle && !isSwipe ? sequence : behind)
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
      resign(holder, at: index)
    }
  }

  /// Takes the keyboard from a holder; what it writes stays as it is.
  func resign(_ holder: SceneHolder, at index: Int) {
    let before = screens.entries[index].scene
    var scene = before
    let changes = scene.resign(holder)
    guard !changes.isEmpty else { return }
    beginScreens()
    screens.put(scene, screens.entries[index].content, at: index)
    tell(index, changes, before: before, holder)
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
