internal import Coding

/// Who asks for a change (contract K10).
public struct Requester: Sendable {
  /// The user, from the kernel.
  public var uid: UInt64
  /// As they call themselves.
  public var actor: String
  /// The client's id.
  public var client: UInt64
  /// The id of the request's frame.
  public var request: UInt64
  /// What the user did, where it was more than a batch: a word of hp.v1.Change.
  public var cause: String?
  /// The row whose control it was; 0: none.
  public var causeRow: UInt64 = 0

  /// Names a requester.
  ///
  /// - Parameters:
  ///   - uid: The user, from the kernel.
  ///   - actor: As they call themselves.
  ///   - client: The client's id.
  ///   - request: The id of the request's frame.
  public init(uid: UInt64, actor: String, client: UInt64, request: UInt64) {
    self.uid = uid
    self.actor = actor
    self.client = client
    self.request = request
  }
}

extension Service {
  /// Applies a batch to a table and accepts it for the turn's commit.
  ///
  /// - Parameters:
  ///   - batch: What is asked for.
  ///   - table: The table to change.
  ///   - requester: Who asks.
  ///   - key: The request's key, which `outcome(of:)` has not found.
  ///   - more: Puts the next piece of a sequence in place of its operations; `false`: it was the
  ///     last.
  /// - Returns: What changed.
  /// - Throws: Why it is refused; nothing has changed then.
  /// - Complexity: O(*k* log *n*) for *k* rows touched.
  public func perform(
    _ batch: Batch, on table: Table, by requester: Requester, key: RequestKey? = nil,
    more: (Batch) throws(TableFault) -> Bool = { _ in false }
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(batch.isDryRun)
    try checkTurn(table)
    let context = context(requester)
    try fillPast(batch, table)
    let outcome: Outcome
    do throws(TableFault) {
      outcome = try table.perform(batch, context, more: more)
    } catch { throw .table(error) }
    if !batch.isDryRun { accept(outcome, context, key) }
    return outcome
  }

  func checkWritable(_ isDryRun: Bool) throws(ServiceFault) {
    if isLost { throw .store(.closed) }
    guard !isDryRun else { return }
    if let refusal = store.refusal { throw .store(refusal == .unsettled ? .closed : refusal) }
    // Each failure costs reading the tables anew, so the next attempt waits a little.
    if let failure, Instant.now().monotonic < failure.until { throw .store(failure.fault) }
  }

  func context(_ requester: Requester) -> ChangeContext {
    var context = ChangeContext(
      epoch: epoch, revision: revision + 1, time: Instant.now().wall, uid: requester.uid,
      actor: requester.actor, client: requester.client, request: requester.request)
    context.cause = requester.cause
    context.causeRow = requester.causeRow
    return context
  }

  /// Takes a change, or the word that there is none, into the turn.
  ///
  /// - Parameters:
  ///   - outcome: The change.
  ///   - context: Who asked, and when.
  ///   - key: The request's key.
  ///   - parts: The record's content, where it is not the outcome's.
  func accept(
    _ outcome: borrowing Outcome, _ context: borrowing ChangeContext, _ key: RequestKey?,
    parts: [JournalPart]? = nil
  ) {
    if let key {
      keep(KeptOutcome(outcome), for: key)
    }
    guard !outcome.isUnchanged else { return }
    turn.records.append(
      JournalRecord(
        revision: outcome.revision, tables: [outcome.table], head: head(context, key),
        parts: parts ?? outcome.journalParts))
    revision = outcome.revision
    if tracksEffects { effects.append(outcome.effect) }
  }

  /// Who and when, as the journal keeps it.
  func head(_ context: borrowing ChangeContext, _ key: RequestKey?) -> JournalHead {
    var head = JournalHead(kind: .change)
    head.time = context.time
    head.uid = context.uid
    head.actor = context.actor
    head.client = context.client
    head.request = context.request
    head.undoes = context.undoes
    head.redoes = context.redoes
    if let key { head.keyHash = key.hash }
    return head
  }
}
