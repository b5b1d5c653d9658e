internal import Coding
internal import Scenes

/// What an event of a scene tells, by the values of `hp.v1.SceneEventKind`.
enum SceneEventKind: UInt64 {
  case state = 1
  case navigation = 2
  case tabSelected = 3
  case tabs = 4
  case item = 5
  case viewLoaded = 6
  case node = 7
  case buttonTitle = 8
  case editing = 9
  case responder = 10
  case attached = 11
  case detached = 12
  case action = 13
  case removed = 14
  case gone = 15
  case rejected = 16
}

/// The start of every event (contract K3).
struct SceneEventHead {
  var scene: String
  var sequence: UInt64
  /// This daemon's start.
  var start: UInt64
  /// The revision at which it holds.
  var revision: UInt64
  /// Who caused it; `nil`: hpd itself.
  var by: SceneHolder?

  /// Begins the fields of `hp.v1.SceneEvent`.
  func open(_ kind: SceneEventKind) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, text: scene)
    bytes.appendField(2, varint: sequence)
    bytes.appendField(3, varint: kind.rawValue)
    bytes.appendField(4, fixed64: start)
    bytes.appendField(5, varint: revision)
    if let by { bytes.appendField(6) { by.encode(into: &$0) } }
    return bytes
  }
}

extension SceneEncoding {
  /// The fields of the event that tells of a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - head: The event's start.
  ///   - scene: The scene after the step.
  ///   - before: The scene before it.
  ///   - reason: Why hpd did it by itself, or `nil`.
  /// - Returns: The message's bytes.
  func event(
    _ change: SceneChange, _ head: SceneEventHead, _ scene: Scene, before: Scene, reason: String?
  ) -> [UInt8] {
    var head = head
    switch change {
    case .navigation(let stack, let popped, let pushed, let animated):
      var bytes = head.open(.navigation)
      if animated { bytes.appendField(7, bool: true) }
      if let stack = scene.stacks.first(where: { $0.id == stack }) {
        bytes.appendField(9) { encode(stack, isNew: { $0 == pushed }, into: &$0) }
      }
      for id in popped { bytes.appendField(20, varint: id) }
      if let reason { bytes.appendField(21, text: reason) }
      return bytes
    case .tabSelected:
      var bytes = head.open(.tabSelected)
      if let selected = scene.selected { bytes.appendField(11, varint: UInt64(selected)) }
      return bytes
    case .tabs:
      var bytes = head.open(.tabs)
      let known = Set(before.stacks.map(\.id))
      for stack in scene.stacks {
        bytes.appendField(10) { out in
          if known.contains(stack.id) {
            out.appendField(1, varint: stack.id)
          } else {
            encode(stack, withNodes: true, into: &out)
          }
        }
      }
      if let selected = scene.selected { bytes.appendField(11, varint: UInt64(selected)) }
      if let more = scene.more { bytes.appendField(12) { encode(more, into: &$0) } }
      return bytes
    case .item(let id): return event(.item, head, id, scene, withItemViews: true)
    case .viewLoaded(let id): return event(.viewLoaded, head, id, scene, withNodes: true)
    case .gone(let id): return event(.gone, head, id, scene)
    case .editing(let id, _, let animated):
      var bytes = event(.editing, head, id, scene)
      if animated { bytes.appendField(7, bool: true) }
      return bytes
    case .buttonTitle(let id, let button, let title):
      var bytes = head.open(.buttonTitle)
      bytes.appendField(13) { $0.appendField(1, varint: id) }
      bytes.appendField(17, varint: button)
      bytes.appendField(19, text: title)
      return bytes
    case .responder(let holder, let responder):
      head.by = holder
      var bytes = head.open(.responder)
      if let responder { bytes.appendField(15) { encode(holder, responder, into: &$0) } }
      return bytes
    case .attached(let holder):
      head.by = holder
      return head.open(.attached)
    case .detached(let holder):
      head.by = holder
      return head.open(.detached)
    }
  }

  private func event(
    _ kind: SceneEventKind, _ head: SceneEventHead, _ id: UInt64, _ scene: Scene,
    withNodes: Bool = false, withItemViews: Bool? = nil
  ) -> [UInt8] {
    var bytes = head.open(kind)
    if let controller = scene.controller(id) {
      bytes.appendField(13) {
        encode(controller, withNodes: withNodes, withItemViews: withItemViews, into: &$0)
      }
    }
    return bytes
  }
}
