/// A button of a navigation bar (semantics N11).
public struct BarButton: Equatable, Sendable {
  /// Its id, unique in the scene and not used again; 0 in requests: a new one.
  public var id: UInt64
  /// The system's name for it: done, cancel, edit, save, add.
  public var system: String?
  /// What stands on it; of the edit button it is derived from the flag.
  public var title: String?
  /// Whether it can be tapped.
  public var isEnabled: Bool
  /// The selector that a tap sends.
  public var action: String?
  /// Whether it is the controller's one edit button (semantics N14).
  public var isEditButton: Bool
  /// The name of a view that stands for it.
  public var view: String?

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - id: Its id; 0: a new one.
  ///   - system: The system's name for it.
  ///   - title: What stands on it.
  ///   - isEnabled: Whether it can be tapped.
  ///   - action: The selector that a tap sends.
  ///   - isEditButton: Whether it is the edit button.
  ///   - view: The name of a view that stands for it.
  public init(
    id: UInt64 = 0, system: String? = nil, title: String? = nil, isEnabled: Bool = true,
    action: String? = nil, isEditButton: Bool = false, view: String? = nil
  ) {
    self.id = id
    self.system = system
    self.title = title
    self.isEnabled = isEnabled
    self.action = action
    self.isEditButton = isEditButton
    self.view = view
  }

  /// The names that the system has for buttons (semantics 2.7).
  public static let systems = ["done", "cancel", "edit", "save", "add"]

  func check() throws(SceneFault) {
    if let system, !BarButton.systems.contains(system) {
      throw .badButton("system is one of \(BarButton.systems.joined(separator: ", "))")
    }
    guard isEditButton || system != nil || title != nil || view != nil else {
      throw .badButton("a button has a title, a system's name or a view")
    }
    try SceneText.check(title, "title")
    try SceneText.check(action, "action")
    try SceneText.check(view, "view")
  }
}

/// What a controller says for the bar while it is on top (semantics N9 to N12).
public struct NavigationItem: Equatable, Sendable {
  /// The title, centred.
  public var title: String?
  /// The name of a view that is shown instead of the title.
  public var titleView: String?
  /// Buttons on the left, outermost first.
  public var left: [BarButton] = []
  /// Buttons on the right, outermost first.
  public var right: [BarButton] = []
  /// What the next controller's back button is, where it is not the usual one.
  public var back: BarButton?
  /// A line above the bar.
  public var prompt: String?
  /// Whether no back button is shown while this one is on top.
  public var hidesBack = false
  /// Whether the left buttons stand beside the back button instead of in its place.
  public var leftSupplementsBack = false

  /// The empty item that every controller begins with (semantics N10).
  public init() {}

  func check() throws(SceneFault) {
    try SceneText.check(title, "title")
    try SceneText.check(titleView, "title_view")
    try SceneText.check(prompt, "prompt")
    for side in [left, right] {
      guard side.count <= SceneLimits.buttons else {
        throw .tooMany("buttons", limit: SceneLimits.buttons)
      }
      for button in side { try button.check() }
    }
    if let back {
      guard !back.isEditButton else { throw .badButton("the back button does not edit") }
      try back.check()
    }
    let edit = (left + right).count { $0.isEditButton }
    guard edit <= 1 else { throw .badButton("a controller has one edit button") }
  }
}

/// Texts of a scene: bounded, and without control characters.
enum SceneText {
  static func check(_ text: String?, _ what: String) throws(SceneFault) {
    guard isShort(text, allows: "".unicodeScalars) else { throw .badText(what) }
  }

  /// Whether a text is within bounds and holds no control characters but some.
  static func isShort(_ text: String?, allows: String.UnicodeScalarView) -> Bool {
    guard let text else { return true }
    return text.utf8.count <= SceneLimits.text
      && text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control || allows.contains($0)
      }
  }
}
