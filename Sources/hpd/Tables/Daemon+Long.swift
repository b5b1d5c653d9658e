internal import CHPSystem
internal import TableService
internal import Wire

/// Changes that take more than one turn: one at a time, a slice in each turn.
extension Daemon {
  /// Begins a change that may take more than one turn.
  ///
  /// - Returns: What came of its first slice; `nil` where the request is none.
  func beginLong(_ session: Session, _ request: Request) throws(ErrorReply) -> Progress? {
    let job: LongJob
    switch request.body {
    case .upload(.commit(let number, let parts)):
      let upload = try upload(session, number)
      guard parts == UInt64(upload.parts.count), parts > 0 else {
        drop(upload, session)
        var error = ErrorReply(.badRequest, "a commit names how many parts were sent")
        error.value = "\(parts)"
        error.expected = "\(upload.parts.count), and not 0"
        throw error
      }
      guard self.job == nil else { throw ErrorReply(ServiceFault.held) }
      job = LongJob(session, request, upload)
      job.begin { [unowned self, unowned job] in self.work(job) }
    case .batch:
      if decoder.batch.isPlain { return nil }
      let table = try table(decoder.batch.table)
      guard isLong(decoder.batch, on: table) else { return nil }
      let isOfMany = decoder.batch.operations.contains { $0.action.isOfMany }
      let expected = max(decoder.batch.operations.count, isOfMany ? table.rowCount : 0)
      guard self.job == nil else { throw ErrorReply(ServiceFault.held) }
      if try replay(session, request) { return .answered }
      try judgeHolding(session, request, table)
      job = LongJob(session, request, nil)
      try job.batch.fill(decoder.batch, expect: request.expect)
      job.begin { [unowned self, unowned job] in
        self.work(job) { () throws(ErrorReply) in
          try self.perform(job, on: table, expecting: expected) { _ in false }
        }
      }
    default: return nil
    }
    return try begin(job)
  }

  /// Begins to take back a step that may take more than one turn.
  ///
  /// - Returns: What came of its first slice.
  func beginLong(
    _ session: Session, _ request: Request, _ wish: StepWish, isRedo: Bool, expecting rows: Int
  ) throws(ErrorReply) -> Progress {
    guard job == nil else { throw ErrorReply(ServiceFault.held) }
    let job = LongJob(session, request, nil)
    job.begin { [unowned self, unowned job] in
      self.work(job) { () throws(ErrorReply) in
        do throws(ServiceFault) {
          try self.service.revertLong(
            wish, isRedo: isRedo, by: self.requester(session, request),
            key: self.key(session, request), expected: rows, job.breath
          ) { job.result = .outcome($0) }
        } catch { throw ErrorReply(error) }
      }
    }
    return try begin(job)
  }

  /// Gives a job its first slice.
  private func begin(_ job: LongJob) throws(ErrorReply) -> Progress {
    guard job.fiber.isReady else { throw ErrorReply(.outOfMemory, "no memory for so much") }
    let session = job.session
    self.job = job
    go(on: job)
    if job.isTold { return .answered }
    job.isHeld = true
    session.isBlocked = true
    return .goesOn
  }

  /// Whether a batch of one frame is long work.
  private func isLong(_ batch: BatchBuffer, on table: Table) -> Bool {
    if batch.operations.count > Service.shortChange { return true }
    if case .rebased(let cursor) = Batch.Basis(batch.basis),
      table.lastChanged > cursor.revision,
      table.lastChanged - cursor.revision > LongJob.revisions
    {
      return true
    }
    return table.rowCount > LongJob.rows && batch.operations.contains { $0.action.isOfMany }
  }

  /// Lets the change go on that takes more than one turn.
  func goOnLong() {
    guard let job, job.turn != turn.began else { return }
    if job.session.state == .closed, job.result == nil { job.breath.isGivenUp = true }
    go(on: job)
  }

  private func go(on job: LongJob) {
    job.goOn(turn: turn.began)
    if let result = job.result, !job.isTold {
      job.isTold = true
      tell(job, result)
    }
    guard job.fiber.isDone else { return }
    self.job = nil
    let list = heldByLong
    heldByLong.removeAll()
    for session in list where session.state != .closed {
      session.isBlocked = false
      session.waitDeadline = 0
      markPending(session)
    }
  }

