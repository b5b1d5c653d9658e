/// A column of a table (SPEC 2, contract E14).
public struct Column: Equatable, Sendable {
  /// Its id, never used again in its table.
  public var id: UInt64
  /// Its name, unique in the table whatever the case.
  public var name: String
  /// What its cells hold.
  public var kind: ColumnKind
  /// Whether null is refused.
  public var isRequired = false
  /// Whether a value may stand in one row only.
  public var isUnique = false
  /// Whether a cell can't change after the insert.
  public var isReadOnly = false
  /// Decimal places; decimals only.
  public var scale: UInt32 = 0
  /// The currency's code; decimals only.
  public var currency: String?
  /// What an insert without a value gives.
  public var defaultValue: CellValue?
  /// What is read where an older row has no value.
  public var fill: CellValue?
  /// Whether an insert without a value gives the time of the insert.
  public var defaultsToNow = false

  /// Makes a column without a default.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - name: Its name.
  ///   - kind: What its cells hold.
  public init(id: UInt64, name: String, kind: ColumnKind) {
    self.id = id
    self.name = name
    self.kind = kind
  }

  /// What an insert without a value gives.
  ///
  /// - Parameter now: The batch's time, in microseconds.
  /// - Returns: A value, or `nil` for null.
  func valueAtInsert(now: Int64) -> CellValue? {
    guard defaultsToNow else { return defaultValue }
    return switch kind {
    case .timestamp: .timestamp(now)
    case .date: .date(now.dividedFloor(by: 86_400_000_000))
    default: defaultValue
    }
  }
}

extension Int64 {
  /// Divides towards negative infinity.
  fileprivate func dividedFloor(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
