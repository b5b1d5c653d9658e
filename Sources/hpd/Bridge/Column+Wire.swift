internal import TableService
internal import Wire

extension Column {
  /// A column that a request asks for; the table gives its id.
  init(_ info: ColumnInfo) throws(ErrorReply) {
    guard let kind = info.kind else {
      var error = ErrorReply(.badRequest, "a column needs a kind")
      error.column = info.name
      throw error
    }
    self.init(id: info.id, name: info.name, kind: TableService.ColumnKind(kind))
    isRequired = info.required
    isUnique = info.unique
    isReadOnly = info.readOnly
    scale = info.scale
    currency = info.currency
    defaultValue = info.defaultValue.map(TableService.CellValue.init)
    fill = info.fill.map(TableService.CellValue.init)
    defaultsToNow = info.defaultNow
  }
}

extension TableService.ColumnKind {
  init(_ kind: Wire.ColumnKind) {
    switch kind {
    case .text: self = .text
    case .integer: self = .integer
    case .decimal: self = .decimal
    case .date: self = .date
    case .timestamp: self = .timestamp
    case .boolean: self = .boolean
    }
  }
}

extension TableService.CellValue {
  init(_ value: Wire.CellValue) {
    switch value {
    case .text(let text): self = .text(Array(text.utf8))
    case .integer(let number): self = .integer(number)
    case .decimal(let number): self = .decimal(number)
    case .date(let number): self = .date(number)
    case .timestamp(let number): self = .timestamp(number)
    case .boolean(let flag): self = .boolean(flag)
    }
  }
}
