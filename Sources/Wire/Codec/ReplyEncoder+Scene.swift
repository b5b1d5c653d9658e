internal import Coding

/// What is told of scenes; the messages are encoded already.
extension ReplyEncoder {
  /// Appends the reply to a step of a scene.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - scene: The fields of `hp.v1.SceneReply`.
  ///   - replayed: Whether this is the first outcome of a key (contract E5).
  ///   - out: Gets the frame.
  public static func scene(
    id: UInt64, encoded scene: [UInt8], replayed: Bool = false, into out: inout [UInt8]
  ) {
    var scene = scene
    if replayed { scene.appendField(12, bool: true) }
    head(id, .scene, size: scene.count, into: &out)
    out.append(contentsOf: scene)
  }
}
