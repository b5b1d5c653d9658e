/// A change as asked for: at most one revision, all or nothing (SPEC 3).
///
/// Flat buffers, filled by whoever decodes requests and used again for the next one: a warm
/// batch allocates nothing.
public final class Batch {
  /// How operations follow each other.
  public enum Mode: UInt8, Sendable {
    /// Each sees what the one before left.
    case sequence
    /// All indices describe one old and one new table.
    case transition
  }

  /// How operations follow each other.
  public var mode = Mode.sequence
  /// What paths and section indices mean.
  public var basis = Basis.absent
  /// The table has not changed since (contract E1).
  public var expect: StoreCursor?
  /// Whether everything is judged and nothing is changed (contract E8).
  public var isDryRun = false
  /// The operations, in order.
  public var operations: [Operation] = []
  /// Conditions that are judged before the first operation.
  public var conditions: [Condition] = []
  /// Conditions of operations.
  public var conditionList: [Condition] = []
  /// Cells of rows, updates and conditions.
  public var cells: [Cell] = []
  /// Filters of operations on many rows.
  public var filters: [RowFilter] = []
  /// What sections are sorted by.
  public var sortKeys: [SortKey] = []
  /// Rows that are moved together.
  public var ids: [UInt64] = []
  /// Rows that new sections bring.
  public var rows: [Row] = []
  /// Columns to be made; their ids are given when it is done.
  public var columns: [Column] = []
  /// Changes of what may be done by hand.
  public var policies: [PolicyChange] = []
  /// How what operations change should be shown, by rising operation.
  public var animations: [AnimationHint] = []
  /// The declared result: the rows of each section; empty where nothing is declared.
  public var sectionCounts: [UInt64] = []
  /// Whether it is declared that the result has no sections, which no list of counts can say.
  public var hasNoSections = false
  /// With a rebased basis: all changes of the table after its cursor, in order, each in its
  /// parts (contract E3).
  public var since: [[[UInt8]]] = []
  /// What all text ranges refer to.
  public var text: [UInt8] = []

  /// Makes an empty batch.
  public init() {}

  /// Empties the batch for the next request; its memory stays up to a bound.
  public func removeAll() {
    mode = .sequence
    basis = .absent
    expect = nil
    isDryRun = false
    conditions.empty()
    sectionCounts.empty()
    hasNoSections = false
    since.removeAll()
    removeOperations()
  }

  /// Empties what stands in pieces, for the next piece of the same batch.
  public func removeOperations() {
    operations.empty()
    conditionList.empty()
    cells.empty()
    filters.empty()
    sortKeys.empty()
    ids.empty()
    rows.empty()
    columns.empty()
    policies.empty()
    animations.empty()
    text.empty()
  }

  /// Appends text.
  ///
  /// - Parameter bytes: The text's bytes; judged when they are used.
  /// - Returns: Its range in `text`.
  public func append(text bytes: some Collection<UInt8>) -> Range<Int> {
    let start = text.count
    text.append(contentsOf: bytes)
    return start..<text.count
  }

  /// Whether a range of `text` is UTF-8 without NUL.
  func isText(_ range: Range<Int>) -> Bool {
    let text = text
    return TextRule.isText(text.span.extracting(range))
  }
}
