internal import hpclient

/// Prints what a subscription sends: JSON lines (SPEC 11), or a line for each change for people.
struct FeedPrinter {
  private let context: Context
  var epoch: UInt64 = 0
  /// Of the filter, or 0: it goes with a cursor (contract F2).
  var fingerprint: UInt64 = 0
  /// Whether sections in changes are told by their ids (contract F1).
  var hasPathsByID = false
  /// With `--window`.
  var window: WindowPrinter?
  /// Tables as far as their columns are known, and the sections of a snapshot under way.
  var tables: [TableInfo] = []
  /// Rows of a snapshot that were not printed yet, by section.
  private var rows: [UInt64: [JSON]] = [:]
  private var waitingRows = 0
  private var isSnapshotOpen = false
  private var revision: UInt64 = 0
  private var known = KnownRows()
  /// What the controllers of a scene show.
  private var shown = ShownControllers()
  /// How far what was printed reaches; `nil` before the first snapshot is whole.
  private(set) var cursor: PartialCursor?
  /// With `--exec`; stdout belongs to it then.
  private var command: ChangeCommand?

  /// Rows that the snapshot's own line holds; later ones come in lines of their own.
  private static let snapshotRows = 1_000

  init(_ context: Context) {
    self.context = context
    command = ChangeCommand(context)
  }

  private var isJSON: Bool { context.format.isJSON }

  private func line(_ type: String, _ fields: [(String, JSON)]) {
    guard command == nil else { return }
    context.output.line(.object([("type", .string(type))] + fields))
  }

  private mutating func reached(_ revision: UInt64) {
    cursor = PartialCursor(epoch: epoch, revision: revision)
  }

  /// The connection is gone; what was half there comes anew.
  mutating func connectionLost() {
    isSnapshotOpen = false
    rows = [:]
    waitingRows = 0
    command?.forget()
  }

  /// Prints an event.
  ///
  /// - Returns: Whether it was the end of a change.
  /// - Throws: A window can't be kept by it.
  mutating func print(_ event: UnsafePointer<hp_event>) throws(Fault) -> Bool {
    // Safe: the event is alive during the call.
    let kind = unsafe event.pointee.kind
    if kind == HP_EVENT_WINDOW { return try unsafe window(event) }
    if kind == HP_EVENT_LIVE || kind == HP_EVENT_PROGRESS { try unsafe window?.follow(event) }
    unsafe print(event.pointee)
    return unsafe kind == HP_EVENT_CHANGE && event.pointee.last
  }

  private mutating func print(_ event: hp_event) {
    switch unsafe event.kind {
    case HP_EVENT_SNAPSHOT: unsafe snapshot(event)
    case HP_EVENT_SNAPSHOT_ROWS: unsafe rows(event)
    case HP_EVENT_LIVE: unsafe live(event)
    case HP_EVENT_CHANGE:
      if let change = unsafe event.change { unsafe self.change(event, change.pointee) }
      if unsafe event.last { reached(unsafe event.revision) }
    case HP_EVENT_PROGRESS:
      reached(unsafe event.revision)
      if isJSON { line("progress", [("revision", unsafe .integer(event.revision))]) }
    case HP_EVENT_EDITING:
      if let live = unsafe event.live { unsafe print(LiveLine(live.pointee, tables: tables)) }
    case HP_EVENT_SCENE:
      guard let scene = unsafe event.scene else { return }
      unsafe shown.learn(scene.pointee)
      unsafe print(SceneLine(scene.pointee, shown, tables))
    default: break
    }
  }

  /// An event of a scene.
  private func print(_ event: SceneLine) {
    if isJSON { return line("scene", event.json) }
    guard command == nil, let text = event.text else { return }
    context.output.line("* " + TerminalSafety.shown(text))
  }

  /// A step of live state; one that says that nothing is held says nothing.
  private func print(_ step: LiveLine) {
    guard !step.isNothing else { return }
    if isJSON { return line("editing", step.json) }
    guard command == nil else { return }
    for text in step.lines(tables) { context.output.line("* " + TerminalSafety.shown(text)) }
  }

  // MARK: Snapshot

  private mutating func snapshot(_ event: hp_event) {
    // Safe: the tables belong to the event, which is alive during the call.
    let heads = unsafe UnsafeBufferPointer(start: event.tables, count: event.table_count)
      .map { table in unsafe TableInfo(table) }
    if !isSnapshotOpen {
      tables = []
      rows = [:]
      waitingRows = 0
    }
    isSnapshotOpen = true
    unsafe revision = event.cursor.revision
    unsafe epoch = event.cursor.epoch
    for head in heads {
      // The sections of a table may come in several parts.
      if let index = tables.firstIndex(where: { $0.id == head.id }) {
        tables[index].sections += head.sections
      } else {
        tables.append(head)
      }
    }
  }

