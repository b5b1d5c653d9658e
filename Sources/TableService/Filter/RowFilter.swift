/// A condition on a row's cells: a flat list in postfix order (contract S7).
///
/// No nodes at all: every row.
public struct RowFilter: Equatable, Sendable {
  /// What a node does; the numbers are those of hp.v1.Filter.Operator.
  public enum Operator: UInt8, Sendable, CaseIterable {
    case equal = 1
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    /// Text that begins with the value.
    case prefix
    /// Text that contains the value, case and composed accents folded.
    case contains
    /// One of several values.
    case oneOf
    case isNull
    case and
    case or
    case not
  }

  /// One node.
  ///
  /// And and or join the two results before them, not turns the one before.
  public struct Node: Equatable, Sendable {
    /// What it does; `nil` where the sender named nothing.
    public var operation: Operator?
    /// The column's name; tests only.
    public var column: String?
    /// What the cell is held against; `nil` is null.
    public var values: [CellValue?]
    /// Whether texts are compared without case and with composed accents.
    public var isFolded: Bool

    /// Describes a node.
    ///
    /// - Parameters:
    ///   - operation: What it does.
    ///   - column: The column's name; tests only.
    ///   - values: What the cell is held against.
    ///   - isFolded: Whether texts are folded.
    public init(
      _ operation: Operator?, _ column: String? = nil, _ values: [CellValue?] = [],
      isFolded: Bool = false
    ) {
      self.operation = operation
      self.column = column
      self.values = values
      self.isFolded = isFolded
    }
  }

  /// The greatest number of nodes.
  public static let maximumNodes = 256

  /// The nodes in postfix order.
  public var nodes: [Node]

  /// Makes a filter.
  ///
  /// - Parameter nodes: The nodes in postfix order.
  public init(_ nodes: [Node] = []) { self.nodes = nodes }
}

/// A column to sort by (contract S7): nulls last in either direction.
public struct SortKey: Equatable, Sendable {
  /// The column's name.
  public var column: String
  /// Whether the greatest comes first.
  public var isDescending: Bool
  /// Whether texts are compared without case and with composed accents.
  public var isFolded: Bool

  /// Names a column to sort by.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - isDescending: Whether the greatest comes first.
  ///   - isFolded: Whether texts are folded.
  public init(_ column: String, isDescending: Bool = false, isFolded: Bool = false) {
    self.column = column
    self.isDescending = isDescending
    self.isFolded = isFolded
  }
}
