internal import CHPSystem
internal import TableService
internal import Wire

/// The first frame and the last one of a connection (SPEC 9, contract K7).
extension Daemon {
  static let version: UInt32 = 1
  static let release = "0.1.0"
  static let server = "hpd/\(release)"

  /// Answers a hello.
  ///
  /// - Returns: Whether the connection goes on.
  func greet(_ session: Session, _ id: UInt64, _ hello: ClientHello) -> Bool {
    guard hello.versionMin <= Daemon.version, hello.versionMax >= Daemon.version else {
      var goodbye = Goodbye(.version, "this hpd speaks version \(Daemon.version)")
      goodbye.versions = Daemon.version...Daemon.version
      leave(session, goodbye)
      return false
    }
    session.state = .ready
    session.client = service.nextClient()
    session.name = hello.clientName
    session.actor = hello.actor.isEmpty ? hello.clientName : hello.actor
    session.resumeToken = token()
    var answer = HelloReply(
      version: Daemon.version, server: Daemon.server,
      cursor: Cursor(epoch: service.epoch, revision: service.durableRevision),
      oldestRevision: service.oldestRevision, client: session.client,
      uid: UInt64(session.peer.uid))
    answer.limits = limits
    answer.durability = durability
    answer.resumeToken = session.resumeToken
    answer.runningClock = service.runningClock
    answer.start = startID
    if let token = hello.resumeToken { answer.lastGoodbye = goodbyes.reason(token, now: now) }
    append(session) { ReplyEncoder.hello(answer, id: id, into: &$0) }
    log.write(
      .debug, "hello",
      ["client": "\(session.client)", "name": session.name, "uid": "\(session.peer.uid)"])
    return true
  }

  private func token() -> String {
    String(hp_random(), radix: 16) + String(hp_random(), radix: 16)
  }

  /// What hello and info state of limits and retentions (contract F5).
  var limits: LimitsReport {
    var report = LimitsReport()
    report.clients = UInt64(options.maximumClients)
    report.clientsPerUID = UInt64(options.maximumClientsPerUser)
    report.output = UInt64(options.maximumOutput)
    report.upload = UInt64(uploads.one)
    report.uploadConnection = UInt64(uploads.one)
    report.uploadUID = UInt64(uploads.user)
    report.uploadTotal = UInt64(uploads.total)
    report.uploadSeconds = UInt64(Timeouts.upload / 1_000_000)
    report.requestSeconds = UInt64(Timeouts.waiting / 1_000_000)
    report.undoSteps = service.retention.undoRevisions
    report.undoBytes = UInt64(service.retention.undoBytes)
    report.undoSeconds = UInt64(service.retention.undoSeconds)
    report.keySeconds = UInt64(service.retention.keySeconds)
    report.keysPerUID = UInt64(service.retention.keysPerUser)
    report.historyRevisions = UInt64(service.retention.historyRevisions)
    report.historyBytes = UInt64(service.retention.historyBytes)
    report.outputSoft = UInt64(Feed.soft)
    report.windowRows = UInt64(TableLimits.window)
    report.outputTotal = UInt64(options.maximumTotalOutput)
    report.pinnedBytes = UInt64(service.retention.pinnedBytes)
    report.historySeconds = UInt64(service.retention.historySeconds)
    report.unmaterialisedOperations = UInt64(service.retention.unmaterialisedOperations)
    report.unmaterialisedBytes = UInt64(service.retention.unmaterialisedBytes)
    return report
  }

  static func storeDurability(_ mode: Options.Durability) -> TableService.Durability {
    switch mode {
    case .commit: .commit
    case .interval: .interval
    case .none: .none
    }
  }

  var durability: Wire.Durability {
    switch options.durability {
    case .commit: .commit
    case .interval: .interval
    case .none: .none
    }
  }

  /// Ends a connection with a word why: unsent frames are dropped, a begun one is finished.
  func sayGoodbye(_ session: Session, _ error: ErrorReply) {
    var goodbye = Goodbye(error.code, error.message)
    goodbye.offset = error.offset
    leave(session, goodbye)
  }

  func leave(_ session: Session, _ goodbye: Goodbye) {
    guard session.state == .awaitingHello || session.state == .ready else { return }
    counters.goodbyes += 1
    var goodbye = goodbye
    if session.client != 0 {
      goodbye.resumeToken = session.resumeToken
      goodbyes.keep(session.resumeToken, "\(goodbye.code): \(goodbye.message)", now: now)
    }
    if let begun = session.output.dropUnsent() {
      session.subscription(begun.subscription)?.sent = begun.revision
    }
    goodbye.reached = session.subscriptions.map {
      Goodbye.Reached(subscription: $0.number, revision: $0.sent)
    }
    log.write(
      .info, "goodbye",
      [
        "client": "\(session.client)", "name": session.name, "code": "\(goodbye.code)",
        "reason": goodbye.message,
      ])
    session.state = .leaving
    release(session)
    session.openGate()
    session.output.appendFrame { ReplyEncoder.goodbye(goodbye, into: &$0) }
    markDirty(session)
    timers.add(.goodbye, at: now + Timeouts.goodbye, for: session.token)
  }
}