  private mutating func rows(_ event: hp_event) {
    let id = unsafe event.table
    guard let table = tables.first(where: { $0.id == id }) else { return }
    guard isJSON else {
      // Safe: the rows belong to the event, which is alive during the call.
      unsafe UnsafeBufferPointer(start: event.rows, count: event.row_count).forEach { row in
        known.learn(unsafe Row(row, columns: table.columns))
      }
      return
    }
    // Safe: the rows belong to the event, which is alive during the call.
    let page = unsafe UnsafeBufferPointer(start: event.rows, count: event.row_count).map { row in
      unsafe JSON.row(Row(row, columns: table.columns), columns: table.columns, titles: [:])
    }
    guard isSnapshotOpen else {
      line(
        "rows",
        [
          ("table", .string(table.name)), ("section", unsafe .integer(event.section)),
          ("rows", .array(page)),
        ])
      return
    }
    unsafe rows[event.section, default: []].append(contentsOf: page)
    waitingRows += page.count
    if waitingRows >= Self.snapshotRows { closeSnapshot() }
  }

  /// Prints the snapshot with the rows that came so far.
  private mutating func closeSnapshot() {
    guard isSnapshotOpen else { return }
    isSnapshotOpen = false
    guard isJSON else { return }
    for table in tables {
      let sections = table.sections.map { section -> JSON in
        let held = rows[section.id]
        let section = JSON.section(section, countsRows: false, hasIndex: !hasPathsByID)
        guard case .object(let fields) = section else { return .null }
        return .object(fields + [("rows", .array(held ?? []))])
      }
      line(
        "snapshot",
        [
          ("epoch", .epoch(epoch)), ("revision", .integer(revision)),
          ("table", .string(table.name)), ("columns", .array(table.columns.map(JSON.column))),
          ("sections", .array(sections)),
        ] + filterFields)
    }
    rows = [:]
  }

  private mutating func live(_ event: hp_event) {
    closeSnapshot()
    let cursor = unsafe Cursor(event.cursor)
    reached(cursor.revision)
    if let window, !isJSON {
      context.note(
        "watching \(window.count) \(window.count == 1 ? "row" : "rows") from position "
          + "\(window.place.first) on, at \(text(cursor))")
      return
    }
    guard isJSON else {
      let count = tables.reduce(0) { $0 + $1.rows }
      context.note(
        unsafe event.resumed
          ? "live, at \(text(cursor))"
          : "watching \(count) \(count == 1 ? "row" : "rows") from \(text(cursor))")
      return
    }
    line("live", [("revision", .integer(cursor.revision))])
  }

  /// Says that history goes on from a cursor; it stands where a snapshot would.
  func resumed(_ cursor: Cursor) {
    if isJSON {
      line(
        "resumed",
        [("epoch", .epoch(cursor.epoch)), ("revision", .integer(cursor.revision))] + filterFields)
    } else {
      context.note("going on from \(text(cursor))")
    }
  }

  /// What a reader has to know of the filter.
  private var filterFields: [(String, JSON)] {
    (fingerprint == 0 ? [] : [("fingerprint", .integer(fingerprint))])
      + (hasPathsByID ? [("paths_by_id", .boolean(true))] : [])
  }

  /// A cursor as `--since` takes it.
  private func text(_ cursor: Cursor) -> String {
    fingerprint == 0 ? cursor.text : cursor.text + ":" + String(fingerprint)
  }

  // MARK: Ends

  func resync(_ reason: String) {
    if isJSON {
      line("resync", [("reason", .string(reason))])
    } else {
      context.note("starting again: " + reason)
    }
  }

  func ended(_ reason: String) {
    if isJSON { line("ended", [("reason", .string(reason))]) }
  }

  /// The end as a line of the stream; people read it on stderr alone.
  func shutdown(_ message: String) {
    if isJSON { line("shutdown", [("message", .string(message))]) }
  }

  // MARK: Changes

  private mutating func change(_ event: hp_event, _ change: hp_change) {
    // Safe: the lists belong to the event, which is alive during the call.
    unsafe UnsafeBufferPointer(start: change.tables, count: change.table_count).forEach { part in
      unsafe learn(part)
      let id = unsafe part.table
      let table = tables.first { $0.id == id }
      if isJSON || command != nil {
        unsafe print(event, change, part, table)
      } else {
        let columns = table?.columns ?? []
        if unsafe part.columns_changed { known.forgetAll() }
        let name = context.invocation.has(.allTables) ? table?.name : nil
        unsafe ChangeLines(
          context, columns: columns, table: name, known: known, hasPathsByID: hasPathsByID
        ).print(part)
        unsafe UnsafeBufferPointer(start: part.rows, count: part.row_count).forEach { row in
          known.learn(unsafe Row(row, columns: columns))
        }
        unsafe UnsafeBufferPointer(start: part.deleted, count: part.deleted_count).forEach { run in
          for offset in 0..<run.count { known.forget(run.first &+ offset) }
        }
      }
    }
  }

