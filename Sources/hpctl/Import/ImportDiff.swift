/// What an import does to each row, in lines for people: the same for a dry run and a real one.
struct ImportDiff {
  /// Characters of a text that are shown.
  private static let shownCharacters = 60

  private let table: TableInfo
  /// The rows of the file; those that the daemon refuses may be taken out of it.
  var plan: ImportPlan
  /// Rows of the table by what the file knows them by.
  private var known: [String: Row] = [:]

  private let isOrdered: Bool

  /// - Parameters:
  ///   - plan: The rows of the file.
  ///   - table: The table as it is.
  ///   - isOrdered: Whether rows with ids take the order of the file.
  init(_ plan: ImportPlan, table: TableInfo, isOrdered: Bool) {
    self.plan = plan
    self.isOrdered = isOrdered
    self.table = table
  }

  /// Takes a row of the table, with a cell for each column.
  mutating func add(_ row: Row) {
    switch plan.key {
    case nil: return
    case .id: known[String(row.id)] = row
    case .column(let column):
      guard let index = table.columns.firstIndex(of: column),
        let text = row.cells[index].text(in: column)
      else { return }
      known[text] = row
    }
  }

  /// A line for each row that is made, changed or moved, in the order of the file.
  var lines: [String] {
    var lines: [String] = []
    let titles = Dictionary(
      table.sections.map { ($0.id, $0.title ?? "") }, uniquingKeysWith: { first, _ in first })
    let strays = isOrdered ? plan.strays(places) : []
    for entry in plan.entries {
      guard let row = row(of: entry) else {
        let cells = (entry.cells + entry.readOnly).compactMap { cell -> String? in
          guard cell.value != .null, let column = column(cell.column) else { return nil }
          return column.name + "=" + shown(cell.value, column)
        }
        let section = entry.section?.title.map { " in " + Self.cut($0) } ?? ""
        lines.append("+ " + cells.joined(separator: " ") + section)
        continue
      }
      var parts: [String] = []
      for cell in entry.cells {
        guard let index = table.columns.firstIndex(where: { $0.id == cell.column }),
          row.cells[index] != cell.value
        else { continue }
        let column = table.columns[index]
        parts.append(
          "\(column.name) \(shown(row.cells[index], column)) → \(shown(cell.value, column))")
      }
      if plan.key == .id, let to = entry.section, let from = row.section.map({ titles[$0] ?? "" }),
        from != to.title ?? ""
      {
        parts.append(
          "section " + Self.cut(from.isEmpty ? "none" : from) + " → "
            + Self.cut(to.title ?? "none"))
      }
      if parts.isEmpty, strays.contains(row.id) { parts.append("moved") }
      guard !parts.isEmpty else { continue }
      lines.append("~ \(row.id)\(name(of: row)): " + parts.joined(separator: ", "))
    }
    return lines
  }

  private var places: [UInt64: RowPlace] {
    var places: [UInt64: RowPlace] = [:]
    for row in known.values {
      guard let section = row.section, let path = row.path else { continue }
      places[row.id] = RowPlace(section: section, index: path.row)
    }
    return places
  }

  private func row(of entry: ImportPlan.Entry) -> Row? {
    switch plan.key {
    case nil: nil
    case .id: entry.id.flatMap { known[String($0)] }
    case .column(let column): entry.key?.text(in: column).flatMap { known[$0] }
    }
  }

  private func column(_ id: UInt64) -> ColumnInfo? { table.columns.first { $0.id == id } }

  /// What people call the row: its first text.
  private func name(of row: Row) -> String {
    for case .text(let text) in row.cells { return " " + Self.cut(text) }
    return ""
  }

  /// A text without controls, and not all of a long one.
  private static func cut(_ text: String) -> String {
    Width.truncated(
      TerminalSafety.shown(String(text.prefix(4 * shownCharacters))), to: shownCharacters)
  }

  private func shown(_ value: CellValue, _ column: ColumnInfo) -> String {
    guard let text = value.text(in: column) else { return "null" }
    return column.kind == .text ? "\"" + Self.cut(text) + "\"" : text
  }
}
