/// What the bar shows: made from the items of the two topmost controllers (semantics N5, 2.10).
public struct Bar: Equatable, Sendable {
  /// The title; `nil` where a view stands for it or there is none.
  public var title: String?
  /// The name of the view that stands for the title.
  public var titleView: String?
  /// The line above it.
  public var prompt: String?
  /// The back button; `nil`: none.
  public var back: BarButton?
  /// Buttons on the left, beside or in place of the back button.
  public var left: [BarButton]
  /// Buttons on the right.
  public var right: [BarButton]
}

extension Scene {
  /// The bar of the visible controller.
  ///
  /// - Parameter isEditing: Whether a controller edits: its table's flag, or its own.
  /// - Returns: The bar, edit buttons with the title that follows the flag.
  /// - Complexity: O(1) in the size of the scene.
  public func bar(_ isEditing: (Controller) -> Bool) -> Bar {
    let top = visible
    let item = top.item
    let below = visibleStack?.controllers.dropLast().last
    let titled = { (button: BarButton) in
      var button = button
      if button.isEditButton { button.title = Scene.editTitle(isEditing(top)) }
      return button
    }
    return Bar(
      title: item.titleView == nil ? item.title : nil, titleView: item.titleView,
      prompt: item.prompt, back: back(item, below), left: item.left.map(titled),
      right: item.right.map(titled))
  }

  /// Left items win over the back button unless they supplement it; hidesBack wins over both.
  private func back(_ item: NavigationItem, _ below: Controller?) -> BarButton? {
    guard let below, !item.hidesBack else { return nil }
    guard item.left.isEmpty || item.leftSupplementsBack else { return nil }
    return below.item.back ?? BarButton(title: below.item.title ?? "Back")
  }

  /// The title of an edit button, and of a button that toggles (semantics E1).
  ///
  /// - Parameter isEditing: Whether its controller edits.
  /// - Returns: "Done" or "Edit".
  public static func editTitle(_ isEditing: Bool) -> String { isEditing ? "Done" : "Edit" }

  /// Gives a controller another item.
  ///
  /// Buttons without an id get one; an id must be one of the controller's. The edit button is made
  /// the first time that somebody asks for it, and is the same one from then on (semantics N14).
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - id: The controller.
  /// - Returns: What changed; nothing where the item is as before.
  /// - Throws: `noSuchController`, `noSuchButton`, `badButton`, `badText`, `tooMany`;
  ///   `badController` for More's, which is not durable.
  public mutating func set(
    _ item: NavigationItem, of id: UInt64
  ) throws(SceneFault) -> [SceneChange] {
    guard let controller = controller(id) else { throw .noSuchController(id) }
    guard controller.kind != .more else { throw .badController("More's item is hpd's own") }
    try item.check()
    let known =
      controller.item.left + controller.item.right + [controller.item.back].compactMap { $0 }
    var item = item
    var edit = controller.editButton
    for index in item.left.indices { try settle(&item.left[index], known, &edit) }
    for index in item.right.indices { try settle(&item.right[index], known, &edit) }
    if var back = item.back {
      try settle(&back, known, &edit)
      item.back = back
    }
    let ids = (item.left + item.right).map(\.id)
    guard Set(ids).count == ids.count else { throw .badButton("a button stands in one place") }
    guard item != controller.item else { return [] }
    // What was set on a view's nodes goes with the view.
    let views = controller.item.views
    let kept = item.views.filter { view in views.contains { $0 == view } }.map(\.slot)
    change(id) {
      $0.item = item
      $0.editButton = edit
      $0.nodes.removeAll { $0.slot != .own && !kept.contains($0.slot) }
    }
    return [.item(controller: id)]
  }

  private mutating func settle(
    _ button: inout BarButton, _ known: [BarButton], _ edit: inout UInt64
  ) throws(SceneFault) {
    if button.isEditButton {
      if edit == 0 { edit = takeID() }
      guard button.id == 0 || button.id == edit else { throw .noSuchButton(button.id) }
      // What it says and does is hpd's (semantics N14).
      button = BarButton(
        id: edit, isEnabled: button.isEnabled, action: Scene.editAction, isEditButton: true)
    } else if button.id == 0 {
      button.id = takeID()
    } else {
      let id = button.id
      guard known.contains(where: { $0.id == id && !$0.isEditButton }) else {
        throw .noSuchButton(id)
      }
    }
  }

  /// What the edit button sends.
  public static let editAction = "setEditing:animated:"
}
