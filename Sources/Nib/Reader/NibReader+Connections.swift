/// Connections and constraints: kept until all objects are there, then followed.
extension NibReader {
  /// Takes an element among connections.
  func connection(
    _ element: NibElement, _ attributes: XMLAttributes, _ scope: Scope, line: Int
  ) throws(NibFault) {
    let kind: Connection.Kind
    switch element {
    case .outlet: kind = .outlet
    case .outletCollection: kind = .member
    case .action: kind = .action
    default: return try skip(attributes, line: line)
    }
    var name: String?
    var destination: String?
    var event: String?
    for index in 0..<attributes.count {
      let value = try value(index, attributes, line: line)
      switch attribute(attributes.name(index)) {
      case .property where kind != .action: name = value
      case .selector where kind == .action: name = value
      case .destination: destination = value
      case .eventType: event = value
      case .id: try register(value, Place.elsewhere, line: line)
      default: break
      }
    }
    guard let name, !name.isEmpty, let destination else {
      throw NibFault(
        .malformed, "a connection leads nowhere", line: line,
        expected: kind == .action ? "selector and destination" : "property and destination")
    }
    if let event, ControlEvent(name: event) == nil {
      warn("the event “\(event)” is not known", line: line)
    }
    connections.append(
      Connection(
        kind: kind, source: scope.object, name: name, destination: destination, event: event,
        line: line))
    scopes.append(Scope(kind: .leaf))
  }

  /// Takes an element among constraints.
  func constraint(
    _ element: NibElement, _ attributes: XMLAttributes, _ scope: Scope, line: Int
  ) throws(NibFault) {
    guard element == .constraint else { return try skip(attributes, line: line) }
    var pending = PendingConstraint(
      object: scope.object, constraint: ViewConstraint(), line: line)
    for index in 0..<attributes.count {
      let value = try value(index, attributes, line: line)
      switch attribute(attributes.name(index)) {
      case .firstItem: pending.first = value
      case .firstAttribute: pending.constraint.firstAttribute = value
      case .relation: pending.constraint.relation = value
      case .secondItem: pending.second = value
      case .secondAttribute: pending.constraint.secondAttribute = value
      case .constant: pending.constraint.constant = value
      case .multiplier: pending.constraint.multiplier = value
      case .priority: pending.constraint.priority = value
      case .id: try register(value, Place.elsewhere, line: line)
      default: break
      }
    }
    constraints.append(pending)
    scopes.append(Scope(kind: .leaf))
  }

  /// Follows all connections and makes the document.
  func finish() throws(NibFault) -> NibDocument {
    guard hasObjects else {
      throw NibFault(
        .malformed, "the document has no objects", line: 1, expected: "the element objects")
    }
    for pending in constraints {
      var constraint = pending.constraint
      constraint.first = try item(pending.first, line: pending.line)
      constraint.second = try item(pending.second, line: pending.line)
      nodes[pending.object].constraints.append(constraint)
    }
    for connection in connections { try follow(connection) }
    for node in nodes where node.cost > NibLimits.object {
      throw NibFault(
        .malformed, "an object is too large", line: node.line, value: node.xibID,
        expected: "at most \(NibLimits.object) bytes of texts")
    }
    return NibDocument(
      nodes: nodes, topLevel: topLevel, ownerClass: ownerClass, ownerOutlets: ownerOutlets,
      warnings: warnings)
  }

  private func place(_ id: String, line: Int) throws(NibFault) -> Int {
    if let place = ids[id] { return place }
    throw NibFault(
      .malformed, "nothing in the file has the id that is referred to", line: line, value: id,
      expected: "the id of an object of the file")
  }

  private func item(_ id: String?, line: Int) throws(NibFault) -> ViewConstraint.Item? {
    guard let id else { return nil }
    let place = try place(id, line: line)
    return place >= 0 ? .node(UInt64(place + 1)) : .guide(id)
  }

  private func follow(_ connection: Connection) throws(NibFault) {
    let target: ViewTarget
    switch try place(connection.destination, line: connection.line) {
    case Place.owner: target = .owner
    case Place.firstResponder: target = .firstResponder
    case Place.application: target = .application
    case Place.elsewhere:
      warn("“\(connection.name)” leads to what is not loaded", line: connection.line)
      return
    case let index: target = .node(UInt64(index + 1))
    }
    let outlet = ViewOutlet(
      property: connection.name, target: target, isCollection: connection.kind == .member,
      line: connection.line)
    switch (connection.kind, connection.source) {
    case (.action, 0...):
      nodes[connection.source].actions.append(
        ViewAction(event: connection.event, selector: connection.name, target: target))
    case (_, 0...): nodes[connection.source].outlets.append(outlet)
    case (.action, _): warn("a place-holder has an action", line: connection.line)
    case (_, Place.owner): ownerOutlets.append(outlet)
    default: break
    }
  }
}
