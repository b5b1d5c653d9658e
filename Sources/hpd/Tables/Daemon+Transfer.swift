internal import TableService
internal import Wire

/// Rows copied and moved between tables (contract E13).
extension Daemon {
  func transferRows(
    _ session: Session, _ request: Request, _ wish: TransferRequest
  ) throws(ErrorReply) {
    // A retry may find a table gone, and its first outcome.
    if try replay(session, request) { return }
    let source = try table(wish.source)
    let target = try table(wish.target)
    try judgeHolding(session, request, target)
    if wish.removes { try judgeHolding(session, request, source) }
    batch.removeAll()
    batch.expect = wish.expectTarget.map(StoreCursor.init)
    batch.basis = Batch.Basis(wish.basis)
    batch.isDryRun = wish.dryRun
    var transfer: Transfer
    switch wish.selection {
    case .absent:
      throw ErrorReply(.badRequest, "the request names no rows, or names them in two ways")
    case .ids(let ids):
      batch.ids = ids
      transfer = Transfer(.ids(0..<ids.count))
    case .filter(let nodes):
      batch.filters.append(RowFilter(nodes))
      transfer = Transfer(.filter(0))
    }
    transfer.place = Batch.Place(wish.place, batch)
    transfer.removes = wish.removes
    transfer.expectSource = request.expect.map(StoreCursor.init)
    transfer.matched = wish.matched
    transfer.without = wish.without
    turn.operations += batch.ids.count
    let outcome: Outcome
    do throws(ServiceFault) {
      outcome = try service.transfer(
        transfer, batch, from: source, to: target, by: requester(session, request),
        key: key(session, request))
    } catch { throw ErrorReply(error) }
    answer(session, request.id, outcome)
  }
}
