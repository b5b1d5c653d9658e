/// Turning a batch's cells into cells of an image: names, kinds, ranges, defaults.
extension Table {
  /// Collects cells into `work.cells`, by rising column id.
  ///
  /// - Parameters:
  ///   - range: The cells, in the batch's `cells`.
  ///   - batch: The batch.
  /// - Throws: `noSuchColumn`, `duplicateColumn`, `wrongKind`, `badValue`, `badText`,
  ///   `textTooLong`, `required`.
  func collect(_ range: Range<Int>, of batch: Batch) throws(TableFault) {
    work.cells.empty()
    work.spare.empty()
    for index in range {
      let cell = try imageCell(batch.cells[index], of: batch)
      var place = work.cells.count
      while place > 0, work.cells[place - 1].column > cell.column { place -= 1 }
      if place > 0, work.cells[place - 1].column == cell.column {
        throw TableFault(.duplicateColumn, column: schema.column(cell.column)?.name)
      }
      work.cells.insert(cell, at: place)
    }
  }

  /// Finds the column that a cell names.
  func column(_ reference: Batch.ColumnRef, of batch: Batch) throws(TableFault) -> Int {
    switch reference {
    case .id(let id):
      guard let index = schema.index(of: id) else {
        throw TableFault(.noSuchColumn, column: "\(id)")
      }
      return index
    case .name(let range):
      let text = batch.text
      guard let index = schema.index(named: text.span.extracting(range)) else {
        let name = CellValue.text(Array(batch.text[range])).described
        throw TableFault(.noSuchColumn, column: name)
      }
      return index
    }
  }

  /// Judges a cell by itself.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - batch: The batch that holds its text.
  ///   - admitsNull: Whether null is let through where the column is required.
  /// - Returns: The cell by column id.
  /// - Throws: `noSuchColumn`, `wrongKind`, `badValue`, `badText`, `textTooLong`, `required`.
  func imageCell(
    _ cell: Batch.Cell, of batch: Batch, admitsNull: Bool = false
  ) throws(TableFault) -> ImageCell {
    let index = try column(cell.column, of: batch)
    let kind = schema.columns[index].kind
    var image = ImageCell(column: schema.columns[index].id, kind: kind, source: .null)
    switch cell.value {
    case .null:
      if schema.columns[index].isRequired, !admitsNull {
        throw TableFault(.required, column: schema.columns[index].name, expected: "a value")
      }
    case .text(let range):
      guard kind == .text else {
        throw wrongKind(index, CellValue.text(Array(batch.text[range])).described)
      }
      guard range.count <= TableLimits.text else {
        throw TableFault(
          .textTooLong, column: schema.columns[index].name, value: "\(range.count) bytes",
          expected: "at most \(TableLimits.text) bytes")
      }
      guard batch.isText(range) else {
        throw TableFault(
          .badText, column: schema.columns[index].name, expected: "UTF-8 without NUL")
      }
      image.source = .text
      image.start = range.lowerBound
      image.count = range.count
    case .number(let given, let number):
      guard given == kind else {
        throw wrongKind(index, CellValue(kind: given, number: number).described)
      }
      guard kind.admits(number) else {
        throw TableFault(
          .badValue, column: schema.columns[index].name, value: "\(number)",
          expected: "a year from 1 to 9999")
      }
      image.source = .number
      image.number = number
    }
    return image
  }

  private func wrongKind(_ index: Int, _ value: String) -> TableFault {
    TableFault(
      .wrongKind, column: schema.columns[index].name, value: value,
      expected: "\(schema.columns[index].kind)")
  }

  /// Adds defaults to `work.cells` for columns that an insert leaves out (contract E14).
  ///
  /// - Parameter now: The batch's time, in microseconds.
  /// - Throws: `required`.
  func addDefaults(now: Int64) throws(TableFault) {
    var next = 0
    for index in schema.byID {
      let id = schema.columns[index].id
      if next < work.cells.count, work.cells[next].column == id {
        next += 1
        continue
      }
      guard let value = schema.columns[index].valueAtInsert(now: now) else {
        if schema.columns[index].isRequired {
          throw TableFault(.required, column: schema.columns[index].name, expected: "a value")
        }
        continue
      }
      work.cells.insert(spareCell(id, value), at: next)
      next += 1
    }
  }

  private func spareCell(_ column: UInt64, _ value: CellValue) -> ImageCell {
    var cell = ImageCell(column: column, kind: value.kind, source: .number)
    switch value {
    case .text(let text):
      cell.source = .spare
      cell.start = work.spare.count
      cell.count = text.count
      work.spare.append(contentsOf: text)
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      cell.number = number
    case .boolean(let flag): cell.number = flag ? 1 : 0
    }
    return cell
  }

  /// Builds the image of a new row from `work.cells` into `work.image`.
  func buildImage(id: UInt64, revision: UInt64, of batch: Batch) throws(TableFault) {
    work.image.removeAll(keepingCapacity: true)
    var image = work.image
    work.image = []
    let (text, spare) = (batch.text, work.spare)
    RowImage.build(
      id: id, revision: revision, cells: work.cells, text: text.span, spare: spare.span,
      into: &image)
    work.image = image
    try checkImage()
  }

  /// Merges `work.cells` into a row's image, into `work.image`.
  func mergeImage(_ slot: UInt32, revision: UInt64, of batch: Batch) throws(TableFault) {
    work.image.removeAll(keepingCapacity: true)
    var image = work.image
    work.image = []
    let (cells, text, spare) = (work.cells, batch.text, work.spare)
    rows.withImage(slot) {
      RowImage.merge(
        cells, into: $0, revision: revision, text: text.span, spare: spare.span, to: &image)
    }
    if !schema.fills.isEmpty { image = stored(shown(image), over: image) }
    work.image = image
    try checkImage()
  }

  private func checkImage() throws(TableFault) {
    guard work.image.count <= TableLimits.row else {
      throw TableFault(
        .rowTooLarge, value: "\(work.image.count) bytes",
        expected: "at most \(TableLimits.row) bytes")
    }
  }

  /// The value of a cell in `work.cells`.
  func value(_ cell: ImageCell, of batch: Batch) -> CellValue? {
    switch cell.source {
    case .null: nil
    case .number: CellValue(kind: cell.kind, number: cell.number)
    case .text: .text(Array(batch.text[cell.range]))
    case .spare: .text(Array(work.spare[cell.range]))
    }
  }
}
