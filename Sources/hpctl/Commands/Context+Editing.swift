internal import hpclient

/// Editing mode and its controls (SPEC 6): each is held through a lease, so that it lasts.
extension Context {
  /// Key and expectation of a verb that is no batch, with the lease it holds through.
  private func editingEnvelope() throws(Fault) -> (envelope: Envelope, basis: hp_basis) {
    let request = try change()
    let expect = try cursor(request.expect)
    let basis = expect.map { hp_basis_at(hp_cursor($0)) } ?? hp_basis_current()
    let envelope = Envelope(key: request.key, expect: expect, lease: try holdingLease())
    return (envelope, basis)
  }

  /// Sends one editing request and shows what it did.
  ///
  /// - Parameter send: Calls one `hp_send_…` function with the connection, the envelope, the
  ///   table, what paths mean, and where texts live until the call returns.
  /// - Returns: The outcome where only live state changed.
  /// - Throws: What the daemon refused, or why it could not be asked.
  @discardableResult
  private func edit(
    _ send: (OpaquePointer, UnsafePointer<hp_envelope>, hp_table_ref, hp_basis, CText) -> UInt64
  ) throws(Fault) -> EditingOutcome? {
    let client = try client()
    let (envelope, basis) = try editingEnvelope()
    let text = CText()
    let result = try unsafe client.edit(envelope) { connection, envelope in
      unsafe send(connection, envelope, hp_table_named(text(table)), basis, text)
    }
    switch result {
    case .editing(let outcome):
      if format.isJSON, !isQuiet { output.line(.object(try fields(outcome))) }
      return outcome
    case .change(let reply):
      try unsafe client.outcome(reply) { result throws(Fault) in
        unsafe show(result, ids: result.inserted, count: result.inserted_count)
      }
      return nil
    }
  }

  private func fields(_ outcome: EditingOutcome) throws(Fault) -> [(String, JSON)] {
    var fields: [(String, JSON)] = [
      ("epoch", .epoch(outcome.cursor.epoch)), ("revision", .integer(outcome.cursor.revision)),
      ("sequence", .integer(outcome.sequence)), ("unchanged", .boolean(outcome.isUnchanged)),
    ]
    if outcome.isReplayed { fields.append(("replayed", .boolean(true))) }
    fields += [
      ("editing", .boolean(outcome.isEditing)), ("title", .string(outcome.title)),
      ("mode", .string(outcome.mode)),
    ]
    if outcome.row != 0 { fields.append(("row", .integer(outcome.row))) }
    if let title = outcome.deleteTitle { fields.append(("delete_title", .string(title))) }
    if let target = outcome.target { fields.append(("target", .path(target))) }
    if let draft = outcome.draft {
      fields.append(("draft", draft.json(try client().describe(table).columns)))
    }
    if outcome.hasResigned { fields.append(("resigned", .boolean(true))) }
    return fields
  }

  /// A word for people, where something is to be said at all.
  private func say(_ text: String?) {
    guard let text, !isQuiet, !format.isJSON else { return }
    output.line(text)
  }

  // MARK: Editing mode

  func edit() throws(Fault) {
    switch invocation.words[0] {
    case "status": try showEditing()
    case "on", "off":
      let on = invocation.words[0] == "on"
      guard on || !invocation.has(.exclusive) else {
        throw .usage("--exclusive goes with edit on")
      }
      let how = hp_set_editing(
        on: on, animated: invocation.has(.animated), exclusive: invocation.has(.exclusive),
        break_hold: invocation.has(.breakHold))
      let outcome = try unsafe edit { connection, envelope, table, _, _ in
        unsafe hp_send_set_editing(connection, envelope, table, how)
      }
      if let outcome, outcome.isUnchanged { note("editing was \(on ? "on" : "off") already") }
    case "toggle":
      let animated = invocation.has(.animated)
      let outcome = try unsafe edit { connection, envelope, table, _, _ in
        unsafe hp_send_toggle_editing(connection, envelope, table, nil, animated)
      }
      say(outcome.map { $0.isEditing ? "on" : "off" })
    case let word:
      throw .usage(
        "edit takes on, off, toggle or status, not \"\(TerminalSafety.shown(word))\"")
    }
  }

