/// Sizes that a table refuses to exceed (SPEC 9, contract S8).
public enum TableLimits {
  /// Bytes of one text cell.
  public static let text = 64 * 1024
  /// Bytes of one encoded row.
  public static let row = 512 * 1024
  /// Columns of a table.
  public static let columns = 256
  /// Columns that a table ever had, dropped ones included: SQLite holds 2,000.
  public static let columnsEver: UInt64 = 1_900
  /// Bytes of the text in defaults and fills of a table's columns together: every row may show all.
  public static let presets = 64 * 1024
  /// Operations on columns in a batch: each looks at all columns.
  public static let columnOperations = 1_024
  /// Sections of a table.
  public static let sections = 100_000
  /// Bytes of a section's, header's, footer's or sentinel's text.
  public static let title = 4 * 1024
  /// Characters of a name (contract S10).
  public static let name = 64
  /// Rows of a table that have a policy of their own.
  public static let rowPolicies = 100_000
  /// Rows of a table: elements of the order index are below 2^30.
  public static let rows = 1 << 29
  /// The greatest id and revision (contract K9).
  public static let identifier: UInt64 = (1 << 53) - 1
  /// Decimal places of a decimal column.
  public static let scale: UInt32 = 9
  /// Rows of a window.
  public static let window = 10_000
  /// Days from 0001-01-01 to 9999-12-31, counted from 1970-01-01.
  public static let days: ClosedRange<Int64> = -719_162...2_932_896
  /// Microseconds from 0001-01-01 to the end of 9999-12-31, counted from 1970-01-01.
  public static let microseconds: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999
  /// Bytes after which a change goes on in a further part (contract K2).
  public static let part = 256 * 1024
  /// Bytes after which a reply's change list is cut (contract K2).
  public static let replyPage = 1024 * 1024
}
