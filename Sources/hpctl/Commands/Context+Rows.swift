internal import hpclient

extension Context {
  func add() throws(Fault) {
    do throws(Fault) {
      try addOnce()
    } catch {
      // Somebody else made the table's first section meanwhile: now it is there.
      guard error.code == ErrorCode.countSections.name else { throw error }
      try addOnce()
    }
  }

  private func addOnce() throws(Fault) {
    let info = try client().describe(table)
    let cells = try Assignment.read(invocation.words, columns: info.columns)
    var request = try change()
    let place = try place(.at, info, &request)
    request.operations.append(.insertRow(NewRow(cells: cells), place))
    try unsafe send(request) { result throws(Fault) in
      unsafe show(result, ids: result.inserted, count: result.inserted_count)
    }
  }

  /// Where a new row goes; a section that has to be made first is added to the request.
  func place(
    _ option: OptionName, _ info: TableInfo, _ request: inout BatchRequest
  ) throws(Fault) -> Place {
    let text = try invocation[option].map { text throws(Fault) in try PlaceText(text) }
    let name = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    switch text {
    case .before(let id), .after(let id):
      guard name == nil else {
        throw .usage("--\(option.rawValue) before: or after: a row says the section already")
      }
      let row = try RowName(text: id)
      if case .before = text { return .before(row) }
      return .after(row)
    case nil, .first, .last, .index: break
    }
    var section: SectionInfo?
    var made: SectionName?
    if let name {
      if case .title(let title) = name, invocation.has(.createSection),
        !info.sections.contains(where: { $0.title == title })
      {
        request.operations.append(
          .insertSection(title: title, rows: [], handle: 1, .standard))
        made = .handle(1)
      } else {
        section = try info.section(
          name, makes: CommandTable.info(invocation.verb).options.contains(.createSection))
      }
    } else if info.sections.isEmpty {
      // Two who do this at once make one section between them, not two.
      request.sectionTotal = 0
      request.operations.append(.insertSection(title: nil, rows: [], handle: 1, .standard))
      made = .handle(1)
    } else if text == nil || text == .last {
      return .standard
    } else {
      section = info.sections.last
    }
    if let made {
      guard case .index(let index) = text, index > 0 else { return .last(made) }
      throw .coded(.outOfRange, "there is no index \(index) in a section that is new")
    }
    guard let section else { return .standard }
    switch text {
    case .first: return .first(.id(section.id))
    case .index(let index): return .path(IndexPath(section: section.index, row: index))
    default: return .last(.id(section.id))
    }
  }

  func new() throws(Fault) {
    var request = try change()
    let client = try client()
    var place = Place.standard
    if invocation.has(.at) || invocation.has(.section) {
      place = try self.place(.at, try client.describe(table), &request)
      guard request.operations.isEmpty else {
        throw .coded(.noSuchSection, "the table has no section", hint: "hpctl section add")
      }
    }
    let expect = try cursor(request.expect)
    let basis = expect.map { hp_basis_at(hp_cursor($0)) } ?? hp_basis_current()
    let envelope = Envelope(key: request.key, expect: expect, lease: try namedLease())
    let text = CText()
    let reply = try unsafe client.run { connection in
      // Safe: the texts live in `text` until the call returns.
      unsafe envelope.with {
        unsafe hp_send_new_item(
          connection, $0, hp_table_named(text(table)), hp_place(place, text), basis,
          request.isDryRun)
      }
    }
    try unsafe client.outcome(reply) { result throws(Fault) in
      unsafe show(result, ids: result.inserted, count: result.inserted_count)
    }
  }

  func set() throws(Fault) {
    if invocation.has(.where) { return try setWhere() }
    try refuseCount()
    guard invocation.words.count > 1 else { throw .usage("set needs ID COLUMN=VALUE…") }
    let row = try RowName(text: invocation.words[0])
    let info = try client().describe(table)
    var request = try change()
    let cells = try Assignment.read(invocation.words.dropFirst(), columns: info.columns)
    try refuseReadOnly(cells, info)
    request.operations = [.updateRow(row, cells)]
    try send(request)
  }

  /// Refuses cells that only an insert may give.
  func refuseReadOnly(_ cells: [Assignment], _ info: TableInfo) throws(Fault) {
    for column in info.columns
    where column.readOnly && cells.contains(where: { $0.column == column.id }) {
      var fault = Fault.coded(.readOnly, "it can't be changed once the row is there")
      fault.column = column.name
      throw fault
    }
  }

  /// `--expect-count` is about the rows of a filter.
  func refuseCount() throws(Fault) {
    if invocation.has(.expectCount) { throw .usage("--expect-count goes with --where") }
    if invocation.words.isEmpty {
      throw .usage("\(invocation.verb.rawValue) needs ID… or --where FILTER")
    }
  }

  func remove() throws(Fault) {
    if invocation.has(.where) { return try removeWhere() }
    try refuseCount()
    var request = try change()
    request.operations = try rows().map { .deleteRow($0) }
    if request.operations.count >= CommandTable.bulk {
      try confirm("remove \(request.operations.count) rows")
    }
    try send(request)
  }

  func move() throws(Fault) {
    if let target = invocation[.toTable] { return try moveToTable(target) }
    for option in [OptionName.expectTo, .without] where invocation.has(option) {
      throw .usage("--\(option.rawValue) goes with --to-table")
    }
    if invocation.has(.where) { return try moveWhere() }
    try refuseCount()
    guard let option = invocation[.to] else {
      throw .usage(
        "--to PLACE is missing",
        hint: "first, last, an index, before:ID or after:ID; or --to-table NAME")
    }
    let text = try PlaceText(option)
    let rows = try rows()
    var request = try change()
    let place: Place
    switch text {
    case .before(let id), .after(let id):
      guard !invocation.has(.section) else {
        throw .usage("--to before: or after: a row says the section already")
      }
      let row = try RowName(text: id)
      place = if case .before = text { .before(row) } else { .after(row) }
    case .first: place = .first(.id(try target(rows[0], needsIndex: false).section))
    case .last: place = .last(.id(try target(rows[0], needsIndex: false).section))
    case .index(let index):
      place = .path(
        IndexPath(section: try target(rows[0], needsIndex: true).index, row: index))
    }
    request.operations = [.moveRow(rows[0], place)]
    for (previous, row) in zip(rows, rows.dropFirst()) {
      request.operations.append(.moveRow(row, .after(previous)))
    }
    try send(request)
  }

  /// The section that rows move to: the one that was named, else the one the first row is in.
  private func target(
    _ row: RowName, needsIndex: Bool
  ) throws(Fault) -> (section: UInt64, index: UInt64) {
    let client = try client()
    if let text = invocation[.section] {
      let name = try SectionName(text: text)
      if case .id(let id) = name, !needsIndex { return (id, 0) }
      let section = try client.describe(table).section(name)
      return (section.id, section.index)
    }
    guard case .id(let id) = row else { throw .usage("rows are moved by their ids") }
    let location = try client.locate(id, table: table)
    return (location.section, location.path.section)
  }

  /// The rows that the command line names; each once.
  func rows() throws(Fault) -> [RowName] {
    var rows: [RowName] = []
    for word in invocation.words {
      let row = try RowName(text: word)
      guard !rows.contains(row) else { throw .usage("row \(word) is named twice") }
      rows.append(row)
    }
    return rows
  }
}
