internal import hpclient

/// Scenes: screens that are shared (SPEC 7, 11).
extension Context {
  /// Rows that a drawing shows at most.
  private static let pageRows: UInt64 = 20

  private var sceneName: String { invocation.words[0] }

  /// Takes a step through the lease, so that what it begins lasts.
  private func take(_ step: SceneStep) throws(Fault) -> SceneOutcome {
    let request = try change()
    let envelope = Envelope(
      key: request.key, expect: try cursor(request.expect), lease: try holdingLease())
    let outcome = try client().scene(step, envelope)
    tell(outcome)
    if let refused = outcome.refused {
      // The selectors before it were performed all the same.
      throw Fault(
        .refused, refused.code,
        "\(TerminalSafety.shown(refused.selector)) was refused: "
          + TerminalSafety.shown(refused.code))
    }
    guard let field = outcome.rejected.first else { return outcome }
    // The step was taken all the same; who asked must know what was not saved.
    throw .coded(
      field.reason == "CONFLICT" ? .conflict : .badValue,
      "\"\(TerminalSafety.shown(field.text))\" was not written to row \(field.row): "
        + TerminalSafety.shown(field.reason),
      hint: outcome.rejected.count == 1
        ? nil : "\(outcome.rejected.count - 1) further texts were not written either")
  }

  private func tell(_ outcome: SceneOutcome) {
    for selector in outcome.sent {
      note("\(TerminalSafety.shown(selector)) went to those who look on")
    }
    guard !isQuiet else { return }
    if format.isJSON {
      output.line(.object(Self.fields(outcome)))
    } else if outcome.pushed != 0 {
      output.line(String(outcome.pushed))
    } else {
      for id in outcome.inserted + outcome.popped { output.line(String(id)) }
      if let editing = outcome.editing { output.line(editing ? "on" : "off") }
    }
  }

  private static func fields(_ outcome: SceneOutcome) -> [(String, JSON)] {
    var fields: [(String, JSON)] = [
      ("sequence", .integer(outcome.sequence)), ("unchanged", .boolean(outcome.isUnchanged)),
    ]
    if outcome.pushed != 0 { fields.append(("pushed", .integer(outcome.pushed))) }
    if !outcome.popped.isEmpty {
      fields.append(("popped", .array(outcome.popped.map { .integer($0) })))
    }
    for (name, list) in [("performed", outcome.performed), ("sent", outcome.sent)]
    where !list.isEmpty {
      fields.append((name, .array(list.map { .string($0) })))
    }
    for (name, list) in [("revisions", outcome.revisions), ("inserted", outcome.inserted)]
    where !list.isEmpty {
      fields.append((name, .array(list.map { .integer($0) })))
    }
    if !outcome.rejected.isEmpty {
      fields.append(
        (
          "rejected",
          .array(
            outcome.rejected.map { field in
              .object([
                ("row", .integer(field.row)), ("column", .integer(field.column)),
                ("text", .string(field.text)), ("reason", .string(field.reason)),
              ])
            })
        ))
    }
    if let resigned = outcome.resigned { fields.append(("resigned", .boolean(resigned))) }
    if let editing = outcome.editing { fields.append(("editing", .boolean(editing))) }
    return fields
  }

  // MARK: Verbs

  func listScenes() throws(Fault) {
    let scenes = try client().scene(SceneStep(HP_SCENE_LIST)).scenes
    switch format {
    case .json: output.line(.array(scenes.map { .object([("name", .string($0.name))]) }))
    case .ndjson: for scene in scenes { output.line(.object([("name", .string(scene.name))])) }
    default: for scene in scenes { output.line(TerminalSafety.shown(scene.name)) }
    }
  }

  func makeScene() throws(Fault) {
    var step = SceneStep(HP_SCENE_MAKE, sceneName)
    step.language = invocation[.language]
    step.root = SceneRoot(kind: HP_CONTROLLER_ITEMS, table: table)
    _ = try take(step)
  }

  func removeScene() throws(Fault) { _ = try take(SceneStep(HP_SCENE_REMOVE, sceneName)) }

  func pushScene() throws(Fault) {
    var step = SceneStep(HP_SCENE_PUSH, sceneName)
    step.root = try root(invocation.words[1])
    _ = try take(step)
  }

