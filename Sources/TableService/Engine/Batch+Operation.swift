extension Batch {
  /// One operation.
  public struct Operation: Equatable, Sendable {
    /// What it does.
    public var action: Action
    /// Conditions judged when its turn comes, in `Batch.conditionList` (contract E4).
    public var conditions: Range<Int>

    /// Describes an operation.
    ///
    /// - Parameters:
    ///   - action: What it does.
    ///   - conditions: Its conditions, in `Batch.conditionList`.
    public init(_ action: Action, conditions: Range<Int> = 0..<0) {
      self.action = action
      self.conditions = conditions
    }
  }

  /// What an operation does; ranges refer to the batch's buffers.
  public enum Action: Equatable, Sendable {
    /// Makes a row.
    case insertRow(Row, at: Place)
    /// Removes a row.
    case deleteRow(RowRef)
    /// Moves a row.
    case moveRow(RowRef, to: Place)
    /// Sets cells of a row, in `cells`.
    case updateRow(RowRef, cells: Range<Int>)
    /// Reloads a row, with new cells where there are any (contract E6).
    case reloadRow(RowRef, cells: Range<Int>)
    /// Makes a section.
    case insertSection(NewSection)
    /// Removes a section and its rows.
    case deleteSection(SectionRef)
    /// Moves a section.
    case moveSection(SectionRef, to: SectionPlace)
    /// Sets a section's title, in `text`; `nil` is untitled.
    case retitleSection(SectionRef, title: Range<Int>?)
    /// Reloads a section; with rows it would get these instead.
    case reloadSection(SectionRef, rows: Range<Int>?)
    /// Sets a header or footer; `nil` removes it. `absent` names the table's own.
    case setHeaderFooter(SectionRef, isFooter: Bool, value: HeaderFooterText?)
    /// Changes the row that has this value in the column, or makes one.
    case upsert(column: Range<Int>, row: Row, at: Place)
    /// Makes a column, in `columns`, before the one whose name stands in `text`, or as the last.
    case addColumn(Int, before: Range<Int>?)
    /// Gives a column another name; both stand in `text`.
    case renameColumn(Range<Int>, name: Range<Int>)
    /// Moves a column; the index is the one that it has afterwards.
    case moveColumn(Range<Int>, to: UInt64)
    /// Hides a column and its cells.
    case dropColumn(Range<Int>)
    /// Moves rows to one place, in the order in which they are named.
    case moveMany(Selection, to: Place)
    /// Removes the rows that a filter takes, in `filters`.
    case deleteWhere(filter: Int)
    /// Sets cells of the rows that a filter takes, in `filters` and `cells`.
    case updateWhere(filter: Int, cells: Range<Int>)
    /// Adds to an integer or decimal cell, in `cells`.
    case addToCell(RowRef, amount: Int, floor: Int64?, ceiling: Int64?)
    /// Sorts a section's rows, in `sortKeys`.
    case sortSection(SectionRef, by: Range<Int>)
    /// Changes what may be done by hand, in `policies`.
    case setPolicy(Int)
    /// One that this version does not do; the number of its field.
    case unsupported(UInt32)
  }

  /// Which rows are moved together.
  public enum Selection: Equatable, Sendable {
    /// By id, in `ids`.
    case ids(Range<Int>)
    /// By a run of ids.
    case run(IDRun)
    /// Those that a filter takes, in `filters`.
    case filter(Int)
  }

  /// A section to be made.
  public struct NewSection: Equatable, Sendable {
    /// Where it goes.
    public var place: SectionPlace
    /// Its title, in `text`; `nil` is untitled.
    public var title: Range<Int>?
    /// Its rows, in `Batch.rows`.
    public var rows: Range<Int>
    /// The handle it gets.
    public var handle: UInt64?
    /// Its header.
    public var header: HeaderFooterText?
    /// Its footer.
    public var footer: HeaderFooterText?

    /// Describes a section.
    ///
    /// - Parameters:
    ///   - place: Where it goes.
    ///   - title: Its title, in `text`.
    ///   - rows: Its rows, in `Batch.rows`.
    ///   - handle: The handle it gets.
    public init(
      place: SectionPlace = .end, title: Range<Int>? = nil, rows: Range<Int> = 0..<0,
      handle: UInt64? = nil
    ) {
      self.place = place
      self.title = title
      self.rows = rows
      self.handle = handle
    }
  }

  /// A precondition (SPEC 3).
  public enum Condition: Equatable, Sendable {
    /// The row is there.
    case rowExists(RowRef)
    /// The row is not there.
    case rowAbsent(RowRef)
    /// The row's cells were last changed by this revision; judged before the batch.
    case rowRevision(RowRef, UInt64)
    /// A cell has this value, in `cells`.
    case cellEquals(RowRef, cell: Int)
    /// A section has so many rows.
    case sectionCount(SectionRef, UInt64)
    /// The table has so many sections.
    case sectionTotal(UInt64)
    /// So many rows are matched by the operation; judged for a batch: by all of them.
    case matched(UInt64)
  }
}
