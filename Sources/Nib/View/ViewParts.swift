/// A rectangle in points, in the parent's space.
public struct ViewFrame: Equatable, Sendable {
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

/// A title in one state of a control.
public struct StateTitle: Equatable, Sendable {
  /// `normal`, `highlighted`, `disabled` or `selected`.
  public var state: String
  /// The title.
  public var title: String

  /// Makes a title.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - title: The title.
  public init(state: String, title: String) {
    self.state = state
    self.title = title
  }
}

/// What a connection leads to.
public enum ViewTarget: Equatable, Sendable {
  /// A node, by its id.
  case node(UInt64)
  /// The file's owner (−1).
  case owner
  /// The first responder: whoever in the responder chain takes it (−2).
  case firstResponder
  /// The application (−3).
  case application

  /// The number that stands for it: a node's id, or −1, −2, −3.
  public var number: Int64 {
    switch self {
    case .node(let id): Int64(id)
    case .owner: -1
    case .firstResponder: -2
    case .application: -3
    }
  }
}

/// What a control does at an event.
public struct ViewAction: Equatable, Sendable {
  /// The event's name in the file; `nil` at a bar button's action, which has only one.
  public var event: String?
  /// The selector, with its colons.
  public var selector: String
  /// Who performs it.
  public var target: ViewTarget

  /// The arguments that the selector takes: none, the sender, or the sender and the event.
  public var argumentCount: Int { selector.utf8.count { $0 == UInt8(ascii: ":") } }

  /// Makes an action.
  ///
  /// - Parameters:
  ///   - event: The event's name.
  ///   - selector: The selector.
  ///   - target: Who performs it.
  public init(event: String?, selector: String, target: ViewTarget) {
    self.event = event
    self.selector = selector
    self.target = target
  }
}

/// A reference from one object to another.
public struct ViewOutlet: Equatable, Sendable {
  /// The property that holds it.
  public var property: String
  /// What it leads to.
  public var target: ViewTarget
  /// Whether it is a member of a collection.
  public var isCollection: Bool
  /// The line of the file on which it stands.
  public var line: Int

  /// Makes an outlet.
  ///
  /// - Parameters:
  ///   - property: The property that holds it.
  ///   - target: What it leads to.
  ///   - isCollection: Whether it is a member of a collection.
  ///   - line: The line of the file.
  public init(property: String, target: ViewTarget, isCollection: Bool = false, line: Int = 0) {
    self.property = property
    self.target = target
    self.isCollection = isCollection
    self.line = line
  }
}

/// A colour with its place in a node.
public struct ViewColor: Equatable, Sendable {
  /// Its place, such as `tintColor` or `titleColor`.
  public var key: String
  /// The state that it belongs to, for a title's.
  public var state: String?
  /// The colour.
  public var color: Color
}

/// An attribute as it stands in the file.
public struct ViewSetting: Equatable, Sendable {
  /// Its name.
  public var key: String
  /// Its value.
  public var value: String
}

/// A constraint, kept and never solved.
public struct ViewConstraint: Equatable, Sendable {
  /// One end of a constraint.
  public enum Item: Equatable, Sendable {
    /// A node, by its id.
    case node(UInt64)
    /// A layout guide or another object that is not loaded, by its id in the file.
    case guide(String)
  }

  /// The first item; `nil`: the node that holds the constraint.
  public var first: Item?
  /// The first item's attribute.
  public var firstAttribute: String?
  /// How the sides compare; `nil`: equal.
  public var relation: String?
  /// The second item.
  public var second: Item?
  /// The second item's attribute.
  public var secondAttribute: String?
  /// The constant, as it stands in the file.
  public var constant: String?
  /// The multiplier, as it stands in the file: `0.5` or `4:3`.
  public var multiplier: String?
  /// The priority, as it stands in the file.
  public var priority: String?
}

/// What is kept when a node's parent changes its size.
public struct Autoresizing: OptionSet, Equatable, Sendable {
  /// The flags as bits.
  public let rawValue: UInt8

  /// Makes a mask.
  ///
  /// - Parameter rawValue: The flags as bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The flags' names in the file, from the lowest bit on.
  public static let names = [
    "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable",
    "flexibleMaxY",
  ]

  /// The names of the flags that are set.
  public var names: [String] {
    Autoresizing.names.indices.filter { rawValue >> $0 & 1 == 1 }.map { Autoresizing.names[$0] }
  }
}
