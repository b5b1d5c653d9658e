/// A scene as JSON (SPEC 11).
extension SceneState {
  var json: JSON {
    var fields: [(String, JSON)] = [("name", .string(name))]
    if let language { fields.append(("language", .string(language))) }
    fields.append(
      (
        "tabs",
        .array(
          stacks.map { stack in
            var fields: [(String, JSON)] = []
            if let title = stack.title { fields.append(("title", .string(title))) }
            fields.append(("controllers", .array(stack.controllers.map(\.json))))
            return .object(fields)
          })
      ))
    fields.append(("selected", selected.map { .integer($0) } ?? .null))
    fields.append(("visible", .integer(visible)))
    if let bar { fields.append(("bar", bar.json)) }
    fields.append(("attached", .array(attached.map { .string($0) })))
    fields.append(
      (
        "responders",
        .array(
          responders.map {
            .object([("actor", .string($0.actor)), ("column", .integer($0.column))])
          })
      ))
    fields.append(("sequence", .integer(sequence)))
    return .object(fields)
  }
}

extension SceneState.Controller {
  var json: JSON {
    var fields: [(String, JSON)] = [
      ("id", .integer(id)), ("kind", .string(kind)), ("class", .string(className)),
    ]
    for (name, value) in [("table", table), ("row", row), ("section", section)] where value != 0 {
      fields.append((name, .integer(value)))
    }
    if let title { fields.append(("title", .string(title))) }
    fields.append(("editing", .boolean(isEditing)))
    fields.append(("view_loaded", .boolean(isViewLoaded)))
    if isGone { fields.append(("gone", .boolean(true))) }
    if let titleView { fields.append(("title_view", .string(titleView))) }
    if !nodes.isEmpty { fields.append(("nodes", .array(nodes.map(JSON.node)))) }
    if !itemViews.isEmpty {
      fields.append(
        (
          "item_views",
          .array(
            itemViews.map { view in
              let button: [(String, JSON)] =
                view.button == 0 ? [] : [("button", .integer(view.button))]
              return .object(button + [("nodes", .array(view.nodes.map(JSON.node)))])
            })
        ))
    }
    return .object(fields)
  }
}

extension SceneState.Bar {
  var json: JSON {
    var fields: [(String, JSON)] = []
    if let title { fields.append(("title", .string(title))) }
    if let prompt { fields.append(("prompt", .string(prompt))) }
    if let back { fields.append(("back", back.json)) }
    fields.append(("left", .array(left.map(\.json))))
    fields.append(("right", .array(right.map(\.json))))
    return .object(fields)
  }
}

extension SceneButton {
  var json: JSON {
    var fields: [(String, JSON)] = []
    if id != 0 { fields.append(("id", .integer(id))) }
    if let system { fields.append(("system", .string(system))) }
    if let title { fields.append(("title", .string(title))) }
    if let action { fields.append(("action", .string(action))) }
    if isDisabled { fields.append(("enabled", .boolean(false))) }
    if isEditButton { fields.append(("edit_button", .boolean(true))) }
    return .object(fields)
  }
}

extension SectionInfo {
  /// What stands above its rows; `nil`: nothing.
  var headerText: String? { SectionInfo.text(header) ?? title }
  var footerText: String? { SectionInfo.text(footer) }
  var sentinelText: String? { SectionInfo.text(sentinel, "text") }

  /// The view that a header or footer names.
  static func view(_ part: JSON?) -> String? {
    guard case .object(let fields)? = part else { return nil }
    for case ("view", .string(let name)) in fields { return name }
    return nil
  }

  private static func text(_ part: JSON?, _ name: String = "title") -> String? {
    guard case .object(let fields)? = part else { return nil }
    for (key, value) in fields where key == name || key == "view" {
      if case .string(let text) = value { return key == "view" ? "<\(text)>" : text }
    }
    return nil
  }
}

extension Policy {
  /// The control that stands before a row in editing mode.
  var sign: String {
    guard canEdit == true else { return "  " }
    return switch style {
    case .delete: "− "
    case .insert: "+ "
    case .some(.none), nil: "  "
    }
  }
}
