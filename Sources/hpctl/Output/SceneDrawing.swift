/// A scene's screen in plain text: the bar, what the top controller shows, the tab bar.
struct SceneDrawing {
  /// Columns that it takes.
  var width: Int
  private(set) var lines: [String] = []

  init(width: Int) { self.width = max(20, width) }

  /// A text that fits the line, its controls shown.
  func fitted(_ text: String, _ room: Int? = nil) -> String {
    Width.truncated(TerminalSafety.shown(text), to: room ?? width)
  }

  mutating func line(_ text: String) {
    var text = fitted(text)
    while text.last == " " { text.removeLast() }
    lines.append(text)
  }

  mutating func rule() { lines.append(String(repeating: "─", count: width)) }

  /// Texts at both ends of a line, and one in the middle.
  mutating func spread(_ left: String, _ middle: String, _ right: String) {
    let left = fitted(left, width / 3)
    let right = fitted(right, width / 3)
    let middle = fitted(middle, max(0, width - Width.of(left) - Width.of(right) - 2))
    let free = width - Width.of(left) - Width.of(middle) - Width.of(right)
    let before = max(1, (width - Width.of(middle)) / 2 - Width.of(left))
    let gap = min(before, max(1, free - 1))
    var text = left + String(repeating: " ", count: gap) + middle
    text += String(repeating: " ", count: max(1, width - Width.of(text) - Width.of(right)))
    text += right
    while text.last == " " { text.removeLast() }
    lines.append(text)
  }

  /// The bar: back and left buttons, the title, right buttons.
  mutating func draw(_ bar: SceneState.Bar, title: String) {
    if let prompt = bar.prompt { spread("", prompt, "") }
    let back = bar.back.map { ["‹ \($0.label)"] } ?? []
    let left = back + bar.left.map { "[\($0.label)]" }
    let right = bar.right.map { "[\($0.label)]" }
    spread(left.joined(separator: " "), title, right.reversed().joined(separator: " "))
    rule()
  }

  /// What a view says, its buttons in brackets; what lies in a hidden node is hidden, too.
  static func words(_ nodes: [ViewNode]) -> String {
    var hidden: Set<UInt64> = []
    var words: [String] = []
    for node in nodes {
      if node.isHidden || node.parent.map(hidden.contains) ?? false {
        hidden.insert(node.id)
      } else if !node.label.isEmpty {
        words.append(node.actions.isEmpty ? node.label : "[\(node.label)]")
      }
    }
    return words.joined(separator: " ")
  }

  /// A header or footer, of the table or of a section: its title, or what its view says and its buttons.
  mutating func draw(_ header: ShownHeader) {
    guard header.isPresent else { return }
    if let nib = header.nib {
      line(SceneDrawing.words(nib.nodes))
    } else if let title = header.title {
      line(title)
    }
  }

  /// The tab bar; none with one tab.
  mutating func drawTabs(_ scene: SceneState) {
    guard scene.stacks.count > 1 else { return }
    rule()
    let shown = scene.more == nil ? scene.stacks.count : 4
    var tabs = scene.stacks.prefix(shown).enumerated().map { index, stack in
      let name = stack.title ?? stack.controllers.first?.title ?? "Tab \(index)"
      return index == scene.selected ? "(\(name))" : " \(name) "
    }
    if scene.more != nil {
      let isMore = scene.selected.map { $0 >= shown } ?? true
      tabs.append(isMore ? "(More)" : " More ")
    }
    line(tabs.joined(separator: " "))
  }
}

extension ViewNode {
  /// What stands on it.
  var label: String { titles.first { $0.state == "normal" }?.title ?? text ?? "" }
}
