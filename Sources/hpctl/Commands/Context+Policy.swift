/// Policies: what may be done by hand (SPEC 6).
extension Context {
  /// The rows or the section that a verb of policies is about; neither: the table.
  private func policyScope() throws(Fault) -> (section: SectionName?, rows: [RowName]) {
    let section = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    let ids = try invocation[.row].map { text throws(Fault) in
      try text.split(separator: ",").map { word throws(Fault) in
        try RowName(text: String(word))
      }
    }
    guard section == nil || ids == nil else { throw .usage("--section and --row are one too many") }
    return (section, ids ?? [])
  }

  func showPolicy() throws(Fault) {
    let (section, rows) = try policyScope()
    let entries = try client().policies(table, section: section, rows: rows).entries
    if format.isJSON {
      let shapes = entries.map(Self.json)
      switch format {
      case .ndjson: for shape in shapes { output.line(shape) }
      default: output.line(shapes.count == 1 && rows.count < 2 ? shapes[0] : .array(shapes))
      }
      return
    }
    let several = entries.count > 1
    var grid = grid(
      (several ? [Grid.Column(title: "row", isNumeric: true)] : [])
        + ["what", "is", "set here"].map { Grid.Column(title: $0) })
    for entry in entries {
      for field in Policy.Field.allCases {
        guard let text = entry.effective.text(field) else { continue }
        grid.add(
          (several ? [String(entry.row)] : [])
            + [field.rawValue, text, entry.own.text(field) == nil ? "" : "yes"])
      }
      if let sentinel = entry.sentinel { grid.add(["sentinel", sentinel.text, "yes"]) }
    }
    grid.finish()
  }

  private static func json(_ entry: PolicyEntry) -> JSON {
    var fields: [(String, JSON)] = []
    if entry.section != 0 { fields.append(("section", .integer(entry.section))) }
    if entry.row != 0 { fields.append(("row", .integer(entry.row))) }
    fields += [("own", entry.own.json), ("effective", entry.effective.json)]
    if let sentinel = entry.sentinel {
      var shape: [(String, JSON)] = [("text", .string(sentinel.text))]
      if let height = sentinel.height { shape.append(("height", .real(height))) }
      fields.append(("sentinel", .object(shape)))
    }
    return .object(fields)
  }

  func setPolicy() throws(Fault) {
    let (section, rows) = try policyScope()
    let changes = try invocation.words.map { word throws(Fault) in try Self.change(word) }
    guard !changes.isEmpty || invocation.has(.clear) else {
      throw .usage("policy set needs NAME=VALUE… or --clear", hint: "hpctl help policy set")
    }
    var request = try change()
    // What is to be inherited again is taken away by saying all the rest, as it is now.
    let inherits = changes.contains { $0.text.isEmpty }
    var before: [PolicyEntry] = []
    if inherits && !invocation.has(.clear) {
      let now = try client().policies(table, section: section, rows: rows)
      before = now.entries
      if request.expect == nil {
        request.expect = PartialCursor(epoch: now.cursor.epoch, revision: now.cursor.revision)
      }
    }
    let scopes: [PolicyScope] =
      rows.isEmpty
      ? [section.map { .section($0) } ?? .table] : rows.map { .row($0) }
    for (index, scope) in scopes.enumerated() {
      var policy = index < before.count ? before[index].own : Policy()
      for change in changes { try policy.set(change.field, change.text) }
      request.operations.append(
        .setPolicy(scope, policy, clears: inherits || invocation.has(.clear)))
    }
    try send(request)
  }

  private static func change(
    _ word: String
  ) throws(Fault) -> (field: Policy.Field, text: String) {
    guard let equals = word.firstIndex(of: "=") else {
      throw .usage("\"\(TerminalSafety.shown(word))\" is not NAME=VALUE")
    }
    let name = String(word[..<equals])
    guard let field = Policy.Field(rawValue: name) else {
      let known = Policy.Field.allCases.map(\.rawValue)
      throw .usage(
        "there is no policy \"\(TerminalSafety.shown(name))\"",
        hint: Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" }
          ?? "known are " + known.joined(separator: ", "))
    }
    return (field, String(word[word.index(after: equals)...]))
  }

  func setSentinel() throws(Fault) {
    var request = try change()
    let name = try SectionName(text: invocation.words[0])
    var sentinel: Sentinel?
    if invocation.words.count > 1 {
      sentinel = Sentinel(text: invocation.words[1], height: try height())
    } else if invocation.has(.height) {
      throw .usage("--height goes with a text")
    }
    request.operations = [.setSentinel(name, sentinel)]
    try send(request)
  }
}
