extension Batch {
  /// A change of what may be done by hand, in `Batch.policies`.
  public struct PolicyChange: Equatable, Sendable {
    /// Where it holds.
    public enum Scope: Equatable, Sendable {
      /// In the whole table.
      case table
      /// In a section.
      case section(SectionRef)
      /// At a row.
      case row(RowRef)
    }

    /// Where it holds.
    public var scope: Scope
    /// The fields to set.
    public var policy = Policy()
    /// Whether all that stood there goes first.
    public var clears = false
    /// The section's new sentinel.
    public var sentinel: Sentinel?
    /// Whether the section loses its sentinel.
    public var clearsSentinel = false

    /// Describes a change.
    ///
    /// - Parameter scope: Where it holds.
    public init(_ scope: Scope) { self.scope = scope }
  }

  /// How what an operation changes should be shown, in `Batch.animations`.
  public struct AnimationHint: Equatable, Sendable {
    /// The operation's index.
    public var operation: Int
    /// The value of hp.v1.Animation; stored and forwarded, never interpreted.
    public var animation: UInt8

    /// Describes a hint.
    ///
    /// - Parameters:
    ///   - operation: The operation's index.
    ///   - animation: The value of hp.v1.Animation.
    public init(operation: Int, animation: UInt8) {
      self.operation = operation
      self.animation = animation
    }
  }
}
