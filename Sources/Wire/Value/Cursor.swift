/// A point in a store's history; revisions of two epochs can't be compared (SPEC 2).
public struct Cursor: Equatable, Hashable, Sendable {
  /// Which life of the store.
  public var epoch: UInt64
  /// The revision in it.
  public var revision: UInt64

  /// Names a point.
  ///
  /// - Parameters:
  ///   - epoch: Which life of the store.
  ///   - revision: The revision in it.
  public init(epoch: UInt64, revision: UInt64) {
    self.epoch = epoch
    self.revision = revision
  }
}

/// A section and a row in it, both from 0.
public struct IndexPath: Equatable, Hashable, Sendable {
  /// The section's index.
  public var section: Int
  /// The row's index in its section.
  public var row: Int

  /// Names a place.
  ///
  /// - Parameters:
  ///   - section: The section's index.
  ///   - row: The row's index in its section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}
