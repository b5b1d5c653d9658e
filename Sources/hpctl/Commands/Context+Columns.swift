internal import hpclient

/// The columns of a table (contract E14).
extension Context {
  /// The table that a verb names as its word, or the one of `--table`.
  private var namedTable: String { invocation.words.first ?? table }

  func listColumns() throws(Fault) {
    let columns = try client().describe(namedTable).columns
    switch format {
    case .json: output.line(.array(columns.map(JSON.column)))
    case .ndjson: for column in columns { output.line(JSON.column(column)) }
    default:
      var grid = grid([
        Grid.Column(title: "id", isNumeric: true), Grid.Column(title: "name"),
        Grid.Column(title: "kind"), Grid.Column(title: "rules"),
      ])
      for column in columns {
        grid.add([String(column.id), column.name, column.kindText, column.rulesText])
      }
      grid.finish()
    }
  }

  func addColumn() throws(Fault) {
    var column = try ColumnInfo(invocation.words[0], kind: invocation.words[1])
    column.required = invocation.has(.required)
    column.unique = invocation.has(.unique)
    try column.checkUnique()
    column.readOnly = invocation.has(.readOnly)
    column.currency = invocation[.currency]
    if let scale = invocation[.scale] { try column.setScale(scale) }
    if let text = invocation[.preset] { try column.setDefault(text) }
    if let text = invocation[.fill] {
      column.fill = try CellValue(text: text, column: column)
    }
    var request = try change()
    request.operations = [.addColumn(column, before: invocation[.before])]
    try send(request)
  }

  func renameColumn() throws(Fault) {
    var request = try change()
    request.operations = [.renameColumn(invocation.words[0], invocation.words[1])]
    try send(request)
  }

  func moveColumn() throws(Fault) {
    guard let text = invocation[.to] else {
      throw .usage(
        "column mv needs --to PLACE",
        hint: "first, last, an index, before:COLUMN or after:COLUMN")
    }
    let place = try PlaceText(text)
    let columns = try client().describe(table).columns
    let from = try columns.index(named: invocation.words[0])
    func beside(_ name: String, _ step: Int) throws(Fault) -> Int {
      let anchor = try columns.index(named: name)
      // The index counts without the column itself.
      return anchor + step - (from < anchor + step ? 1 : 0)
    }
    let index: UInt64 =
      switch place {
      case .first: 0
      case .last: UInt64(columns.count - 1)
      case .index(let index): index
      case .before(let name): UInt64(max(0, try beside(name, 0)))
      case .after(let name): UInt64(max(0, try beside(name, 1)))
      }
    var request = try change()
    request.operations = [.moveColumn(invocation.words[0], index)]
    try send(request)
  }

  func removeColumn() throws(Fault) {
    let name = invocation.words[0]
    let info = try client().describe(table)
    _ = try info.columns.index(named: name)
    if info.rows > 0 {
      try confirm(
        "drop column \"\(TerminalSafety.shown(name))\" of "
          + (info.rows == 1 ? "1 row" : "\(info.rows) rows"))
    }
    var request = try change()
    request.operations = [.dropColumn(name)]
    try send(request)
  }
}

extension [ColumnInfo] {
  /// Where the column of a name stands.
  fileprivate func index(named name: String) throws(Fault) -> Int {
    let column = try named(name)
    return firstIndex { $0.id == column.id } ?? 0
  }
}

extension ColumnInfo {
  /// The kind with a decimal's places and currency.
  fileprivate var kindText: String {
    guard kind == .decimal else { return "\(kind)" }
    return "decimal(\(scale))" + (currency.map { " " + $0 } ?? "")
  }

  /// The rules as `table add` takes them, with the fill.
  fileprivate var rulesText: String {
    var rules: [String] = []
    if required { rules.append("required") }
    if unique { rules.append("unique") }
    if readOnly { rules.append("read-only") }
    if defaultsToNow { rules.append("default=now") }
    if let text = defaultValue?.text(in: self) { rules.append("default=" + text) }
    if let text = fill?.text(in: self) { rules.append("fill=" + text) }
    return rules.joined(separator: ",")
  }
}
