/// Views of the bundle.
extension Context {
  func view() throws(Fault) {
    if invocation.has(.header) || invocation.has(.footer) { return try viewHeader() }
    guard !invocation.has(.section) else {
      throw .usage("--section goes with --header or --footer")
    }
    let controller = invocation[.controller]
    let name = invocation.words.first
    guard name != nil || controller != nil else {
      throw .usage(
        "view takes the name of a nib", hint: "or --controller CLASS, whose view is looked for")
    }
    guard controller == nil || !invocation.has(.owner) else {
      throw .usage("--owner and --controller contradict each other")
    }
    let nib = try client().load(
      LoadRequest(
        name: name, owner: invocation[.owner], controller: controller,
        language: invocation[.language], keep: invocation.has(.keep)))
    show(nib)
  }

  /// Shows what a header or footer shows.
  private func viewHeader() throws(Fault) {
    let others: [OptionName] = [.owner, .controller, .language, .keep]
    guard invocation.words.isEmpty, !others.contains(where: { invocation.has($0) }),
      !(invocation.has(.header) && invocation.has(.footer))
    else { throw .usage("--header and --footer stand alone, or with --section") }
    let section = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    let shown = try client().header(table, section: section, isFooter: invocation.has(.footer))
    if format == .json {
      return output.line(
        .object([
          ("value", shown.value ?? .null), ("present", .boolean(shown.isPresent)),
          ("height", .points(shown.height)), ("view", shown.nib.map(JSON.nib) ?? .null),
        ]))
    }
    if let nib = shown.nib { return show(nib) }
    if let title = shown.title, shown.isPresent { output.line(TerminalSafety.shown(title)) }
  }

  /// Writes a nib: a tree for people, a node a line for programs.
  private func show(_ nib: Nib) {
    for warning in nib.warnings { note(TerminalSafety.shown(warning)) }
    switch format {
    case .json: output.line(.nib(nib))
    case .ndjson: for node in nib.nodes { output.line(.node(node)) }
    case .table: draw(nib)
    default: list(nib.nodes)
    }
    detail("tried " + nib.tried.map(TerminalSafety.shown).joined(separator: ", "))
  }

  private func draw(_ nib: Nib) {
    output.line(nib.file.map(TerminalSafety.shown) ?? "(no file)")
    for line in ViewTree(nib.nodes).lines() { output.line(line) }
    for outlet in nib.ownerOutlets { output.line("owner: " + ViewTree.text(outlet)) }
    let gone = nib.dropped.filter { id in !nib.nodes.contains { $0.id == id } }
    for id in gone { output.line("gone: #\(id), to which no outlet leads") }
  }

  private func list(_ nodes: [ViewNode]) {
    var grid = grid(
      ["id", "parent", "class", "title", "frame", "xib_id"].map { Grid.Column(title: $0) })
    for node in nodes {
      let title = node.titles.first { $0.state == "normal" }?.title ?? node.text
      grid.add([
        String(node.id), node.parent.map { String($0) }, node.className, title,
        node.frame.map { $0.map(\.points).joined(separator: " ") }, node.xibID,
      ])
    }
    grid.finish()
  }
}
