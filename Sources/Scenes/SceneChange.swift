/// One thing that a step has changed: what subscribers are told, in this order.
public enum SceneChange: Equatable, Sendable {
  /// A stack has other controllers.
  case navigation(stack: UInt64, popped: [UInt64], pushed: UInt64?, animated: Bool)
  /// Another tab, or More, is selected.
  case tabSelected
  /// There are other tabs.
  case tabs
  /// A controller has another item.
  case item(controller: UInt64)
  /// A controller's view was loaded.
  case viewLoaded(controller: UInt64)
  /// A bar button has another title.
  case buttonTitle(controller: UInt64, button: UInt64, title: String)
  /// A controller's editing flag changed.
  case editing(controller: UInt64, on: Bool, animated: Bool)
  /// A holder's first responder changed; `nil`: it has none any more.
  case responder(SceneHolder, Responder?)
  /// Somebody attached.
  case attached(SceneHolder)
  /// Somebody detached or vanished.
  case detached(SceneHolder)
  /// What a root showed is gone, or is there again.
  case gone(controller: UInt64)
}

/// What has the keyboard of one holder (semantics N8, contract K4).
public struct Responder: Equatable, Sendable {
  /// The controller whose view it is in.
  public var controller: UInt64
  /// The column of a detail screen's field; 0: a node.
  public var column: UInt64
  /// The node; 0: a field.
  public var node: UInt64

  /// Names a responder.
  ///
  /// - Parameters:
  ///   - controller: The controller whose view it is in.
  ///   - column: The column of a field, or 0.
  ///   - node: The node, or 0.
  public init(controller: UInt64, column: UInt64 = 0, node: UInt64 = 0) {
    self.controller = controller
    self.column = column
    self.node = node
  }
}
