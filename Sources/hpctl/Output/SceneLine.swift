internal import hpclient

/// An event of a scene as `watch` prints it.
struct SceneLine {
  private var fields: [(String, JSON)]
  /// For people; `nil`: it says nothing that another line does not.
  let text: String?

  /// Reads an event.
  ///
  /// - Parameters:
  ///   - event: The event, alive during the call.
  ///   - shown: What the scene's controllers show.
  ///   - tables: Those by which columns have their names.
  init(_ event: hp_scene_event, _ shown: ShownControllers, _ tables: [TableInfo]) {
    // Safe: all that the event points at lives as long as it, and is copied.
    let by = unsafe Holder(event.by)
    let controller = unsafe event.controller.map { unsafe SceneState.Controller($0.pointee) }
    let who = by?.text ?? "hpd"
    unsafe fields = [
      ("scene", .string(String(hp: event.scene) ?? "")),
      ("event", .string(String(cString: hp_scene_event_kind_name(event.kind)))),
      ("sequence", .integer(event.sequence)), ("revision", .integer(event.revision)),
    ]
    if let by { fields.append(("by", by.json)) }
    unsafe fields += SceneLine.fields(event, controller)
    if let bar = unsafe event.bar {
      fields.append(("bar", unsafe SceneState.Bar(bar.pointee).json))
    }
    if unsafe event.visible != 0 { fields.append(("visible", unsafe .integer(event.visible))) }
    text = unsafe SceneLine.text(event, controller, shown, tables).map { "\(who): \($0)" }
  }

  var json: [(String, JSON)] { fields }

  /// What is told beside head, bar and what is visible.
  private static func fields(
    _ event: hp_scene_event, _ controller: SceneState.Controller?
  ) -> [(String, JSON)] {
    var fields: [(String, JSON)] = []
    // Safe: the lists belong to the event, which is alive during the call.
    switch unsafe event.kind {
    case HP_SCENE_EVENT_STATE:
      if let state = unsafe event.state {
        fields.append(("state", unsafe SceneState(state.pointee).json))
      }
    case HP_SCENE_EVENT_NAVIGATION:
      if let stack = unsafe event.stack {
        fields += unsafe stackFields(stack.pointee)
      }
      let popped = unsafe UnsafeBufferPointer(start: event.popped, count: event.popped_count)
      fields.append(("popped", unsafe .array(popped.map { .integer($0) })))
      if let reason = unsafe String(hp: event.reason) {
        fields.append(("reason", .string(reason)))
      }
      fields.append(("animated", unsafe .boolean(event.animated)))
    case HP_SCENE_EVENT_TAB_SELECTED:
      fields.append(unsafe selected(event))
    case HP_SCENE_EVENT_TABS:
      let stacks = unsafe UnsafeBufferPointer(start: event.stacks, count: event.stack_count)
      fields.append(("tabs", unsafe .array(stacks.map { unsafe .object(stackFields($0)) })))
      fields.append(unsafe selected(event))
      if let more = unsafe event.more {
        fields.append(("more", unsafe SceneState.Controller(more.pointee).json))
      }
    case HP_SCENE_EVENT_NODE:
      if let controller { fields.append(("controller", .integer(controller.id))) }
      if let node = unsafe event.node {
        fields.append(("node", unsafe .node(ViewNode(node.pointee))))
      }
    case HP_SCENE_EVENT_BUTTON_TITLE:
      if let controller { fields.append(("controller", .integer(controller.id))) }
      unsafe fields += [
        ("button", .integer(event.sender)), ("title", .string(String(hp: event.title) ?? "")),
      ]
    case HP_SCENE_EVENT_RESPONDER:
      let responders = unsafe UnsafeBufferPointer(
        start: event.responders, count: event.responder_count)
      if let responder = unsafe responders.first {
        unsafe fields += [("controller", .integer(responder.controller))]
        unsafe fields.append(
          responder.column != 0
            ? ("column", .integer(responder.column)) : ("node", .integer(responder.node)))
      }
      fields.append(("writes", .boolean(responders.count > 0)))
    case HP_SCENE_EVENT_ACTION:
      if let controller { fields.append(("controller", .integer(controller.id))) }
      unsafe fields += [
        ("selector", .string(String(hp: event.selector) ?? "")), ("sender", .integer(event.sender)),
      ]
      if let name = unsafe String(hp: event.event) { fields.append(("sent", .string(name))) }
    case HP_SCENE_EVENT_REJECTED:
      let rejected = unsafe UnsafeBufferPointer(
        start: event.rejected, count: event.rejected_count)
      fields.append(
        (
          "rejected",
          unsafe .array(
            rejected.map { field in
              unsafe .object([
                ("row", .integer(field.row)), ("column", .integer(field.column)),
                ("text", .string(String(hp: field.text) ?? "")),
                ("reason", .string(String(hp: field.reason) ?? "")),
                ("holder", Holder(field.holder).json),
              ])
            })
        ))
    default:
      if let controller { fields.append(("controller", controller.json)) }
      if unsafe event.kind == HP_SCENE_EVENT_EDITING {
        fields.append(("animated", unsafe .boolean(event.animated)))
      }
    }
    return fields
  }

