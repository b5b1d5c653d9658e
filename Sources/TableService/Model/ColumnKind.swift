/// What a column's cells hold; null is a state of its own in all of them (SPEC 2).
///
/// The values are those of hp.v1.ColumnKind.
public enum ColumnKind: UInt8, Sendable, CaseIterable {
  /// UTF-8 text without NUL.
  case text = 1
  /// A signed 64-bit integer.
  case integer
  /// A count of the smallest unit of the column's scale.
  case decimal
  /// A calendar day without a zone: days since 1970-01-01.
  case date
  /// Microseconds since 1970-01-01T00:00:00Z.
  case timestamp
  /// True or false.
  case boolean

  /// The field of hp.v1.Cell that holds a value of this kind.
  @inlinable
  var field: UInt32 { UInt32(rawValue) + 1 }

  /// Whether a number of this kind stands for a day or time between the years 1 and 9999.
  ///
  /// - Parameter number: The value.
  /// - Returns: True for every number of the kinds that have no range.
  @inlinable
  func admits(_ number: Int64) -> Bool {
    switch self {
    case .date: TableLimits.days.contains(number)
    case .timestamp: TableLimits.microseconds.contains(number)
    case .boolean: number == 0 || number == 1
    case .text, .integer, .decimal: true
    }
  }
}
