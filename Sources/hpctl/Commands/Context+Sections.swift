internal import hpclient

extension Context {
  func addSection() throws(Fault) {
    var request = try change()
    let place = try sectionPlace(.at) ?? .standard
    request.operations = [
      .insertSection(title: invocation.words.first, rows: [], handle: 0, place)
    ]
    try unsafe send(request) { result throws(Fault) in
      unsafe show(result, ids: result.inserted_sections, count: result.inserted_section_count)
    }
  }

  func titleSection() throws(Fault) {
    var request = try change()
    let name = try SectionName(text: invocation.words[0])
    let title = invocation.words.count > 1 ? invocation.words[1] : nil
    request.operations = [.titleSection(name, title)]
    try send(request)
  }

  func moveSection() throws(Fault) {
    guard let place = try sectionPlace(.to) else {
      throw .usage(
        "--to PLACE is missing",
        hint: "first, last, an index, before:SECTION or after:SECTION")
    }
    var request = try change()
    request.operations = [.moveSection(try SectionName(text: invocation.words[0]), place)]
    try send(request)
  }

  private func sectionPlace(_ option: OptionName) throws(Fault) -> SectionPlace? {
    guard let text = invocation[option] else { return nil }
    return try SectionPlace(text: text)
  }

  func listSections() throws(Fault) {
    let info = try client().describe(table)
    switch format {
    case .json:
      output.line(.array(info.sections.map { JSON.section($0, countsRows: true) }))
    case .ndjson:
      for section in info.sections { output.line(JSON.section(section, countsRows: true)) }
    default:
      var grid = grid([
        Grid.Column(title: "id", isNumeric: true), Grid.Column(title: "title"),
        Grid.Column(title: "rows", isNumeric: true),
      ])
      for section in info.sections {
        grid.add([String(section.id), section.title, String(section.rows)])
      }
      grid.finish()
    }
  }

  func listTables() throws(Fault) {
    let reply = try unsafe client().run { connection in
      unsafe hp_send_list_tables(connection, nil)
    }
    guard let list = unsafe hp_reply_tables(reply.handle) else { throw .unexpectedReply }
    // Safe: the tables belong to the reply, which lives until they are copied.
    let tables = unsafe UnsafeBufferPointer(start: list.pointee.tables, count: list.pointee.count)
      .map { table in unsafe TableInfo(table) }
    withExtendedLifetime(reply) {}
    // Tables are listed without their columns.
    let shapes = tables.map { table in
      JSON.object([
        ("id", .integer(table.id)), ("name", .string(table.name)),
        ("rows", .integer(table.rows)), ("last_changed", .integer(table.lastChanged)),
        ("schema_revision", .integer(table.schemaRevision)),
      ])
    }
    switch format {
    case .json: output.line(.array(shapes))
    case .ndjson: for shape in shapes { output.line(shape) }
    default:
      var grid = grid([
        Grid.Column(title: "id", isNumeric: true), Grid.Column(title: "name"),
        Grid.Column(title: "rows", isNumeric: true),
      ])
      for table in tables { grid.add([String(table.id), table.name, String(table.rows)]) }
      grid.finish()
    }
  }
}
