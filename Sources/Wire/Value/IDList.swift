/// Row ids as a request names them; one alone, as most requests have, needs no memory of its own.
public struct IDList: Equatable, Sendable, ExpressibleByArrayLiteral {
  private var first: UInt64?
  private var rest: [UInt64] = []

  /// Makes a list.
  ///
  /// - Parameter ids: The ids.
  public init(arrayLiteral ids: UInt64...) {
    first = ids.first
    if ids.count > 1 { rest = Array(ids.dropFirst()) }
  }

  /// Makes a list of at least one.
  init(first: UInt64, rest: [UInt64]) {
    self.first = first
    self.rest = rest
  }

  /// Copies a list.
  ///
  /// - Parameter ids: The ids.
  init(_ ids: UnsafeBufferPointer<UInt64>) {
    // Safe: the caller lends the memory for the call.
    first = unsafe ids.first
    if ids.count > 1 { rest = unsafe Array(ids.dropFirst()) }
  }

  /// How many there are.
  public var count: Int { first == nil ? 0 : rest.count + 1 }

  /// An id.
  ///
  /// - Parameter index: Its place, below `count`.
  public subscript(index: Int) -> UInt64 {
    if index == 0, let first { return first }
    return rest[index - 1]
  }
}
