internal import hpclient

/// Rows on their way out, in the format that was asked for.
struct RowPrinter {
  private let context: Context
  private let columns: [ColumnInfo]
  private let titles: [UInt64: String]
  private var grid: Grid?
  private let template: Template?
  private var count = 0
  /// JSON without the brackets of a list.
  private let isSingle: Bool

  init(
    _ context: Context, table: TableInfo, columns: [ColumnInfo], isSingle: Bool = false
  ) throws(Fault) {
    self.context = context
    self.columns = columns
    self.isSingle = isSingle
    titles = Dictionary(
      table.sections.map { ($0.id, $0.title ?? "") }, uniquingKeysWith: { first, _ in first }
    ).filter { !$0.value.isEmpty }
    template = try context.format == .template ? context.template(columns) : nil
    guard !context.format.isJSON, template == nil else { return }
    let isFile = context.format == .csv || context.format == .tsv
    grid = context.grid(
      [
        Grid.Column(title: isFile ? "_id" : "id", isNumeric: true),
        Grid.Column(title: isFile ? "_section" : "section"),
      ]
        + columns.map {
          Grid.Column(title: $0.name, isNumeric: $0.kind == .decimal || $0.kind == .integer)
        })
  }

  mutating func add(_ row: Row) {
    switch context.format {
    case .json where !isSingle:
      context.output.write(count == 0 ? "[" : ",\n")
      context.output.write(JSON.row(row, columns: columns, titles: titles).text)
    case .json, .ndjson:
      context.output.line(JSON.row(row, columns: columns, titles: titles))
    case .template:
      let cells = row.cells
      let line = template?.line(
        row, section: row.section.flatMap { titles[$0] }, isSafe: context.output.isTerminal
      ) { context.text(cells[$0], in: columns[$0]) }
      context.output.write(line ?? "")
    default:
      grid?.add(
        [String(row.id), row.section.flatMap { titles[$0] }]
          + zip(columns, row.cells).map { context.text($1, in: $0) })
    }
    count += 1
  }

  mutating func finish() {
    if context.format == .json && !isSingle { context.output.write(count == 0 ? "[]\n" : "]\n") }
    grid?.finish()
  }
}

extension Context {
  /// The template that `--format-string` or HPCTL_FORMAT gives.
  func template(_ columns: [ColumnInfo]) throws(Fault) -> Template {
    guard let text = invocation[.formatString] ?? Environment["HPCTL_FORMAT"] else {
      throw .usage("--format template needs -f TEMPLATE or HPCTL_FORMAT")
    }
    return try Template(text, columns: columns)
  }

  /// The columns to show: all, or those that `--columns` names.
  func columns(of table: TableInfo) throws(Fault) -> [ColumnInfo] {
    guard let names = invocation[.columns] else { return table.columns }
    var columns: [ColumnInfo] = []
    for name in names.split(separator: ",") {
      columns.append(try table.columns.named(String(name)))
    }
    return columns
  }

  func get() throws(Fault) {
    var ids: [UInt64] = []
    for word in invocation.words {
      if case .id(let id) = try RowName(text: word) { ids.append(id) }
    }
    let client = try client()
    let text = CText()
    let described = try client.sendDescribe(table)
    let asked = try unsafe client.send { connection in
      // Safe: name and ids live until the call returns.
      unsafe ids.withUnsafeBufferPointer {
        unsafe hp_send_get_rows(
          connection, nil, hp_table_named(text(table)), $0.baseAddress, $0.count)
      }
    }
    let info = try client.tableInfo(client.receive(described))
    let columns = try columns(of: info)
    let reply = try client.receive(asked)
    guard let page = unsafe hp_reply_rows(reply.handle) else { throw .unexpectedReply }
    var printer = try RowPrinter(self, table: info, columns: columns, isSingle: ids.count == 1)
    // Safe: the lists belong to the reply, which lives until the end of this function.
    let rows = unsafe UnsafeBufferPointer(start: page.pointee.rows, count: page.pointee.count)
    unsafe rows.forEach { row in printer.add(unsafe Row(row, columns: columns)) }
    let missing = unsafe UnsafeBufferPointer(
      start: page.pointee.missing, count: page.pointee.missing_count)
    if !(ids.count == 1 && rows.isEmpty) { printer.finish() }
    let absent = unsafe Array(missing)
    withExtendedLifetime(reply) {}
    if let first = absent.first {
      var fault = Fault.coded(
        .noSuchRow,
        absent.count == 1
          ? "no such row" : "no such row, and \(absent.count - 1) more of these are not there")
      fault.row = first
      throw fault
    }
  }

  func list() throws(Fault) {
    let client = try client()
    let section = try invocation[.section].map { text throws(Fault) in
      try SectionName(text: text)
    }
    let described = try client.sendDescribe(table)
    let isSimple = [OptionName.where, .sort, .limit, .skip].allSatisfy { !invocation.has($0) }
    // The first page is on its way with the columns, unless a filter has to be read by them.
    let isPlain = isSimple && invocation.words.isEmpty
    let asked = isPlain ? try client.sendList(table, section: section) : nil
    let info = try client.tableInfo(client.receive(described))
    let columns = try columns(of: info)
    var printer = try RowPrinter(self, table: info, columns: columns)
    var shown = info
    shown.columns = columns
    let print = { (row: Row) in
      printer.add(row)
      return !self.output.isOver
    }
    if let asked {
      try client.rows(asked, of: shown, section: section, print)
    } else if let find = try find(info.columns, section: section) {
      try client.rows(find, of: shown, print)
    } else {
      let asked = try client.sendList(table, section: section)
      try client.rows(asked, of: shown, section: section, print)
    }
    printer.finish()
  }
}
