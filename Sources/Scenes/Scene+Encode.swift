internal import Coding

/// The durable state as it stands in the journal (contracts K6, L6).
///
/// A protobuf message whose fields stand ascending: format 1, language 2, next id 3, selected 4
/// (the index plus 1, 0 for More), stacks 5, More's id 6. A stack: id 1, tab title 2, controllers 3.
/// A controller: id 1, kind 2, class 3, nib 4, table 5, row 6, section 7, item 8, edit button 9,
/// gone 10, nodes 11. An item: title 1, title view 2, left 3, right 4, back 5, prompt 6, hides back 7,
/// supplements 8. A button: id 1, system 2, title 3, disabled 4, action 5, edit button 6, view 7.
/// A node: view 1, name 2, titles 3 (state 1, title 2), text 4, enabled 5, hidden 6, frame 7 (x 1,
/// y 2, width 3, height 4). What is zero or absent is left out. Equal states have equal bytes.
extension Scene {
  /// The version of the bytes' meaning.
  static let format: UInt64 = 1

  /// Encodes what is durable.
  ///
  /// - Returns: The bytes, without the name.
  /// - Complexity: O(*n*) in the size of the scene.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, varint: Scene.format)
    if let language { bytes.appendField(2, text: language) }
    bytes.appendField(3, varint: nextID)
    bytes.appendField(4, varint: selected.map { UInt64($0 + 1) } ?? 0)
    for stack in stacks {
      bytes.appendField(5) { out in
        out.appendField(1, varint: stack.id)
        if let title = stack.tabTitle { out.appendField(2, text: title) }
        for controller in stack.controllers {
          out.appendField(3) { controller.encode(into: &$0) }
        }
      }
    }
    if let more { bytes.appendField(6, varint: more.id) }
    return bytes
  }
}

extension Controller {
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: id)
    out.appendField(2, varint: kind.rawValue)
    out.appendField(3, text: className)
    if let nibName { out.appendField(4, text: nibName) }
    for (field, value) in [(UInt32(5), table), (6, row), (7, section)] where value != 0 {
      out.appendField(field, varint: value)
    }
    out.appendField(8) { item.encode(into: &$0) }
    if editButton != 0 { out.appendField(9, varint: editButton) }
    if isGone { out.appendField(10, bool: true) }
    for node in nodes { out.appendField(11) { node.encode(into: &$0) } }
  }
}

extension NodeState {
  func encode(into out: inout [UInt8]) {
    if slot != .own { out.appendField(1, varint: slot.number) }
    out.appendField(2, text: name)
    for title in titles {
      out.appendField(3) { inner in
        inner.appendField(1, text: title.state)
        inner.appendField(2, text: title.title)
      }
    }
    if let text { out.appendField(4, text: text) }
    if let isEnabled { out.appendField(5, bool: isEnabled) }
    if let isHidden { out.appendField(6, bool: isHidden) }
    guard let frame else { return }
    out.appendField(7) { inner in
      inner.appendField(1, fixed64: frame.x.bitPattern)
      inner.appendField(2, fixed64: frame.y.bitPattern)
      inner.appendField(3, fixed64: frame.width.bitPattern)
      inner.appendField(4, fixed64: frame.height.bitPattern)
    }
  }
}

extension NavigationItem {
  func encode(into out: inout [UInt8]) {
    if let title { out.appendField(1, text: title) }
    if let titleView { out.appendField(2, text: titleView) }
    for button in left { out.appendField(3) { button.encode(into: &$0) } }
    for button in right { out.appendField(4) { button.encode(into: &$0) } }
    if let back { out.appendField(5) { back.encode(into: &$0) } }
    if let prompt { out.appendField(6, text: prompt) }
    if hidesBack { out.appendField(7, bool: true) }
    if leftSupplementsBack { out.appendField(8, bool: true) }
  }
}

extension BarButton {
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: id)
    if let system { out.appendField(2, text: system) }
    if let title { out.appendField(3, text: title) }
    if !isEnabled { out.appendField(4, bool: true) }
    if let action { out.appendField(5, text: action) }
    if isEditButton { out.appendField(6, bool: true) }
    if let view { out.appendField(7, text: view) }
  }
}
