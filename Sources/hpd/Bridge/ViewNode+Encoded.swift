internal import Coding
internal import Nib

/// Views as hp.v1 tells them.
extension [UInt8] {
  /// Appends the fields of hp.v1.ViewNode.
  ///
  /// - Parameter node: The node.
  mutating func appendNode(_ node: ViewNode) {
    appendField(1, varint: node.id)
    if let parent = node.parent { appendField(2, varint: parent) }
    appendField(3, text: node.className)
    if !node.xibID.isEmpty { appendField(4, text: node.xibID) }
    if let frame = node.frame { appendField(5) { $0.appendFrame(frame) } }
    for title in node.titles {
      appendField(6) { message in
        message.appendField(1, text: title.state)
        message.appendField(2, text: title.title)
      }
    }
    for action in node.actions {
      appendField(7) { message in
        if let event = action.event { message.appendField(1, text: event) }
        message.appendField(2, text: action.selector)
        message.appendField(3, varint: UInt64(bitPattern: action.target.number))
      }
    }
    if let background = node.background { appendField(8) { $0.appendColor(background) } }
    if !node.isEnabled { appendField(9, bool: false) }
    if node.isHidden { appendField(10, bool: true) }
    if let text = node.text { appendField(11, text: text) }
    if let placeholder = node.placeholder { appendField(12, text: placeholder) }
    for name in node.autoresizing.names { appendField(13, text: name) }
    if let module = node.module { appendField(14, text: module) }
    if let key = node.key { appendField(15, text: key) }
    for outlet in node.outlets { appendField(16) { $0.appendOutlet(outlet) } }
    for color in node.colors {
      appendField(17) { message in
        if !color.key.isEmpty { message.appendField(1, text: color.key) }
        if let state = color.state { message.appendField(2, text: state) }
        message.appendField(3) { $0.appendColor(color.color) }
      }
    }
    for setting in node.settings {
      appendField(18) { message in
        message.appendField(1, text: setting.key)
        message.appendField(2, text: setting.value)
      }
    }
    for constraint in node.constraints { appendField(19) { $0.appendConstraint(constraint) } }
  }

  /// Appends the fields of hp.v1.ViewOutlet.
  ///
  /// - Parameter outlet: The outlet.
  mutating func appendOutlet(_ outlet: ViewOutlet) {
    appendField(1, text: outlet.property)
    if case .node(let id) = outlet.target { appendField(2, varint: id) }
    if outlet.isCollection { appendField(3, bool: true) }
    if outlet.target.number < 0 {
      appendField(4, varint: UInt64(bitPattern: outlet.target.number))
    }
  }

  private mutating func appendFrame(_ frame: ViewFrame) {
    appendField(1, double: frame.x)
    appendField(2, double: frame.y)
    appendField(3, double: frame.width)
    appendField(4, double: frame.height)
  }

  private mutating func appendColor(_ color: Color) {
    if let components = color.components {
      appendField(1, double: components.red)
      appendField(2, double: components.green)
      appendField(3, double: components.blue)
    }
    appendField(4, double: color.alpha)
    if let name = color.name { appendField(5, text: name) }
    if color.isSystem { appendField(6, bool: true) }
  }

  private mutating func appendConstraint(_ constraint: ViewConstraint) {
    appendItem(constraint.first, 1)
    if let attribute = constraint.firstAttribute { appendField(3, text: attribute) }
    if let relation = constraint.relation { appendField(4, text: relation) }
    appendItem(constraint.second, 5)
    if let attribute = constraint.secondAttribute { appendField(7, text: attribute) }
    if let constant = constraint.constant { appendField(8, text: constant) }
    if let multiplier = constraint.multiplier { appendField(9, text: multiplier) }
    if let priority = constraint.priority { appendField(10, text: priority) }
  }

  private mutating func appendItem(_ item: ViewConstraint.Item?, _ field: UInt32) {
    switch item {
    case .node(let id): appendField(field, varint: id)
    case .guide(let id): appendField(field + 1, text: id)
    case nil: break
    }
  }
}

extension LoadedNib {
  /// The objects as pieces of hp.v1.NibLoaded, each well below a frame's limit.
  ///
  /// - Returns: At least one piece; joined they are the message.
  func encoded() -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    func close(_ limit: Int) {
      guard piece.count >= limit else { return }
      pieces.append(piece)
      piece.removeAll(keepingCapacity: true)
    }
    for node in nodes {
      piece.appendField(1) { $0.appendNode(node) }
      close(256 << 10)
    }
    piece.appendPacked(2, topLevel)
    for outlet in ownerOutlets {
      piece.appendField(3) { $0.appendOutlet(outlet) }
      close(256 << 10)
    }
    for file in tried { piece.appendField(4, text: file) }
    for warning in warnings { piece.appendField(5, text: warning) }
    if let file { piece.appendField(6, text: file) }
    piece.appendPacked(7, dropped)
    pieces.append(piece)
    return pieces
  }
}

extension [UInt8] {
  fileprivate mutating func appendPacked(_ field: UInt32, _ numbers: [UInt64]) {
    guard !numbers.isEmpty else { return }
    appendField(field) { list in
      for number in numbers { list.appendVarint(number) }
    }
  }
}
