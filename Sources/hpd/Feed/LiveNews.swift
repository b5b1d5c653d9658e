internal import Wire

/// Something live that waits for the turn's commit: it takes no revision, and stands right after
/// the one at which it holds (contract K3).
struct LiveNews {
  /// Whom it concerns.
  enum Audience: Hashable {
    /// Those who look on at a scene, by its number.
    case scene(UInt64)
  }

  var audience: Audience
  /// The revision at which it holds.
  var revision: UInt64
  /// The number of the last event of editing that it stands behind.
  var mark: UInt64
  /// What the body is.
  var kind: EventEncoder.Body
  /// The event's fields, the same for all (contract K1).
  var body: [UInt8]
  /// With what the subscriptions end that get it, where it is their last event.
  var end: EndReason?
}
