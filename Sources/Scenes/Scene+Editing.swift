/// Editing flags and their titles (contract L2, semantics E4, 2.5).
extension Scene {
  /// Sets the flag of a controller that has its own.
  ///
  /// - Parameters:
  ///   - id: The controller.
  ///   - on: The flag.
  ///   - animated: Whether clients are to animate it.
  /// - Returns: What changed: the title first, then the flag.
  /// - Throws: `noSuchController`; a table's controller has no flag of its own, so it is
  ///   `badController`.
  public mutating func setEditing(
    _ id: UInt64, _ on: Bool, animated: Bool
  ) throws(SceneFault) -> [SceneChange] {
    guard let controller = controller(id) else { throw .noSuchController(id) }
    guard !controller.followsTable else {
      throw .badController("its editing flag is its table's")
    }
    guard controller.isEditing != on else { return [] }
    change(id) { $0.isEditing = on }
    return Scene.titles(controller, on) + [.editing(controller: id, on: on, animated: animated)]
  }

  /// What the controllers of a table show once its flag is another.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - on: Its flag.
  ///   - animated: Whether clients are to animate it.
  ///   - titlesFirst: Whether titles come before the flag, as where a button toggles it (semantics
  ///     E4), or after it, as where a swipe does (semantics 2.5).
  /// - Returns: What changed.
  /// - Complexity: O(*n*) in the number of controllers.
  public func follow(
    table: UInt64, _ on: Bool, animated: Bool, titlesFirst: Bool
  ) -> [SceneChange] {
    let followers = controllers.filter { $0.followsTable && $0.table == table }
    let titles = followers.flatMap { Scene.titles($0, on) }
    let flags = followers.map {
      SceneChange.editing(controller: $0.id, on: on, animated: animated)
    }
    return titlesFirst ? titles + flags : flags + titles
  }

  private static func titles(_ controller: Controller, _ on: Bool) -> [SceneChange] {
    (controller.item.left + controller.item.right).filter(\.isEditButton).map {
      .buttonTitle(controller: controller.id, button: $0.id, title: editTitle(on))
    }
  }

  /// The button of the visible bar with an id, ready to be tapped.
  ///
  /// - Parameter id: The id.
  /// - Returns: The button.
  /// - Throws: `noSuchButton` or `disabled`.
  public func button(_ id: UInt64) throws(SceneFault) -> BarButton {
    let item = visible.item
    var buttons = item.left + item.right
    if let back = bar({ _ in false }).back, back.id != 0 { buttons.append(back) }
    guard let button = buttons.first(where: { $0.id == id }) else { throw .noSuchButton(id) }
    guard button.isEnabled else { throw .disabled(id) }
    return button
  }
}