  /// Keeps the columns of tables that are new or changed.
  private mutating func learn(_ part: hp_table_change) {
    let index: Int
    let id = unsafe part.table
    if let known = tables.firstIndex(where: { $0.id == id }) {
      index = known
    } else {
      index = tables.count
      tables.append(
        TableInfo(
          id: id, name: "", schemaRevision: 0, lastChanged: 0, rows: 0,
          columns: [], sections: []))
    }
    if let name = unsafe String(hp: part.name) { tables[index].name = name }
    // Safe: the columns belong to the event, which is alive during the call.
    let columns = unsafe UnsafeBufferPointer(start: part.columns, count: part.column_count)
    if !columns.isEmpty {
      unsafe tables[index].columns = columns.compactMap { unsafe ColumnInfo($0) }
    }
  }

  private mutating func print(
    _ event: hp_event, _ change: hp_change, _ part: hp_table_change, _ table: TableInfo?
  ) {
    // Safe: the lists belong to the event, which is alive during the call.
    let columns = table?.columns ?? []
    var fields: [(String, JSON)] = unsafe [
      ("from", .integer(event.from)), ("revision", .integer(change.revision)),
      ("table", .string(table?.name ?? "")), ("actor", .string(String(hp: change.actor) ?? "")),
      ("uid", .integer(change.uid)), ("client", .integer(change.client)),
      ("request", .integer(change.request)),
      ("time", .string(Calendar.text(timestamp: change.time))),
    ]
    if unsafe !event.last { fields.append(("more", .boolean(true))) }
    if let cause = unsafe String(hp: change.cause) { fields.append(("cause", .string(cause))) }
    if unsafe change.cause_row != 0 {
      unsafe fields.append(("cause_row", .integer(change.cause_row)))
    }
    if unsafe change.undoes != 0 { unsafe fields.append(("undoes", .integer(change.undoes))) }
    if unsafe change.redoes != 0 { unsafe fields.append(("redoes", .integer(change.redoes))) }
    switch unsafe part.event {
    case HP_TABLE_CREATED: fields.append(("event", .string("created")))
    case HP_TABLE_RENAMED: fields.append(("event", .string("renamed")))
    case HP_TABLE_DROPPED: fields.append(("event", .string("dropped")))
    case HP_TABLE_RELOADED: fields.append(("event", .string("reloaded")))
    default: break
    }
    if unsafe part.columns_changed { fields.append(("columns", .array(columns.map(JSON.column)))) }
    let stages = unsafe UnsafeBufferPointer(start: part.stages, count: part.stage_count)
    fields.append(("stages", unsafe .array(stages.map { unsafe JSON.stage($0) })))
    let deleted = unsafe UnsafeBufferPointer(start: part.deleted, count: part.deleted_count)
    fields.append(("deleted", unsafe JSON.ids(deleted)))
    let rows = unsafe UnsafeBufferPointer(start: part.rows, count: part.row_count)
    fields.append(
      (
        "rows",
        unsafe .array(
          rows.map { row in
            unsafe JSON.row(Row(row, columns: columns), columns: columns, titles: [:])
          })
      ))
    let sections = unsafe UnsafeBufferPointer(start: part.sections, count: part.section_count)
    if !sections.isEmpty {
      fields.append(
        (
          "sections",
          unsafe .array(
            sections.map { section in
              unsafe JSON.section(
                SectionInfo(section), countsRows: false, hasIndex: !hasPathsByID)
            })
        ))
    }
    guard command != nil else {
      line("change", fields)
      return
    }
    unsafe command?.add(
      .object([("type", .string("change"))] + fields), epoch: epoch, from: event.from,
      revision: change.revision, table: table?.name ?? "", actor: String(hp: change.actor) ?? "")
  }

  // MARK: Windows

  private mutating func window(_ event: UnsafePointer<hp_event>) throws(Fault) -> Bool {
    guard let told = try unsafe window?.take(event) else { return false }
    if command != nil {
      guard told.isChange else { return false }
      command?.add(
        .object([("type", .string(told.type))] + told.fields), epoch: epoch,
        from: told.difference.from, revision: told.difference.revision,
        table: tables.first?.name ?? "", actor: told.difference.actor)
    } else if isJSON {
      line(told.type, told.fields)
    } else {
      window?.print(told.difference)
    }
    return told.isChange
  }

  /// With `--exec`: runs the command for the change that has just come.
  ///
  /// - Throws: It can't be run. One that fails is told on stderr.
  mutating func runCommand() throws(Fault) {
    guard let status = try command?.run(), status != 0 else { return }
    context.note("the command ended with status \(status)")
  }
}