  private func tell(_ job: LongJob, _ result: LongJob.Result) {
    let session = job.session
    if let upload = job.upload { drop(upload, session) }
    defer { carryEditing(session, job.request) }
    guard session.state == .ready else { return }
    switch result {
    case .outcome(let outcome): answer(session, job.request.id, outcome)
    case .replayed(let outcome): answer(session, job.request.id, replayed: outcome)
    case .refused(let error): reply(session, job.request.id, error)
    }
    guard job.isHeld else { return }
    session.isBlocked = false
    let reader = FrameReader(limit: Limits.frameUp)
    if case .frame(let range)? = try? reader.next(in: session.input.bytes) {
      session.input.consume(range.upperBound)
    }
    markPending(session)
  }

  /// Lets a request wait until the long change is done.
  ///
  /// - Returns: Whether it may; `false` once its time has passed.
  func holdForLong(_ session: Session, _ request: Request) -> Bool {
    guard job != nil else { return false }
    if case .upload = request.body {
      // What came in parts waits its turn however long that takes.
    } else if session.waitDeadline == 0 {
      session.waitDeadline = now + Timeouts.waiting
      timers.add(.waiting, at: session.waitDeadline, for: session.token)
    } else if session.waitDeadline <= now {
      session.waitDeadline = 0
      return false
    }
    session.isBlocked = true
    heldByLong.append(session)
    markDirty(session)
    return true
  }

  /// Whether an upload is being applied.
  func isCommitting(_ upload: Upload) -> Bool { job?.upload === upload }

  // On the job's own stack.

  private func work(_ job: LongJob, _ body: () throws(ErrorReply) -> Void) {
    do throws(ErrorReply) {
      try body()
    } catch {
      if job.result == nil { job.result = .refused(error) }
    }
  }

  private func work(_ job: LongJob) {
    work(job) { () throws(ErrorReply) in
      guard let upload = job.upload else { return }
      try decode(job, upload, part: 0)
      let isTransition = job.decoder.batch.mode == .transition
      if isTransition {
        for part in 1..<max(1, upload.parts.count) {
          job.pause()
          try decode(job, upload, part: part)
        }
      }
      let table = try table(job.decoder.batch.table)
      if let key = hashed(job, upload), !job.decoder.batch.dryRun {
        do throws(ServiceFault) {
          if let outcome = try service.outcome(of: key) {
            job.result = .replayed(outcome)
            return
          }
        } catch { throw ErrorReply(error) }
        job.key = key
      }
      try judgeHolding(job.session, job.request, table)
      try job.batch.fill(job.decoder.batch, expect: job.request.expect)
      var next = isTransition ? upload.parts.count : 1
      try perform(job, on: table, expecting: upload.operations) {
        (batch) throws(TableFault) in
        // No pause here: the table is open, and makes room for others itself.
        guard next < upload.parts.count else { return false }
        do throws(ErrorReply) {
          try decode(job, upload, part: next)
          try batch.refill(job.decoder.batch)
        } catch {
          job.fault = error
          job.fault?.operation = error.operation.map { $0 + UInt64(upload.firsts[next]) }
          throw TableFault(.abandoned)
        }
        next += 1
        return true
      }
    }
  }

  /// Unpacks a part; those of a transition stand one behind the other.
  private func decode(_ job: LongJob, _ upload: Upload, part: Int) throws(ErrorReply) {
    do throws(WireFault) {
      let appends = part > 0 && job.decoder.batch.mode == .transition
      try job.decoder.decode(part: upload.parts[part], appends: appends)
    } catch { throw error.error }
  }

  /// The key of an upload stands for its parts (contract E5).
  private func hashed(_ job: LongJob, _ upload: Upload) -> RequestKey? {
    guard let key = job.request.key else { return nil }
    var hash = KeyHash.OfParts()
    for part in upload.parts {
      hash.add(part)
      job.pause()
    }
    var request = job.request
    request.key?.hash = hash.finish(key.hash)
    return self.key(job.session, request)
  }

  private func perform(
    _ job: LongJob, on table: Table, expecting expected: Int,
    more: (Batch) throws(TableFault) -> Bool
  ) throws(ErrorReply) {
    do throws(ServiceFault) {
      try service.performLong(
        job.batch, on: table, by: requester(job.session, job.request),
        key: job.key ?? key(job.session, job.request),
        expected: expected, job.breath, more: more
      ) { job.result = .outcome($0) }
    } catch { throw job.fault ?? ErrorReply(error) }
  }
}

extension BatchOperation.Action {
  /// Whether it may concern all rows of a table.
  fileprivate var isOfMany: Bool {
    switch self {
    case .moveMany, .deleteWhere, .updateWhere, .sortSection, .deleteSection, .reloadSection,
      .upsert, .addColumn:
      true
    default: false
    }
  }
}
