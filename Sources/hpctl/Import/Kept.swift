/// What is left to the end of the process.
///
/// Taking a file of a million rows apart again, field by field, would take a seventh of its import;
/// the process ends anyhow once the outcome is told.
final class Kept<Value> {
  private let value: Value

  private init(_ value: Value) { self.value = value }

  /// Keeps a value, and all that it holds, for good.
  ///
  /// - Complexity: O(1).
  static func keep(_ value: Value) {
    // Safe: the reference is never taken back, which is what is meant.
    _ = unsafe Unmanaged.passRetained(Kept(value))
  }
}
