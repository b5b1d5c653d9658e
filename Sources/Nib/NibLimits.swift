/// What a .xib file may cost.
public enum NibLimits {
  /// The size of a file in bytes.
  public static let bytes = 8 << 20
  /// Objects in a file: views, items and others that a load makes.
  public static let objects = 15_000
  /// How deep elements may stand in each other.
  public static let depth = 128
  /// All that is told of one object, in bytes: it has to fit a frame.
  public static let object = 512 << 10
  /// How far a rectangle reaches, in points.
  public static let reach = 1e7
  /// The length of a name, a file's or a language's, in bytes.
  public static let name = 128
  /// Files that are kept as they were read.
  public static let kept = 32
  /// Objects in files that are kept.
  public static let keptObjects = 40_000
}
