/// A view, or another object of a nib, as data (SPEC 7).
///
/// In a `NibDocument` ids and parents count the file's objects from 1; a load gives new ones.
public struct ViewNode: Equatable, Sendable {
  /// Its id: never given twice in a process.
  public var id: UInt64
  /// The node that it lies in, or `nil` at the top.
  public var parent: UInt64?
  /// Its place in the parent: `titleView`, `items`…; `nil` for a subview.
  public var key: String?
  /// Its class: the custom one, if there is one.
  public var className: String
  /// The module of a custom class.
  public var module: String?
  /// Its id in the file.
  public var xibID: String
  /// The line of the file on which its element begins to be read.
  public var line: Int
  /// Where it lies in its parent, or `nil` where the file says nothing.
  public var frame: ViewFrame?
  /// Its titles by state, in the file's order.
  public var titles: [StateTitle] = []
  /// The text of a label, field or text view.
  public var text: String?
  /// What a field shows while it is empty.
  public var placeholder: String?
  /// What it does at which event, in the file's order.
  public var actions: [ViewAction] = []
  /// What it refers to, in the file's order.
  public var outlets: [ViewOutlet] = []
  /// Its background.
  public var background: Color?
  /// Its other colours.
  public var colors: [ViewColor] = []
  /// Whether it takes events.
  public var isEnabled = true
  /// Whether it is not shown.
  public var isHidden = false
  /// What is kept when its parent changes its size.
  public var autoresizing: Autoresizing = []
  /// Constraints, kept and never solved.
  public var constraints: [ViewConstraint] = []
  /// Other attributes, as they stand in the file.
  public var settings: [ViewSetting] = []

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - parent: The node that it lies in.
  ///   - className: Its class.
  ///   - xibID: Its id in the file.
  ///   - line: Its line there.
  public init(
    id: UInt64, parent: UInt64? = nil, className: String, xibID: String = "", line: Int = 0
  ) {
    self.id = id
    self.parent = parent
    self.className = className
    self.xibID = xibID
    self.line = line
  }

  /// The title in a state; where it has none, the normal one.
  ///
  /// - Parameter state: The state.
  /// - Returns: The title, or `nil` without any.
  public func title(_ state: String = "normal") -> String? {
    (titles.first { $0.state == state } ?? titles.first { $0.state == "normal" })?.title
  }

  /// Sets the title in a state.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - state: The state.
  public mutating func setTitle(_ title: String, for state: String = "normal") {
    if let index = titles.firstIndex(where: { $0.state == state }) {
      titles[index].title = title
    } else {
      titles.append(StateTitle(state: state, title: title))
    }
  }

  /// The value of an attribute that the file has.
  ///
  /// - Parameter key: The attribute's name.
  /// - Returns: Its value as it stands there, or `nil`.
  public func setting(_ key: String) -> String? {
    settings.first { $0.key == key }?.value
  }
}
