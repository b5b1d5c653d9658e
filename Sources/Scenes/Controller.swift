/// What a controller shows.
public enum ControllerKind: UInt64, CaseIterable, Sendable {
  /// The rows of a table.
  case items = 1
  /// The fields of one row.
  case detail = 2
  /// The sections of a table.
  case sections = 3
  /// A view of its own.
  case view = 4
  /// The tabs that found no room in the bar; a scene has one at most, and on no stack.
  case more = 5

  /// The name of hpd's own class of the kind.
  public var className: String? {
    switch self {
    case .items: "HPItemsController"
    case .detail: "HPDetailController"
    case .sections: "HPSectionsController"
    case .view: nil
    case .more: "UIMoreListController"
    }
  }
}

/// A controller that is to be made.
public struct ControllerSpec: Equatable, Sendable {
  /// What it shows.
  public var kind: ControllerKind
  /// Its class; `nil`: hpd's own class of the kind.
  public var className: String?
  /// The nib that its view is loaded from; `nil`: found by the class's name.
  public var nibName: String?
  /// The table; 0: none.
  public var table: UInt64
  /// The row; 0: none.
  public var row: UInt64
  /// The section; 0: all.
  public var section: UInt64
  /// The title of its item.
  public var title: String?
  /// The title of its tab, where it is a root.
  public var tabTitle: String?

  /// Describes a controller.
  ///
  /// - Parameters:
  ///   - kind: What it shows.
  ///   - className: Its class.
  ///   - nibName: The nib that its view is loaded from.
  ///   - table: The table.
  ///   - row: The row.
  ///   - section: The section.
  ///   - title: The title of its item.
  ///   - tabTitle: The title of its tab.
  public init(
    _ kind: ControllerKind, className: String? = nil, nibName: String? = nil, table: UInt64 = 0,
    row: UInt64 = 0, section: UInt64 = 0, title: String? = nil, tabTitle: String? = nil
  ) {
    self.kind = kind
    self.className = className
    self.nibName = nibName
    self.table = table
    self.row = row
    self.section = section
    self.title = title
    self.tabTitle = tabTitle
  }

  static let tabBarClass = "UITabBarController"

  func check() throws(SceneFault) {
    if className == ControllerSpec.tabBarClass { throw .tabBarPushed }
    try SceneText.check(className, "class_name")
    try SceneText.check(nibName, "nib_name")
    try SceneText.check(title, "title")
    try SceneText.check(tabTitle, "tab_title")
    switch kind {
    case .items, .sections:
      guard table != 0 else { throw .badController("it shows a table, and none is named") }
      guard row == 0 else { throw .badController("it shows no single row") }
    case .detail:
      guard table != 0, row != 0 else {
        throw .badController("it shows a row, and none is named")
      }
    case .view:
      guard className?.isEmpty == false else { throw .badController("it needs a class") }
      guard table == 0, row == 0, section == 0 else {
        throw .badController("its class says what it shows")
      }
    case .more: throw .badController("More is not made by hand")
    }
  }
}

/// One member of a navigation stack (semantics N2).
public struct Controller: Equatable, Sendable {
  /// Its id, unique in the scene and not used again.
  public let id: UInt64
  /// What it shows.
  public let kind: ControllerKind
  /// Its class.
  public let className: String
  /// The nib that its view is loaded from; `nil`: found by the class's name.
  public let nibName: String?
  /// The table; 0: none.
  public let table: UInt64
  /// The row; 0: none.
  public let row: UInt64
  /// The section; 0: all.
  public let section: UInt64
  /// What it says for the bar.
  public internal(set) var item = NavigationItem()
  /// The id of its edit button; 0: nobody has asked for it yet (semantics N14).
  public internal(set) var editButton: UInt64 = 0
  /// Whether what a root showed is no longer there.
  public internal(set) var isGone = false
  /// What clients have set on the nodes of its views.
  public internal(set) var nodes: [NodeState] = []

  /// Whether its view was loaded; live state, a restart loads it again (semantics X11).
  public internal(set) var isViewLoaded = false
  /// The editing flag of a controller without a table (contract L2); live state.
  public internal(set) var isEditing = false

  init(_ spec: ControllerSpec, id: UInt64) {
    self.id = id
    kind = spec.kind
    className = spec.className ?? spec.kind.className ?? ""
    nibName = spec.nibName
    table = spec.table
    row = spec.row
    section = spec.section
    item.title = spec.title
  }

  /// Whether its editing flag is its table's (contract L2).
  public var followsTable: Bool { table != 0 && kind != .detail }
}

/// A navigation stack, which is one tab of a scene; its root stays for ever (semantics N3).
public struct NavigationStack: Equatable, Sendable {
  /// Its id, unique among the scene's stacks and controllers.
  public let id: UInt64
  /// What stands in the tab bar.
  public internal(set) var tabTitle: String?
  /// The controllers, the root first; never empty.
  public internal(set) var controllers: [Controller]

  /// The topmost controller.
  public var top: Controller { controllers[controllers.count - 1] }
  /// The root.
  public var root: Controller { controllers[0] }
}
