/// How large a scene may be; each is stated here alone.
public enum SceneLimits {
  /// Scenes of one store.
  public static let scenes = 256
  /// Tabs of one scene.
  public static let tabs = 32
  /// Controllers on one stack.
  public static let depth = 64
  /// Buttons on one side of a bar.
  public static let buttons = 16
  /// Bytes of one text: a title, a prompt, the name of a class, a selector.
  public static let text = 4096
  /// Bytes of a scene's durable state.
  public static let durableState = 256 << 10
  /// Nodes of one controller's views on which clients have set something.
  public static let nodes = 1024
  /// Clients attached to one scene.
  public static let attached = 1024
  /// First responders of one scene.
  public static let responders = 1024
  /// The most tabs that a bar shows; with more, the last place is More's (semantics 2.10).
  public static let tabsShown = 5
}
