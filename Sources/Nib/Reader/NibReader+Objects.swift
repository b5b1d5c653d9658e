/// Objects and place-holders.
extension NibReader {
  /// Takes an element where objects stand.
  func member(
    _ name: XMLName, _ element: NibElement, _ attributes: XMLAttributes, _ scope: Scope, line: Int
  ) throws(NibFault) {
    let isTop = scope.kind == .objects
    switch element {
    case .object:
      let parent = isTop ? nil : scope.object
      try object(name, attributes, parent: parent, key: scope.key, line: line)
    case .placeholder where isTop: try placeholder(attributes, line: line)
    default: try skip(attributes, line: line)
    }
  }

  /// Takes an element within an object.
  func part(
    _ name: XMLName, _ element: NibElement, _ attributes: XMLAttributes, _ scope: Scope, line: Int
  ) throws(NibFault) {
    if element == .connections {
      return scopes.append(Scope(kind: .connections, object: scope.object))
    }
    // A place-holder has nothing else.
    guard scope.object >= 0 else { return try skip(attributes, line: line) }
    switch element {
    case .object:
      try object(name, attributes, parent: scope.object, key: nil, line: line)
    case .subviews: scopes.append(Scope(kind: .container, object: scope.object))
    case .container:
      scopes.append(Scope(kind: .container, object: scope.object, key: text(name)))
    case .constraints: scopes.append(Scope(kind: .constraints, object: scope.object))
    case .state: try state(attributes, scope, line: line)
    case .string: try string(attributes, scope, line: line)
    case .rect: try rect(attributes, scope, line: line)
    case .autoresizingMask: try autoresizing(attributes, scope, line: line)
    case .color: try color(attributes, scope, state: nil, line: line)
    default: try skip(attributes, line: line)
    }
  }

  private func object(
    _ name: XMLName, _ attributes: XMLAttributes, parent: Int?, key: String?, line: Int
  ) throws(NibFault) {
    guard nodes.count < NibLimits.objects else {
      throw NibFault(
        .malformed, "the file has too many objects", line: line,
        expected: "at most \(NibLimits.objects)")
    }
    let index = nodes.count
    var node = ViewNode(
      id: UInt64(index + 1), parent: parent.map { UInt64($0 + 1) }, className: className(name),
      line: line)
    node.key = key
    for place in 0..<attributes.count {
      let name = attributes.name(place)
      let value = try value(place, attributes, line: line)
      switch attribute(name) {
      case .id:
        node.xibID = value
        try register(value, index, line: line)
      case .key: node.key = value
      case .customClass: node.className = value
      case .customModule: node.module = value
      case .customModuleProvider: break
      case .title: node.titles.append(StateTitle(state: "normal", title: value))
      case .text: node.text = value
      case .placeholder: node.placeholder = value
      case .hidden: node.isHidden = try boolean(value, line: line)
      case .enabled: node.isEnabled = try boolean(value, line: line)
      default: node.settings.append(ViewSetting(key: text(name), value: value))
      }
    }
    nodes.append(node)
    if parent == nil { topLevel.append(node.id) }
    scopes.append(Scope(kind: .object, object: index))
  }

  private func placeholder(_ attributes: XMLAttributes, line: Int) throws(NibFault) {
    let id = try value(.id, attributes, line: line)
    let place =
      switch id {
      case "-1": Place.owner
      case "-2": Place.firstResponder
      case "-3": Place.application
      default: Place.elsewhere
      }
    if place == Place.elsewhere {
      if let id { try register(id, place, line: line) }
    } else {
      // These three are known from the start, so that a file need not name them.
      guard placeholders >> -place & 1 == 0 else {
        throw NibFault(
          .malformed, "an id stands twice in the file", line: line, value: id,
          expected: "an id of its own for each object")
      }
      placeholders |= 1 << -place
    }
    if place == Place.owner { ownerClass = try value(.customClass, attributes, line: line) }
    scopes.append(Scope(kind: .object, object: place))
  }
}
