/// One operation of a batch.
public struct BatchOperation: Equatable, Sendable {
  /// What it does.
  public var action: Action
  /// Conditions judged when its turn comes, in `BatchBuffer.conditionList`.
  public var conditions: Range<Int>

  /// The operations there are; ranges refer to `BatchBuffer`.
  public enum Action: Equatable, Sendable {
    /// Makes a row.
    case insertRow(at: RowPlace, row: BatchRow, animation: Animation?)
    /// Removes a row.
    case deleteRow(RowReference, animation: Animation?)
    /// Moves a row.
    case moveRow(RowReference, to: RowPlace)
    /// Sets cells of a row, in `cells`; a null cell clears.
    case updateRow(RowReference, cells: Range<Int>)
    /// Reloads a row, with new cells where there are any.
    case reloadRow(RowReference, cells: Range<Int>, animation: Animation?)
    /// Makes a section.
    case insertSection(NewSection)
    /// Removes a section and its rows.
    case deleteSection(SectionReference, animation: Animation?)
    /// Moves a section.
    case moveSection(SectionReference, to: SectionPlace)
    /// Sets a section's title; `nil`: untitled.
    case retitleSection(SectionReference, title: TextRange?)
    /// Reloads a section; with `rows`, in `BatchBuffer.rows`, it gets these instead.
    case reloadSection(SectionReference, rows: Range<Int>?, animation: Animation?)
    /// Sets a header or footer; `nil` removes it. `.absent`: the table's own.
    case setHeaderFooter(SectionReference, footer: Bool, value: BatchHeaderFooter?)
    /// Changes the row that has this value in a unique column, or makes it.
    case upsert(column: TextRange, row: BatchRow, at: RowPlace)
    /// Adds to an integer or decimal cell, in `cells` at `amount`.
    case addToCell(RowReference, amount: Int?, floor: Int64?, ceiling: Int64?)
    /// Makes a column, in `BatchBuffer.columns`, before the one named, or as the last.
    case addColumn(Int, before: TextRange?)
    /// Gives a column another name.
    case renameColumn(TextRange, name: TextRange)
    /// Moves a column to an index.
    case moveColumn(TextRange, to: Int)
    /// Hides a column and its cells.
    case dropColumn(TextRange)
    /// Moves rows to one place.
    case moveMany(Selection, to: RowPlace)
    /// Removes the rows that a filter takes, in `filters`; `nil`: none was given.
    case deleteWhere(filter: Int?)
    /// Sets cells of the rows that a filter takes, in `filters` and `cells`.
    case updateWhere(filter: Int?, cells: Range<Int>)
    /// Sorts a section's rows, in `sorts`.
    case sortSection(SectionReference, by: Range<Int>)
    /// Changes what may be done by hand, in `BatchBuffer.policies`.
    case setPolicy(Int)
    /// An operation of the schema that is not decoded; its field number.
    case unsupported(UInt32)
    /// None that is known.
    case absent
  }

  /// Which rows are moved together.
  public enum Selection: Equatable, Sendable {
    /// By id, in `ids`.
    case ids(Range<Int>)
    /// By a run of ids.
    case run(first: UInt64, count: UInt64)
    /// Those that a filter takes, in `filters`.
    case filter(Int)
  }

  /// A section to be made.
  public struct NewSection: Equatable, Sendable {
    /// Where it goes.
    public var place: SectionPlace
    /// Its title; `nil`: untitled.
    public var title: TextRange?
    /// Its rows, in `BatchBuffer.rows`.
    public var rows: Range<Int>
    /// The handle it gets.
    public var handle: UInt64?
    /// Its header.
    public var header: BatchHeaderFooter?
    /// Its footer.
    public var footer: BatchHeaderFooter?
    /// How it should be shown.
    public var animation: Animation?
  }
}

/// A row to be made.
public struct BatchRow: Equatable, Sendable {
  /// Its cells, in `BatchBuffer.cells`.
  public var cells: Range<Int>
  /// The handle it gets.
  public var handle: UInt64?
}

/// A header or footer; texts stand in `BatchBuffer.text`.
public struct BatchHeaderFooter: Equatable, Sendable {
  /// Its title.
  public var title: TextRange?
  /// The name of its view.
  public var view: TextRange?
  /// Its height in points; `nil`: automatic.
  public var height: Double?
  /// The class that owns its view.
  public var owner: TextRange?
  /// The language of its view.
  public var language: TextRange?
}

/// UIKit's row animations.
public enum Animation: UInt32, Sendable {
  case fade = 0
  case right = 1
  case left = 2
  case top = 3
  case bottom = 4
  case none = 5
  case middle = 6
  case automatic = 100
}
