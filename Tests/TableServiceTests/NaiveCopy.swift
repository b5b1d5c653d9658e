@testable import TableService

/// A client's copy with plain arrays: it folds stages by the placement algorithm of semantics
/// 2.1, and knows nothing of the engine.
struct NaiveCopy: Equatable {
  struct Section: Equatable {
    var id: UInt64
    var title: String?
    var rows: [UInt64]
  }

  enum Trouble: Error, Equatable {
    case badIndex, badID, badSlot, badCount
  }

  var columns: [Column]?
  var sections: [Section] = []
  var images: [UInt64: [UInt8]] = [:]

  mutating func fold(_ change: ProtoChange) throws(Trouble) {
    if change.columnsChanged { show(change.schema) }
    for image in change.rows { images[RowImage.id(of: image.span)] = image }
    for stage in change.stages {
      if stage.kind == 3 { try replace(stage) } else { try apply(stage, change) }
    }
    for record in change.records {
      guard record.index < sections.count, sections[record.index].id == record.id else {
        throw .badID
      }
      sections[record.index].title = record.title
    }
    for id in change.deleted {
      guard images.removeValue(forKey: id) != nil else { throw .badID }
    }
    guard images.count == sections.reduce(0, { $0 + $1.rows.count }) else { throw .badCount }
  }

  /// Sections that are reloaded with rows lose their old ones.
  private mutating func replace(_ stage: ProtoChange.Stage) throws(Trouble) {
    guard stage.deletes.isEmpty, stage.inserts.isEmpty, stage.moves.isEmpty else {
      throw .badSlot
    }
    for index in stage.replacedSections {
      guard index < sections.count else { throw .badIndex }
      sections[index].rows = []
    }
    for run in stage.contents {
      guard stage.replacedSections.contains(run.section),
        run.row == sections[run.section].rows.count
      else { throw .badSlot }
      sections[run.section].rows += (0..<run.count).map { run.id + UInt64($0) }
    }
  }

  /// Columns change before rows do (contract F8): cells of dropped columns go, fills come.
  private mutating func show(_ columns: [Column]) {
    self.columns = columns
    for (id, image) in images {
      var cells: [UInt64: CellValue] = [:]
      RowImage.forEachCell(of: image.span) { cells[$0] = $1 }
      let shown = columns.sorted { $0.id < $1.id }.compactMap { column in
        (cells[column.id] ?? column.fill).map { (column: column.id, value: $0) }
      }
      images[id] = RowImage.make(
        id: id, revision: RowImage.revision(of: image.span), cells: shown)
    }
  }

  private mutating func apply(
    _ stage: ProtoChange.Stage, _ change: ProtoChange
  ) throws(Trouble) {
    // First ends, all in the copy as it is.
    var gone: [Int: Set<Int>] = [:]
    func take(_ section: Int, _ row: Int, _ id: UInt64) throws(Trouble) {
      guard section < sections.count, row < sections[section].rows.count else {
        throw .badIndex
      }
      guard sections[section].rows[row] == id else { throw .badID }
      guard gone[section, default: []].insert(row).inserted else { throw .badSlot }
    }
    for run in stage.deletes {
      for offset in 0..<run.count {
        try take(run.section, run.row + offset, run.id + UInt64(offset))
      }
    }
    for move in stage.moves {
      for offset in 0..<move.count {
        try take(move.fromSection, move.fromRow + offset, move.id + UInt64(offset))
      }
    }
    for (section, rows) in gone {
      sections[section].rows = sections[section].rows.enumerated()
        .filter { !rows.contains($0.offset) }.map(\.element)
    }
    try applySections(stage, change)
    // Second ends: final slots first, the survivors fill the rest.
    var targets: [Int: [Int: UInt64]] = [:]
    func put(_ section: Int, _ row: Int, _ id: UInt64) throws(Trouble) {
      guard section < sections.count else { throw .badIndex }
      guard targets[section, default: [:]].updateValue(id, forKey: row) == nil else {
        throw .badSlot
      }
    }
    for run in stage.inserts + stage.contents {
      for offset in 0..<run.count {
        try put(run.section, run.row + offset, run.id + UInt64(offset))
      }
    }
    for move in stage.moves {
      for offset in 0..<move.count {
        try put(move.section, move.row + offset, move.id + UInt64(offset))
      }
    }
    for (section, slots) in targets {
      sections[section].rows = try Self.fill(sections[section].rows, slots)
    }
  }

  private mutating func applySections(
    _ stage: ProtoChange.Stage, _ change: ProtoChange
  ) throws(Trouble) {
    var taken = Set(stage.deleteSections)
    var slots: [Int: Section] = [:]
    for move in stage.moveSections {
      guard move[0] < sections.count, taken.insert(move[0]).inserted else { throw .badSlot }
      guard slots.updateValue(sections[move[0]], forKey: move[1]) == nil else { throw .badSlot }
    }
    for index in stage.insertSections {
      guard let record = change.records.first(where: { $0.index == index }) else { throw .badID }
      let section = Section(id: record.id, title: record.title, rows: [])
      guard slots.updateValue(section, forKey: index) == nil else { throw .badSlot }
    }
    guard taken.allSatisfy({ $0 < sections.count }) else { throw .badIndex }
    let rest = sections.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    sections = try Self.fill(rest, slots)
  }

  private static func fill<Element>(
    _ survivors: [Element], _ slots: [Int: Element]
  ) throws(Trouble) -> [Element] {
    var result: [Element] = []
    var rest = survivors[...]
    for index in 0..<survivors.count + slots.count {
      if let element = slots[index] {
        result.append(element)
      } else {
        guard let element = rest.popFirst() else { throw .badIndex }
        result.append(element)
      }
    }
    return result
  }
}

extension NaiveCopy {
  /// What a table holds.
  init(_ table: Table) {
    columns = table.schema.columns
    for index in 0..<table.sectionCount {
      let info = table.section(at: index)
      var section = Section(
        id: info.record.id, title: info.record.title.map { String(decoding: $0, as: UTF8.self) },
        rows: [])
      table.forEachRow(inSection: index) { image in
        let id = RowImage.id(of: image)
        section.rows.append(id)
        images[id] = [UInt8](copying: image, 0..<image.count)
        return true
      }
      sections.append(section)
    }
  }

  /// What a view shows.
  init(_ view: TableView) {
    columns = view.schema.columns
    for (index, info) in view.sections.enumerated() {
      var section = Section(
        id: info.record.id, title: info.record.title.map { String(decoding: $0, as: UTF8.self) },
        rows: [])
      var next = 0
      while next < info.rows {
        var taken = 0
        next = view.forEachRow(inSection: index, from: next) { image in
          let id = RowImage.id(of: image)
          section.rows.append(id)
          images[id] = [UInt8](copying: image, 0..<image.count)
          taken += 1
          return taken < 3
        }
      }
      sections.append(section)
    }
  }
}
