/// Why a subscription ended (contract K8).
public enum EndReason: UInt32, CaseIterable, Sendable {
  case compacted = 1
  case revoked = 2
  case unsupported = 3
  case expired = 4
  case epochChanged = 5
  case tooSlow = 6
  case tableDropped = 7
  case sceneRemoved = 8
}

/// The last frame of a connection (contract F7).
public struct Goodbye: Equatable, Sendable {
  /// Why.
  public var code: ErrorCode
  /// Why, for people.
  public var message: String
  /// The last whole revision sent to each subscription.
  public var reached: [Reached] = []
  /// The versions spoken, where that is the reason.
  public var versions: ClosedRange<UInt32>?
  /// The byte at fault.
  public var offset: UInt64?
  /// Names this connection after its end.
  public var resumeToken: String?

  /// How far a subscription came.
  public struct Reached: Equatable, Sendable {
    /// The subscription.
    public var subscription: UInt64
    /// The last whole revision sent.
    public var revision: UInt64

    /// Names a subscription.
    ///
    /// - Parameters:
    ///   - subscription: The subscription.
    ///   - revision: The last whole revision sent.
    public init(subscription: UInt64, revision: UInt64) {
      self.subscription = subscription
      self.revision = revision
    }
  }

  /// Makes a goodbye.
  ///
  /// - Parameters:
  ///   - code: Why.
  ///   - message: Why, for people.
  public init(_ code: ErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }
}
