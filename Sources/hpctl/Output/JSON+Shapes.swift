internal import hpclient

extension JSON {
  static func epoch(_ epoch: UInt64) -> JSON { .string(Cursor.epochText(epoch)) }

  static func cursor(_ cursor: hp_cursor) -> [(String, JSON)] {
    [("epoch", .epoch(cursor.epoch)), ("revision", .integer(cursor.revision))]
  }

  static func title(_ title: String?) -> JSON { title.map { .string($0) } ?? .null }

  /// A row (SPEC 11); path and section where they are known.
  static func row(_ row: Row, columns: [ColumnInfo], titles: [UInt64: String]) -> JSON {
    var fields: [(String, JSON)] = [("id", .integer(row.id))]
    if let path = row.path { fields.append(("path", .path(path))) }
    if let section = row.section {
      fields.append(
        ("section", .object([("id", .integer(section)), ("title", .title(titles[section]))])))
    }
    fields.append(("revision", .integer(row.revision)))
    let cells = zip(columns, row.cells).map { column, cell in (column.name, cell.json(in: column)) }
    fields.append(("cells", .object(cells)))
    return .object(fields)
  }

  /// A section without its rows; its index where that is known.
  static func section(
    _ section: SectionInfo, countsRows: Bool, hasIndex: Bool = true
  ) -> JSON {
    var fields: [(String, JSON)] = [
      ("id", .integer(section.id)), ("title", .title(section.title)),
    ]
    if countsRows { fields.append(("rows", .integer(section.rows))) }
    if hasIndex { fields.append(("index", .integer(section.index))) }
    if let header = section.header { fields.append(("header", header)) }
    if let footer = section.footer { fields.append(("footer", footer)) }
    if let sentinel = section.sentinel { fields.append(("sentinel", sentinel)) }
    return .object(fields)
  }

  static func column(_ column: ColumnInfo) -> JSON {
    var fields: [(String, JSON)] = [
      ("id", .integer(column.id)), ("name", .string(column.name)),
      ("kind", .string("\(column.kind)")),
    ]
    if column.kind == .decimal { fields.append(("scale", .integer(column.scale))) }
    if let currency = column.currency { fields.append(("currency", .string(currency))) }
    if column.required { fields.append(("required", .boolean(true))) }
    if column.unique { fields.append(("unique", .boolean(true))) }
    if column.readOnly { fields.append(("read_only", .boolean(true))) }
    if let value = column.defaultValue { fields.append(("default", value.json(in: column))) }
    if let value = column.fill { fields.append(("fill", value.json(in: column))) }
    if column.defaultsToNow { fields.append(("default_now", .boolean(true))) }
    return .object(fields)
  }

  /// A batch's reply; a dry run counts −1, −2, … where ids will be.
  static func outcome(_ result: hp_batch_result) -> [(String, JSON)] {
    // Safe: the lists belong to the reply, which is alive during the call.
    var fields = JSON.cursor(unsafe result.cursor)
    unsafe fields.append(("unchanged", .boolean(result.unchanged)))
    if unsafe result.dry_run { fields.append(("dry_run", .boolean(true))) }
    if unsafe result.replayed { fields.append(("replayed", .boolean(true))) }
    if unsafe result.step > 0 { fields.append(("step", unsafe .integer(result.step))) }
    if unsafe result.undoable { fields.append(("undoable", .boolean(true))) }
    fields.append(("counts", unsafe counts(result.counts)))
    if unsafe result.truncated { fields.append(("truncated", .boolean(true))) }
    let rows = unsafe UnsafeBufferPointer(start: result.inserted, count: result.inserted_count)
    let sections = unsafe UnsafeBufferPointer(
      start: result.inserted_sections, count: result.inserted_section_count)
    // Rows that are moved from another table keep their ids, which a dry run knows as well.
    let isMove = unsafe result.source != 0
    let namesRows = unsafe !result.dry_run || isMove
    fields.append(("inserted", unsafe ids(rows, isDryRun: !namesRows)))
    if !sections.isEmpty {
      fields.append(("inserted_sections", unsafe ids(sections, isDryRun: result.dry_run)))
    }
    let stages = unsafe UnsafeBufferPointer(start: result.stages, count: result.stage_count)
    fields.append(
      ("stages", unsafe .array(stages.map { unsafe stage($0, namesRows: namesRows) })))
    if isMove {
      let stages = unsafe UnsafeBufferPointer(
        start: result.source_stages, count: result.source_stage_count)
      fields.append(
        (
          "source",
          unsafe .object([
            ("table", .integer(result.source)),
            ("last_changed", .integer(result.source_last_changed)),
            ("stages", .array(stages.map { unsafe stage($0) })),
          ])
        ))
    }
    return fields
  }

