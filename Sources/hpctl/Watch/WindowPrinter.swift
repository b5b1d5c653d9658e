internal import hpclient

/// Keeps a window and says what happened to it: as JSON, or a line for each row for people.
struct WindowPrinter {
  private let context: Context
  private let table: String
  private let epoch: UInt64
  private let copy: WindowCopy
  private var columns: [ColumnInfo] = []
  private var titles: [UInt64: String] = [:]
  /// The change whose parts are coming.
  private var difference: WindowDifference?
  /// Whether its content was told once.
  private var hasBegun = false
  private(set) var place = WindowDifference()

  /// A line of JSON, and what it is about.
  struct Line {
    var type: String
    var fields: [(String, JSON)]
    var difference: WindowDifference
    /// Whether rows are other ones, and not only those of the begin.
    var isChange: Bool
  }

  init(_ context: Context, table: String, epoch: UInt64) throws(Fault) {
    self.context = context
    self.table = table
    self.epoch = epoch
    copy = try WindowCopy()
  }

  /// How many rows are in it.
  var count: UInt64 { copy.count }

  /// Folds an event that is no change of the window.
  func follow(_ event: UnsafePointer<hp_event>) throws(Fault) { try unsafe copy.take(event) }

  /// Folds a part of a change.
  ///
  /// - Returns: What to print, once it is whole.
  /// - Throws: It does not fit what is here.
  mutating func take(_ event: UnsafePointer<hp_event>) throws(Fault) -> Line? {
    // Safe: the event is alive during the call.
    guard let change = unsafe event.pointee.window else { return nil }
    var difference = self.difference ?? WindowDifference()
    unsafe difference.add(event.pointee, change.pointee, copy, columns)
    try unsafe copy.take(event)
    guard unsafe event.pointee.last else {
      self.difference = difference
      return nil
    }
    self.difference = nil
    if difference.isReset { columns = copy.columns }
    if difference.isReset || difference.tellsSections {
      titles = [:]
      for section in copy.sections { titles[section.id] = section.title }
    }
    place = difference
    let isChange = hasBegun && !difference.isCountsAlone
    hasBegun = true
    return Line(
      type: difference.isReset ? "window" : "window_change", fields: fields(difference),
      difference: difference, isChange: isChange)
  }

  // MARK: JSON

  private func fields(_ difference: WindowDifference) -> [(String, JSON)] {
    var fields: [(String, JSON)] = []
    if difference.isReset {
      fields.append(("epoch", .epoch(epoch)))
    } else {
      fields.append(("from", .integer(difference.from)))
    }
    fields += [
      ("revision", .integer(difference.revision)), ("generation", .integer(difference.generation)),
      ("table", .string(table)),
    ]
    if !difference.actor.isEmpty, !difference.isReset {
      fields += [
        ("actor", .string(difference.actor)), ("uid", .integer(difference.uid)),
        ("client", .integer(difference.client)), ("request", .integer(difference.request)),
        ("time", .string(Calendar.text(timestamp: difference.time))),
      ]
    }
    fields += [
      ("first", .integer(difference.first)), ("before", .integer(difference.before)),
      ("after", .integer(difference.after)),
    ]
    if difference.anchor != 0 { fields.append(("anchor", .integer(difference.anchor))) }
    if difference.isReset {
      fields.append(("columns", .array(columns.map(JSON.column))))
    } else {
      func list(_ numbers: [UInt64]) -> JSON { .array(numbers.map { .integer($0) }) }
      fields += [
        ("deletes", list(difference.deletes.map(\.index))),
        ("delete_ids", list(difference.deletes.map(\.id))),
        ("inserts", list(difference.inserts.map(\.index))),
        ("insert_ids", list(difference.inserts.map(\.id))),
        ("moves", .array(difference.moves.map { list([$0.from, $0.to]) })),
        ("reloads", list(difference.reloads)),
      ]
    }
    if difference.isReset || difference.tellsSections {
      fields.append(
        ("sections", .array(copy.sections.map { JSON.section($0, countsRows: true) })))
    }
    let ids = difference.isReset ? (0..<copy.count).map { copy.id(at: $0) } : difference.rows
    fields.append(
      (
        "rows",
        .array(
          ids.compactMap { copy.row($0, columns) }
            .map { JSON.row($0, columns: columns, titles: titles) })
      ))
    return fields
  }

  // MARK: Lines for people

  /// Prints a line for each row that came, went, moved or changed; of a reset, for each row.
  func print(_ difference: WindowDifference) {
    var known = KnownRows()
    for row in difference.old.values { known.learn(row) }
    var new: [UInt64: Row] = [:]
    let shown = difference.isReset ? (0..<copy.count).map { copy.id(at: $0) } : difference.rows
    for id in shown + difference.reloads.map({ copy.id(at: $0) }) where new[id] == nil {
      new[id] = copy.row(id, columns)
    }
    let lines = ChangeLines(context, columns: columns, table: nil, known: known)
    func line(_ sign: String, _ id: UInt64, _ more: String) {
      lines.line(sign, lines.label(id, new) + more)
    }
    guard !difference.isReset else {
      for (index, id) in shown.enumerated() { line("=", id, " [\(index)]") }
      return
    }
    for gone in difference.deletes { line("-", gone.id, " [\(gone.index)]") }
    for come in difference.inserts { line("+", come.id, " [\(come.index)]") }
    for move in difference.moves { line("↕", move.id, " [\(move.from)] → [\(move.to)]") }
    let come = Set(difference.inserts.map(\.id))
    var changed = difference.rows
    // Rows that were reloaded without new cells are to be drawn again as well.
    for id in difference.reloads.map({ copy.id(at: $0) }) where !changed.contains(id) {
      changed.append(id)
    }
    for id in changed where !come.contains(id) {
      line("~", id, lines.changes(new[id], changedColumns(difference.old[id], new[id])))
    }
  }

  /// The ids of the columns whose cells differ.
  private func changedColumns(_ old: Row?, _ new: Row?) -> [UInt64] {
    guard let new else { return [] }
    return columns.indices.filter { old?.cells[$0] != new.cells[$0] }.map { columns[$0].id }
  }
}
