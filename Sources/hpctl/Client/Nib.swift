internal import hpclient

/// The objects of a nib, as the daemon tells them.
struct Nib {
  var nodes: [ViewNode]
  var topLevel: [UInt64]
  var dropped: [UInt64]
  var ownerOutlets: [ViewNode.Outlet]
  var file: String?
  var tried: [String]
  var warnings: [String]
}

/// A view, or another object of a nib.
struct ViewNode {
  struct Title {
    var state: String
    var title: String
  }

  struct Action {
    var event: String?
    var selector: String
    var target: Int64
  }

  struct Outlet {
    var property: String
    var target: Int64
    var isCollection: Bool
  }

  struct Color {
    var key: String?
    var state: String?
    var components: [Double]?
    var alpha: Double
    var name: String?
    var isSystem: Bool
  }

  struct Setting {
    var key: String
    var value: String
  }

  var id: UInt64
  var parent: UInt64?
  var className: String
  var module: String?
  var key: String?
  var xibID: String?
  /// x, y, width, height.
  var frame: [Double]?
  var titles: [Title]
  var actions: [Action]
  var outlets: [Outlet]
  var background: Color?
  var colors: [Color]
  var isEnabled: Bool
  var isHidden: Bool
  var text: String?
  var placeholder: String?
  var autoresizing: [String]
  var settings: [Setting]
  var constraints: [JSON]
}

extension Nib {
  /// Copies what the C library says of a nib.
  init(_ nib: hp_nib) {
    // Safe: the lists belong to the reply, which is alive during the call.
    self.init(
      nodes: unsafe UnsafeBufferPointer(start: nib.nodes, count: nib.node_count)
        .map { node in unsafe ViewNode(node) },
      topLevel: unsafe Array(
        UnsafeBufferPointer(start: nib.top_level, count: nib.top_level_count)),
      dropped: unsafe Array(UnsafeBufferPointer(start: nib.dropped, count: nib.dropped_count)),
      ownerOutlets: unsafe UnsafeBufferPointer(
        start: nib.owner_outlets, count: nib.owner_outlet_count
      ).map { outlet in unsafe ViewNode.Outlet(outlet) },
      file: unsafe String(hp: nib.file),
      tried: unsafe Nib.texts(nib.tried, nib.tried_count),
      warnings: unsafe Nib.texts(nib.warnings, nib.warning_count))
  }

  fileprivate static func texts(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
  ) -> [String] {
    // Safe: as above.
    unsafe UnsafeBufferPointer(start: list, count: count).compactMap { text in
      unsafe String(hp: text)
    }
  }
}

extension ViewNode {
  /// Copies a node.
  init(_ node: hp_view_node) {
    // Safe: the lists belong to the reply or event, which is alive during the call.
    self.init(
      id: unsafe node.id, parent: unsafe node.parent == 0 ? nil : node.parent,
      className: unsafe String(hp: node.class_name) ?? "", module: unsafe String(hp: node.module),
      key: unsafe String(hp: node.key), xibID: unsafe String(hp: node.xib_id),
      frame: unsafe node.has_frame
        ? [node.frame.x, node.frame.y, node.frame.width, node.frame.height] : nil,
      titles: unsafe UnsafeBufferPointer(start: node.titles, count: node.title_count)
        .map { title in
          unsafe Title(state: String(hp: title.state) ?? "", title: String(hp: title.title) ?? "")
        },
      actions: unsafe UnsafeBufferPointer(start: node.actions, count: node.action_count)
        .map { action in
          unsafe Action(
            event: String(hp: action.event), selector: String(hp: action.selector) ?? "",
            target: action.target)
        },
      outlets: unsafe UnsafeBufferPointer(start: node.outlets, count: node.outlet_count)
        .map { outlet in unsafe Outlet(outlet) },
      background: unsafe node.background.map { color in unsafe Color(color.pointee) },
      colors: unsafe UnsafeBufferPointer(start: node.colors, count: node.color_count)
        .map { color in unsafe Color(color) },
      isEnabled: unsafe node.enabled, isHidden: unsafe node.hidden,
      text: unsafe String(hp: node.text), placeholder: unsafe String(hp: node.placeholder),
      autoresizing: unsafe Nib.texts(node.autoresizing, node.autoresizing_count),
      settings: unsafe UnsafeBufferPointer(start: node.settings, count: node.setting_count)
        .map { setting in
          unsafe Setting(
            key: String(hp: setting.key) ?? "", value: String(hp: setting.value) ?? "")
        },
      constraints: unsafe UnsafeBufferPointer(
        start: node.constraints, count: node.constraint_count
      ).map { constraint in unsafe JSON.constraint(constraint) })
  }
}

extension ViewNode.Outlet {
  fileprivate init(_ outlet: hp_view_outlet) {
    self.init(
      property: unsafe String(hp: outlet.property) ?? "", target: unsafe outlet.target,
      isCollection: unsafe outlet.collection)
  }
}

extension ViewNode.Color {
  fileprivate init(_ color: hp_view_color) {
    self.init(
      key: unsafe String(hp: color.key), state: unsafe String(hp: color.state),
      components: unsafe color.has_components ? [color.red, color.green, color.blue] : nil,
      alpha: unsafe color.alpha, name: unsafe String(hp: color.name),
      isSystem: unsafe color.system)
  }
}

extension JSON {
  fileprivate static func constraint(_ constraint: hp_view_constraint) -> JSON {
    var fields: [(String, JSON)] = []
    func add(_ name: String, _ text: UnsafePointer<CChar>?) {
      if let text = unsafe String(hp: text) { fields.append((name, .string(text))) }
    }
    func add(_ name: String, _ node: UInt64, _ guide: UnsafePointer<CChar>?) {
      if node != 0 { fields.append((name, .integer(node))) }
      unsafe add(name + "_guide", guide)
    }
    // Safe: the texts belong to the reply or event, which is alive during the call.
    unsafe add("first", constraint.first, constraint.first_guide)
    unsafe add("first_attribute", constraint.first_attribute)
    unsafe add("relation", constraint.relation)
    unsafe add("second", constraint.second, constraint.second_guide)
    unsafe add("second_attribute", constraint.second_attribute)
    unsafe add("constant", constraint.constant)
    unsafe add("multiplier", constraint.multiplier)
    unsafe add("priority", constraint.priority)
    return .object(fields)
  }
}
