/// Operations on columns, O(1) in the number of rows (contracts E14, E15).
extension Table {
  /// Sets the columns of the open batch.
  ///
  /// - Parameters:
  ///   - columns: All columns, in order.
  ///   - revision: The revision that sets them.
  ///   - nextColumn: An id above those of all columns that there ever were.
  /// - Complexity: O(*c*); O(*n*) where a unique column comes back whose cells are still there.
  func setColumns(_ columns: [Column], revision: UInt64, nextColumn: UInt64 = 1) {
    let known = schema.nextColumn
    schema = Schema(columns: columns, revision: revision, nextColumn: max(known, nextColumn))
    work.schemaTouched = true
    work.schemaChanged = true
    for index in schema.unique {
      let id = schema.columns[index].id
      if rows.keys.contains(where: { $0.column == id }) { continue }
      if id < known { indexKeys(of: id) } else { rows.keys.append(KeyIndex(column: id)) }
    }
  }

  /// Counts an operation on columns.
  ///
  /// - Throws: `badRequest` past the bound.
  func countColumnOperation() throws(TableFault) {
    work.columnOperations += 1
    guard work.columnOperations <= TableLimits.columnOperations else {
      throw TableFault(
        .badRequest,
        expected: "at most \(TableLimits.columnOperations) operations on columns in a batch")
    }
  }

  /// Makes a column.
  ///
  /// - Parameters:
  ///   - column: The column as asked for.
  ///   - before: The name of the one that it stands before, in the batch's text; else it is last.
  ///   - batch: The batch.
  ///   - context: Gives the revision.
  /// - Throws: `tooManyColumns`, `noSuchColumn`, `nameInUse`, `required`, what judging it throws.
  func addColumn(
    _ column: Column, before: Range<Int>?, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try countColumnOperation()
    var columns = schema.columns
    guard columns.count < TableLimits.columns, schema.nextColumn <= TableLimits.columnsEver else {
      throw TableFault(
        .tooManyColumns, column: column.name,
        expected:
          "at most \(TableLimits.columns), \(TableLimits.columnsEver) with those ever dropped")
    }
    try column.judge()
    try checkFree(column.name, but: nil)
    if column.isRequired, column.fill == nil, hasLiveRows {
      throw TableFault(
        .required, column: column.name, value: "no fill",
        expected: column.isUnique ? "an empty table" : "a fill for the rows that there are")
    }
    var made = column
    made.id = schema.nextColumn
    let index = try before.map { name throws(TableFault) in
      try self.column(.name(name), of: batch)
    }
    columns.insert(made, at: index ?? columns.count)
    try Column.judgePresets(of: columns)
    setColumns(columns, revision: context.revision)
  }

  /// Gives a column another name.
  func renameColumn(
    _ reference: Range<Int>, to name: Range<Int>, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try countColumnOperation()
    var columns = schema.columns
    let index = try column(.name(reference), of: batch)
    guard batch.isText(name), let text = String(validating: batch.text[name], as: UTF8.self)
    else { throw TableFault(.badText, expected: "UTF-8 without NUL") }
    if let fault = Name.faultOfColumn(text) {
      throw TableFault(.badName, column: columns[index].name, value: text, expected: fault)
    }
    try checkFree(text, but: index)
    columns[index].name = text
    setColumns(columns, revision: context.revision)
  }

  /// Moves a column.
  func moveColumn(
    _ reference: Range<Int>, to target: UInt64, in batch: Batch,
    _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try countColumnOperation()
    var columns = schema.columns
    let index = try column(.name(reference), of: batch)
    guard target < UInt64(columns.count) else {
      throw TableFault(
        .outOfRange, column: columns[index].name, value: "\(target)",
        expected: "an index below \(columns.count)")
    }
    columns.insert(columns.remove(at: index), at: Int(target))
    setColumns(columns, revision: context.revision)
  }

  /// Hides a column; its cells stay in the rows, hidden.
  func dropColumn(
    _ reference: Range<Int>, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try countColumnOperation()
    var columns = schema.columns
    columns.remove(at: try column(.name(reference), of: batch))
    setColumns(columns, revision: context.revision)
  }

  /// Judges what the batch did to columns, and gives the rows that it wrote their form.
  ///
  /// - Throws: `rowTooLarge`.
  func judgeColumns() throws(TableFault) {
    guard work.schemaTouched else { return }
    try reshapeWritten()
    if let before = work.before, before.schema.columns == schema.columns {
      schema = before.schema
      work.schemaChanged = false
    }
  }

  private func checkFree(_ name: String, but index: Int?) throws(TableFault) {
    if let other = schema.index(named: Array(name.utf8).span), other != index {
      throw TableFault(.nameInUse, column: name, expected: "a name that is free")
    }
  }

  private var hasLiveRows: Bool {
    for index in 0..<sectionOrder.count(sectionRoot) {
      let section = sectionOrder.element(sectionRoot, at: index)
      if order.count(sections[Int(section)].root) > 0 { return true }
    }
    return false
  }
}
