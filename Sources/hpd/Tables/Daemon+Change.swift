internal import CHPSystem
internal import Coding
internal import TableService
internal import Wire

/// Requests that change something.
extension Daemon {
  func performBatch(_ session: Session, _ request: Request) throws(ErrorReply) {
    turn.operations += decoder.batch.operations.count
    let table = try table(decoder.batch.table)
    if try replay(session, request) { return }
    try judgeHolding(session, request, table)
    try batch.fill(decoder.batch, expect: request.expect)
    try perform(session, request, on: table)
  }

  /// Applies `batch` and answers with what changed.
  private func perform(
    _ session: Session, _ request: Request, on table: Table, cause: String? = nil
  ) throws(ErrorReply) {
    var requester = requester(session, request)
    requester.cause = cause
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.perform(
        batch, on: table, by: requester, key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }

  func answer(_ session: Session, _ id: UInt64, _ outcome: borrowing Outcome) {
    var head = BatchReplyHead(cursor: Cursor(epoch: service.epoch, revision: outcome.revision))
    head.unchanged = outcome.isUnchanged
    head.dryRun = outcome.isDryRun
    head.table = outcome.table
    head.lastChanged = outcome.lastChanged
    session.written = max(session.written, outcome.revision)
    if !outcome.isUnchanged, !outcome.isDryRun { followChange(ofTable: outcome.table) }
    let content = outcome.reply
    reply(session, id) { ReplyEncoder.batch(id: id, head, content: content, into: &$0) }
  }

  func requester(_ session: Session, _ request: Request) -> Requester {
    Requester(
      uid: UInt64(session.peer.uid), actor: session.actor, client: session.client,
      request: request.id)
  }

  func key(_ session: Session, _ request: Request) -> RequestKey? {
    guard let key = request.key else { return nil }
    var hash: [UInt8] = []
    hash.appendField(1, fixed64: key.hash.low)
    hash.appendField(2, fixed64: key.hash.high)
    return RequestKey(
      uid: UInt64(session.peer.uid), key: Array(key.text.utf8), hash: hash,
      retryUntil: key.retryUntil)
  }

  /// Answers a retried request with its first outcome (contract E5).
  ///
  /// - Returns: Whether it was one.
  func replay(_ session: Session, _ request: Request) throws(ErrorReply) -> Bool {
    guard let key = key(session, request), !request.isDryRun(decoder.batch) else { return false }
    let outcome: KeptOutcome?
    do throws(ServiceFault) {
      outcome = try service.outcome(of: key)
    } catch { throw ErrorReply(error) }
    guard let outcome else { return false }
    answer(session, request.id, replayed: outcome)
    return true
  }

  /// Answers with the first outcome of a request.
  func answer(_ session: Session, _ id: UInt64, replayed outcome: KeptOutcome) {
    var head = BatchReplyHead(cursor: Cursor(epoch: service.epoch, revision: outcome.revision))
    head.unchanged = outcome.isUnchanged
    head.replayed = true
    head.table = outcome.table
    reply(session, id) {
      ReplyEncoder.batch(id: id, head, content: outcome.reply, into: &$0)
    }
  }

  /// Homepwner's New button (SPEC 3).
  func newItem(
    _ session: Session, _ request: Request, _ wish: NewItemRequest
  ) throws(ErrorReply) {
    let table = try table(wish.table)
    if try replay(session, request) { return }
    try judgeHolding(session, request, table)
    try fillRandomItem(for: table)
    batch.expect = request.expect.map(StoreCursor.init)
    batch.isDryRun = wish.dryRun
    batch.basis = Batch.Basis(wish.basis)
    let row = Batch.Row(cells: 0..<batch.cells.count)
    batch.operations.append(
      Batch.Operation(.insertRow(row, at: Batch.Place(wish.place, batch))))
    try perform(session, request, on: table, cause: "new_item")
  }

  /// Empties the batch and gives it the cells of a random item, which has yet to be placed.
  func fillRandomItem(for table: Table) throws(ErrorReply) {
    var generator = SystemRandomNumberGenerator()
    let item = RandomItem(using: &generator)
    batch.removeAll()
    for (name, text) in [("name", item.name), ("serial", item.serial)] {
      append(name, .text(batch.append(text: text.utf8)))
    }
    guard let value = table.schema.column(named: "value") else {
      throw ErrorReply(.noSuchColumn, "a random item needs the columns name, serial and value")
    }
    switch value.kind {
    case .decimal:
      let unit = (0..<value.scale).reduce(Int64(1)) { power, _ in power * 10 }
      append("value", .number(.decimal, item.value * unit))
    default: append("value", .number(.integer, item.value))
    }
  }

  private func append(_ column: String, _ value: Batch.Value) {
    batch.cells.append(Batch.Cell(.name(batch.append(text: column.utf8)), value))
  }
}

extension Batch.Place {
  /// A place that a request outside a batch names; its text is added to `batch`.
  init(_ place: NamedPlace, _ batch: Batch) {
    switch place {
    case .absent: self = .end
    case .path(let section, let row): self = .path(RowPath(section, row))
    case .before(let row): self = .before(Batch.RowRef(row))
    case .after(let row): self = .after(Batch.RowRef(row))
    case .firstOf(let section): self = .first(of: Batch.SectionRef(section, batch))
    case .lastOf(let section): self = .last(of: Batch.SectionRef(section, batch))
    }
  }
}

extension Batch.SectionRef {
  init(_ section: NamedSection, _ batch: Batch) {
    switch section {
    case .absent: self = .absent
    case .id(let id): self = .id(id)
    case .title(let title): self = .title(batch.append(text: title.utf8))
    case .index(let index): self = .index(UInt64(index))
    case .handle(let handle): self = .handle(handle)
    }
  }
}

extension Request {
  /// A dry run ignores its key (contract E8).
  func isDryRun(_ batch: BatchBuffer) -> Bool {
    switch body {
    case .batch: batch.dryRun
    case .newItem(let wish): wish.dryRun
    case .undo(let wish), .redo(let wish): wish.dryRun
    case .restoreRow(let wish): wish.dryRun
    case .transferRows(let wish): wish.dryRun
    default: false
    }
  }
}