  private func showEditing() throws(Fault) {
    let client = try client()
    let state = try client.editing(table)
    let columns = state.drafts.isEmpty ? [] : try client.describe(table).columns
    if format.isJSON {
      output.line(.object([("table", .string(table))] + state.fields(columns)))
      return
    }
    var grid = grid([Grid.Column(title: "what"), Grid.Column(title: "is")])
    for (what, text) in state.lines(columns) { grid.add([what, text]) }
    grid.finish()
  }

  // MARK: The controls of rows

  func commit() throws(Fault) {
    let row = try RowName(text: invocation.words[1])
    switch invocation.words[0] {
    case "delete":
      guard invocation.words.count == 2 else { throw .usage("commit delete takes one ID") }
      try unsafe edit { connection, envelope, table, basis, _ in
        unsafe hp_send_commit_editing(
          connection, envelope, table, hp_row_ref(row), HP_STYLE_DELETE, nil, HP_ANIMATION_DEFAULT,
          basis)
      }
    case "insert":
      let info = try client().describe(table)
      let cells = try Assignment.read(invocation.words.dropFirst(2), columns: info.columns)
      try unsafe edit { connection, envelope, table, basis, text in
        var made = unsafe cells.map { cell in
          var made = unsafe hp_cell(cell.value, text)
          unsafe made.column = cell.column
          return unsafe made
        }
        // Safe: the cells live until the call returns.
        return unsafe made.withUnsafeMutableBufferPointer { buffer in
          var new = unsafe hp_new_row(
            cells: UnsafePointer(buffer.baseAddress), cell_count: buffer.count, as: 0)
          return unsafe hp_send_commit_editing(
            connection, envelope, table, hp_row_ref(row), HP_STYLE_INSERT, &new,
            HP_ANIMATION_DEFAULT, basis)
        }
      }
    case let word:
      throw .usage("commit takes delete or insert, not \"\(TerminalSafety.shown(word))\"")
    }
  }

  /// The step and the row that `swipe` and `minus` are told by.
  private func button() throws(Fault) -> (step: hp_button_step, row: hp_row_ref) {
    switch invocation.words[0] {
    case "confirm": (HP_BUTTON_CONFIRM, .nothing)
    case "cancel": (HP_BUTTON_CANCEL, .nothing)
    case let word: (HP_BUTTON_OPEN, hp_row_ref(try RowName(text: word)))
    }
  }

  func swipe() throws(Fault) {
    let (step, row) = try button()
    let leading = invocation.has(.leading)
    guard !leading || step == HP_BUTTON_OPEN else { throw .usage("--leading goes with swipe ID") }
    say(
      try unsafe edit { connection, envelope, table, basis, _ in
        unsafe hp_send_swipe(
          connection, envelope, table, step, row, leading, HP_ANIMATION_DEFAULT, basis)
      }?.deleteTitle)
  }

  func minus() throws(Fault) {
    let (step, row) = try button()
    say(
      try unsafe edit { connection, envelope, table, basis, _ in
        unsafe hp_send_confirm(
          connection, envelope, table, step, row, HP_ANIMATION_DEFAULT, basis)
      }?.deleteTitle)
  }

  // MARK: Drag

  func drag() throws(Fault) {
    let words = invocation.words
    let target = try words.dropFirst().first.map { word throws(Fault) in
      hp_path(try IndexPath(text: word))
    }
    switch words[0] {
    case "hover":
      guard let target else { throw .usage("drag hover needs SECTION,ROW") }
      try drag(HP_DRAG_HOVER, .nothing, target)
    case "drop": try drag(HP_DRAG_DROP, .nothing, target)
    case "cancel":
      guard target == nil else { throw .usage("drag cancel takes no place") }
      try drag(HP_DRAG_CANCEL, .nothing, nil)
    default:
      guard target == nil else {
        throw .usage("where to goes with drag hover or drag drop", hint: "hpctl help drag")
      }
      try drag(HP_DRAG_BEGIN, hp_row_ref(try RowName(text: words[0])), nil)
    }
  }

