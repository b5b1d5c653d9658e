internal import Coding

/// A table's columns in their order, and how names find them.
///
/// It never changes, and is one reference to whoever reads it.
public final class Schema: Sendable {
  /// A fill as it stands in a shown row: one field `cells` of hp.v1.Row.
  struct Fill: Sendable {
    var column: UInt64
    var cell: [UInt8]
  }

  /// The revision that last changed the columns.
  public let revision: UInt64
  /// The columns, in the order of the table.
  public let columns: [Column]

  /// An id above those of all columns that the table ever had (contract K9).
  public let nextColumn: UInt64

  /// Places in `columns` by rising id.
  let byID: [Int]
  /// Places in `columns` of those that are unique.
  let unique: [Int]
  /// What is read where an older row has no value, by rising column id (contract E14).
  let fills: [Fill]
  /// Whether a stored row may differ from what is shown of it: it lacks fills, or holds cells of
  /// columns that were dropped.
  let reshapes: Bool

  private let names: [[UInt8]]
  private let folded: [[UInt8]: Int]
  private let ids: [UInt64: Int]

  /// Holds columns whose names and ids are unique.
  ///
  /// - Parameters:
  ///   - columns: The columns, in order.
  ///   - revision: The revision that set them.
  ///   - nextColumn: An id above those of all columns that there ever were, as far as it is known.
  public init(columns: [Column], revision: UInt64, nextColumn: UInt64 = 1) {
    self.columns = columns
    self.revision = revision
    let byID = columns.indices.sorted { columns[$0].id < columns[$1].id }
    self.byID = byID
    unique = columns.indices.filter { columns[$0].isUnique }
    let next = columns.reduce(nextColumn) { max($0, $1.id + 1) }
    self.nextColumn = next
    let fills: [Fill] = byID.compactMap { index in
      columns[index].fill.map { value in
        var cell: [UInt8] = []
        cell.appendField(3) {
          $0.appendField(1, varint: columns[index].id)
          value.append(to: &$0)
        }
        return Fill(column: columns[index].id, cell: cell)
      }
    }
    self.fills = fills
    // Ids are given from 1 on without gaps: a gap is a column that was dropped.
    reshapes = !fills.isEmpty || next != UInt64(columns.count) + 1
    names = columns.map { Array($0.name.utf8) }
    var folded: [[UInt8]: Int] = [:]
    var ids: [UInt64: Int] = [:]
    for (index, column) in columns.enumerated() {
      folded[Folding.fold(column.name)] = index
      ids[column.id] = index
    }
    (self.folded, self.ids) = (folded, ids)
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
