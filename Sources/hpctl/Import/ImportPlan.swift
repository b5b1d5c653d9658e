/// The rows of a file, understood and checked.
struct ImportPlan {
  /// What rows of the file are known again by.
  enum Key: Equatable {
    case column(ColumnInfo)
    /// The ids of an export of hpctl; rows without one are new.
    case id

    /// The name that messages use.
    var name: String {
      switch self {
      case .column(let column): column.name
      case .id: ImportMapping.idName
      }
    }
  }

  /// A section as the file names it.
  struct SectionKey: Hashable {
    /// `nil` is the section without a title.
    var title: String?
    /// Tells sections with the same title apart.
    var index: UInt64?
  }

  /// A row of the file.
  struct Entry {
    /// Where it stands among the file's records.
    var source: Int
    var line: Int
    var record: Int
    var cells: [Assignment]
    /// Cells of read-only columns: for new rows only (contract S6).
    var readOnly: [Assignment]
    /// What the row is known by, with a key column.
    var key: CellValue?
    /// The row's id in the table, where the file has it.
    var id: UInt64?
    /// The revision that the row has to have.
    var revision: UInt64?
    /// `nil` where the file has no column for sections.
    var section: SectionKey?
  }

  /// A record that can't be brought in.
  struct Reject {
    var source: Int
    var fault: Fault
  }

  private(set) var entries: [Entry] = []
  private(set) var rejects: [Reject] = []
  let key: Key?
  let mapping: ImportMapping

  /// Reads every field by the kind of its column.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - mapping: Where its columns go.
  ///   - key: What rows are known again by.
  ///   - values: How fields are written.
  ///   - limits: How large they may be.
  /// - Throws: BAD_INPUT when the key has no column in the file; faults of records are in
  ///   `rejects`, with line, record, column and value.
  init(
    _ file: ImportFile, mapping: ImportMapping, key: Key?, values: ImportValues = ImportValues(),
    limits: RowLimits = RowLimits()
  ) throws(Fault) {
    self.key = key
    self.mapping = mapping
    if case .column(let column) = key, !mapping.targets.contains(.column(column)) {
      throw .badInput("the file has no column for the key \"\(column.name)\"")
    }
    var lines: [String: Int] = [:]
    let hasSections = mapping.targets.contains(.section)
    let columns = mapping.targets.compactMap { target -> ColumnInfo? in
      if case .column(let column) = target { column } else { nil }
    }
    let titleName = mapping.targets.firstIndex(of: .section).map { file.header[$0] } ?? ""
    entries.reserveCapacity(file.records.count)
    for (source, record) in file.records.enumerated() {
      do throws(Fault) {
        let entry = try Self.entry(
          record, source, file, mapping, key, values, hasSections: hasSections)
        try limits.check(title: entry.section?.title, titleName)
        try limits.check(entry.cells, entry.readOnly, columns)
        if let key, let text = Self.keyText(entry, key) {
          if let first = lines[text] {
            var fault = Fault.coded(
              .duplicateKey,
              "the key \"\(TerminalSafety.shown(text))\" stands in line \(first) too")
            fault.status = .badInput
            fault.column = key.name
            fault.value = text
            throw fault
          }
          lines[text] = record.line
        }
        entries.append(entry)
      } catch {
        rejects.append(Reject(source: source, fault: Self.placed(error, record)))
      }
    }
  }

  /// Moves an entry that the daemon refused to the rejects.
  mutating func reject(_ index: Int, _ fault: Fault) {
    let entry = entries.remove(at: index)
    rejects.append(Reject(source: entry.source, fault: fault))
    rejects.sort { $0.source < $1.source }
  }

  /// A fault with the place of a record.
  private static func placed(_ fault: Fault, _ record: ImportRecord) -> Fault {
    var fault = fault
    fault.line = record.line
    fault.record = record.number
    return fault
  }

  private static func keyText(_ entry: Entry, _ key: Key) -> String? {
    switch key {
    case .column(let column): entry.key?.text(in: column)
    case .id: entry.id.map { String($0) }
    }
  }

