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
