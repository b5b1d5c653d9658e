/// A table's columns in their order, and how names find them.
public struct Schema: Sendable {
  /// The revision that last changed the columns.
  public private(set) var revision: UInt64
  /// The columns, in the order of the table.
  public private(set) var columns: [Column]

  /// Places in `columns` by rising id.
  let byID: [Int]

  private var names: [[UInt8]]
  private var folded: [[UInt8]: Int]
  private var ids: [UInt64: Int]

  /// Holds columns whose names and ids are unique.
  ///
  /// - Parameters:
  ///   - columns: The columns, in order.
  ///   - revision: The revision that set them.
  public init(columns: [Column], revision: UInt64) {
    self.columns = columns
    self.revision = revision
    byID = columns.indices.sorted { columns[$0].id < columns[$1].id }
    names = columns.map { Array($0.name.utf8) }
    folded = [:]
    ids = [:]
    for (index, column) in columns.enumerated() {
      folded[Folding.fold(column.name)] = index
      ids[column.id] = index
    }
  }

  /// Finds a column by name, whatever the case.
  ///
  /// - Parameter name: The name's bytes.
  /// - Returns: The column's place in `columns`, or `nil`.
  /// - Complexity: O(*c*) comparisons of lengths in the number of columns.
  func index(named name: Span<UInt8>) -> Int? {
    for index in names.indices where name.isEqual(to: names[index]) { return index }
    return folded[Folding.fold(name)]
  }

  /// Finds a column by name, whatever the case.
  ///
  /// - Parameter name: The name.
  /// - Returns: The column, or `nil`.
  public func column(named name: String) -> Column? {
    index(named: Array(name.utf8).span).map { columns[$0] }
  }

  /// Finds a column by id.
  ///
  /// - Parameter id: The id.
  /// - Returns: The column's place in `columns`, or `nil`.
  /// - Complexity: O(1).
  func index(of id: UInt64) -> Int? {
    let guess = Int(truncatingIfNeeded: id &- 1)
    if guess >= 0, guess < columns.count, columns[guess].id == id { return guess }
    return ids[id]
  }

  /// Finds a column by id.
  ///
  /// - Parameter id: The id.
  /// - Returns: The column, or `nil`.
  public func column(_ id: UInt64) -> Column? { index(of: id).map { columns[$0] } }
}
