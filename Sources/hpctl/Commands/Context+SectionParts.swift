/// Removing sections; headers and footers.
extension Context {
  func removeSections() throws(Fault) {
    let info = try client().describe(table)
    var request = try change()
    var rows: UInt64 = 0
    for word in invocation.words {
      let section = try info.section(SectionName(text: word))
      guard !request.operations.contains(.deleteSection(.id(section.id))) else {
        throw .usage("section \(TerminalSafety.shown(word)) is named twice")
      }
      rows += section.rows
      request.operations.append(.deleteSection(.id(section.id)))
    }
    if rows >= UInt64(CommandTable.bulk) {
      let count = invocation.words.count
      try confirm(
        "remove \(count == 1 ? "a section" : "\(count) sections") with \(rows) rows")
    }
    try send(request)
  }

  /// Sets the header or footer of a section.
  func setSectionPart(
    _ operation: (SectionName, HeaderFooter?) -> Operation
  ) throws(Fault) {
    let name = try SectionName(text: invocation.words[0])
    let value = try headerFooter(invocation.words.dropFirst().first)
    var request = try change()
    request.operations = [operation(name, value)]
    try send(request)
  }

  /// Sets the header or footer of the table.
  func setTablePart(_ operation: (HeaderFooter?) -> Operation) throws(Fault) {
    let value = try headerFooter(invocation.words.first)
    var request = try change()
    request.operations = [operation(value)]
    try send(request)
  }

  /// What `--height` says; `nil` is automatic.
  func height() throws(Fault) -> Double? {
    guard let word = invocation[.height] else { return nil }
    guard let points = Double(word), points >= 0, points.isFinite else {
      throw .usage("--height takes points from 0, not \"\(TerminalSafety.shown(word))\"")
    }
    return points
  }

  /// What the command line says of a header or footer; `nil` takes it away.
  private func headerFooter(_ text: String?) throws(Fault) -> HeaderFooter? {
    guard text == nil || !invocation.has(.view) else {
      throw .usage("it shows a text or --view NAME, not both")
    }
    let height = try height()
    let view = invocation[.view]
    guard text != nil || view != nil else {
      guard height == nil else { throw .usage("--height goes with a text or --view NAME") }
      return nil
    }
    guard view != nil || !(invocation.has(.owner) || invocation.has(.language)) else {
      throw .usage("--owner and --language go with --view NAME")
    }
    return HeaderFooter(
      title: text, view: view, height: height, owner: invocation[.owner],
      language: invocation[.language])
  }
}
