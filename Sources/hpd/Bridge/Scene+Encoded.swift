internal import Coding
internal import Nib
internal import Scenes

/// Scenes as the wire tells them.
struct SceneEncoding {
  /// Whether a controller edits: its table's flag, or its own (contract L2).
  var isEditing: (Controller) -> Bool
  /// The views of controllers.
  var views: [Screens.ViewPlace: Screens.View] = [:]

  init(isEditing: @escaping (Controller) -> Bool) { self.isEditing = isEditing }

  /// The fields of `hp.v1.SceneState`.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - sequence: The number of its last event.
  ///   - isWhole: Whether stacks, bar and responders are wanted.
  /// - Returns: The message's bytes.
  func state(_ scene: Scene, sequence: UInt64, isWhole: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, text: scene.name)
    if isWhole {
      for stack in scene.stacks {
        bytes.appendField(2) { encode(stack, withNodes: true, into: &$0) }
      }
    }
    if let selected = scene.selected { bytes.appendField(3, varint: UInt64(selected)) }
    for holder in scene.attached { bytes.appendField(4) { holder.encode(into: &$0) } }
    if let language = scene.language { bytes.appendField(5, text: language) }
    bytes.appendField(6, varint: scene.visible.id)
    if isWhole {
      bytes.appendField(7) { encode(scene.bar(isEditing), into: &$0) }
      for entry in scene.responders {
        bytes.appendField(8) { encode(entry.holder, entry.responder, into: &$0) }
      }
      if let more = scene.more { bytes.appendField(9) { encode(more, into: &$0) } }
    }
    bytes.appendField(10, varint: sequence)
    return bytes
  }

  /// Appends the fields of `hp.v1.NavigationStack`.
  ///
  /// - Parameters:
  ///   - stack: The stack.
  ///   - isNew: Which controllers are told of whole; `nil`: all.
  ///   - withNodes: Whether their views are wanted.
  ///   - out: Gets the bytes.
  func encode(
    _ stack: NavigationStack, isNew: ((UInt64) -> Bool)? = nil, withNodes: Bool = false,
    into out: inout [UInt8]
  ) {
    out.appendField(1, varint: stack.id)
    for controller in stack.controllers {
      out.appendField(2) { inner in
        if isNew?(controller.id) ?? true {
          encode(controller, withNodes: withNodes, into: &inner)
        } else {
          inner.appendField(1, varint: controller.id)
        }
      }
    }
    if let title = stack.tabTitle { out.appendField(3, text: title) }
  }

  /// The fields of `hp.v1.Controller`.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - withNodes: Whether its view's nodes are wanted.
  ///   - withItemViews: Whether those of its item's views are; `nil`: where its view's are.
  ///   - out: Gets the bytes.
  func encode(
    _ controller: Controller, withNodes: Bool = false, withItemViews: Bool? = nil,
    into out: inout [UInt8]
  ) {
    out.appendField(1, varint: controller.id)
    out.appendField(2, text: controller.className)
    if controller.table != 0 { out.appendField(3, varint: controller.table) }
    if controller.row != 0 { out.appendField(4, varint: controller.row) }
    if controller.section != 0 { out.appendField(5, varint: controller.section) }
    if controller.isViewLoaded { out.appendField(6, bool: true) }
    let edits = isEditing(controller)
    out.appendField(7) { encode(controller.item, edits, into: &$0) }
    if withNodes { encodeNodes(.own, of: controller, edits, 8, into: &out) }
    out.appendField(9, varint: controller.kind.rawValue)
    if let nib = controller.nibName { out.appendField(10, text: nib) }
    if edits { out.appendField(11, bool: true) }
    if controller.isGone { out.appendField(12, bool: true) }
    guard withItemViews ?? withNodes else { return }
    for view in controller.item.views {
      guard views[Screens.ViewPlace(controller: controller.id, slot: view.slot)]?.nib != nil else {
        continue
      }
      out.appendField(13) { inner in
        if case .button(let id) = view.slot { inner.appendField(1, varint: id) }
        encodeNodes(view.slot, of: controller, edits, 2, into: &inner)
      }
    }
  }

  private func encodeNodes(
    _ slot: ViewSlot, of controller: Controller, _ edits: Bool, _ field: UInt32,
    into out: inout [UInt8]
  ) {
    let place = Screens.ViewPlace(controller: controller.id, slot: slot)
    for node in views[place]?.nib?.nodes ?? [] {
      out.appendField(field) { $0.appendNode(node.titled(edits)) }
    }
  }

  private func encode(_ item: NavigationItem, _ edits: Bool, into out: inout [UInt8]) {
    if let title = item.title { out.appendField(1, text: title) }
    if let view = item.titleView { out.appendField(2, text: view) }
    for button in item.left { out.appendField(3) { encode(button, edits, into: &$0) } }
    for button in item.right { out.appendField(4) { encode(button, edits, into: &$0) } }
    if let back = item.back { out.appendField(5) { encode(back, edits, into: &$0) } }
    if let prompt = item.prompt { out.appendField(6, text: prompt) }
    if item.hidesBack { out.appendField(7, bool: true) }
    if item.leftSupplementsBack { out.appendField(8, bool: true) }
  }

  private func encode(_ button: BarButton, _ edits: Bool, into out: inout [UInt8]) {
    if button.id != 0 { out.appendField(1, varint: button.id) }
    if let system = button.system { out.appendField(2, text: system) }
    let title = button.isEditButton ? Scene.editTitle(edits) : button.title
    if let title { out.appendField(3, text: title) }
    if !button.isEnabled { out.appendField(4, bool: false) }
    if let action = button.action { out.appendField(5, text: action) }
    if button.isEditButton { out.appendField(6, bool: true) }
    if let view = button.view { out.appendField(7, text: view) }
  }

  /// The fields of `hp.v1.Bar`.
  func encode(_ bar: Bar, into out: inout [UInt8]) {
    if let title = bar.title { out.appendField(1, text: title) }
    if let view = bar.titleView { out.appendField(2, text: view) }
    if let prompt = bar.prompt { out.appendField(3, text: prompt) }
    if let back = bar.back { out.appendField(4) { encode(back, false, into: &$0) } }
    // The bar's edit buttons have their title already.
    for button in bar.left { out.appendField(5) { encode(titled: button, into: &$0) } }
    for button in bar.right { out.appendField(6) { encode(titled: button, into: &$0) } }
  }

  private func encode(titled button: BarButton, into out: inout [UInt8]) {
    encode(button, button.title == Scene.editTitle(true), into: &out)
  }

  /// The fields of `hp.v1.Responder`.
  func encode(_ holder: SceneHolder, _ responder: Responder, into out: inout [UInt8]) {
    out.appendField(1) { holder.encode(into: &$0) }
    out.appendField(2, varint: responder.controller)
    if responder.column != 0 { out.appendField(3, varint: responder.column) }
    if responder.node != 0 { out.appendField(4, varint: responder.node) }
  }
}

extension SceneHolder {
  /// Appends the fields of `hp.v1.Holder`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: uid)
    out.appendField(2, text: actor)
    if client != 0 { out.appendField(3, varint: client) }
    if lease != 0 {
      out.appendField(4, varint: lease)
      out.appendField(5, text: leaseName)
    }
  }
}

extension ViewNode {
  /// The node with the title that follows an editing flag, if it toggles one (semantics 2.5.9).
  func titled(_ isEditing: Bool) -> ViewNode {
    guard togglesEditing else { return self }
    var node = self
    node.setTitle(Scene.editTitle(isEditing))
    return node
  }
}
