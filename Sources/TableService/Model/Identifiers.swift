/// Gives ids that are never used again: of rows, sections, tables and columns (contract K9).
///
/// One for the whole store; the store keeps what it has given across restarts.
public final class Identifiers {
  /// The ids that are given next.
  public struct Mark: Equatable, Sendable {
    /// The next row's id.
    public var row: UInt64
    /// The next section's id.
    public var section: UInt64
    /// The next table's id.
    public var table: UInt64

    /// Sets the ids to give next.
    ///
    /// - Parameters:
    ///   - row: The next row's id.
    ///   - section: The next section's id.
    ///   - table: The next table's id.
    public init(row: UInt64 = 1, section: UInt64 = 1, table: UInt64 = 1) {
      self.row = row
      self.section = section
      self.table = table
    }
  }

  /// What is given next; set back to an older value where a batch is taken back.
  public var mark: Mark

  /// Starts at given ids.
  ///
  /// - Parameter mark: The ids that are given first.
  public init(_ mark: Mark = Mark()) { self.mark = mark }

  /// Gives a row's id.
  ///
  /// - Returns: The id, or `nil` when all were given.
  func nextRow() -> UInt64? { Self.take(&mark.row) }

  /// Gives a section's id.
  ///
  /// - Returns: The id, or `nil` when all were given.
  func nextSection() -> UInt64? { Self.take(&mark.section) }

  /// Gives a table's id.
  ///
  /// - Returns: The id, or `nil` when all were given.
  func nextTable() -> UInt64? { Self.take(&mark.table) }

  /// Notes ids that are in use, so that they are not given again.
  ///
  /// - Parameters:
  ///   - row: A row's id.
  ///   - section: A section's id.
  ///   - table: A table's id.
  public func observe(row: UInt64 = 0, section: UInt64 = 0, table: UInt64 = 0) {
    mark.row = max(mark.row, row + 1)
    mark.section = max(mark.section, section + 1)
    mark.table = max(mark.table, table + 1)
  }

  private static func take(_ next: inout UInt64) -> UInt64? {
    guard next <= TableLimits.identifier else { return nil }
    defer { next += 1 }
    return next
  }
}
