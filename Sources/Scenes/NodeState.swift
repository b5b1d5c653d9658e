/// Which of a controller's views is meant.
public enum ViewSlot: Hashable, Sendable {
  /// The controller's own view.
  case own
  /// The view that stands for its title (semantics N12).
  case title
  /// The view that stands for a bar button.
  case button(UInt64)

  /// The number that stands for it in the journal: 0, 1, or 2 and a button's id on.
  var number: UInt64 {
    switch self {
    case .own: 0
    case .title: 1
    case .button(let id): id + 1
    }
  }

  init(number: UInt64) {
    switch number {
    case 0: self = .own
    case 1: self = .title
    default: self = .button(number - 1)
    }
  }
}

/// What clients have set on a node of a view; what is `nil` is as the nib says.
///
/// A node has another id after each load, so it is known by what its nib calls it.
public struct NodeState: Equatable, Sendable {
  /// The view that it is in.
  public var slot: ViewSlot
  /// Its id in the nib.
  public var name: String
  /// Titles by state, in the order in which they were first set.
  public var titles: [(state: String, title: String)] = []
  /// The text of a label or a field.
  public var text: String?
  /// Whether it takes events.
  public var isEnabled: Bool?
  /// Whether it is not shown.
  public var isHidden: Bool?
  /// Where it lies.
  public var frame: NodeFrame?

  /// Names a node on which nothing is set.
  ///
  /// - Parameters:
  ///   - slot: The view that it is in.
  ///   - name: Its id in the nib.
  public init(slot: ViewSlot, name: String) {
    self.slot = slot
    self.name = name
  }

  /// Sets the title in a state.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - state: The state.
  public mutating func setTitle(_ title: String, for state: String) {
    if let index = titles.firstIndex(where: { $0.state == state }) {
      titles[index].title = title
    } else {
      titles.append((state, title))
    }
  }

  /// Whether two say the same.
  ///
  /// - Parameters:
  ///   - left: One state.
  ///   - right: Another.
  /// - Returns: Whether they are equal.
  public static func == (left: NodeState, right: NodeState) -> Bool {
    left.slot == right.slot && left.name == right.name && left.text == right.text
      && left.isEnabled == right.isEnabled && left.isHidden == right.isHidden
      && left.frame == right.frame
      && left.titles.elementsEqual(right.titles) { $0.state == $1.state && $0.title == $1.title }
  }
}

/// A rectangle in points, in the parent's space.
public struct NodeFrame: Equatable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Makes a rectangle.
  ///
  /// - Parameters:
  ///   - x: The left edge.
  ///   - y: The upper edge.
  ///   - width: The width.
  ///   - height: The height.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
