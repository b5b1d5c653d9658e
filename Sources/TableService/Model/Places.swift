/// An index path: both indices count from 0.
public struct RowPath: Equatable, Hashable, Sendable {
  /// The section's index.
  public var section: UInt64
  /// The row's index in the section.
  public var row: UInt64

  /// Names a place.
  ///
  /// - Parameters:
  ///   - section: The section's index.
  ///   - row: The row's index in it.
  @inlinable
  public init(section: UInt64, row: UInt64) {
    self.section = section
    self.row = row
  }
}

/// A run of rising ids.
///
/// The place-holders of a dry run are −1, −2, … as two's complement, each a run of its own.
public struct IDRun: Equatable, Sendable {
  /// The first id.
  public var first: UInt64
  /// How many ids.
  public var count: UInt64

  /// Names a run.
  ///
  /// - Parameters:
  ///   - first: The first id.
  ///   - count: How many ids.
  @inlinable
  public init(first: UInt64, count: UInt64 = 1) {
    self.first = first
    self.count = count
  }
}

extension StoreCursor {
  /// An epoch as people and JSON write it: 16 hexadecimal digits.
  ///
  /// - Parameter epoch: The epoch.
  /// - Returns: The digits.
  public static func text(ofEpoch epoch: UInt64) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A point in a store's history (SPEC 2).
public struct StoreCursor: Equatable, Sendable {
  /// The store's epoch.
  public var epoch: UInt64
  /// A revision of it.
  public var revision: UInt64

  /// Names a point.
  ///
  /// - Parameters:
  ///   - epoch: The store's epoch.
  ///   - revision: A revision of it.
  @inlinable
  public init(epoch: UInt64, revision: UInt64) {
    self.epoch = epoch
    self.revision = revision
  }
}