  private func drag(
    _ step: hp_drag_step, _ row: hp_row_ref, _ target: hp_path?
  ) throws(Fault) {
    let outcome = try unsafe edit { connection, envelope, table, basis, _ in
      guard var target else {
        return unsafe hp_send_drag(connection, envelope, table, step, row, nil, basis)
      }
      // Safe: the path lives until the call returns.
      return unsafe hp_send_drag(connection, envelope, table, step, row, &target, basis)
    }
    guard let target = outcome?.target else { return }
    say("\(target.section),\(target.row)")
  }

  // MARK: Selection

  func select() throws(Fault) {
    let isNone = invocation.words == ["none"]
    let rows =
      try isNone
      ? []
      : invocation.words.map { word throws(Fault) in
        hp_row_ref(try RowName(text: word))
      }
    let off = invocation.has(.off)
    guard !off || !invocation.has(.only) else { throw .usage("--off and --only are one too many") }
    let clears = isNone || invocation.has(.only)
    try unsafe edit { connection, envelope, table, basis, _ in
      // Safe: the references live until the call returns.
      unsafe rows.withUnsafeBufferPointer { buffer in
        unsafe hp_send_select(
          connection, envelope, table, buffer.baseAddress, buffer.count, !off, clears, basis)
      }
    }
  }

  // MARK: Drafts

  func draft() throws(Fault) {
    let words = invocation.words
    let force = invocation.has(.force)
    guard !force || words[0] == "end" else { throw .usage("--force goes with draft end") }
    func count(_ allowed: ClosedRange<Int>, _ usage: String) throws(Fault) {
      guard allowed.contains(words.count) else { throw .usage("usage: hpctl draft \(usage)") }
    }
    switch words[0] {
    case "text":
      try count(2...2, "text TEXT")
      try draft(HP_DRAFT_TEXT, text: words[1])
    case "end":
      try count(1...1, "end [--force]")
      let outcome = try draft(HP_DRAFT_END, force: force)
      guard let kept = outcome?.draft, kept.isRejected else { return }
      throw Fault(
        .refused, kept.reason ?? "REJECTED",
        "the text was not written and is kept: \(TerminalSafety.shown(kept.text))",
        hint: "hpctl draft discard \(kept.row) COLUMN, or begin it again")
    case "discard":
      try count(1...3, "discard [ID COLUMN]")
      guard words.count != 2 else { throw .usage("usage: hpctl draft discard [ID COLUMN]") }
      try draft(
        HP_DRAFT_DISCARD, row: words.count > 1 ? try rowID(words[1]) : 0,
        column: words.count > 2 ? words[2] : nil)
    default:
      try count(2...3, "ID COLUMN [TEXT]")
      let outcome = try draft(
        HP_DRAFT_BEGIN, row: try rowID(words[0]), column: words[1],
        text: words.count > 2 ? words[2] : nil)
      say(outcome?.draft?.text)
    }
  }

  private func rowID(_ word: String) throws(Fault) -> UInt64 {
    guard case .id(let id) = try RowName(text: word) else { return 0 }
    return id
  }

  @discardableResult
  private func draft(
    _ step: hp_draft_step, row: UInt64 = 0, column: String? = nil, text typed: String? = nil,
    force: Bool = false
  ) throws(Fault) -> EditingOutcome? {
    try unsafe edit { connection, envelope, table, _, text in
      // Safe: the texts live in `text`, the struct until the call returns.
      var draft = unsafe hp_draft(
        step: step, row: row, column: text(optional: column), text: text(optional: typed),
        force: force)
      return unsafe hp_send_draft(connection, envelope, table, &draft)
    }
  }
}

extension hp_row_ref {
  /// No row is named.
  static let nothing = hp_row_make(HP_BY_NOTHING, 0, hp_path_make(0, 0))
}

extension hp_path {
  init(_ path: IndexPath) { self.init(section: path.section, row: path.row) }
}

extension IndexPath {
  /// Reads `SECTION,ROW`, both from 0.
  init(text: String) throws(Fault) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let section = Number.unsigned(parts[0]),
      let row = Number.unsigned(parts[1])
    else {
      throw .usage(
        "\"\(TerminalSafety.shown(text))\" is no place: SECTION,ROW, both from 0",
        hint: "for example 0,3")
    }
    self.init(section: section, row: row)
  }
}
