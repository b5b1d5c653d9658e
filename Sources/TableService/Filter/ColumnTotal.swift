/// The sum of an integer or decimal column, exact in 128 bits (contract S7).
public struct ColumnTotal: Sendable {
  /// Rows that have a value.
  public private(set) var rows = 0
  /// Rows that have none.
  public private(set) var nulls = 0

  private let column: UInt64
  private let name: String
  private var total: Int128 = 0

  /// Begins at zero.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - schema: The table's columns.
  /// - Throws: `noSuchColumn`; `wrongKind` for a column that holds no amounts.
  public init(of name: String, in schema: Schema) throws(TableFault) {
    guard let column = schema.column(named: name) else {
      throw TableFault(.noSuchColumn, column: name)
    }
    guard column.kind == .integer || column.kind == .decimal else {
      throw TableFault(
        .wrongKind, column: column.name, value: "\(column.kind)", expected: "integer or decimal")
    }
    self.column = column.id
    self.name = column.name
  }

  /// Adds a row.
  ///
  /// - Parameter image: The row's image.
  public mutating func add(_ image: Span<UInt8>) {
    guard let cell = RowImage.cell(column, in: image) else {
      nulls += 1
      return
    }
    rows += 1
    total += Int128(cell.number)
  }

  /// The sum.
  ///
  /// - Returns: The sum; 0 where no row has a value.
  /// - Throws: `overflow` where it does not fit 64 bits.
  public func value() throws(TableFault) -> Int64 {
    guard let value = Int64(exactly: total) else {
      throw TableFault(.overflow, column: name, value: "\(total)", expected: "a sum of 64 bits")
    }
    return value
  }
}
