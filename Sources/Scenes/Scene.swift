/// A screen that several clients share: tabs of navigation stacks (SPEC 7, semantics 1.6).
///
/// A value: a step is tried on a copy, so that a refused one leaves nothing behind. What is durable
/// of it is encoded; what is live is lost with the process (contracts L6, L7). At every time exactly
/// one controller is visible.
public struct Scene: Sendable {
  /// Its name.
  public let name: String
  /// The language that its nibs are looked for in first; `nil`: none.
  public let language: String?
  /// The tabs in their order; never empty.
  public internal(set) var stacks: [NavigationStack]
  /// The index of the selected tab; `nil`: More is selected (semantics 2.10).
  public internal(set) var selected: Int?
  /// The list of tabs that the bar has no room for; on no stack.
  public internal(set) var more: Controller?
  /// The next id that is free.
  var nextID: UInt64

  /// Who is attached; live state.
  public internal(set) var attached: [SceneHolder] = []
  /// Who has the keyboard where; live state, one entry a holder at most.
  public internal(set) var responders: [(holder: SceneHolder, responder: Responder)] = []

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - language: The language of its nibs.
  ///   - roots: The root of each tab.
  /// - Throws: Why it can't be.
  public init(
    name: String, language: String? = nil, roots: [ControllerSpec]
  ) throws(SceneFault) {
    try SceneText.check(language, "language")
    guard let first = roots.first else { throw .badController("a scene has a root") }
    self.name = name
    self.language = language
    nextID = 1
    stacks = []
    selected = 0
    try Scene.checkRoot(first)
    for root in roots { _ = try addTab(root) }
  }

  init(name: String, language: String?, decoded stacks: [NavigationStack], nextID: UInt64) {
    self.name = name
    self.language = language
    self.stacks = stacks
    self.nextID = nextID
    selected = 0
  }

  /// Takes an id that was not given before.
  mutating func takeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// The stack that can be seen; `nil` while More is selected.
  public var visibleStack: NavigationStack? { selected.map { stacks[$0] } }

  /// The one controller that can be seen.
  public var visible: Controller {
    if let selected { return stacks[selected].top }
    guard let more else { preconditionFailure("More is selected and not there") }
    return more
  }

  /// The controller with an id, on whatever stack.
  ///
  /// - Parameter id: The id.
  /// - Returns: The controller, or `nil`.
  public func controller(_ id: UInt64) -> Controller? {
    if let more, more.id == id { return more }
    for stack in stacks {
      if let found = stack.controllers.first(where: { $0.id == id }) { return found }
    }
    return nil
  }

  /// The controllers of all stacks, More's not among them.
  public var controllers: [Controller] { stacks.flatMap(\.controllers) }

  /// How many tabs stand in the bar before More; all of them where there is no More.
  public var tabsShown: Int { more == nil ? stacks.count : SceneLimits.tabsShown - 1 }

  /// Changes the controller with an id.
  mutating func change(_ id: UInt64, _ body: (inout Controller) -> Void) {
    if more?.id == id {
      if var changed = more {
        body(&changed)
        more = changed
      }
      return
    }
    for stack in stacks.indices {
      guard let index = stacks[stack].controllers.firstIndex(where: { $0.id == id }) else {
        continue
      }
      body(&stacks[stack].controllers[index])
      return
    }
  }

  static func checkRoot(_ spec: ControllerSpec) throws(SceneFault) {
    try spec.check()
    guard spec.kind != .detail else {
      throw .badController("a row's fields are pushed on a list, they are no root")
    }
  }
}
