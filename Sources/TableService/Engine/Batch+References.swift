extension Batch {
  /// How a batch names a row.
  public enum RowRef: Equatable, Sendable {
    /// No row is named.
    case absent
    /// By id.
    case id(UInt64)
    /// By the handle that an earlier operation of the batch gave.
    case handle(UInt64)
    /// By path; the batch needs a basis (contract E2).
    case path(RowPath)
  }

  /// How a batch names a section.
  public enum SectionRef: Equatable, Sendable {
    /// No section is named.
    case absent
    /// By id.
    case id(UInt64)
    /// By title: a range of `Batch.text`.
    case title(Range<Int>)
    /// By the handle that an earlier operation of the batch gave.
    case handle(UInt64)
    /// By index; the batch needs a basis (contract E2).
    case index(UInt64)
  }

  /// Where a row goes.
  public enum Place: Equatable, Sendable {
    /// Last of the last section; of a new untitled one where there is none (SPEC 11).
    case end
    /// The path that it has afterwards.
    case path(RowPath)
    /// Before a row.
    case before(RowRef)
    /// After a row.
    case after(RowRef)
    /// First of a section.
    case first(of: SectionRef)
    /// Last of a section.
    case last(of: SectionRef)
  }

  /// Where a section goes.
  public enum SectionPlace: Equatable, Sendable {
    /// Last.
    case end
    /// The index that it has afterwards.
    case index(UInt64)
    /// Before a section.
    case before(SectionRef)
    /// After a section.
    case after(SectionRef)
  }

  /// What paths and section indices mean (contract E2).
  public enum Basis: Equatable, Sendable {
    /// Nothing: paths are refused.
    case absent
    /// The table as it is when the operation is applied.
    case current
    /// The table as it was then; refused where it has changed since.
    case at(StoreCursor)
    /// The table as it was then, carried to now (contract E3).
    case rebased(StoreCursor)
  }

  /// How a batch names a column.
  public enum ColumnRef: Equatable, Sendable {
    /// By id.
    case id(UInt64)
    /// By name: a range of `Batch.text`.
    case name(Range<Int>)
  }

  /// A cell's value.
  public enum Value: Equatable, Sendable {
    /// Null.
    case null
    /// Text: a range of `Batch.text`.
    case text(Range<Int>)
    /// A value of any other kind; 0 or 1 for a boolean.
    case number(ColumnKind, Int64)
  }

  /// A column and a value for it.
  public struct Cell: Equatable, Sendable {
    /// The column.
    public var column: ColumnRef
    /// The value.
    public var value: Value

    /// Names a column and a value.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - value: The value.
    public init(_ column: ColumnRef, _ value: Value) {
      self.column = column
      self.value = value
    }
  }

  /// A row to be made.
  public struct Row: Equatable, Sendable {
    /// Its cells, in `Batch.cells`.
    public var cells: Range<Int>
    /// The handle it gets.
    public var handle: UInt64?

    /// Describes a row.
    ///
    /// - Parameters:
    ///   - cells: Its cells, in `Batch.cells`.
    ///   - handle: The handle it gets.
    public init(cells: Range<Int>, handle: UInt64? = nil) {
      self.cells = cells
      self.handle = handle
    }
  }

  /// A header or footer; texts are ranges of `Batch.text`.
  public struct HeaderFooterText: Equatable, Sendable {
    /// Its title.
    public var title: Range<Int>?
    /// The name of its view.
    public var view: Range<Int>?
    /// Its height in points; `nil` is automatic.
    public var height: Double?
    /// The class that owns its view.
    public var owner: Range<Int>?
    /// The language of its view.
    public var language: Range<Int>?

    /// Describes a header or footer.
    ///
    /// - Parameters:
    ///   - title: Its title.
    ///   - view: The name of its view.
    ///   - height: Its height in points.
    ///   - owner: The class that owns its view.
    ///   - language: The language of its view.
    public init(
      title: Range<Int>? = nil, view: Range<Int>? = nil, height: Double? = nil,
      owner: Range<Int>? = nil, language: Range<Int>? = nil
    ) {
      self.title = title
      self.view = view
      self.height = height
      self.owner = owner
      self.language = language
    }
  }
}
