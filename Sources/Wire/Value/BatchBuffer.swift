/// A batch as plain values in flat storage that is reused from request to request.
///
/// Operations refer to `cells`, `rows`, `conditionList` and `text` by ranges. What stands in
/// the buffer holds until the next request is decoded.
public struct BatchBuffer: Equatable, Sendable {
  /// The table to change.
  public internal(set) var table: TableReference = .absent
  /// What the indices of the operations refer to.
  public internal(set) var mode: BatchMode = .sequence
  /// What paths mean.
  public internal(set) var basis: Basis = .absent
  /// Whether nothing is to be changed.
  public internal(set) var dryRun = false
  /// Conditions judged before the first operation, in `conditionList`.
  public internal(set) var conditions = 0..<0
  /// The operations in order.
  public internal(set) var operations: [BatchOperation] = []
  /// Rows to be made, of all operations.
  public internal(set) var rows: [BatchRow] = []
  /// Cells of all operations and conditions.
  public internal(set) var cells: [BatchCell] = []
  /// Columns to be made, of all operations.
  public internal(set) var columns: [ColumnInfo] = []
  /// Changes of policies, of all operations.
  public internal(set) var policies: [BatchPolicy] = []
  /// Conditions of the batch and of all operations.
  public internal(set) var conditionList: [BatchCondition] = []
  /// Filters of operations on many rows.
  public internal(set) var filters: [[FilterNode]] = []
  /// What sections are sorted by.
  public internal(set) var sorts: [SortRule] = []
  /// Rows that are moved together.
  public internal(set) var ids: [UInt64] = []
  /// The declared count of rows of each section of the result (contract E12); empty: none.
  public internal(set) var sectionCounts: [UInt64] = []
  /// Whether it is declared that the result has no sections.
  public internal(set) var noSections = false
  /// The texts that the rest refers to, one behind the other: valid UTF-8 without NUL.
  public internal(set) var text: [UInt8] = []

  /// Whether it is a single operation on a single row, by what the table has now.
  public var isPlain: Bool {
    guard operations.count == 1 else { return false }
    if case .at = basis { return false }
    switch operations[0].action {
    case .insertRow, .deleteRow, .moveRow, .updateRow: return true
    default: return false
    }
  }

  /// Makes an empty batch.
  public init() {}

  /// Empties the batch and keeps its memory, unless a big batch left too much of it.
  mutating func reset() {
    table = .absent
    mode = .sequence
    basis = .absent
    dryRun = false
    noSections = false
    conditions = 0..<0
    Self.empty(&operations)
    Self.empty(&rows)
    Self.empty(&cells)
    Self.empty(&columns)
    Self.empty(&policies)
    Self.empty(&conditionList)
    Self.empty(&filters)
    Self.empty(&sorts)
    Self.empty(&ids)
    Self.empty(&sectionCounts)
    Self.empty(&text)
  }

  private static func empty<Element>(_ list: inout [Element]) {
    guard !list.isEmpty else { return }
    let kept = list.capacity * MemoryLayout<Element>.stride <= Limits.keptMemory
    list.removeAll(keepingCapacity: kept)
  }
}

/// How the indices of a batch are read.
public enum BatchMode: UInt32, Sendable {
  /// Each operation sees what the one before left.
  case sequence = 0
  /// All indices describe one old and one new table.
  case transition = 1
}