  /// A controller as a word names it: a row's id, items, sections, or a class.
  private func root(_ word: String) throws(Fault) -> SceneRoot {
    if !word.isEmpty, word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      guard let row = Number.unsigned(word) else {
        throw .usage("\"\(TerminalSafety.shown(word))\" is no row's id")
      }
      return SceneRoot(kind: HP_CONTROLLER_DETAIL, table: table, row: row)
    }
    switch word {
    case "items": return SceneRoot(kind: HP_CONTROLLER_ITEMS, table: table)
    case "sections": return SceneRoot(kind: HP_CONTROLLER_SECTIONS, table: table)
    default: return SceneRoot(kind: HP_CONTROLLER_VIEW, className: word)
    }
  }

  func popScene() throws(Fault) { _ = try take(SceneStep(HP_SCENE_POP, sceneName)) }

  func rootScene() throws(Fault) { _ = try take(SceneStep(HP_SCENE_POP_TO_ROOT, sceneName)) }

  func tabScene() throws(Fault) {
    let words = invocation.words
    var step = SceneStep(HP_SCENE_SELECT_TAB, sceneName)
    switch words[1] {
    case "more": break
    case "add":
      step.kind = HP_SCENE_ADD_TAB
      step.root = try root(words.count > 2 ? words[2] : "items")
    case "rm":
      step.kind = HP_SCENE_REMOVE_TAB
      guard words.count > 2 else { throw .usage("tab rm takes the index of a tab") }
      step.index = try tab(words[2])
    case let word: step.index = try tab(word)
    }
    _ = try take(step)
  }

  private func tab(_ word: String) throws(Fault) -> UInt64 {
    guard let index = Number.unsigned(word) else {
      throw .usage(
        "\"\(TerminalSafety.shown(word))\" is no tab", hint: "an index from 0, more, add or rm")
    }
    return index
  }

  /// Taps what stands in the bar, in the table's header or its footer.
  func tapScene() throws(Fault) {
    let word = invocation.words[1]
    guard word != "back" else {
      _ = try take(SceneStep(HP_SCENE_TAP_BAR_BUTTON, sceneName))
      return
    }
    let scene = try shownScene()
    let buttons = (scene.bar?.left ?? []) + (scene.bar?.right ?? [])
    let nodes = try shownNodes(scene).filter { !$0.actions.isEmpty && !$0.isHidden }
    let named = buttons.filter { String($0.id) == word || $0.label == word }
    let found = nodes.filter { "#\($0.id)" == word || $0.label == word }
    guard named.count + found.count <= 1 else {
      let ids = named.map { "\($0.id)" } + found.map { "#\($0.id)" }
      throw .usage(
        "\"\(TerminalSafety.shown(word))\" stands on several buttons",
        hint: "name one of " + ids.joined(separator: ", "))
    }
    var step = SceneStep(HP_SCENE_TAP_BAR_BUTTON, sceneName)
    if let button = named.first {
      step.button = button.id
    } else if let node = found.first {
      step.kind = HP_SCENE_SEND_EVENT
      step.node = node.id
      step.event = invocation[.event] ?? "touchUpInside"
    } else {
      let all = buttons.map(\.label) + nodes.map(\.label)
      throw .coded(
        .notFound, "no button says \"\(TerminalSafety.shown(word))\"",
        hint: all.isEmpty
          ? nil : "there are " + all.map { TerminalSafety.shown($0) }.joined(separator: ", "))
    }
    _ = try take(step)
  }

  /// The nodes of the controller's views, and of the headers and footers of its table.
  private func shownNodes(_ scene: SceneState) throws(Fault) -> [ViewNode] {
    guard let top = scene.top else { return [] }
    guard top.kind == "items", let info = try shownTable(top) else { return top.allNodes }
    return top.allNodes + (try headerNodes(info.name))
  }

  /// Sends an event to a node of what is shown.
  func sendSceneEvent() throws(Fault) {
    var word = invocation.words[1]
    if Number.unsigned(word) != nil { word = "#" + word }
    var step = SceneStep(HP_SCENE_SEND_EVENT, sceneName)
    step.node = try node(word, among: try shownNodes(try shownScene()))
    step.event = invocation.words.count > 2 ? invocation.words[2] : "touchUpInside"
    _ = try take(step)
  }

  /// Is there, and tells what happens.
  func attachScene() throws(Fault) {
    var watch = try Watch(self, attachedTo: sceneName)
    try watch.run()
  }

  /// Writes a field of the detail screen; leaving the screen saves it.
  func typeScene() throws(Fault) {
    let client = try client()
    var step = SceneStep(HP_SCENE_BECOME_FIRST_RESPONDER, sceneName)
    step.column = invocation.words[1]
    let envelope = Envelope(lease: try holdingLease())
    _ = try client.scene(step, envelope)
    guard let top = try shownScene().top else { throw .unexpectedReply }
    try client.type(
      invocation.words[2], table: try client.describe(id: top.table).name, envelope)
  }

  func endScene() throws(Fault) {
    var step = SceneStep(HP_SCENE_END_EDITING, sceneName)
    step.force = invocation.has(.force)
    _ = try take(step)
  }

  /// Sets what stands in the bar: title=, view=, prompt=, left=, right=.
  func setScene() throws(Fault) {
    var item = SceneItem()
    var given: Set<Substring> = []
    for word in invocation.words.dropFirst() {
      guard let sign = word.firstIndex(of: "=") else {
        throw .usage(
          "\"\(TerminalSafety.shown(word))\" sets nothing",
          hint: "title=TEXT, view=NAME, prompt=TEXT, left=BUTTON,… or right=BUTTON,…")
      }
      let value = String(word[word.index(after: sign)...])
      guard given.insert(word[..<sign]).inserted else {
        throw .usage("\(TerminalSafety.shown(String(word[..<sign])))= is given twice")
      }
      switch word[..<sign] {
      case "title": item.title = value
      case "view": item.titleView = value
      case "prompt": item.prompt = value
      case "left": item.left = try buttons(value)
      case "right": item.right = try buttons(value)
      case let name:
        throw .usage("a bar has no \"\(TerminalSafety.shown(String(name)))\"")
      }
    }
    var step = SceneStep(HP_SCENE_SET_ITEM, sceneName)
    step.item = item
    _ = try take(step)
  }

  /// Buttons by their words: edit, add, or TITLE:SELECTOR.
  private func buttons(_ text: String) throws(Fault) -> [SceneButton] {
    var buttons: [SceneButton] = []
    for word in text.split(separator: ",").map(String.init) {
      switch word {
      case "edit": buttons.append(SceneButton(isEditButton: true))
      case "add": buttons.append(SceneButton(system: "add", action: "addNewItem:"))
      default:
        guard let sign = word.firstIndex(of: ":"), sign != word.startIndex else {
          throw .usage(
            "\"\(TerminalSafety.shown(word))\" is no button", hint: "edit, add or TITLE:SELECTOR")
        }
        buttons.append(
          SceneButton(
            title: String(word[..<sign]), action: String(word[word.index(after: sign)...])))
      }
    }
    return buttons
  }

  // MARK: Looking

  func shownScene(_ name: String? = nil) throws(Fault) -> SceneState {
    let found = try client().scene(SceneStep(HP_SCENE_SHOW, name ?? sceneName)).scenes.first
    guard let found else { throw .unexpectedReply }
    return found
  }

  func showScene() throws(Fault) {
    let scene = try shownScene()
    if format.isJSON {
      output.line(scene.json)
      return
    }
    var drawing = SceneDrawing(width: 72)
    guard let top = scene.top, let bar = scene.bar else { throw .unexpectedReply }
    let info = try shownTable(top)
    var detail: Row?
    if top.row != 0, let info { detail = try client().row(top.row, of: info) }
    let view = top.itemViews.first { $0.button == 0 }.map { SceneDrawing.words($0.nodes) }
    drawing.draw(bar, title: view ?? bar.title ?? detail.flatMap { title(of: $0, info) } ?? "")
    switch top.kind {
    case "detail": if let info, let detail { try draw(detail, info, scene, &drawing) }
    case "items": if let info, !top.isGone { try draw(info, top, &drawing) }
    case "sections":
      for section in info?.sections ?? [] { drawing.line("  " + (section.title ?? "(untitled)")) }
    case "more":
      for stack in scene.stacks.dropFirst(4) {
        drawing.line("  " + (stack.title ?? stack.controllers.first?.title ?? ""))
      }
    default:
      drawing.line("  (\(top.className))")
      let words = SceneDrawing.words(top.nodes)
      if !words.isEmpty { drawing.line("  " + words) }
    }
    if top.isGone || (info == nil && top.table != 0) { drawing.line("  (gone)") }
    drawing.drawTabs(scene)
    for line in drawing.lines { output.line(line) }
  }

  /// The table that a controller shows; `nil` where it shows none or what it showed is gone.
  private func shownTable(_ top: SceneState.Controller) throws(Fault) -> TableInfo? {
    guard top.table != 0, !top.isGone else { return nil }
    do throws(Fault) { return try client().describe(id: top.table) } catch {
      // It may go between the two requests.
      guard error.code == ErrorCode.noSuchTable.name else { throw error }
      return nil
    }
  }

  private func title(of row: Row, _ info: TableInfo?) -> String? {
    guard let info, let index = info.columns.firstIndex(where: { $0.kind == .text }) else {
      return nil
    }
    return row.cells[index].text(in: info.columns[index])
  }

  /// The fields of a row; who writes in one stands behind it.
  private func draw(
    _ row: Row, _ info: TableInfo, _ scene: SceneState, _ drawing: inout SceneDrawing
  ) throws(Fault) {
    let drafts = try client().editing(info.name).drafts.filter { $0.row == row.id }
    let wide = info.columns.map { Width.of(TerminalSafety.shown($0.name)) }.max() ?? 0
    for (column, cell) in zip(info.columns, row.cells) {
      let name = TerminalSafety.shown(column.name)
      let pad = String(repeating: " ", count: wide - Width.of(name))
      var text = cell.text(in: column) ?? ""
      if let draft = drafts.first(where: { $0.column == column.id }) {
        text = draft.text + (draft.isRejected ? "  !" : "▏")
        text += scene.responders.first { $0.column == column.id }.map { "  ✎ \($0.actor)" } ?? ""
      }
      drawing.line("  \(pad)\(name)  \(text)")
    }
  }

  /// Sections with their headers and footers, and a page of rows with their controls.
  private func draw(
    _ info: TableInfo, _ top: SceneState.Controller, _ drawing: inout SceneDrawing
  ) throws(Fault) {
    let client = try client()
    try draw(info.name, nil, isFooter: false, &drawing)
    var left = Context.pageRows
    for section in info.sections where top.section == 0 || section.id == top.section {
      try draw(section, isFooter: false, info, &drawing)
      let rows =
        left == 0 || section.rows == 0
        ? [] : try client.rows(info, section: section.id, from: 0, count: left)
      let rules =
        rows.isEmpty || !top.isEditing
        ? [] : try client.policies(info.name, section: nil, rows: rows.map { .id($0.id) }).entries
      for (index, row) in rows.enumerated() {
        var before = "  "
        var behind = ""
        if index < rules.count {
          let rule = rules[index].effective
          before = rule.sign
          if rule.canMove == true { behind = " ≡" }
        }
        let texts = zip(info.columns, row.cells).compactMap { column, cell in
          column.kind == .timestamp ? nil : cell.text(in: column)
        }
        let line = before + texts.joined(separator: "  ")
        drawing.line(
          behind.isEmpty ? line : drawing.fitted(line, drawing.width - 2) + behind)
      }
      left -= min(left, UInt64(rows.count))
      if section.rows > UInt64(rows.count) {
        drawing.line("  … \(section.rows - UInt64(rows.count)) more")
      }
      if let sentinel = section.sentinelText { drawing.line("  \(sentinel)") }
      try draw(section, isFooter: true, info, &drawing)
    }
    try draw(info.name, nil, isFooter: true, &drawing)
  }

  /// What a header or footer shows; where its view can't be loaded, that stands there.
  private func draw(
    _ table: String, _ section: SectionName?, isFooter: Bool, _ drawing: inout SceneDrawing
  ) throws(Fault) {
    if let header = try shownHeader(table, section, isFooter: isFooter) {
      drawing.draw(header)
    } else {
      drawing.line("(the \(isFooter ? "footer" : "header") can't be shown)")
    }
  }

  /// A section's header or footer: its view's nodes, else its text.
  private func draw(
    _ section: SectionInfo, isFooter: Bool, _ info: TableInfo, _ drawing: inout SceneDrawing
  ) throws(Fault) {
    guard SectionInfo.view(isFooter ? section.footer : section.header) != nil else {
      if let text = isFooter ? section.footerText : section.headerText { drawing.line(text) }
      return
    }
    try draw(info.name, .id(section.id), isFooter: isFooter, &drawing)
  }
}
