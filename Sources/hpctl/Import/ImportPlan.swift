/// The rows of a file, understood and checked, and the one batch that brings them in.
struct ImportPlan {
  /// A row of the file.
  struct Entry {
    var line: Int
    var record: Int
    var cells: [Assignment]
    /// Cells of read-only columns: for new rows only (contract S6).
    var readOnly: [Assignment]
    /// What the row is known by, with `--key`.
    var key: CellValue?
    var section: String?
  }

  private(set) var entries: [Entry] = []
  let key: ColumnInfo?
  private let hasSections: Bool

  /// Reads every field by the kind of its column.
  ///
  /// - Throws: A fault with line, record, column and value; DUPLICATE_KEY with both lines when a
  ///   key stands twice in the file.
  init(_ file: CSVReader, mapping: ImportMapping, key: ColumnInfo?) throws(Fault) {
    self.key = key
    hasSections = mapping.targets.contains(.section)
    if let key, !mapping.targets.contains(.column(key)) {
      throw .badInput("the file has no column for the key \"\(key.name)\"")
    }
    var lines: [String: Int] = [:]
    for (index, record) in file.records.enumerated() {
      do throws(Fault) {
        let entry = try Self.entry(record, index + 1, mapping, key)
        if let key, let text = entry.key?.text(in: key) {
          if let first = lines.updateValue(record.line, forKey: text) {
            var fault = Fault.coded(
              .duplicateKey,
              "the key \"\(TerminalSafety.shown(text))\" stands in line \(first) too")
            fault.status = .badInput
            fault.column = key.name
            fault.value = text
            throw fault
          }
        }
        entries.append(entry)
      } catch {
        var fault = error
        fault.line = record.line
        fault.record = index + 1
        throw fault
      }
    }
  }

  private static func entry(
    _ record: CSVRecord, _ number: Int, _ mapping: ImportMapping, _ key: ColumnInfo?
  ) throws(Fault) -> Entry {
    var entry = Entry(line: record.line, record: number, cells: [], readOnly: [])
    for (target, field) in zip(mapping.targets, record.fields) {
      switch target {
      case nil: break
      case .section: entry.section = field.flatMap { $0.isEmpty ? nil : $0 }
      case .column(let column):
        let value = try Self.value(field, column)
        if column.readOnly {
          if value != .null { entry.readOnly.append(Assignment(column: column.id, value: value)) }
        } else {
          entry.cells.append(Assignment(column: column.id, value: value))
        }
        if column == key { entry.key = value }
      }
    }
    if let key, entry.key == .null {
      var fault = Fault.badInput("the key is empty")
      fault.column = key.name
      throw fault
    }
    return entry
  }

  /// A field without quotes and content is null; spaces around anything but text are dropped.
  private static func value(_ field: String?, _ column: ColumnInfo) throws(Fault) -> CellValue {
    guard let field else { return .null }
    guard column.kind != .text else { return .text(field) }
    let spaces: Set<Character> = [" ", "\t", "\u{a0}"]
    let front = field.drop { spaces.contains($0) }
    let count = front.reversed().drop { spaces.contains($0) }.count
    return try CellValue(text: String(front.prefix(count)), column: column)
  }

  /// Titles of the sections that rows of the file ask for, in the file's order.
  func sectionTitles(of entries: [Entry]) -> [String] {
    var seen: Set<String> = []
    return entries.compactMap(\.section).filter { seen.insert($0).inserted }
  }
}

extension ImportPlan {
  /// The batch, and the entry that each of its operations comes from.
  struct Work {
    var request: BatchRequest
    /// Index into `entries`; `nil` for sections that are made.
    var origins: [Int?]
  }

  /// Titles that the table lacks, for the rows of the file.
  func missingSections(_ table: TableInfo) -> [String] {
    let known = Set(table.sections.compactMap(\.title))
    return sectionTitles(of: entries).filter { !known.contains($0) }
  }

  /// Makes the batch.
  ///
  /// - Parameters:
  ///   - table: The table as it is.
  ///   - section: Where all rows go, when that was asked for.
  ///   - known: Keys that rows of the table have, when they were looked up; rows of the file
  ///     with other keys are new.
  /// - Returns: The operations, sections first.
  /// - Throws: AMBIGUOUS where a title is held by two sections.
  func work(
    table: TableInfo, section: Place?, known: Set<String>?
  ) throws(Fault) -> Work {
    var work = Work(request: BatchRequest(), origins: [])
    func isNew(_ entry: Entry) -> Bool {
      guard let key, let known, let text = entry.key?.text(in: key) else { return true }
      return !known.contains(text)
    }
    var places: [String: Place] = [:]
    if section == nil {
      for title in sectionTitles(of: entries.filter(isNew)) {
        let holders = table.sections.filter { $0.title == title }
        guard holders.count < 2 else { throw .ambiguous(title, holders) }
        if let holder = holders.first {
          places[title] = .last(.id(holder.id))
          continue
        }
        let handle = UInt64(work.request.operations.count + 1)
        places[title] = .last(.handle(handle))
        work.request.operations.append(
          .insertSection(title: title, rows: [], handle: handle, .standard))
        work.origins.append(nil)
      }
    }
    // Rows without a location go to a section without a title.
    var untitled = section
    if untitled == nil, entries.contains(where: { isNew($0) && $0.section == nil }) {
      if !hasSections && !table.sections.isEmpty {
        untitled = .standard
      } else if let holder = table.sections.first(where: { $0.title == nil }) {
        untitled = .last(.id(holder.id))
      } else {
        let handle = UInt64(work.request.operations.count + 1)
        untitled = .last(.handle(handle))
        work.request.operations.append(
          .insertSection(title: nil, rows: [], handle: handle, .standard))
        work.origins.append(nil)
      }
    }
    for (index, entry) in entries.enumerated() {
      let place = entry.section.flatMap { places[$0] } ?? untitled ?? .standard
      let row = NewRow(cells: entry.cells + (isNew(entry) ? entry.readOnly : []))
      work.request.operations.append(
        key.map { .upsert(column: $0.name, row, place) } ?? .insertRow(row, place))
      work.origins.append(index)
    }
    return work
  }
}

extension Fault {
  /// A title that several sections hold.
  static func ambiguous(_ title: String, _ holders: [SectionInfo]) -> Fault {
    let ids = holders.map { "id:\($0.id)" }.joined(separator: " and ")
    return .coded(
      .ambiguous, "\"\(TerminalSafety.shown(title))\" is the title of \(ids)",
      hint: "name the section by its id")
  }
}
