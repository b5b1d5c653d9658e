/// Kinds of column (SPEC 2).
public enum ColumnKind: UInt32, CaseIterable, Sendable {
  case text = 1
  case integer = 2
  case decimal = 3
  case date = 4
  case timestamp = 5
  case boolean = 6
}

/// A value that is not part of a row: a default, a fill.
public enum CellValue: Equatable, Sendable {
  case text(String)
  case integer(Int64)
  case decimal(Int64)
  case date(Int64)
  case timestamp(Int64)
  case boolean(Bool)
}

/// A column.
public struct ColumnInfo: Equatable, Sendable {
  /// Its id; 0 in requests that make it.
  public var id: UInt64 = 0
  /// Its name.
  public var name = ""
  /// Its kind; `nil`: none was sent.
  public var kind: ColumnKind?
  /// Whether a row must have a value.
  public var required = false
  /// Whether no two rows may have the same value.
  public var unique = false
  /// Whether it can't change after the insert.
  public var readOnly = false
  /// Digits behind the point of a decimal.
  public var scale: UInt32 = 0
  /// The currency of a decimal.
  public var currency: String?
  /// What a row gets at its insert.
  public var defaultValue: CellValue?
  /// What is read where an older row has no value.
  public var fill: CellValue?
  /// Whether the time of the insert is the default.
  public var defaultNow = false

  /// Makes a column.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - name: Its name.
  ///   - kind: Its kind.
  public init(id: UInt64 = 0, name: String = "", kind: ColumnKind? = nil) {
    self.id = id
    self.name = name
    self.kind = kind
  }
}

/// A header or footer: of a section or of the whole table.
public struct HeaderFooterInfo: Equatable, Sendable {
  /// Its title.
  public var title: String?
  /// The name of its view.
  public var view: String?
  /// Its height in points; `nil`: automatic.
  public var height: Double?

  /// Makes a header or footer.
  ///
  /// - Parameters:
  ///   - title: Its title.
  ///   - view: The name of its view.
  ///   - height: Its height in points.
  public init(title: String? = nil, view: String? = nil, height: Double? = nil) {
    self.title = title
    self.view = view
    self.height = height
  }
}

/// A section without its rows.
public struct SectionInfo: Equatable, Sendable {
  /// Its id.
  public var id: UInt64
  /// Its title; `nil`: untitled.
  public var title: String?
  /// Its header.
  public var header: HeaderFooterInfo?
  /// Its footer.
  public var footer: HeaderFooterInfo?
  /// Its place.
  public var index: Int
  /// How many rows it has.
  public var rows: Int

  /// Makes a section.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - title: Its title.
  ///   - index: Its place.
  ///   - rows: How many rows it has.
  public init(id: UInt64, title: String?, index: Int, rows: Int) {
    self.id = id
    self.title = title
    self.index = index
    self.rows = rows
  }
}

/// A table without its rows.
public struct TableInfo: Equatable, Sendable {
  /// Its id.
  public var id: UInt64
  /// Its name.
  public var name: String
  /// The revision of its columns.
  public var schemaRevision: UInt64 = 0
  /// The last revision that changed it (contract E1).
  public var lastChanged: UInt64 = 0
  /// Its columns in order.
  public var columns: [ColumnInfo] = []
  /// Its sections in order.
  public var sections: [SectionInfo] = []
  /// Its header.
  public var header: HeaderFooterInfo?
  /// Its footer.
  public var footer: HeaderFooterInfo?
  /// How many rows it has.
  public var rows = 0

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - name: Its name.
  public init(id: UInt64, name: String) {
    self.id = id
    self.name = name
  }
}
