/// A step of a scene, or a look at it (SPEC 7).
public struct SceneRequest: Equatable, Sendable {
  /// What is asked; the values are those of `hp.v1.SceneRequest.Step`.
  public enum Step: UInt32, CaseIterable, Sendable {
    case unspecified = 0
    case make
    case show
    case attach
    case detach
    case push
    case pop
    case popToRoot
    case popTo
    case selectTab
    case sendEvent
    case tapBarButton
    case endEditing
    case remove
    case setItem
    case becomeFirstResponder
    case list
    case addTab
    case removeTab
    case setEditing

    /// Whether it changes nothing.
    public var isRead: Bool { self == .show || self == .list }
  }

  /// The scene's name.
  public var scene: String?
  /// What is asked.
  public var step: Step
  /// Controllers to be made.
  public var roots: [SceneController] = []
  /// A controller; `nil`: the visible one.
  public var controller: UInt64?
  /// A tab.
  public var index: UInt64?
  /// A button of the bar.
  public var button: UInt64?
  /// A node of a view.
  public var node: UInt64?
  /// The event that is sent to the node.
  public var event: String?
  /// Whether editing ends in any case.
  public var force = false
  /// A hint for those who show it; `nil`: not given.
  public var animated: Bool?
  /// What a controller says for the bar.
  public var item: SceneItem?
  /// The language of the nibs.
  public var language: String?
  /// The column of a field.
  public var column: String?
  /// An editing flag.
  public var editing: Bool?

  /// Whether the step changes nothing.
  public var isRead: Bool { step.isRead }

  /// Asks for a step.
  ///
  /// - Parameters:
  ///   - scene: The scene's name.
  ///   - step: What is asked.
  public init(scene: String?, step: Step) {
    self.scene = scene
    self.step = step
  }
}

/// A controller that is to be made.
public struct SceneController: Equatable, Sendable {
  /// The value of `hp.v1.ControllerKind`.
  public var kind: UInt32
  /// Its class.
  public var className: String?
  /// The nib of its view.
  public var nibName: String?
  /// The table.
  public var table: TableReference
  /// The row; 0: none.
  public var row: UInt64
  /// The section; 0: none.
  public var section: UInt64
  /// The title of its item.
  public var title: String?
  /// The title of its tab.
  public var tabTitle: String?

  /// The rows of a table.
  ///
  /// - Parameter table: The table.
  public init(items table: TableReference) {
    kind = 1
    self.table = table
    row = 0
    section = 0
  }

  init(
    kind: UInt32, className: String?, nibName: String?, table: TableReference, row: UInt64,
    section: UInt64, title: String?, tabTitle: String?
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
}

/// What a controller says for the bar.
public struct SceneItem: Equatable, Sendable {
  /// The title.
  public var title: String?
  /// The name of the view that stands for the title.
  public var titleView: String?
  /// Buttons on the left.
  public var left: [SceneButton]
  /// Buttons on the right.
  public var right: [SceneButton]
  /// What the next controller's back button is.
  public var back: SceneButton?
  /// The line above the bar.
  public var prompt: String?
  /// Whether no back button is shown.
  public var hidesBack: Bool
  /// Whether left buttons stand beside the back button.
  public var leftSupplementsBack: Bool
}

/// A button of a bar.
public struct SceneButton: Equatable, Sendable {
  /// Its id; 0: a new one.
  public var id: UInt64
  /// The system's name for it.
  public var system: String?
  /// What stands on it.
  public var title: String?
  /// Whether it can be tapped.
  public var isEnabled: Bool
  /// The selector that it sends.
  public var action: String?
  /// Whether it is the edit button.
  public var isEditButton: Bool
  /// The name of a view that stands for it.
  public var view: String?
}
