/// Rows on their way into a file, in a form that an import reads back (contract S6).
struct RowWriter {
  /// How the file is to be.
  struct Options {
    var format = Format.csv
    var hasIDs = true
    var hasRevisions = false
    var hasMark = false
    var isSpreadsheetSafe = false
  }

  private let output: Output
  private let options: Options
  private let columns: [ColumnInfo]
  private let sections: [UInt64: SectionInfo]
  /// Whether several sections have the same title, so that rows have to tell which one is theirs.
  private let isAmbiguous: Bool
  private(set) var count = 0

  init(_ output: Output, table: TableInfo, columns: [ColumnInfo], options: Options) {
    self.output = output
    self.options = options
    self.columns = columns
    sections = Dictionary(
      table.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let titles = table.sections.filter { $0.rows > 0 }.map { $0.title ?? "" }
    isAmbiguous = Set(titles).count < titles.count
  }

  /// Writes what stands before the rows.
  func begin() {
    if options.hasMark { output.write([0xef, 0xbb, 0xbf]) }
    guard !options.format.isJSON else { return }
    var names: [String?] = []
    if options.hasIDs { names.append(ImportMapping.idName) }
    if options.hasRevisions { names.append(ImportMapping.revisionName) }
    names.append(ImportMapping.sectionName)
    if isAmbiguous { names.append(ImportMapping.sectionIndexName) }
    record(names + columns.map { shown($0.name) })
  }

  /// Writes a row; false where its section is not known.
  mutating func add(_ row: Row) -> Bool {
    guard let section = row.section.flatMap({ sections[$0] }) else { return false }
    let title = section.title.flatMap { $0.isEmpty ? nil : $0 }
    if options.format.isJSON {
      if options.format == .json { output.write(count == 0 ? "[" : ",\n") }
      output.write(json(row, section, title).text)
      if options.format == .ndjson { output.write("\n") }
    } else {
      var fields: [String?] = []
      if options.hasIDs { fields.append(String(row.id)) }
      if options.hasRevisions { fields.append(String(row.revision)) }
      fields.append(title.map(shown))
      if isAmbiguous { fields.append(String(section.index)) }
      for (column, cell) in zip(columns, row.cells) {
        let text = cell.text(in: column)
        fields.append(column.kind == .text ? text.map(shown) : text)
      }
      record(fields)
    }
    count += 1
    return true
  }

  /// Writes what stands behind the rows.
  func end() {
    if options.format == .json { output.write(count == 0 ? "[]\n" : "]\n") }
  }

  private func json(_ row: Row, _ section: SectionInfo, _ title: String?) -> JSON {
    var fields: [(String, JSON)] = []
    if options.hasIDs { fields.append(("id", .integer(row.id))) }
    if options.hasRevisions { fields.append(("revision", .integer(row.revision))) }
    var home: [(String, JSON)] = []
    if options.hasIDs { home.append(("id", .integer(section.id))) }
    home.append(("title", .title(title)))
    if isAmbiguous { home.append(("index", .integer(section.index))) }
    fields.append(("section", .object(home)))
    let cells = zip(columns, row.cells).map { column, cell in (column.name, cell.json(in: column)) }
    fields.append(("cells", .object(cells)))
    return .object(fields)
  }

  private func shown(_ text: String) -> String {
    options.isSpreadsheetSafe ? SpreadsheetSafety.guarded(text) : text
  }

  private func record(_ fields: [String?]) {
    output.write(Grid.separated(fields, by: options.format == .tsv ? "\t" : ","))
  }
}
