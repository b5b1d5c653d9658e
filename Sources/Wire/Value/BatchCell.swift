/// A cell of a request.
public struct BatchCell: Equatable, Sendable {
  /// Which column.
  public var column: Column
  /// The value sent.
  public var value: Value

  /// How a cell names its column.
  public enum Column: Equatable, Sendable {
    /// By id.
    case id(UInt64)
    /// By name, in `BatchBuffer.text`.
    case name(TextRange)
  }

  /// A value of a kind that the sender chose; the table judges whether it fits.
  public enum Value: Equatable, Sendable {
    /// No value.
    case null
    /// Text, in `BatchBuffer.text`.
    case text(TextRange)
    /// A whole number.
    case integer(Int64)
    /// A decimal in its smallest unit.
    case decimal(Int64)
    /// Days since 1970-01-01.
    case date(Int64)
    /// Microseconds since 1970-01-01, UTC.
    case timestamp(Int64)
    /// True or false.
    case boolean(Bool)
  }
}

/// What must hold for a batch or an operation (contract E4).
public enum BatchCondition: Equatable, Sendable {
  /// The row is there.
  case rowExists(RowReference)
  /// The row is not there.
  case rowAbsent(RowReference)
  /// The row's revision.
  case rowRevision(RowReference, UInt64)
  /// A cell's value, in `BatchBuffer.cells`; `nil`: no cell was given.
  case cellEquals(RowReference, cell: Int?)
  /// How many rows a section has.
  case sectionCount(SectionReference, UInt64)
  /// How many sections there are.
  case sectionTotal(UInt64)
  /// How many rows the operation matched.
  case matched(UInt64)
  /// None that is known.
  case absent
}
