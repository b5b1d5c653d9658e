/// Asks for the objects of a nib.
public struct LoadNibRequest: Equatable, Sendable {
  /// The nib, without suffix.
  public var name: String?
  /// Who loads it.
  public var ownerClass: String?
  /// Whose folders come first.
  public var language: String?
  /// The outlets that the owner has; empty: those that hpd knows, or any.
  public var outlets: [String]
  /// Whether the client keeps the list.
  public var keep: Bool
  /// Instead: the controller whose view is wanted.
  public var controllerClass: String?
}

/// Asks for what a header or footer shows.
public struct GetHeaderRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The section; `.absent`: the table's own.
  public var section: NamedSection
  /// Whether the footer is meant.
  public var isFooter: Bool
}

/// Changes what a node shows (contract K3).
public struct SetViewNodeRequest: Equatable, Sendable {
  /// The table to whose headers the node belongs.
  public var table: TableReference
  /// The scene that it belongs to instead.
  public var scene: String?
  /// The scene's controller; `nil`: whichever has it.
  public var controller: UInt64?
  /// The bar button that is meant instead of a node.
  public var button: UInt64?
  /// The node.
  public var node: UInt64
  /// Its title, or its text.
  public var title: String?
  /// The title's state; `nil`: normal.
  public var state: String?
  /// Whether it takes events.
  public var isEnabled: Bool?
  /// Whether it is not shown.
  public var isHidden: Bool?
  /// Where it lies.
  public var frame: Frame?

  /// A rectangle in points; what is `nil` stays.
  public struct Frame: Equatable, Sendable {
    /// The left edge.
    public var x: Double?
    /// The upper edge.
    public var y: Double?
    /// The width.
    public var width: Double?
    /// The height.
    public var height: Double?
  }
}