  private static func selected(_ event: hp_scene_event) -> (String, JSON) {
    ("selected", unsafe event.has_selected ? .integer(event.selected) : .null)
  }

  /// A stack; controllers that are known already stand by their ids alone.
  private static func stackFields(_ stack: hp_navigation_stack) -> [(String, JSON)] {
    var fields: [(String, JSON)] = [("stack", unsafe .integer(stack.id))]
    if let title = unsafe String(hp: stack.tab_title) { fields.append(("title", .string(title))) }
    // Safe: the list belongs to the event, which is alive during the call.
    let members = unsafe UnsafeBufferPointer(
      start: stack.controllers, count: stack.controller_count)
    fields.append(
      (
        "controllers",
        unsafe .array(
          members.map { member in
            unsafe member.class_name == nil
              ? .integer(member.id) : SceneState.Controller(member).json
          })
      ))
    return fields
  }

  // MARK: For people

  private static func text(
    _ event: hp_scene_event, _ controller: SceneState.Controller?, _ shown: ShownControllers,
    _ tables: [TableInfo]
  ) -> String? {
    // Safe: the lists belong to the event, which is alive during the call.
    switch unsafe event.kind {
    case HP_SCENE_EVENT_STATE:
      guard let state = unsafe event.state.map({ unsafe SceneState($0.pointee) }) else {
        return nil
      }
      let tab = state.selected.flatMap { $0 < state.stacks.count ? state.stacks[$0] : nil }
      let titles = (tab?.controllers ?? [state.more].compactMap { $0 }).map(\.name)
      return "\(state.name) shows " + titles.joined(separator: " › ")
    case HP_SCENE_EVENT_NAVIGATION:
      guard let stack = unsafe event.stack else { return nil }
      let members = unsafe UnsafeBufferPointer(
        start: stack.pointee.controllers, count: stack.pointee.controller_count)
      if let new = unsafe members.last(where: { unsafe $0.class_name != nil }) {
        let made = unsafe SceneState.Controller(new)
        return made.row == 0 ? "pushed \(made.name)" : "pushed \(made.name) of row \(made.row)"
      }
      let popped = unsafe UnsafeBufferPointer(start: event.popped, count: event.popped_count)
      let reason = unsafe String(hp: event.reason).map { ", \($0)" } ?? ""
      return unsafe "popped " + popped.map { String($0) }.joined(separator: ", ") + reason
    case HP_SCENE_EVENT_TAB_SELECTED:
      return unsafe event.has_selected ? "tab \(event.selected)" : "More"
    case HP_SCENE_EVENT_TABS: return unsafe "\(event.stack_count) tabs"
    case HP_SCENE_EVENT_ITEM: return controller.map { "the bar of \($0.name)" }
    case HP_SCENE_EVENT_NODE: return unsafe event.node.map { unsafe ViewNode($0.pointee).summary }
    case HP_SCENE_EVENT_EDITING:
      return controller.map { "editing \($0.isEditing ? "on" : "off") in \($0.name)" }
    case HP_SCENE_EVENT_RESPONDER:
      // Safe: the responder belongs to the event, which is alive during the call.
      guard unsafe event.responder_count > 0, let responder = unsafe event.responders?.pointee
      else { return "writes no more" }
      return unsafe "writes" + shown.place(of: responder, tables)
    case HP_SCENE_EVENT_ATTACHED: return "is here"
    case HP_SCENE_EVENT_DETACHED: return "is gone"
    case HP_SCENE_EVENT_ACTION: return unsafe String(hp: event.selector)
    case HP_SCENE_EVENT_REMOVED: return unsafe "took \(String(hp: event.scene) ?? "") away"
    case HP_SCENE_EVENT_GONE:
      return controller.map { "what \($0.name) showed is \($0.isGone ? "gone" : "there again")" }
    case HP_SCENE_EVENT_REJECTED:
      let rejected = unsafe UnsafeBufferPointer(
        start: event.rejected, count: event.rejected_count)
      return unsafe rejected.map { field in
        unsafe "\"\(String(hp: field.text) ?? "")\" was not written to row \(field.row): "
          + (String(hp: field.reason) ?? "")
      }.joined(separator: "; ")
    // A title comes with the flag that it follows, a view with what shows it.
    default: return nil
    }
  }

}

extension ViewNode {
  /// What it shows, in a line.
  var summary: String {
    let label = label.isEmpty ? "" : " \"\(label)\""
    return "#\(id)\(label)" + (isEnabled ? "" : ", disabled") + (isHidden ? ", hidden" : "")
  }
}

extension SceneState.Controller {
  /// What it is called: its title, else its class.
  var name: String { title ?? titleView ?? className }
}
