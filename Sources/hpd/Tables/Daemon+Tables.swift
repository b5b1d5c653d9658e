internal import TableService
internal import Wire

/// Tables made, renamed, dropped (contract E13).
extension Daemon {
  func createTable(
    _ session: Session, _ request: Request, _ wish: CreateTableRequest
  ) throws(ErrorReply) {
    guard let name = wish.name else { throw ErrorReply(.badRequest, "the table has no name") }
    if try replay(session, request) { return }
    try judgeExpectation(request, on: [])
    var columns: [Column] = []
    for info in wish.columns { columns.append(try Column(info)) }
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.create(
        name: name, columns: columns, titles: wish.sections.map { $0 },
        by: requester(session, request), key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }

  func renameTable(
    _ session: Session, _ request: Request, _ reference: TableReference, _ name: String?
  ) throws(ErrorReply) {
    let table = try table(reference)
    guard let name else { throw ErrorReply(.badRequest, "the table gets no name") }
    if try replay(session, request) { return }
    try judgeHolding(session, request, table)
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.rename(
        table, to: name, expect: request.expect.map(StoreCursor.init),
        by: requester(session, request), key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }

  func dropTable(
    _ session: Session, _ request: Request, _ reference: TableReference
  ) throws(ErrorReply) {
    // A retry finds the table gone, and its first outcome.
    if try replay(session, request) { return }
    let table = try table(reference)
    try judgeHolding(session, request, table)
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.drop(
        table, expect: request.expect.map(StoreCursor.init), by: requester(session, request),
        key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }
}
