/// A row as a request names it.
enum RowName: Equatable {
  case id(UInt64)
  /// Given by `as` of an earlier operation of the batch.
  case handle(UInt64)
  case path(IndexPath)
}

/// A section as a request names it.
enum SectionName: Equatable {
  case id(UInt64)
  case title(String)
  case handle(UInt64)
  case index(UInt64)
}

/// Where a row goes.
enum Place: Equatable {
  /// Last of the last section.
  case standard
  case path(IndexPath)
  case before(RowName)
  case after(RowName)
  case first(SectionName)
  case last(SectionName)
}

/// Where a section goes.
enum SectionPlace: Equatable {
  /// Last.
  case standard
  case index(UInt64)
  case before(SectionName)
  case after(SectionName)
}

/// A value for one column, which is named by its id, or by its name where the batch makes it.
struct Assignment: Equatable {
  /// The column's id, or 0.
  var column: UInt64
  var value: CellValue
  /// The name of a column without an id.
  var name: String?
}

struct NewRow: Equatable {
  var cells: [Assignment] = []
  /// A handle for later operations; 0 is none.
  var handle: UInt64 = 0
}

/// A header or footer: a text or a view.
struct HeaderFooter: Equatable {
  var title: String?
  var view: String?
  /// `nil` is automatic.
  var height: Double?
  /// The class that owns the view.
  var owner: String?
  var language: String?
}

/// One operation of a batch.
enum Operation: Equatable {
  case insertRow(NewRow, Place)
  case deleteRow(RowName)
  case moveRow(RowName, Place)
  case updateRow(RowName, [Assignment])
  case reloadRow(RowName, [Assignment])
  case insertSection(title: String?, rows: [NewRow], handle: UInt64, SectionPlace)
  case deleteSection(SectionName)
  case moveSection(SectionName, SectionPlace)
  case titleSection(SectionName, String?)
  /// `nil` is the table's own; no content takes it away.
  case setHeader(SectionName?, HeaderFooter?)
  case setFooter(SectionName?, HeaderFooter?)
  /// Without rows the section keeps the ones it has.
  case reloadSection(SectionName, rows: [NewRow]?)
  /// Finds the row by a column's value; makes it where none has it.
  case upsert(column: String, NewRow, Place)
  case addColumn(ColumnInfo, before: String?)
  case renameColumn(String, String)
  case moveColumn(String, UInt64)
  case dropColumn(String)
  case updateWhere(Filter, [Assignment])
  case deleteWhere(Filter)
  case moveWhere(Filter, Place)
  case moveRows([UInt64], Place)
  case addToCell(RowName, Assignment, floor: Int64?, ceiling: Int64?)
  case sortSection(SectionName, [SortKey])
  /// What the level had goes first where `clears`.
  case setPolicy(PolicyScope, Policy, clears: Bool)
  case setSentinel(SectionName, Sentinel?)
}

/// Whose policy it is.
enum PolicyScope: Equatable {
  case table
  case section(SectionName)
  case row(RowName)
}

/// The last line of a section, which is no row (contract E11).
struct Sentinel: Equatable {
  var text: String
  /// `nil` is automatic.
  var height: Double?
}

/// A point in a store's history.
struct Cursor: Equatable {
  var epoch: UInt64
  var revision: UInt64
}

/// What `--expect` and `--since` take: a bare number counts in the epoch the daemon is in.
struct PartialCursor: Equatable {
  var epoch: UInt64?
  var revision: UInt64
}

/// How the operations of a batch are meant.
enum BatchMode: Equatable {
  case sequence
  case transition
}

/// A batch as the user gave it.
struct BatchRequest {
  var operations: [Operation] = []
  var mode = BatchMode.sequence
  var table: String?
  var expect: PartialCursor?
  var isRebased = false
  var key: String?
  /// The numbers of rows that the result has, section by section.
  var counts: [UInt64]?
  var isDryRun = false
  /// Judged before the first operation: how many sections there are.
  var sectionTotal: UInt64?
  /// How many rows an operation has to take, by its index.
  var matched: [Int: UInt64] = [:]
  /// Judged before the first operation: the revisions that rows have.
  var revisions: [(row: RowName, revision: UInt64)] = []
}
