internal import hpclient

/// A step of live state as `watch` prints it.
struct LiveLine {
  private let kind: hp_live_kind
  private let states: [EditingState]
  private var fields: [(String, JSON)]
  private let text: String?

  /// Reads a step.
  ///
  /// - Parameters:
  ///   - live: The step, of an event that is alive during the call.
  ///   - tables: Those that are watched, by which columns and tables have their names.
  init(_ live: hp_live_event, tables: [TableInfo]) {
    // Safe: all that the step points at lives as long as its event, and is copied.
    unsafe kind = live.kind
    let id = unsafe live.table
    let info = tables.first { $0.id == id }
    let columns = info?.columns ?? []
    states = unsafe UnsafeBufferPointer(start: live.states, count: live.state_count)
      .map { state in unsafe EditingState(state) }
    let by = unsafe Holder(live.by)
    fields = unsafe [
      ("event", .string(String(cString: hp_live_kind_name(live.kind)))),
      ("sequence", .integer(live.sequence)), ("revision", .integer(live.revision)),
    ]
    if let info { fields.append(("table", .string(info.name))) }
    if unsafe live.row != 0 { fields.append(("row", unsafe .integer(live.row))) }
    if let by { fields.append(("by", by.json)) }
    let who = by?.text ?? "hpd"
    switch unsafe live.kind {
    case HP_LIVE_STATE:
      fields.append(
        (
          "states",
          .array(
            states.map { state in
              let info = tables.first { $0.id == state.table }
              let name: [(String, JSON)] = info.map { [("table", .string($0.name))] } ?? []
              return .object(name + state.fields(info?.columns ?? []))
            })
        ))
      text = nil
    case HP_LIVE_EDITING_CHANGED:
      let holders = unsafe UnsafeBufferPointer(start: live.holders, count: live.holder_count)
        .map { holder in unsafe Holder(holder) }
      let ended = unsafe UnsafeBufferPointer(start: live.ended, count: live.ended_count)
        .map { holder in unsafe Holder(holder) }
      let mode = unsafe EditingState.name(live.mode)
      unsafe fields += [
        ("editing", .boolean(live.editing)), ("title", .string(String(hp: live.title) ?? "")),
        ("mode", .string(mode)), ("animated", .boolean(live.animated)),
        ("holders", .array(holders.map(\.json))),
      ]
      if let exclusive = unsafe Holder(live.exclusive) {
        fields.append(("exclusive", exclusive.json))
      }
      if !ended.isEmpty { fields.append(("ended", .array(ended.map(\.json)))) }
      let state = unsafe live.editing ? mode == "swipe" ? "on, for a swipe" : "on" : "off"
      text = "\(who): editing \(state)"
    case HP_LIVE_SWIPE_OPENED:
      let button = unsafe EditingState.Button(live.swipe)
      if let button { fields.append(("swipe", button.json)) }
      text = button.map { "\(who): swiped \($0.row), \($0.title)" }
    case HP_LIVE_CONFIRM_OPENED:
      let button = unsafe EditingState.Button(live.confirm)
      if let button { fields.append(("confirm", button.json)) }
      text = button.map { "\(who): asked \($0.title) of \($0.row)" }
    case HP_LIVE_DRAG_BEGAN, HP_LIVE_DRAG_MOVED:
      let drag = unsafe EditingState.Drag(live.drag)
      if let drag { fields.append(("drag", drag.json)) }
      text = drag.map { "\(who): drags \($0.row) to [\($0.target.section),\($0.target.row)]" }
    case HP_LIVE_SELECTION_CHANGED:
      let holder = unsafe Holder(live.holder)
      let selected = unsafe EditingState.ranges(live.selected, live.selected_count)
      let deselected = unsafe EditingState.ranges(live.deselected, live.deselected_count)
      if let holder { fields.append(("holder", holder.json)) }
      if unsafe live.cleared { fields.append(("cleared", .boolean(true))) }
      if !deselected.isEmpty { fields.append(("deselected", JSON.ids(deselected))) }
      if !selected.isEmpty { fields.append(("selected", JSON.ids(selected))) }
      text = "\(holder?.text ?? who): selection changed"
    case HP_LIVE_DRAFT_BEGAN, HP_LIVE_DRAFT_TEXT, HP_LIVE_DRAFT_ENDED, HP_LIVE_DRAFT_REJECTED:
      let draft = unsafe DraftState(live.draft)
      if let draft { fields.append(("draft", draft.json(columns))) }
      let kind = unsafe live.kind
      text = draft.map { Self.text($0, kind, columns) }
    case HP_LIVE_HOLDER_GONE, HP_LIVE_LEASE_ENDED:
      let holder = unsafe Holder(live.holder)
      if let holder { fields.append(("holder", holder.json)) }
      let end = unsafe live.kind == HP_LIVE_HOLDER_GONE ? "gone" : "ended"
      text = holder.map { "\($0.text): \(end)" }
    case HP_LIVE_VIEW_CHANGED:
      let node = unsafe live.node.map { unsafe ViewNode($0.pointee) }
      if let node { fields.append(("node", .node(node))) }
      let part = unsafe live.footer ? "footer" : "header"
      if unsafe live.section != 0 { fields.append(("section", unsafe .integer(live.section))) }
      fields.append(("footer", unsafe .boolean(live.footer)))
      let place = unsafe live.section == 0 ? part : "\(part) of section \(live.section)"
      text = node.map { "\(who): \($0.summary) in the \(place)" }
    default: text = nil
    }
  }

  private static func text(
    _ draft: DraftState, _ kind: hp_live_kind, _ columns: [ColumnInfo]
  ) -> String {
    let column = columns.first { $0.id == draft.column }?.name ?? String(draft.column)
    let cell = "\(draft.row) \(column)"
    return switch kind {
    case HP_LIVE_DRAFT_ENDED: "\(draft.holder.text): no longer edits \(cell)"
    case HP_LIVE_DRAFT_REJECTED:
      "\(draft.holder.text): could not write \"\(draft.text)\" to \(cell)"
    default: "\(draft.holder.text): edits \(cell): \"\(draft.text)\""
    }
  }

  /// Whether there is nothing to tell: a full state in which nothing is held.
  var isNothing: Bool {
    kind == HP_LIVE_STATE && !states.contains { $0.isAnything }
  }

  /// The line's fields in JSON.
  var json: [(String, JSON)] { fields }

  /// The lines for people.
  func lines(_ tables: [TableInfo]) -> [String] {
    guard kind == HP_LIVE_STATE else { return text.map { [$0] } ?? [] }
    return states.filter(\.isAnything).flatMap { state in
      state.lines(tables.first { $0.id == state.table }?.columns ?? [])
        .map { "\($0.0): \($0.1)" }
    }
  }
}

extension EditingState {
  /// Whether anything is held at all.
  fileprivate var isAnything: Bool {
    isEditing || !holders.isEmpty || !selections.isEmpty || !drafts.isEmpty
  }
}