  static func counts(_ counts: hp_counts) -> JSON {
    // `matched` is there where an operation took rows by itself.
    let matched: [(String, JSON)] =
      counts.matched > 0 ? [("matched", .integer(counts.matched))] : []
    return .object(
      [
        ("rows_inserted", .integer(counts.rows_inserted)),
        ("rows_deleted", .integer(counts.rows_deleted)),
        ("rows_moved", .integer(counts.rows_moved)),
        ("rows_updated", .integer(counts.rows_updated)),
        ("sections_inserted", .integer(counts.sections_inserted)),
        ("sections_deleted", .integer(counts.sections_deleted)),
        ("sections_moved", .integer(counts.sections_moved)),
        ("sections_updated", .integer(counts.sections_updated)),
      ] + matched)
  }

  private static func ids(_ runs: UnsafeBufferPointer<hp_id_run>, isDryRun: Bool) -> JSON {
    // Safe: the runs belong to the reply, which is alive during the call.
    var ids: [JSON] = []
    unsafe runs.forEach { run in
      for offset in 0..<run.count {
        // A dry run has no ids for what is new, but for rows that come back under theirs.
        let isPlaceholder = isDryRun && run.first >= 1 << 53
        ids.append(isPlaceholder ? .integer(-ids.count - 1) : .integer(run.first &+ offset))
      }
    }
    return .array(ids)
  }

  /// Ids of runs, one after the other.
  static func ids(_ runs: UnsafeBufferPointer<hp_id_run>) -> JSON {
    unsafe ids(runs, isDryRun: false)
  }

  /// A stage with its runs spelled out; empty lists are left out.
  ///
  /// - Parameters:
  ///   - stage: What a reply or event holds.
  ///   - namesRows: Whether the ids of new rows stand beside their paths; a dry run has none.
  /// - Returns: The object.
  static func stage(_ stage: hp_stage, namesRows: Bool = true) -> JSON {
    var fields: [(String, JSON)] = []
    func add(_ name: String, _ list: [JSON]) {
      if !list.isEmpty { fields.append((name, .array(list))) }
    }
    func indices(_ runs: UnsafePointer<hp_id_run>?, _ count: Int) -> [JSON] {
      // Safe: the runs belong to the reply or event, which is alive during the call.
      unsafe UnsafeBufferPointer(start: runs, count: count).flatMap { run in
        (0..<run.count).map { .integer(run.first &+ $0) }
      }
    }
    func paths(_ runs: UnsafePointer<hp_row_run>?, _ count: Int) -> [JSON] {
      // Safe: as above.
      unsafe UnsafeBufferPointer(start: runs, count: count).flatMap { run in
        (0..<run.count).map { .path(IndexPath(section: run.section, row: run.row &+ $0)) }
      }
    }
    func ids(_ runs: UnsafePointer<hp_row_run>?, _ count: Int) -> [JSON] {
      guard namesRows else { return [] }
      // Safe: as above.
      return unsafe UnsafeBufferPointer(start: runs, count: count).flatMap { run in
        (0..<run.count).map { .integer(run.id &+ $0) }
      }
    }
    // Safe: the lists belong to the reply or event, which is alive during the call.
    unsafe add("delete_sections", indices(stage.delete_sections, stage.delete_section_count))
    unsafe add("insert_sections", indices(stage.insert_sections, stage.insert_section_count))
    unsafe add(
      "move_sections",
      UnsafeBufferPointer(start: stage.move_sections, count: stage.move_section_count).map {
        .array([.integer($0.from), .integer($0.to)])
      })
    unsafe add(
      "reload_sections",
      UnsafeBufferPointer(start: stage.reload_sections, count: stage.reload_section_count).map {
        .array([.integer($0.old_section), .integer($0.section)])
      })
    unsafe add(
      "replaced_sections",
      UnsafeBufferPointer(start: stage.reload_sections, count: stage.reload_section_count)
        .filter { $0.with_rows }.map { .integer($0.section) })
    unsafe add("deletes", paths(stage.deletes, stage.delete_count))
    unsafe add("inserts", paths(stage.inserts, stage.insert_count))
    unsafe add("insert_ids", ids(stage.inserts, stage.insert_count))
    unsafe add("contents", paths(stage.contents, stage.content_count))
    unsafe add("content_ids", ids(stage.contents, stage.content_count))
    unsafe add(
      "moves",
      UnsafeBufferPointer(start: stage.moves, count: stage.move_count).flatMap { move in
        (0..<move.count).map { offset in
          .array([
            .path(IndexPath(section: move.from.section, row: move.from.row &+ offset)),
            .path(IndexPath(section: move.to.section, row: move.to.row &+ offset)),
          ])
        }
      })
    unsafe add(
      "reloads",
      UnsafeBufferPointer(start: stage.reloads, count: stage.reload_count).map { reload in
        unsafe .array([.path(IndexPath(reload.old_path)), .path(IndexPath(reload.path))])
      })
    return .object(fields)
  }
}
