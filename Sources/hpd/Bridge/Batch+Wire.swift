internal import Nib
internal import TableService
internal import Wire

/// A batch of the wire as one of the table.
///
/// Both are flat and refer to one text storage, so that the texts are copied in one piece.
extension Batch {
  /// Replaces the batch's content.
  ///
  /// - Parameters:
  ///   - buffer: What was decoded.
  ///   - expect: The envelope's expectation (contract E1).
  /// - Throws: `badRequest` where an operation or a condition is empty.
  /// - Complexity: O(*n*) in the number of operations and cells.
  func fill(_ buffer: BatchBuffer, expect: Cursor?) throws(ErrorReply) {
    fillHead(buffer, expect: expect)
    try append(buffer)
  }

  /// Goes on with the next piece of a batch; its head stays.
  ///
  /// - Parameter buffer: What was decoded.
  /// - Throws: `badRequest` where an operation or a condition is empty.
  func refill(_ buffer: BatchBuffer) throws(ErrorReply) {
    removeOperations()
    try append(buffer)
  }

  private func fillHead(_ buffer: BatchBuffer, expect: Cursor?) {
    removeAll()
    self.expect = expect.map(StoreCursor.init)
    mode = buffer.mode == .transition ? .transition : .sequence
    basis = Basis(buffer.basis)
    isDryRun = buffer.dryRun
    sectionCounts.append(contentsOf: buffer.sectionCounts)
    hasNoSections = buffer.noSections
  }

  private func append(_ buffer: BatchBuffer) throws(ErrorReply) {
    text.append(contentsOf: buffer.text)
    for cell in buffer.cells { cells.append(Cell(cell)) }
    for row in buffer.rows { rows.append(Row(row)) }
    for policy in buffer.policies { policies.append(try PolicyChange(policy, text: text)) }
    for filter in buffer.filters { filters.append(RowFilter(filter)) }
    for rule in buffer.sorts { sortKeys.append(SortKey(rule)) }
    ids.append(contentsOf: buffer.ids)
    for index in buffer.conditions {
      conditions.append(try Batch.condition(buffer.conditionList[index], operation: nil))
    }
    for (number, operation) in buffer.operations.enumerated() {
      let start = conditionList.count
      for index in operation.conditions {
        conditionList.append(try Batch.condition(buffer.conditionList[index], operation: number))
      }
      if let animation = operation.action.animation {
        animations.append(
          AnimationHint(operation: number, animation: UInt8(animation.rawValue)))
      }
      try Batch.checkViews(of: operation.action, buffer.text, operation: number)
      if case .addColumn(let index, _) = operation.action {
        try append(buffer.columns[index], operation: number)
      }
      operations.append(
        Operation(
          try Batch.action(operation.action, operation: number),
          conditions: start..<conditionList.count))
    }
  }

  /// Adds a column to be made; they stand in the order of their operations.
  private func append(_ column: ColumnInfo, operation: Int) throws(ErrorReply) {
    do throws(ErrorReply) {
      columns.append(try Column(column))
    } catch {
      var told = error
      told.operation = UInt64(operation)
      throw told
    }
  }

