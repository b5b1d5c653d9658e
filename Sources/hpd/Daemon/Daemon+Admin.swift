internal import CHPSystem
internal import Glibc
internal import TableService
internal import Wire

/// What the daemon tells about itself, and what it can be told to do.
extension Daemon {
  func info() -> InfoReply {
    var info = InfoReply(cursor: Cursor(epoch: service.epoch, revision: service.durableRevision))
    info.server = Daemon.server
    info.pid = UInt64(getpid())
    info.socket = listener.path
    info.store = storePath
    info.oldestRevision = service.oldestRevision
    info.materialised = service.materialisedRevision
    info.clients = UInt64(sessionCount)
    info.subscriptions = UInt64(feed.count)
    info.memory = hp_resident()
    info.uptime = UInt64(max(0, now - started) / 1_000_000)
    info.durability = durability
    info.limits = limits
    info.tables = service.tables.map { $0.encoded(whole: false) }
    info.counters = [
      CounterInfo(name: "clients_accepted", value: counters.accepted),
      CounterInfo(name: "clients_refused", value: counters.refused),
      CounterInfo(name: "requests", value: counters.requests),
      CounterInfo(name: "errors", value: counters.errors),
      CounterInfo(name: "commits", value: counters.commits),
      CounterInfo(name: "commits_failed", value: counters.failedCommits),
      CounterInfo(name: "events", value: counters.events),
      CounterInfo(name: "live_events", value: counters.liveEvents),
      CounterInfo(name: "leases", value: Int64(editing.board.leases.count)),
      CounterInfo(name: "goodbyes", value: counters.goodbyes),
      CounterInfo(name: "output_bytes", value: Int64(queued)),
      CounterInfo(name: "snapshots_open", value: Int64(feed.views.count)),
      CounterInfo(name: "catching_up", value: Int64(feed.pullingCount)),
      CounterInfo(name: "longest_turn_us", value: turnMeter.longest),
      CounterInfo(
        name: "longest_turn_of_minute_us", value: turnMeter.longestOfMinute(at: now)),
    ]
    return info
  }

  func clientList() -> [ClientInfo] {
    slots.compactMap { $0 }.filter { $0.client != 0 }.map { session in
      ClientInfo(
        client: session.client, uid: UInt64(session.peer.uid),
        pid: UInt64(max(0, session.peer.pid)), name: session.name, actor: session.actor,
        subscriptions: UInt64(session.subscriptions.count), queued: UInt64(session.output.count),
        connected: UInt64(max(0, now - session.connected) / 1_000_000))
    }
  }

  func killClient(_ session: Session, _ id: UInt64, _ client: UInt64) throws(ErrorReply) {
    guard let victim = slots.compactMap({ $0 }).first(where: { $0.client == client }) else {
      throw ErrorReply(.notFound, "no client has the id \(client)")
    }
    guard victim !== session else {
      throw ErrorReply(.badRequest, "a client ends itself by closing its connection")
    }
    reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
    sayGoodbye(victim, ErrorReply(.notPermitted, "ended by client \(session.client)"))
  }

  func setLogLevel(_ session: Session, _ id: UInt64, _ name: String?) throws(ErrorReply) {
    guard let level = name.flatMap({ LogLevel(name: $0) }) else {
      var error = ErrorReply(.badValue, "no such log level")
      error.value = name
      error.expected = "error, warning, info or debug"
      throw error
    }
    log.level = level
    log.write(.info, "log level", ["level": level.name, "client": "\(session.client)"])
    reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
  }
}