  private static func entry(
    _ record: ImportRecord, _ source: Int, _ file: ImportFile, _ mapping: ImportMapping,
    _ key: Key?, _ values: ImportValues, hasSections: Bool
  ) throws(Fault) -> Entry {
    guard record.fields.count == mapping.targets.count else {
      throw CSVReader.raggedFault(record.fields.count, mapping.targets.count)
    }
    var entry = Entry(
      source: source, line: record.line, record: record.number, cells: [], readOnly: [])
    var keyColumn: ColumnInfo?
    if case .column(let column) = key { keyColumn = column }
    entry.cells.reserveCapacity(mapping.targets.count)
    if hasSections { entry.section = SectionKey() }
    for (index, target) in mapping.targets.enumerated() {
      let field = record.fields[index]
      switch target {
      case nil: break
      case .section: entry.section?.title = try title(field, file.header[index], values)
      case .sectionIndex: entry.section?.index = try number(field, file.header[index])
      case .id: entry.id = try id(field, file.header[index])
      case .revision: entry.revision = try number(field, file.header[index])
      case .currency: try check(currency: field, record, mapping)
      case .column(let column):
        guard let value = try values.value(field, column) else { break }
        if column.readOnly {
          if value != .null { entry.readOnly.append(Assignment(column: column.id, value: value)) }
        } else {
          entry.cells.append(Assignment(column: column.id, value: value))
        }
        if column == keyColumn { entry.key = value }
      }
    }
    if let keyColumn, entry.key ?? .null == .null {
      var fault = Fault.badInput("the key is empty")
      fault.column = keyColumn.name
      throw fault
    }
    return entry
  }

  private static func title(
    _ field: ImportField, _ name: String, _ values: ImportValues
  ) throws(Fault) -> String? {
    switch field {
    case .absent, .empty: return nil
    case .text(let text):
      if text.isEmpty { return nil }
      return values.isSpreadsheetSafe ? SpreadsheetSafety.bare(text) : text
    case .value(let value): throw wrong(value, name, "a section's title is a text")
    }
  }

  private static func number(_ field: ImportField, _ name: String) throws(Fault) -> UInt64? {
    switch field {
    case .absent, .empty: return nil
    case .value(.number(let number)) where number >= 0: return UInt64(number)
    case .text(let text):
      if text.isEmpty { return nil }
      if let number = Number.unsigned(text) { return number }
      throw wrong(.string(text), name, "it is a whole number from 0")
    case .value(let value): throw wrong(value, name, "it is a whole number from 0")
    }
  }

  private static func id(_ field: ImportField, _ name: String) throws(Fault) -> UInt64? {
    let id = try number(field, name)
    guard id != 0, id ?? 0 < 1 << 53 else { throw wrong(.null, name, "it is no id of a row") }
    return id
  }

  /// Amounts of the row may be in no other currency than the column's.
  private static func check(
    currency field: ImportField, _ record: ImportRecord, _ mapping: ImportMapping
  ) throws(Fault) {
    guard case .text(let field) = field else { return }
    let text = ImportValues.trimmed(field)
    guard !text.isEmpty else { return }
    for (index, target) in mapping.targets.enumerated() {
      guard case .column(let column) = target, column.kind == .decimal,
        let currency = column.currency, currency != text.uppercased()
      else { continue }
      switch record.fields[index] {
      case .absent, .empty, .text(""): continue
      case .text, .value: break
      }
      var fault = Fault.coded(
        .badValue, "the amount is in \(TerminalSafety.shown(text))", hint: "nothing is converted")
      fault.column = column.name
      fault.value = text
      fault.expected = currency
      throw fault
    }
  }

  private static func wrong(_ value: JSON, _ name: String, _ message: String) -> Fault {
    var fault = Fault.coded(.badValue, message)
    fault.column = name
    if case .string(let text) = value { fault.value = text }
    return fault
  }
}
