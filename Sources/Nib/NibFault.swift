/// Why a nib can't be loaded, and where (semantics 2.9, 4).
public struct NibFault: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public enum Code: Equatable, Sendable, CaseIterable {
    /// No file of the bundle has that name.
    case notFound
    /// The name can't be a file's.
    case badName
    /// The file has the form that was used before Xcode 5.
    case legacy
    /// The file is no document of the form since Xcode 5, or contradicts itself.
    case malformed
    /// The owner has no such outlet, or one that it must have was not set.
    case noSuchOutlet
    /// The file is there and can't be read.
    case unreadable
  }

  /// What kind of fault it is.
  public var code: Code
  /// What is wrong, for people.
  public var message: String
  /// The file, within the bundle.
  public var file: String?
  /// The line at fault, from 1.
  public var line: Int?
  /// The text at fault.
  public var value: String?
  /// What was expected instead.
  public var expected: String?
  /// Files that were looked for.
  public var tried: [String] = []

  /// Makes a fault.
  ///
  /// - Parameters:
  ///   - code: What kind of fault it is.
  ///   - message: What is wrong, for people.
  ///   - line: The line at fault.
  ///   - value: The text at fault.
  ///   - expected: What was expected instead.
  public init(
    _ code: Code, _ message: String, line: Int? = nil, value: String? = nil,
    expected: String? = nil
  ) {
    self.code = code
    self.message = message.shortened
    self.line = line
    self.value = value?.shortened
    self.expected = expected
  }
}

extension String {
  /// What a person needs of a text from a file, which may be of any length.
  var shortened: String {
    guard utf8.count > 400 else { return self }
    return String(unicodeScalars.prefix(100)) + "…"
  }
}
