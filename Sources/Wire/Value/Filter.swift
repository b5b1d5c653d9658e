/// One node of a filter in postfix order (contract S7); the table judges whether it fits.
public struct FilterNode: Equatable, Sendable {
  /// What a node does; the numbers are those of the schema.
  public enum Operator: UInt32, Sendable, CaseIterable {
    case equal = 1
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    case prefix
    case contains
    case oneOf
    case isNull
    case and
    case or
    case not
  }

  /// What it does; `nil`: nothing was named.
  public var operation: Operator?
  /// The column's name.
  public var column: String?
  /// What the cell is held against; `nil` is null.
  public var values: [CellValue?]
  /// Whether texts are compared without case and with composed accents.
  public var folded: Bool

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - operation: What it does.
  ///   - column: The column's name.
  ///   - values: What the cell is held against.
  ///   - folded: Whether texts are folded.
  public init(
    _ operation: Operator?, column: String? = nil, values: [CellValue?] = [],
    folded: Bool = false
  ) {
    self.operation = operation
    self.column = column
    self.values = values
    self.folded = folded
  }
}

/// A column to sort by.
public struct SortRule: Equatable, Sendable {
  /// The column's name.
  public var column: String
  /// Whether the greatest comes first.
  public var descending: Bool
  /// Whether texts are compared without case and with composed accents.
  public var folded: Bool

  /// Names a column to sort by.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - descending: Whether the greatest comes first.
  ///   - folded: Whether texts are folded.
  public init(_ column: String, descending: Bool = false, folded: Bool = false) {
    self.column = column
    self.descending = descending
    self.folded = folded
  }
}

/// Asks for the rows that a filter takes.
public struct FindRowsRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The section; `.absent`: the whole table.
  public var section: NamedSection
  /// The filter; `nil` and empty: every row.
  public var filter: [FilterNode]?
  /// What to sort by; empty: the table's order.
  public var sort: [SortRule]
  /// How many rows at most; `nil`: all.
  public var limit: Int?
  /// How many rows to leave out in front.
  public var skip: Int
  /// Rows that earlier pages gave.
  public var first: Int
  /// The view that an earlier page was read from.
  public var snapshot: UInt64?
}

/// Asks for the sum of a column.
public struct SumColumnRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The column's name.
  public var column: String
  /// The filter; `nil` and empty: every row.
  public var filter: [FilterNode]?
}
