/// The value of one cell.
///
/// Null is a state of its own in every kind (SPEC 2).
enum CellValue: Equatable {
  case null
  case text(String)
  case integer(Int64)
  /// In the smallest unit of the column's scale.
  case decimal(Int64)
  /// Days since 1970-01-01.
  case date(Int64)
  /// Microseconds since 1970-01-01T00:00:00Z.
  case timestamp(Int64)
  case boolean(Bool)
}

/// The kinds of columns, with their numbers in hp.v1.
enum ColumnKind: UInt32, CaseIterable {
  case text = 1
  case integer
  case decimal
  case date
  case timestamp
  case boolean

  /// What a message calls a value of this kind.
  var article: String {
    switch self {
    case .text: "a text"
    case .integer: "a whole number"
    case .decimal: "an amount"
    case .date: "a date"
    case .timestamp: "a time"
    case .boolean: "a boolean"
    }
  }
}

/// What hpctl knows of a column.
struct ColumnInfo: Equatable {
  var id: UInt64
  var name: String
  var kind: ColumnKind
  var scale: Int = 0
  var currency: String?
  var required = false
  var unique = false
  var readOnly = false
  /// What an insert without a value gives.
  var defaultValue: CellValue?
  /// What is read where an older row has no value.
  var fill: CellValue?
  /// Whether an insert without a value gives the time of the insert.
  var defaultsToNow = false

  /// What a value of this column looks like, for messages.
  var expectation: String {
    switch kind {
    case .text: "text"
    case .integer: "a whole number, for example 12"
    case .decimal:
      scale == 0
        ? "digits without a fraction, for example 12"
        : "digits with at most \(scale) after a point, for example "
          + Decimal.text(Int64(1234), scale: scale)
    case .date: "YYYY-MM-DD, for example 2026-11-30"
    case .timestamp: "RFC 3339, for example 2026-11-30T22:52:00Z"
    case .boolean: "true or false"
    }
  }
}
