internal import CHPProto

extension RequestDecoder {
  /// Decodes a request about editing.
  // Safe: `client` and all it points to live in the arena until the frame is done, and the
  // member of the union that is read is the one that the case names.
  func editing(
    _ client: UnsafePointer<Hp__V1__ClientFrame>, _ kind: RequestKind
  ) throws(WireFault) -> EditingRequest {
    switch kind {
    case .setEditing: return unsafe .set(Unpacked.setEditing(client.pointee.set_editing))
    case .toggleEditing:
      let toggle = unsafe client.pointee.toggle_editing.pointee
      return unsafe .toggle(
        table: Unpacked.table(toggle.table),
        expected: toggle.has_expected != 0 ? toggle.expected != 0 : nil,
        animated: toggle.animated != 0)
    case .commitEditing:
      try unsafe batch.decode(newRow: client.pointee.commit_editing.pointee.new_row)
      return unsafe .commit(Unpacked.commit(client.pointee.commit_editing))
    case .swipe: return unsafe .swipe(Unpacked.swipe(client.pointee.swipe))
    case .confirm: return unsafe .confirm(Unpacked.confirm(client.pointee.confirm))
    case .drag: return unsafe .drag(Unpacked.drag(client.pointee.drag))
    case .select: return unsafe .select(Unpacked.select(client.pointee.select))
    case .draft: return unsafe .draft(Unpacked.draft(client.pointee.draft))
    case .takeLease:
      let take = unsafe client.pointee.take_lease.pointee
      return unsafe .takeLease(
        name: Unpacked.optionalString(take.name),
        seconds: take.has_seconds != 0 ? take.seconds : nil)
    case .endLease:
      let end = unsafe client.pointee.end_lease.pointee
      return unsafe .endLease(
        id: end.has_lease != 0 ? end.lease : nil, name: Unpacked.optionalString(end.name))
    case .listLeases: return .listLeases
    case .getEditing:
      return unsafe .state(Unpacked.table(client.pointee.get_editing.pointee.table))
    case .getPolicy:
      let get = unsafe client.pointee.get_policy.pointee
      return unsafe .policies(
        Unpacked.table(get.table), section: Unpacked.namedSection(get.section),
        rows: Unpacked.rows(get.rows, get.n_rows))
    default: preconditionFailure("no request about editing")
    }
  }
}

extension Unpacked {
  static func rows(
    _ list: UnsafePointer<UnsafeMutablePointer<Hp__V1__RowRef>?>?, _ count: Int
  ) -> [RowReference] {
    unsafe UnsafeBufferPointer(start: list, count: count).map { unsafe row($0) }
  }

  static func setEditing(_ pointer: UnsafePointer<Hp__V1__SetEditing>) -> SetEditingRequest {
    let set = unsafe pointer.pointee
    return unsafe SetEditingRequest(
      table: table(set.table), on: set.on != 0, animated: set.animated != 0,
      exclusive: set.has_exclusive != 0 ? set.exclusive != 0 : nil, breaksHold: set.break_hold != 0)
  }

  static func commit(
    _ pointer: UnsafePointer<Hp__V1__CommitEditing>
  ) -> CommitEditingRequest {
    let commit = unsafe pointer.pointee
    return unsafe CommitEditingRequest(
      table: table(commit.table), row: row(commit.row),
      style: commit.has_style != 0 ? UInt8(truncatingIfNeeded: commit.style.rawValue) : nil,
      animation: animation(commit.has_animation, commit.animation), basis: basis(commit.basis))
  }

  static func swipe(_ pointer: UnsafePointer<Hp__V1__Swipe>) -> SwipeRequest {
    let swipe = unsafe pointer.pointee
    return unsafe SwipeRequest(
      table: table(swipe.table), step: SwipeRequest.Step(rawValue: swipe.step.rawValue),
      row: row(swipe.row), isLeading: swipe.leading != 0, basis: basis(swipe.basis),
      animation: animation(swipe.has_animation, swipe.animation))
  }

  static func confirm(_ pointer: UnsafePointer<Hp__V1__Confirm>) -> SwipeRequest {
    let confirm = unsafe pointer.pointee
    return unsafe SwipeRequest(
      table: table(confirm.table), step: SwipeRequest.Step(rawValue: confirm.step.rawValue),
      row: row(confirm.row), isLeading: false, basis: basis(confirm.basis),
      animation: animation(confirm.has_animation, confirm.animation))
  }

  static func drag(_ pointer: UnsafePointer<Hp__V1__Drag>) -> DragRequest {
    let drag = unsafe pointer.pointee
    var target: IndexPath?
    if let path = unsafe drag.target?.pointee {
      unsafe target = IndexPath(section: index(path.section), row: index(path.row))
    }
    return unsafe DragRequest(
      table: table(drag.table), step: DragRequest.Step(rawValue: drag.step.rawValue),
      row: row(drag.row), target: target, basis: basis(drag.basis))
  }

  static func select(_ pointer: UnsafePointer<Hp__V1__Select>) -> SelectRequest {
    let select = unsafe pointer.pointee
    return unsafe SelectRequest(
      table: table(select.table), rows: rows(select.rows, select.n_rows), on: select.on != 0,
      clearsOthers: select.clear_others != 0, basis: basis(select.basis))
  }

  static func draft(_ pointer: UnsafePointer<Hp__V1__Draft>) -> DraftRequest {
    let draft = unsafe pointer.pointee
    return unsafe DraftRequest(
      table: table(draft.table), step: DraftRequest.Step(rawValue: draft.step.rawValue),
      row: draft.has_row != 0 ? draft.row : nil, column: optionalString(draft.column),
      text: optionalString(draft.text), force: draft.force != 0)
  }

  static func animation(_ has: Int32, _ value: Hp__V1__Animation) -> Animation? {
    has != 0 ? Animation(rawValue: value.rawValue) : nil
  }
}
