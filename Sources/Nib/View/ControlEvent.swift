/// Events of controls, by the bit that UIKit gives them (semantics 4).
public enum ControlEvent: UInt8, CaseIterable, Sendable {
  case touchDown = 0
  case touchDownRepeat = 1
  case touchDragInside = 2
  case touchDragOutside = 3
  case touchDragEnter = 4
  case touchDragExit = 5
  case touchUpInside = 6
  case touchUpOutside = 7
  case touchCancel = 8
  case valueChanged = 12
  case primaryActionTriggered = 13
  case editingDidBegin = 16
  case editingChanged = 17
  case editingDidEnd = 18
  case editingDidEndOnExit = 19

  /// The event with a name as .xib files have it.
  ///
  /// - Parameter name: The name: `touchUpInside`.
  public init?(name: String) {
    guard let event = ControlEvent.byName[name] else { return nil }
    self = event
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: ControlEvent.allCases.map { ($0.name, $0) })

  /// Its name in .xib files.
  public var name: String { "\(self)" }
}
