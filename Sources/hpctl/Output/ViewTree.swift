/// A view tree as text: a node a line, with what a person would see of it.
struct ViewTree {
  private let nodes: [ViewNode]
  private var children: [UInt64: [Int]] = [:]
  private var roots: [Int] = []

  init(_ nodes: [ViewNode]) {
    self.nodes = nodes
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent {
        children[parent, default: []].append(index)
      } else {
        roots.append(index)
      }
    }
  }

  /// The lines of all trees, in order.
  func lines() -> [String] {
    var lines: [String] = []
    // Nodes that wait for their line, the next one last; no depth of theirs costs stack.
    var waiting = roots.reversed().map { (index: $0, lead: "", branch: "") }
    while let (index, lead, branch) = waiting.popLast() {
      lines.append(lead + branch + text(nodes[index]))
      let below =
        switch branch {
        case "": ""
        case "├─ ": lead + "│  "
        default: lead + "   "
        }
      let inner = children[nodes[index].id] ?? []
      for (place, child) in inner.enumerated().reversed() {
        waiting.append((child, below, place + 1 == inner.count ? "└─ " : "├─ "))
      }
    }
    return lines
  }

  private func text(_ node: ViewNode) -> String {
    var text = "\(TerminalSafety.shown(node.className)) #\(node.id)"
    if let key = node.key { text += " (\(TerminalSafety.shown(key)))" }
    for title in node.titles {
      let state = title.state == "normal" ? "" : " \(TerminalSafety.shown(title.state)):"
      text += "\(state) \"\(TerminalSafety.shown(title.title))\""
    }
    if let label = node.text { text += " \"\(TerminalSafety.shown(label))\"" }
    if let placeholder = node.placeholder {
      text += " [\(TerminalSafety.shown(placeholder))]"
    }
    if let frame = node.frame {
      let points = frame.map(\.points)
      text += "  \(points[0]),\(points[1]) \(points[2])×\(points[3])"
    }
    if node.isHidden { text += "  hidden" }
    if !node.isEnabled { text += "  disabled" }
    for action in node.actions {
      let event = action.event.map { TerminalSafety.shown($0) + " → " } ?? "→ "
      text +=
        "  \(event)\(TerminalSafety.shown(action.selector)) (\(ViewTree.name(action.target)))"
    }
    for outlet in node.outlets { text += "  " + ViewTree.text(outlet) }
    return text
  }

  /// An outlet as a name and what it leads to.
  static func text(_ outlet: ViewNode.Outlet) -> String {
    let property = TerminalSafety.shown(outlet.property) + (outlet.isCollection ? "[]" : "")
    return "\(property) = \(name(outlet.target))"
  }

  private static func name(_ target: Int64) -> String {
    switch target {
    case -1: "owner"
    case -2: "first responder"
    case -3: "application"
    default: "#\(target)"
    }
  }
}

extension Double {
  /// Points without a fraction where there is none.
  var points: String { Int64(exactly: self).map(String.init) ?? "\(self)" }
}
