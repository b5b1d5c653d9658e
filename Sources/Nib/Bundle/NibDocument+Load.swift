extension NibDocument {
  /// Makes new objects of what the file holds, and sets the owner's outlets.
  ///
  /// An outlet to an object at the top keeps it, and all in it; one to a subview does not. With an
  /// owner, trees that nothing keeps are gone when the load is over (semantics 1.5, X5); without
  /// one, the list that is returned keeps them.
  ///
  /// - Parameters:
  ///   - owner: Who loads it.
  ///   - numbers: Where the objects' ids come from.
  ///   - keepsAll: Whether the caller keeps the list also with an owner.
  /// - Returns: The objects.
  /// - Throws: `noSuchOutlet`, with the line.
  /// - Complexity: O(*n*) in the number of objects.
  public func load(
    owner: NibOwner?, numbers: NodeNumbers, keepsAll: Bool
  ) throws(NibFault) -> LoadedNib {
    if let owner, let outlets = owner.outlets {
      for outlet in ownerOutlets where !outlets.contains(outlet.property) {
        throw NibFault(
          .noSuchOutlet,
          "the class \(owner.className) is not key value coding-compliant for the key "
            + "\(outlet.property).",
          line: outlet.line, value: outlet.property,
          expected: outlets.isEmpty
            ? "no outlet" : "one of: " + outlets.sorted().joined(separator: ", "))
      }
    }
    let kept = keptTrees()
    let offset = numbers.take(nodes.count) - 1
    var loaded = LoadedNib(
      nodes: [], topLevel: topLevel.map { $0 + offset },
      ownerOutlets: ownerOutlets.map { $0.moved(offset) }, warnings: warnings)
    loaded.dropped = topLevel.filter { !kept.contains($0) }.map { $0 + offset }
    if let owner, let ownerClass, ownerClass != owner.className {
      loaded.warnings.append(
        "the file's owner is a \(ownerClass), not a \(owner.className)")
    }
    let drops = owner != nil && !keepsAll && !loaded.dropped.isEmpty
    loaded.nodes.reserveCapacity(nodes.count)
    var isKept = true
    for node in nodes {
      if node.parent == nil { isKept = !drops || kept.contains(node.id) }
      if isKept { loaded.nodes.append(node.moved(offset)) }
    }
    if drops { loaded.clearOutlets() }
    return loaded
  }

  /// The trees, by the id of their top, to which strong outlets lead.
  private func keptTrees() -> Set<UInt64> {
    let tops = Set(topLevel)
    var outlets: [UInt64: [UInt64]] = [:]
    var top: UInt64 = 0
    for node in nodes {
      if node.parent == nil { top = node.id }
      for outlet in node.outlets where !outlet.isWeak {
        if case .node(let id) = outlet.target, tops.contains(id) {
          outlets[top, default: []].append(id)
        }
      }
    }
    var kept: Set<UInt64> = []
    var waiting: [UInt64] = []
    for outlet in ownerOutlets {
      if case .node(let id) = outlet.target, tops.contains(id) { waiting.append(id) }
    }
    while let id = waiting.popLast() {
      if kept.insert(id).inserted { waiting += outlets[id] ?? [] }
    }
    return kept
  }
}

extension LoadedNib {
  /// Empties outlets that lead to objects that are gone.
  fileprivate mutating func clearOutlets() {
    let alive = Set(nodes.map(\.id))
    func isAlive(_ target: ViewTarget) -> Bool {
      if case .node(let id) = target { alive.contains(id) } else { true }
    }
    for outlet in ownerOutlets where !isAlive(outlet.target) {
      warnings.append(
        "the outlet \(outlet.property) is empty: it leads into a tree that nothing keeps")
    }
    ownerOutlets.removeAll { !isAlive($0.target) }
    for index in nodes.indices {
      if nodes[index].outlets.contains(where: { !isAlive($0.target) }) {
        nodes[index].outlets.removeAll { !isAlive($0.target) }
      }
      if nodes[index].actions.contains(where: { !isAlive($0.target) }) {
        nodes[index].actions.removeAll { !isAlive($0.target) }
      }
    }
  }
}

extension ViewOutlet {
  /// Whether it keeps nothing alive: what UIKit's classes refer to as their delegate.
  fileprivate var isWeak: Bool {
    property == "delegate" || property == "dataSource" || property.hasSuffix("Delegate")
      || property.hasSuffix("DataSource")
  }

  fileprivate func moved(_ offset: UInt64) -> ViewOutlet {
    var outlet = self
    outlet.target = target.moved(offset)
    return outlet
  }
}

extension ViewTarget {
  fileprivate func moved(_ offset: UInt64) -> ViewTarget {
    if case .node(let id) = self { .node(id + offset) } else { self }
  }
}

extension ViewConstraint.Item {
  fileprivate func moved(_ offset: UInt64) -> ViewConstraint.Item {
    if case .node(let id) = self { .node(id + offset) } else { self }
  }
}

extension ViewNode {
  fileprivate func moved(_ offset: UInt64) -> ViewNode {
    var node = self
    node.id += offset
    node.parent = parent.map { $0 + offset }
    for index in node.outlets.indices { node.outlets[index] = outlets[index].moved(offset) }
    for index in node.actions.indices {
      node.actions[index].target = actions[index].target.moved(offset)
    }
    for index in node.constraints.indices {
      node.constraints[index].first = constraints[index].first?.moved(offset)
      node.constraints[index].second = constraints[index].second?.moved(offset)
    }
    return node
  }
}
