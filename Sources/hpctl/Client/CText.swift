internal import Glibc

/// C copies of texts, for structs that are handed to the C library during a call.
///
/// Each pointer lives as long as the object that gave it, or until `clear`.
@safe final class CText {
  private var owned: [UnsafeMutablePointer<CChar>] = unsafe []

  /// A copy of a text with a NUL at its end.
  func callAsFunction(_ text: String) -> UnsafePointer<CChar> {
    // Safe: strdup copies; the copy is owned here until deinit.
    guard let copy = unsafe strdup(text) else { fatalError("out of memory") }
    unsafe owned.append(copy)
    return unsafe UnsafePointer(copy)
  }

  func callAsFunction(optional text: String?) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    return unsafe callAsFunction(text)
  }

  /// Frees all copies: no pointer that was given may be used any more.
  func clear() {
    // Safe: the copies were made by strdup here and are handed out until now only.
    unsafe owned.forEach { copy in unsafe free(copy) }
    unsafe owned.removeAll(keepingCapacity: true)
  }

  deinit { clear() }
}
