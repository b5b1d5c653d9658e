/// Views in JSON.
extension JSON {
  static func nib(_ nib: Nib) -> JSON {
    .object([
      ("file", .title(nib.file)),
      ("nodes", .array(nib.nodes.map(JSON.node))),
      ("top_level", .array(nib.topLevel.map(JSON.integer))),
      ("dropped", .array(nib.dropped.map(JSON.integer))),
      ("owner_outlets", .array(nib.ownerOutlets.map(outlet))),
      ("tried", .array(nib.tried.map(JSON.string))),
      ("warnings", .array(nib.warnings.map(JSON.string))),
    ])
  }

  static func node(_ node: ViewNode) -> JSON {
    var fields: [(String, JSON)] = [
      ("id", .integer(node.id)), ("parent", node.parent.map(JSON.integer) ?? .null),
      ("class", .string(node.className)),
    ]
    func add(_ name: String, _ text: String?) {
      if let text { fields.append((name, .string(text))) }
    }
    func add(_ name: String, _ list: [JSON]) {
      if !list.isEmpty { fields.append((name, .array(list))) }
    }
    add("module", node.module)
    add("key", node.key)
    add("xib_id", node.xibID)
    if let frame = node.frame { fields.append(("frame", .frame(frame))) }
    fields.append(("enabled", .boolean(node.isEnabled)))
    fields.append(("hidden", .boolean(node.isHidden)))
    if !node.titles.isEmpty {
      fields.append(("titles", .object(node.titles.map { ($0.state, .string($0.title)) })))
    }
    add("text", node.text)
    add("placeholder", node.placeholder)
    add("actions", node.actions.map(action))
    add("outlets", node.outlets.map(outlet))
    if let background = node.background { fields.append(("background", color(background))) }
    add("colors", node.colors.map(color))
    add("autoresizing", node.autoresizing.map(JSON.string))
    if !node.settings.isEmpty {
      fields.append(("settings", .object(node.settings.map { ($0.key, .string($0.value)) })))
    }
    add("constraints", node.constraints)
    return .object(fields)
  }

  private static func frame(_ frame: [Double]) -> JSON {
    .object(zip(["x", "y", "width", "height"], frame).map { ($0, .points($1)) })
  }

  private static func action(_ action: ViewNode.Action) -> JSON {
    .object([
      ("event", .title(action.event)), ("selector", .string(action.selector)),
      ("target", .number(action.target)),
    ])
  }

  private static func outlet(_ outlet: ViewNode.Outlet) -> JSON {
    var fields: [(String, JSON)] = [
      ("property", .string(outlet.property)), ("target", .number(outlet.target)),
    ]
    if outlet.isCollection { fields.append(("collection", .boolean(true))) }
    return .object(fields)
  }

  private static func color(_ color: ViewNode.Color) -> JSON {
    var fields: [(String, JSON)] = []
    if let key = color.key { fields.append(("key", .string(key))) }
    if let state = color.state { fields.append(("state", .string(state))) }
    if let components = color.components {
      fields += zip(["red", "green", "blue"], components).map { ($0, .points($1)) }
    }
    fields.append(("alpha", .points(color.alpha)))
    if let name = color.name { fields.append(("name", .string(name))) }
    if color.isSystem { fields.append(("system", .boolean(true))) }
    return .object(fields)
  }
}
