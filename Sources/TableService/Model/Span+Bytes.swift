internal import Coding

extension Span<UInt8> {
  /// Whether two spans hold the same bytes.
  ///
  /// - Parameter other: The other one.
  /// - Returns: True where they do.
  /// - Complexity: O(*n*) where the lengths are equal, else O(1).
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether the span holds the bytes of an array.
  ///
  /// - Parameter other: The array.
  /// - Returns: True where it does.
  func isEqual(to other: [UInt8]) -> Bool { isEqual(to: other.span) }

  /// Text that stands in an encoded message.
  ///
  /// - Parameter range: Where.
  /// - Returns: The text.
  /// - Throws: `truncated` where it is not valid UTF-8.
  func text(_ range: Range<Int>) throws(CodingFault) -> String {
    guard let text = try? UTF8Span(validating: extracting(range)) else { throw .truncated }
    return String(copying: text)
  }
}

extension [UInt8] {
  /// Copies part of a span.
  ///
  /// - Parameters:
  ///   - bytes: The span.
  ///   - range: Which part.
  /// - Complexity: O(*n*) in the length of the part.
  init(copying bytes: Span<UInt8>, _ range: Range<Int>) {
    self = []
    append(copying: bytes, range)
  }

  /// Appends part of a span.
  ///
  /// - Parameters:
  ///   - bytes: The span.
  ///   - range: Which part.
  /// - Complexity: O(*n*) in the length of the part.
  mutating func append(copying bytes: Span<UInt8>, _ range: Range<Int>) {
    // Safe: the buffer is borrowed for the call only and copied in it.
    unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
