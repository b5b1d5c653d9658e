/// Nodes of views: set for everybody, and sent events (SPEC 7).
extension Context {
  /// Sets what a node of a header or footer shows, or a node or a bar button of a scene.
  func setNode() throws(Fault) {
    let word = invocation.words[0]
    let change = try nodeChange(invocation.words.dropFirst())
    let isUnchanged: Bool
    if let scene = invocation[.scene] {
      isUnchanged = try setNode(word, change, ofScene: scene)
    } else {
      let nodes = try headerNodes(table)
      let node = try self.node(word, among: nodes)
      isUnchanged = try client().set(node, of: .table(table), change, try nodeEnvelope())
    }
    guard !isQuiet, format.isJSON else { return }
    output.line(.object([("unchanged", .boolean(isUnchanged))]))
  }

  private func setNode(
    _ word: String, _ change: NodeChange, ofScene name: String
  ) throws(Fault) -> Bool {
    let scene = try shownScene(name)
    let buttons = (scene.bar?.left ?? []) + (scene.bar?.right ?? [])
    let named = buttons.filter { String($0.id) == word || $0.label == word }
    let nodes = scene.top?.allNodes ?? []
    let found = nodes.filter { "#\($0.id)" == word || $0.label == word }
    try checkOne(word, named.map { "\($0.id)" } + found.map { "#\($0.id)" })
    guard let button = named.first else {
      let node = try self.node(word, among: nodes)
      return try client().set(node, of: .scene(name), change, try nodeEnvelope())
    }
    guard change.isHidden == nil, change.frame == nil, change.state == nil else {
      throw .usage("a bar button has title= and enabled= only")
    }
    return try client().setButton(
      button.id, ofScene: name, title: change.title, isEnabled: change.isEnabled,
      try nodeEnvelope())
  }

  private func nodeEnvelope() throws(Fault) -> Envelope {
    Envelope(key: try change().key, lease: try namedLease())
  }

  /// The one node that a word names: by its id behind #, or by what stands on it.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - nodes: What is shown.
  /// - Returns: The node's id.
  /// - Throws: NOT_FOUND, with what there is; a usage fault where several are meant.
  func node(_ word: String, among nodes: [ViewNode]) throws(Fault) -> UInt64 {
    let found = nodes.filter { "#\($0.id)" == word || $0.label == word }
    try checkOne(word, found.map { "#\($0.id)" })
    if let node = found.first { return node.id }
    // An id that is not shown here is the daemon's to judge.
    if word.first == "#", let id = Number.unsigned(word.dropFirst()) { return id }
    let all = nodes.map(\.label).filter { !$0.isEmpty }
    throw .coded(
      .notFound, "no node says \"\(TerminalSafety.shown(word))\"",
      hint: all.isEmpty
        ? nil : "there are " + all.map { TerminalSafety.shown($0) }.joined(separator: ", "))
  }

  func checkOne(_ word: String, _ ids: [String]) throws(Fault) {
    guard ids.count > 1 else { return }
    throw .usage(
      "\"\(TerminalSafety.shown(word))\" stands on several",
      hint: "name one of " + ids.joined(separator: ", "))
  }

  /// The nodes of the headers and footers of a table, its sections' as well.
  func headerNodes(_ name: String) throws(Fault) -> [ViewNode] {
    var nodes: [ViewNode] = []
    for isFooter in [false, true] {
      nodes += try shownHeader(name, nil, isFooter: isFooter)?.nib?.nodes ?? []
    }
    for section in try client().describe(name).sections {
      for (part, isFooter) in [(section.header, false), (section.footer, true)]
      where SectionInfo.view(part) != nil {
        nodes +=
          try shownHeader(name, .id(section.id), isFooter: isFooter)?.nib?.nodes ?? []
      }
    }
    return nodes
  }

  /// What a header or footer shows; `nil` with a note where its view can't be loaded, which keeps
  /// nobody from the rest of the screen.
  func shownHeader(
    _ table: String, _ section: SectionName?, isFooter: Bool
  ) throws(Fault) -> ShownHeader? {
    do throws(Fault) {
      return try client().header(table, section: section, isFooter: isFooter)
    } catch {
      let codes: [ErrorCode] = [
        .badXib, .legacyXib, .badName, .notFound, .noSuchOutlet, .tooManyElements,
      ]
      guard codes.contains(where: { $0.name == error.code }) else { throw error }
      note(
        "the \(isFooter ? "footer" : "header") can't be shown: "
          + TerminalSafety.shown(error.sentence))
      return nil
    }
  }

  /// What assignments set: title=, enabled=, hidden=, frame=.
  private func nodeChange(_ words: ArraySlice<String>) throws(Fault) -> NodeChange {
    var change = NodeChange()
    var given: Set<Substring> = []
    for word in words {
      guard let sign = word.firstIndex(of: "=") else {
        throw .usage(
          "\"\(TerminalSafety.shown(word))\" sets nothing",
          hint: "title=TEXT, enabled=yes|no, hidden=yes|no or frame=X,Y,WIDTH,HEIGHT")
      }
      let value = String(word[word.index(after: sign)...])
      guard given.insert(word[..<sign]).inserted else {
        throw .usage("\(TerminalSafety.shown(String(word[..<sign])))= is given twice")
      }
      switch word[..<sign] {
      case "title": change.title = value
      case "enabled": change.isEnabled = try flag("enabled", value)
      case "hidden": change.isHidden = try flag("hidden", value)
      case "frame": change.frame = try frame(value)
      case let name:
        throw .usage("a node has no \"\(TerminalSafety.shown(String(name)))\"")
      }
    }
    change.state = invocation[.state]
    guard change.state == nil || change.title != nil else {
      throw .usage("--state goes with title=")
    }
    return change
  }

  private func flag(_ name: String, _ value: String) throws(Fault) -> Bool {
    switch value {
    case "yes": true
    case "no": false
    default: throw .usage("\(name) is yes or no, not \"\(TerminalSafety.shown(value))\"")
    }
  }

  private func frame(_ value: String) throws(Fault) -> [Double] {
    let points = value.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double(String($0)) }
    guard points.count == 4, value.split(separator: ",").count == 4,
      points.allSatisfy(\.isFinite)
    else {
      throw .usage(
        "\"\(TerminalSafety.shown(value))\" is no frame",
        hint: "X,Y,WIDTH,HEIGHT in points, for example 0,0,320,48")
    }
    return points
  }
}
