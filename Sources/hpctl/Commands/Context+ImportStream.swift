internal import hpclient

/// Imports of new rows, which hpd works on while the file is still being read.
extension Context {
  /// Files that are smaller fit a request or two.
  private static let leastStreamed = 1 << 20

  /// What is known of a file before its rows are read.
  private struct Stream {
    var rows: ImportStream
    var mapping: ImportMapping
    var info: TableInfo
    var operations: BatchRequest
    var place: Place
  }

  /// Brings in a file whose rows are all new ones and all in order, sending them as they are read.
  ///
  /// - Parameters:
  ///   - bytes: The file in UTF-8.
  ///   - options: What the command line says of it.
  /// - Returns: Whether it was done. Where it was not, nothing happened: reading the file as a
  ///   whole tells why.
  /// - Throws: What the daemon refused, with the line of the file.
  func streamImport(_ bytes: [UInt8], _ options: ImportOptions) throws(Fault) -> Bool {
    let isWhole = [.key, .keepGoing, .dryRun, .verbose].contains { invocation.has($0) }
    guard bytes.count >= Self.leastStreamed, !isWhole,
      !(options.isJSON ?? ImportFile.looksLikeJSON(bytes)),
      let stream = try? prepare(bytes, options)
    else { return false }
    let bar = notes.isTerminal && !isQuiet ? ProgressBar(notes) : nil
    defer { bar?.end() }
    guard let (client, request) = try? send(stream, bytes.count, bar) else { return false }
    let outcome: Result<Reply, Fault>
    do throws(Fault) { outcome = .success(try client.receive(request)) } catch {
      outcome = .failure(placed(error, stream, bytes, options))
    }
    bar?.end()
    tell(stream.mapping, blank: stream.rows.blank)
    try tellShortened(stream, bytes, options)
    try unsafe client.outcome(outcome.get()) { result throws(Fault) in
      unsafe report(result, total: stream.rows.count, rejected: 0)
    }
    return true
  }

  /// Reads the header, and asks for the table.
  ///
  /// - Throws: Whatever makes the file one to be read as a whole.
  private func prepare(_ bytes: [UInt8], _ options: ImportOptions) throws(Fault) -> Stream? {
    let (start, _, stated) = try CSVReader.begin(bytes)
    try CSVReader.check(bytes, from: start)
    let rows = try ImportStream(
      bytes, from: start,
      delimiter: options.delimiter ?? stated ?? CSVReader.guess(bytes[start...]),
      values: options.values)
    guard var header = try? rows.readHeader() else { return nil }
    let client = try client()
    let info = try client.describe(table)
    if options.values.isSpreadsheetSafe { header = header.map(SpreadsheetSafety.bare) }
    var mapping = try ImportMapping(
      header: header, line: nil, columns: info.columns, setsReadOnly: invocation.has(.setCreated),
      map: options.map)
    if invocation.has(.ignoreIDs) { mapping.ignoreIDs() }
    guard !mapping.targets.contains(.id) else { return nil }
    // A revision without an id says nothing.
    mapping.ignoreIDs()
    for target in mapping.targets {
      switch target {
      case nil, .column: break
      // Sections are found, and currencies compared, when all rows are known.
      default: return nil
      }
    }
    var operations = try change()
    var place = try importPlace(info, &operations)
    if place == nil, info.sections.isEmpty {
      operations.operations.append(.insertSection(title: nil, rows: [], handle: 1, .standard))
      place = .last(.handle(1))
    }
    return Stream(
      rows: rows, mapping: mapping, info: info, operations: operations, place: place ?? .standard)
  }

  /// Reads and sends the rows.
  ///
  /// - Returns: The request whose reply is the outcome.
  /// - Throws: Whatever is in the way; nothing is left on the way then.
  private func send(
    _ stream: Stream, _ size: Int, _ bar: ProgressBar?
  ) throws(Fault) -> (Client, UInt64)? {
    let client = try client()
    let expect = try cursor(stream.operations.expect)
    let envelope = Envelope(
      key: stream.operations.key, expect: expect, lease: try namedLease())
    let batch = try Batch(
      stream.operations, table: table,
      basis: expect.map { hp_basis_at(hp_cursor($0)) } ?? hp_basis_current())
    if try seconds() == nil { client.wait(seconds: Context.patience) }
    let request = try client.begin(batch)
    let text = CText()
    let columns = stream.mapping.targets.map { target -> ColumnInfo? in
      if case .column(let column) = target { column } else { nil }
    }
    do throws(ImportStream.Stop) {
      // Safe: its texts live in `text`.
      try unsafe stream.rows.readRows(
        columns, at: hp_place(stream.place, text), limits: client.hello.rows, into: batch
      ) {
        () throws(ImportStream.Stop) in
        guard client.sendPart(request, batch) else { throw .fault }
        bar?.show(UInt64(stream.rows.position), of: UInt64(size))
      }
    } catch {
      client.abort(request)
      return nil
    }
    withExtendedLifetime(text) {}
    guard stream.rows.count > 0, client.end(request, batch, envelope) else {
      client.abort(request)
      return nil
    }
    return (client, request)
  }

  /// Names the line of the file that an operation came from.
  private func placed(
    _ error: Fault, _ stream: Stream, _ bytes: [UInt8], _ options: ImportOptions
  ) -> Fault {
    var fault = error
    if error.code == ErrorCode.uploadTooLarge.name { fault.hint = Self.tooLargeHint }
    let prepared = stream.operations.operations.count
    guard let index = error.operation.map({ Int($0) - prepared }),
      let file = try? ImportFile(bytes, delimiter: options.delimiter, isJSON: false),
      file.records.indices.contains(index)
    else { return fault }
    fault.operation = nil
    fault.line = file.records[index].line
    fault.record = file.records[index].number
    return fault
  }

  private func tellShortened(
    _ stream: Stream, _ bytes: [UInt8], _ options: ImportOptions
  ) throws(Fault) {
    guard !stream.rows.shortened.isEmpty else { return }
    let file = try ImportFile(bytes, delimiter: options.delimiter, isJSON: false)
    tellShortened(
      stream.rows.shortened.mapValues { ($0.count, file.records[$0.row].line) }, stream.info)
  }
}
