/// Gives nodes their ids: none twice in a process.
public final class NodeNumbers {
  private var last: UInt64 = 0

  /// Makes a source of ids; a process has one.
  public init() {}

  /// Takes ids that follow each other.
  ///
  /// - Parameter count: How many.
  /// - Returns: The first.
  public func take(_ count: Int = 1) -> UInt64 {
    let first = last + 1
    last += UInt64(count)
    return first
  }
}

/// Ids are given by the thread that owns the views.
@available(*, unavailable)
extension NodeNumbers: Sendable {}
