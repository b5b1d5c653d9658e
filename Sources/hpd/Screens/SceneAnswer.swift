internal import Coding
internal import TableService
internal import Wire

/// What a step of a scene came to: `hp.v1.SceneReply`.
struct SceneAnswer {
  /// The scenes that are told of, as `hp.v1.SceneState` each.
  var scenes: [[UInt8]] = []
  var popped: [UInt64] = []
  var pushed: UInt64?
  /// Whether the keyboard was given up.
  var resigned: Bool?
  /// Selectors that hpd performed.
  var performed: [String] = []
  /// Selectors that went to the subscribers.
  var sent: [String] = []
  /// The selector that was refused after others were performed, and the name of its code.
  var refused: (selector: String, code: String)?
  /// What the step changed in tables (contract L6).
  var revisions: [UInt64] = []
  var inserted: [IDRun] = []
  /// What could not be written when its screen was left.
  var rejected: [Daemon.RejectedField] = []
  /// Whether nothing changed.
  var isUnchanged = false
  /// The flag after a step that sets it.
  var editing: Bool?
  /// The number of the scene's last event.
  var sequence: UInt64?

  /// The message's bytes; without `replayed`, which is not of the first outcome.
  func encoded(_ cursor: Cursor) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1) { out in
      out.appendField(1, fixed64: cursor.epoch)
      out.appendField(2, varint: cursor.revision)
    }
    for scene in scenes { bytes.appendField(2, bytes: scene) }
    bytes.appendPacked(3, popped)
    if let pushed { bytes.appendField(4, varint: pushed) }
    if let resigned { bytes.appendField(5, bool: resigned) }
    for selector in performed { bytes.appendField(6, text: selector) }
    for selector in sent { bytes.appendField(7, text: selector) }
    bytes.appendPacked(8, revisions)
    for run in inserted {
      bytes.appendField(9) { out in
        out.appendField(1, varint: run.first)
        out.appendField(2, varint: run.count)
      }
    }
    for field in rejected { bytes.appendField(10) { field.encode(into: &$0) } }
    if isUnchanged { bytes.appendField(11, bool: true) }
    if let editing { bytes.appendField(13, bool: editing) }
    if let sequence { bytes.appendField(14, varint: sequence) }
    if let refused {
      bytes.appendField(15, text: refused.selector)
      bytes.appendField(16, text: refused.code)
    }
    return bytes
  }
}

extension [UInt8] {
  /// Appends a packed field of numbers; none where there are none.
  fileprivate mutating func appendPacked(_ field: UInt32, _ values: [UInt64]) {
    guard !values.isEmpty else { return }
    appendField(field) { out in
      for value in values { out.appendVarint(value) }
    }
  }
}