  /// Whether the views that an operation names may be names of the bundle.
  private static func checkViews(
    of action: BatchOperation.Action, _ text: [UInt8], operation: Int
  ) throws(ErrorReply) {
    let headers: [BatchHeaderFooter?] =
      switch action {
      case .setHeaderFooter(_, _, let value): [value]
      case .insertSection(let section): [section.header, section.footer]
      default: []
      }
    func words(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    for case let header? in headers {
      do throws(NibFault) {
        if let view = header.view { try NibName.check(words(view.range)) }
        if let language = header.language { _ = try NibName.folders(words(language.range)) }
      } catch {
        var told = ErrorReply(error)
        told.operation = UInt64(operation)
        throw told
      }
    }
  }

  private static func empty(_ what: String, _ operation: Int?) -> ErrorReply {
    var error = ErrorReply(.badRequest, what)
    error.operation = operation.map(UInt64.init)
    return error
  }

  private static func action(
    _ action: BatchOperation.Action, operation: Int
  ) throws(ErrorReply) -> Action {
    switch action {
    case .insertRow(let place, let row, _): .insertRow(Row(row), at: Place(place))
    case .deleteRow(let row, _): .deleteRow(RowRef(row))
    case .moveRow(let row, let place): .moveRow(RowRef(row), to: Place(place))
    case .updateRow(let row, let cells): .updateRow(RowRef(row), cells: cells)
    case .reloadRow(let row, let cells, _): .reloadRow(RowRef(row), cells: cells)
    case .insertSection(let section): .insertSection(NewSection(section))
    case .deleteSection(let section, _): .deleteSection(SectionRef(section))
    case .moveSection(let section, let place):
      .moveSection(SectionRef(section), to: SectionPlace(place))
    case .retitleSection(let section, let title):
      .retitleSection(SectionRef(section), title: title?.range)
    case .reloadSection(let section, let rows, _):
      .reloadSection(SectionRef(section), rows: rows)
    case .setHeaderFooter(let section, let footer, let value):
      .setHeaderFooter(
        SectionRef(section), isFooter: footer, value: value.map(HeaderFooterText.init))
    case .upsert(let column, let row, let place):
      .upsert(column: column.range, row: Row(row), at: Place(place))
    case .addColumn(let column, let before): .addColumn(column, before: before?.range)
    case .renameColumn(let column, let name): .renameColumn(column.range, name: name.range)
    case .moveColumn(let column, let index): .moveColumn(column.range, to: UInt64(index))
    case .dropColumn(let column): .dropColumn(column.range)
    case .addToCell(let row, let amount?, let floor, let ceiling):
      .addToCell(RowRef(row), amount: amount, floor: floor, ceiling: ceiling)
    case .addToCell(_, nil, _, _): throw empty("an amount is missing", operation)
    case .moveMany(let selection, let place):
      .moveMany(Selection(selection), to: Place(place))
    case .deleteWhere(let filter?): .deleteWhere(filter: filter)
    case .updateWhere(let filter?, let cells): .updateWhere(filter: filter, cells: cells)
    case .deleteWhere(nil), .updateWhere(nil, _):
      throw empty("a filter is missing; one without nodes takes every row", operation)
    case .sortSection(let section, let keys): .sortSection(SectionRef(section), by: keys)
    case .setPolicy(let index): .setPolicy(index)
    case .unsupported(let field): .unsupported(field)
    case .absent: throw empty("an operation says nothing", operation)
    }
  }

  private static func condition(
    _ condition: BatchCondition, operation: Int?
  ) throws(ErrorReply) -> Condition {
    switch condition {
    case .rowExists(let row): return .rowExists(RowRef(row))
    case .rowAbsent(let row): return .rowAbsent(RowRef(row))
    case .rowRevision(let row, let revision): return .rowRevision(RowRef(row), revision)
    case .cellEquals(let row, let cell):
      guard let cell else { throw empty("a condition names no cell", operation) }
      return .cellEquals(RowRef(row), cell: cell)
    case .sectionCount(let section, let count): return .sectionCount(SectionRef(section), count)
    case .sectionTotal(let count): return .sectionTotal(count)
    case .matched(let count): return .matched(count)
    case .absent: throw empty("a condition says nothing", operation)
    }
  }
}

extension StoreCursor {
  init(_ cursor: Cursor) { self.init(epoch: cursor.epoch, revision: cursor.revision) }
}

extension Batch.Basis {
  init(_ basis: Wire.Basis) {
    switch basis {
    case .absent: self = .absent
    case .current: self = .current
    case .at(let cursor, let rebase):
      self = rebase ? .rebased(StoreCursor(cursor)) : .at(StoreCursor(cursor))
    }
  }
}

extension Batch.RowRef {
  init(_ row: RowReference) {
    switch row {
    case .absent: self = .absent
    case .id(let id): self = .id(id)
    case .handle(let handle): self = .handle(handle)
    case .path(let section, let row): self = .path(RowPath(section, row))
    }
  }
}

extension RowPath {
  init(_ section: Int, _ row: Int) { self.init(section: UInt64(section), row: UInt64(row)) }
}

extension Batch.SectionRef {
  init(_ section: SectionReference) {
    switch section {
    case .absent: self = .absent
    case .id(let id): self = .id(id)
    case .title(let text): self = .title(text.range)
    case .handle(let handle): self = .handle(handle)
    case .index(let index): self = .index(UInt64(index))
    }
  }
}

extension Batch.Place {
  init(_ place: RowPlace) {
    switch place {
    case .absent: self = .end
    case .path(let section, let row): self = .path(RowPath(section, row))
    case .before(let row): self = .before(Batch.RowRef(row))
    case .after(let row): self = .after(Batch.RowRef(row))
    case .firstOf(let section): self = .first(of: Batch.SectionRef(section))
    case .lastOf(let section): self = .last(of: Batch.SectionRef(section))
    }
  }
}

extension Batch.SectionPlace {
  init(_ place: Wire.SectionPlace) {
    switch place {
    case .absent: self = .end
    case .index(let index): self = .index(UInt64(index))
    case .before(let section): self = .before(Batch.SectionRef(section))
    case .after(let section): self = .after(Batch.SectionRef(section))
    }
  }
}

extension Batch.Cell {
  init(_ cell: BatchCell) {
    let column: Batch.ColumnRef =
      switch cell.column {
      case .id(let id): .id(id)
      case .name(let text): .name(text.range)
      }
    let value: Batch.Value =
      switch cell.value {
      case .null: .null
      case .text(let text): .text(text.range)
      case .integer(let number): .number(.integer, number)
      case .decimal(let number): .number(.decimal, number)
      case .date(let number): .number(.date, number)
      case .timestamp(let number): .number(.timestamp, number)
      case .boolean(let flag): .number(.boolean, flag ? 1 : 0)
      }
    self.init(column, value)
  }
}

extension Batch.Row {
  init(_ row: BatchRow) { self.init(cells: row.cells, handle: row.handle) }
}

extension Batch.HeaderFooterText {
  init(_ value: BatchHeaderFooter) {
    self.init(
      title: value.title?.range, view: value.view?.range, height: value.height,
      owner: value.owner?.range, language: value.language?.range)
  }
}

extension Batch.NewSection {
  init(_ section: BatchOperation.NewSection) {
    self.init(
      place: Batch.SectionPlace(section.place), title: section.title?.range, rows: section.rows,
      handle: section.handle)
    header = section.header.map(Batch.HeaderFooterText.init)
    footer = section.footer.map(Batch.HeaderFooterText.init)
  }
}
