extension ImportPlan {
  /// The batch, and the entry that each of its operations comes from.
  struct Work {
    var request = BatchRequest()
    /// Index into `entries`; `nil` for sections that are made.
    var origins: [Int?] = []

    mutating func add(_ operation: Operation, _ origin: Int?) {
      request.operations.append(operation)
      origins.append(origin)
    }
  }

  /// Titles that the table lacks, for the rows of the file.
  func missingSections(_ table: TableInfo) -> [String] {
    let known = Set(table.sections.compactMap(\.title))
    return entries.compactMap { $0.section?.title }.filter { !known.contains($0) }
  }

  /// Makes the batch.
  ///
  /// - Parameters:
  ///   - table: The table as it is.
  ///   - section: Where all rows go, when that was asked for.
  ///   - known: Keys that rows of the table have, when they were looked up; rows of the file
  ///     with other keys are new.
  ///   - places: Where each row named by its id stands; rows that are not there are left out.
  ///   - isOrdered: Whether rows named by their ids take the order of the file.
  /// - Returns: The operations, sections first.
  /// - Throws: AMBIGUOUS where a title is held by two sections; NO_SUCH_ROW for an id that is
  ///   not there. The line is that of the first row concerned.
  func work(
    table: TableInfo, section: Place? = nil, known: Set<String>? = nil,
    places: [UInt64: RowPlace] = [:], isOrdered: Bool = false
  ) throws(Fault) -> Work {
    var work = Work()
    func isNew(_ entry: Entry) -> Bool {
      switch key {
      case nil: true
      case .id: entry.id == nil
      case .column(let column):
        if let known, let text = entry.key?.text(in: column) { !known.contains(text) } else { true }
      }
    }
    var homes = SectionHomes(table: table, isOwn: mapping.isOwn)
    if section == nil {
      for entry in entries {
        guard let key = entry.section else { continue }
        var isNeeded = isNew(entry)
        if self.key == .id, let id = entry.id, let home = places[id]?.section {
          isNeeded = !homes.holds(home, key)
        }
        homes.note(key, isNeeded: isNeeded, line: entry.line, record: entry.record)
      }
      try homes.settle(&work)
    }
    // Rows of a file without sections go to the last one, or to one without a title.
    var fallback = section
    if fallback == nil, !mapping.targets.contains(.section), table.sections.isEmpty,
      entries.contains(where: isNew)
    {
      work.add(.insertSection(title: nil, rows: [], handle: 1, .standard), nil)
      fallback = .last(.handle(1))
    }
    if key == .id {
      try addByID(
        &work, homes, fallback: fallback ?? .standard, places: places,
        strays: isOrdered ? strays(places) : [])
      return work
    }
    for (index, entry) in entries.enumerated() {
      let home = section == nil ? entry.section.flatMap { homes.name(of: $0) } : nil
      let place = home.map { .last($0) } ?? fallback ?? .standard
      // Without a sum of lists where there is nothing to add, which is nearly always.
      let row = NewRow(
        cells: entry.readOnly.isEmpty || !isNew(entry) ? entry.cells : entry.cells + entry.readOnly)
      if case .column(let column) = key {
        work.add(.upsert(column: column.name, row, place), index)
      } else {
        work.add(.insertRow(row, place), index)
      }
    }
    return work
  }

  /// Rows that are named by their ids are changed, and moved where the file has them in another
  /// section; new ones stand where they stand in the file.
  private func addByID(
    _ work: inout Work, _ homes: SectionHomes, fallback: Place, places: [UInt64: RowPlace],
    strays: Set<UInt64>
  ) throws(Fault) {
    var previous: [SectionKey?: RowName] = [:]
    var handle = UInt64(1) << 32
    let held = Set(entries.filter { $0.id != nil }.map(\.section))
    for (index, entry) in entries.enumerated() {
      func place() -> Place {
        if let row = previous[entry.section] { return .after(row) }
        guard let key = entry.section, let home = homes.name(of: key) else { return fallback }
        return held.contains(key) ? .first(home) : .last(home)
      }
      guard let id = entry.id else {
        handle += 1
        let row = NewRow(cells: entry.cells + entry.readOnly, handle: handle)
        work.add(.insertRow(row, place()), index)
        previous[entry.section] = .handle(handle)
        continue
      }
      guard let home = places[id]?.section else {
        var fault = Fault.coded(
          .noSuchRow, "there is no row with this id",
          hint: "it was removed, or the file is of another table; --ignore-ids makes new rows")
        fault.line = entry.line
        fault.record = entry.record
        fault.row = id
        throw fault
      }
      if let revision = entry.revision { work.request.revisions.append((.id(id), revision)) }
      if !entry.cells.isEmpty { work.add(.updateRow(.id(id), entry.cells), index) }
      if let key = entry.section, !homes.holds(home, key), homes.name(of: key) != nil {
        work.add(.moveRow(.id(id), place()), index)
      } else if strays.contains(id) {
        work.add(.moveRow(.id(id), place()), index)
      }
      previous[entry.section] = .id(id)
    }
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
