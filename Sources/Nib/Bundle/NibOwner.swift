/// The object that loads a nib: it takes the place of "File's Owner".
public struct NibOwner: Equatable, Sendable {
  /// Its class.
  public var className: String
  /// The outlets it has, or `nil` where any is taken.
  public var outlets: Set<String>?

  /// Makes an owner.
  ///
  /// - Parameters:
  ///   - className: Its class.
  ///   - outlets: The outlets it has; `nil`: those that hpd knows for the class, or any.
  public init(className: String, outlets: Set<String>? = nil) {
    self.className = className
    self.outlets = outlets ?? NibOwner.known[className]
  }

  /// The class of its view where no nib is found: a table controller builds its table itself
  /// (semantics 2.9).
  public var blankClass: String {
    className.hasSuffix("TableViewController") || NibOwner.lists.contains(className)
      ? "UITableView" : "UIView"
  }

  /// hpd's own table controllers.
  private static let lists: Set<String> = ["HPItemsController", "HPSectionsController"]

  /// The outlets of classes that hpd knows; the others belong to clients.
  private static let known: [String: Set<String>] = [
    "UIViewController": ["view"],
    "UITableViewController": ["view", "tableView"],
  ]
}
