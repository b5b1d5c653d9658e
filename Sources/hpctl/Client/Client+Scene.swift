internal import hpclient

/// A step of a scene as hpctl takes it.
struct SceneStep {
  var kind: hp_scene_step_kind
  var scene: String?
  var root: SceneRoot?
  var index: UInt64?
  var button: UInt64 = 0
  var node: UInt64 = 0
  var event: String?
  var force = false
  var item: SceneItem?
  var language: String?
  var column: String?

  init(_ kind: hp_scene_step_kind, _ scene: String? = nil) {
    self.kind = kind
    self.scene = scene
  }
}

/// A controller that is to be made.
struct SceneRoot {
  var kind: hp_controller_kind
  var className: String?
  var table: String?
  var row: UInt64 = 0
  var title: String?
}

/// What stands in the bar while a controller is on top.
struct SceneItem {
  var title: String?
  /// A view that stands in its place.
  var titleView: String?
  var prompt: String?
  var left: [SceneButton] = []
  var right: [SceneButton] = []
}

/// A button of a bar.
struct SceneButton {
  var id: UInt64 = 0
  var system: String?
  var title: String?
  var action: String?
  var isDisabled = false
  var isEditButton = false

  /// What stands on it.
  var label: String { title ?? system ?? "" }
}

/// What a step came to.
struct SceneOutcome {
  var scenes: [SceneState]
  var popped: [UInt64]
  var pushed: UInt64
  var resigned: Bool?
  var performed: [String]
  var sent: [String]
  var revisions: [UInt64]
  var inserted: [UInt64]
  var rejected: [(row: UInt64, column: UInt64, text: String, reason: String)]
  var refused: (selector: String, code: String)?
  var isUnchanged: Bool
  var editing: Bool?
  var sequence: UInt64
}

extension Client {
  /// Takes a step of a scene, or looks at scenes.
  func scene(_ step: SceneStep, _ envelope: Envelope = Envelope()) throws(Fault) -> SceneOutcome {
    let text = CText()
    let reply = try unsafe run { connection in
      unsafe envelope.with { envelope in
        // Safe: texts live in `text`, the structs on the stack, until the call returns.
        var made = unsafe hp_scene_step(step, text)
        var roots = unsafe step.root.map { unsafe [hp_controller_spec($0, text)] } ?? []
        var left = unsafe (step.item?.left ?? []).map { unsafe hp_bar_button($0, text) }
        var right = unsafe (step.item?.right ?? []).map { unsafe hp_bar_button($0, text) }
        return unsafe roots.withUnsafeMutableBufferPointer { roots in
          unsafe left.withUnsafeMutableBufferPointer { left in
            unsafe right.withUnsafeMutableBufferPointer { right in
              unsafe made.roots = UnsafePointer(roots.baseAddress)
              unsafe made.root_count = roots.count
              guard let wish = step.item else {
                return unsafe hp_send_scene(connection, envelope, &made)
              }
              var item = unsafe hp_navigation_item()
              unsafe item.title = text(optional: wish.title)
              unsafe item.title_view = text(optional: wish.titleView)
              unsafe item.prompt = text(optional: wish.prompt)
              unsafe item.left = UnsafePointer(left.baseAddress)
              unsafe item.left_count = left.count
              unsafe item.right = UnsafePointer(right.baseAddress)
              unsafe item.right_count = right.count
              return unsafe withUnsafePointer(to: item) { item in
                unsafe made.item = item
                return unsafe hp_send_scene(connection, envelope, &made)
              }
            }
          }
        }
      }
    }
    withExtendedLifetime(text) {}
    // Safe: the reply is alive during the call; all of it is copied.
    guard let result = unsafe hp_reply_scene(reply.handle) else { throw .unexpectedReply }
    return unsafe SceneOutcome(result.pointee)
  }

  /// The text of a field: the draft of the holder that the envelope names.
  func type(
    _ value: String, table: String, _ envelope: Envelope
  ) throws(Fault) {
    let text = CText()
    _ = try unsafe edit(envelope) { connection, envelope in
      var draft = unsafe hp_draft()
      // Safe: the texts live in `text` until the call returns.
      unsafe draft.step = HP_DRAFT_TEXT
      unsafe draft.text = text(value)
      return unsafe hp_send_draft(connection, envelope, hp_table_named(text(table)), &draft)
    }
  }

  /// A table by its id; NO_SUCH_TABLE where it is gone.
  func describe(id: UInt64) throws(Fault) -> TableInfo {
    let reply = try unsafe run { connection in
      unsafe hp_send_describe_table(connection, nil, hp_table_with_id(id))
    }
    return try tableInfo(reply)
  }

  /// A row by its id, or `nil`.
  func row(_ id: UInt64, of table: TableInfo) throws(Fault) -> Row? {
    let text = CText()
    let reply = try unsafe run { connection in
      // Safe: name and id live until the call returns.
      unsafe withUnsafePointer(to: id) { id in
        unsafe hp_send_get_rows(connection, nil, hp_table_named(text(table.name)), id, 1)
      }
    }
    guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
    // Safe: the rows belong to the reply, which lives until the end of the call.
    let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
    let found = unsafe rows.first.map { unsafe Row($0, columns: table.columns) }
    withExtendedLifetime(reply) {}
    return found
  }

  /// The first rows of a table or section, at most so many.
  func rows(
    _ table: TableInfo, section: UInt64?, from first: UInt64, count: UInt64
  ) throws(Fault) -> [Row] {
    let text = CText()
    let reply = try unsafe run { connection in
      var options = unsafe hp_list_options()
      if let section { unsafe options.section = hp_section_id(section) }
      unsafe options.first = first
      unsafe options.count = count
      // Safe: the name lives in `text` until the call returns.
      return unsafe hp_send_list_rows(
        connection, nil, hp_table_named(text(table.name)), &options)
    }
    guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
    // Safe: the rows belong to the reply, which lives until the end of the call.
    let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
    let found = unsafe rows.map { unsafe Row($0, columns: table.columns) }
    withExtendedLifetime(reply) {}
    return found
  }
}

extension hp_scene_step {
  fileprivate init(_ step: SceneStep, _ text: CText) {
    unsafe self.init()
    unsafe kind = step.kind
    unsafe scene = text(optional: step.scene)
    unsafe has_index = step.index != nil
    unsafe index = step.index ?? 0
    unsafe button = step.button
    unsafe node = step.node
    unsafe event = text(optional: step.event)
    unsafe force = step.force
    unsafe language = text(optional: step.language)
    unsafe column = text(optional: step.column)
  }
}

extension hp_controller_spec {
  fileprivate init(_ root: SceneRoot, _ text: CText) {
    unsafe self.init()
    unsafe kind = root.kind
    unsafe class_name = text(optional: root.className)
    if let name = root.table { unsafe table = hp_table_named(text(name)) }
    unsafe row = root.row
    unsafe title = text(optional: root.title)
  }
}

extension hp_bar_button {
  fileprivate init(_ button: SceneButton, _ text: CText) {
    unsafe self.init()
    unsafe id = button.id
    unsafe system = text(optional: button.system)
    unsafe title = text(optional: button.title)
    unsafe action = text(optional: button.action)
    unsafe disabled = button.isDisabled
    unsafe edit_button = button.isEditButton
  }
}
