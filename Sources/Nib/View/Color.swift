/// A colour, in any of the spellings that .xib files use (semantics 4).
public struct Color: Equatable, Sendable {
  /// Red, green and blue, or `nil` where the file gives only a name; grey is three equal ones.
  public var components: Components?
  /// 0 is clear, 1 is opaque.
  public var alpha: Double
  /// Its name, if it has one.
  public var name: String?
  /// Whether the name is the system's.
  public var isSystem = false

  /// Three components from 0 to 1; wider spaces go beyond.
  public struct Components: Equatable, Sendable {
    /// Red.
    public var red: Double
    /// Green.
    public var green: Double
    /// Blue.
    public var blue: Double
  }

  /// Whether nothing of it is seen.
  ///
  /// Clear is written as black and as white without alpha: only alpha counts.
  public var isClear: Bool { alpha == 0 }
}
