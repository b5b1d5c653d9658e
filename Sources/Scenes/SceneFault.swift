/// Why a step of a scene is refused; nothing has changed then.
public enum SceneFault: Error, Equatable, Sendable {
  /// No controller of the scene has that id.
  case noSuchController(UInt64)
  /// No tab has that index.
  case noSuchTab(UInt64)
  /// More is selected where there is none.
  case noMore
  /// The bar shows no such button.
  case noSuchButton(UInt64)
  /// The controller stands on a stack already (semantics 2.10).
  case alreadyOnStack(UInt64)
  /// A tab bar controller can't be pushed (semantics 2.10).
  case tabBarPushed
  /// What a controller needs is missing or makes no sense for its kind; the word says what.
  case badController(String)
  /// A button needs something that it has not, or has too much; the word says what.
  case badButton(String)
  /// The list of tabs that More shows takes no controllers.
  case moreIsSelected
  /// The last tab can't be removed.
  case lastTab
  /// The button is not enabled.
  case disabled(UInt64)
  /// The controller is not the one that can be seen.
  case notVisible(UInt64)
  /// A text is too long or holds a control character; the word says which.
  case badText(String)
  /// A text of a node is too long or holds a control character but line ends and tabs; the word says
  /// which.
  case badNodeText(String)
  /// There are too many of something; the word says of what.
  case tooMany(String, limit: Int)
}
