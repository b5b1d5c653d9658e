internal import hpclient

/// A change as people read it, a line for each row and section:
/// `+ 7 Kettle [0,3]`, `~ 7 Kettle value: 39.95 → 41.00`, `- 7 Kettle [0,3]`,
/// `↕ 7 Kettle [0,3] → [0,0]`.
struct ChangeLines {
  private let context: Context
  private let columns: [ColumnInfo]
  /// Where several tables are watched, the one that changes.
  private let table: String?
  /// Rows before the change, as far as they are known.
  private let known: KnownRows
  /// Whether sections are told by their ids: `[id:2,0]`.
  private let hasPathsByID: Bool

  init(
    _ context: Context, columns: [ColumnInfo], table: String?, known: KnownRows,
    hasPathsByID: Bool = false
  ) {
    self.context = context
    self.columns = columns
    self.table = table
    self.known = known
    self.hasPathsByID = hasPathsByID
  }

  func print(_ part: hp_table_change) {
    // Safe: the lists belong to the event, which is alive during the call.
    var new: [UInt64: Row] = [:]
    unsafe UnsafeBufferPointer(start: part.rows, count: part.row_count).forEach { row in
      unsafe new[row.id] = Row(row, columns: columns)
    }
    let sections = unsafe UnsafeBufferPointer(start: part.sections, count: part.section_count)
      .map { unsafe SectionInfo($0) }
    switch unsafe part.event {
    case HP_TABLE_CREATED: line("+", "table \(unsafe String(hp: part.name) ?? "")", nil)
    case HP_TABLE_RENAMED: line("~", "table \(unsafe String(hp: part.name) ?? "")", nil)
    case HP_TABLE_DROPPED: line("-", "table")
    default: break
    }
    if unsafe part.columns_changed, unsafe part.event != HP_TABLE_CREATED {
      line("~", "columns " + columns.map(\.name).joined(separator: ", "))
    }
    var inserted: Set<UInt64> = []
    unsafe UnsafeBufferPointer(start: part.stages, count: part.stage_count).forEach { stage in
      unsafe print(stage, new, sections, &inserted)
    }
    // Sections that are new have their own line; the others were titled or got a header.
    for section in sections where !inserted.contains(number(of: section)) {
      line("~", "section \(section.id) \(section.title ?? "")")
    }
  }

  private func print(
    _ stage: hp_stage, _ new: [UInt64: Row], _ sections: [SectionInfo],
    _ insertedSections: inout Set<UInt64>
  ) {
    // Safe: the lists belong to the event, which is alive during the call.
    let deleted = unsafe UnsafeBufferPointer(
      start: stage.delete_sections, count: stage.delete_section_count)
    unsafe deleted.forEach { run in
      for index in run.first..<run.first + run.count { line("-", "section [\(text(index))]") }
    }
    let inserted = unsafe UnsafeBufferPointer(
      start: stage.insert_sections, count: stage.insert_section_count)
    unsafe inserted.forEach { run in
      for index in run.first..<run.first + run.count {
        insertedSections.insert(index)
        let section = sections.first { number(of: $0) == index }
        line(
          "+", "section \(section.map { "\($0.id) \($0.title ?? "")" } ?? "") [\(text(index))]")
      }
    }
    unsafe UnsafeBufferPointer(start: stage.move_sections, count: stage.move_section_count).forEach
    { move in
      line("↕", "section [\(text(move.from))] → [\(text(move.to))]")
    }
    unsafe UnsafeBufferPointer(start: stage.deletes, count: stage.delete_count).forEach { run in
      guard !run.moved else { return }
      for offset in 0..<run.count {
        let path = IndexPath(section: run.section, row: run.row + offset)
        line("-", label(run.id + offset, new) + " " + text(path))
      }
    }
    unsafe UnsafeBufferPointer(start: stage.inserts, count: stage.insert_count).forEach { run in
      for offset in 0..<run.count {
        let path = IndexPath(section: run.section, row: run.row + offset)
        line(run.moved ? "↕" : "+", label(run.id + offset, new) + " " + text(path))
      }
    }
    unsafe UnsafeBufferPointer(start: stage.contents, count: stage.content_count).forEach { run in
      for offset in 0..<run.count {
        let path = IndexPath(section: run.section, row: run.row + offset)
        line(run.moved ? "↕" : "+", label(run.id + offset, new) + " " + text(path))
      }
    }
    unsafe UnsafeBufferPointer(start: stage.moves, count: stage.move_count).forEach { move in
      for offset in 0..<move.count {
        let from = IndexPath(section: move.from.section, row: move.from.row + offset)
        let to = IndexPath(section: move.to.section, row: move.to.row + offset)
        line("↕", label(move.id + offset, new) + " " + text(from) + " → " + text(to))
      }
    }
    unsafe UnsafeBufferPointer(start: stage.reloads, count: stage.reload_count).forEach { reload in
      let id = unsafe reload.id
      let changed = unsafe UnsafeBufferPointer(start: reload.columns, count: reload.column_count)
      line("~", label(id, new) + changes(new[id], unsafe Array(changed)))
    }
  }

  /// `value: 39.95 → 41.00`, for the cells that changed.
  func changes(_ row: Row?, _ changed: [UInt64]) -> String {
    guard let row else { return "" }
    let old = known[row.id]
    let parts = columns.indices.filter { changed.contains(columns[$0].id) }.map { index in
      let column = columns[index]
      let before = old.map { shown($0.cells[index], column) + " → " } ?? ""
      return column.name + ": " + before + shown(row.cells[index], column)
    }
    return parts.isEmpty ? "" : "  " + parts.joined(separator: ", ")
  }

  private func shown(_ value: CellValue, _ column: ColumnInfo) -> String {
    context.text(value, in: column) ?? "null"
  }

  /// A row's id and its first text.
  func label(_ id: UInt64, _ new: [UInt64: Row]) -> String {
    guard let row = new[id] ?? known[id],
      let index = columns.firstIndex(where: { $0.kind == .text }),
      case .text(let text) = row.cells[index]
    else { return String(id) }
    return "\(id) \(text)"
  }

  private func text(_ path: IndexPath) -> String { "[\(text(path.section)),\(path.row)]" }

  /// A section as stages name it.
  private func text(_ section: UInt64) -> String { hasPathsByID ? "id:\(section)" : "\(section)" }

  private func number(of section: SectionInfo) -> UInt64 {
    hasPathsByID ? section.id : section.index
  }

  /// Prints a line with its mark, in the mark's colour.
  func line(_ sign: String, _ text: String) { line(sign, text, table) }

  private func line(_ sign: String, _ text: String, _ table: String?) {
    let line = sign + " " + TerminalSafety.shown((table.map { $0 + ": " } ?? "") + text)
    guard context.isColored else {
      context.output.line(line)
      return
    }
    let color =
      switch sign {
      case "+": "32"
      case "-": "31"
      case "~": "33"
      default: "36"
      }
    context.output.line("\u{1b}[\(color)m\(line)\u{1b}[0m")
  }
}
