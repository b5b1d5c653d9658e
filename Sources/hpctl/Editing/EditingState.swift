internal import hpclient

/// Who holds something: a connection or a lease (contract K4).
struct Holder: Equatable {
  var uid: UInt64
  var actor: String
  var client: UInt64
  var lease: UInt64
  var leaseName: String

  var json: JSON {
    var fields: [(String, JSON)] = [("uid", .integer(uid)), ("actor", .string(actor))]
    if lease != 0 {
      fields += [("lease", .integer(lease)), ("lease_name", .string(leaseName))]
    } else {
      fields.append(("client", .integer(client)))
    }
    return .object(fields)
  }

  /// For people: the actor, and the lease where it is one.
  var text: String { lease == 0 ? actor : "\(actor) (lease \(leaseName))" }
}

/// A cell that somebody edits, or a text that could not be written.
struct DraftState {
  var holder: Holder
  var row: UInt64
  var column: UInt64
  var text: String
  var isRejected: Bool
  /// The name of an error code.
  var reason: String?
}

/// The live state of a table (SPEC 6).
struct EditingState {
  struct Button {
    var row: UInt64
    var holder: Holder
    var isLeading: Bool
    var title: String
  }

  struct Drag {
    var row: UInt64
    var holder: Holder
    var target: IndexPath
  }

  var table: UInt64
  var isEditing: Bool
  var title: String
  var mode: String
  var exclusive: Holder?
  var holders: [Holder]
  var swipe: Button?
  var confirm: Button?
  var drag: Drag?
  var selections: [(holder: Holder, rows: [ClosedRange<UInt64>])]
  var drafts: [DraftState]
}

// What follows reads structs of a reply or event, which is alive during the call; all is copied.

extension Holder {
  init(_ holder: hp_holder) {
    // Safe: see above.
    unsafe self.init(
      uid: holder.uid, actor: String(hp: holder.actor) ?? "", client: holder.client,
      lease: holder.lease, leaseName: String(hp: holder.lease_name) ?? "")
  }

  init?(_ holder: UnsafePointer<hp_holder>?) {
    // Safe: see above.
    guard let holder = unsafe holder else { return nil }
    unsafe self.init(holder.pointee)
  }
}

extension DraftState {
  init?(_ draft: UnsafePointer<hp_draft_state>?) {
    // Safe: see above.
    guard let draft = unsafe draft?.pointee else { return nil }
    unsafe self.init(
      holder: Holder(draft.holder), row: draft.row, column: draft.column,
      text: String(hp: draft.text) ?? "", isRejected: draft.rejected,
      reason: String(hp: draft.reason))
  }
}

extension EditingState.Button {
  init?(_ button: UnsafePointer<hp_swipe_state>?) {
    // Safe: see above.
    guard let button = unsafe button?.pointee else { return nil }
    unsafe self.init(
      row: button.row, holder: Holder(button.holder), isLeading: button.leading,
      title: String(hp: button.delete_title) ?? "")
  }
}

extension EditingState.Drag {
  init?(_ drag: UnsafePointer<hp_drag_state>?) {
    // Safe: see above.
    guard let drag = unsafe drag?.pointee else { return nil }
    unsafe self.init(
      row: drag.row, holder: Holder(drag.holder), target: IndexPath(drag.target))
  }
}

extension EditingState {
  init(_ state: hp_editing_state) {
    // Safe: see above.
    unsafe self.init(
      table: state.table, isEditing: state.editing, title: String(hp: state.title) ?? "",
      mode: Self.name(state.mode), exclusive: Holder(state.exclusive),
      holders: UnsafeBufferPointer(start: state.holders, count: state.holder_count)
        .map { holder in unsafe Holder(holder) },
      swipe: Button(state.swipe), confirm: Button(state.confirm), drag: Drag(state.drag),
      selections: UnsafeBufferPointer(start: state.selections, count: state.selection_count)
        .map { selection in
          unsafe (
            Holder(selection.holder), Self.ranges(selection.rows, selection.row_count)
          )
        },
      drafts: (0..<state.draft_count).compactMap { index in
        unsafe DraftState(state.drafts.advanced(by: index))
      })
  }

  static func name(_ mode: hp_editing_mode) -> String {
    switch mode {
    case HP_MODE_EDITING: "editing"
    case HP_MODE_SWIPE: "swipe"
    default: "none"
    }
  }

  /// Runs of row ids as ranges.
  static func ranges(
    _ runs: UnsafePointer<hp_id_run>?, _ count: Int
  ) -> [ClosedRange<UInt64>] {
    // Safe: see above.
    unsafe UnsafeBufferPointer(start: runs, count: count).compactMap { run in
      run.count > 0 ? run.first...(run.first &+ (run.count - 1)) : nil
    }
  }
}
