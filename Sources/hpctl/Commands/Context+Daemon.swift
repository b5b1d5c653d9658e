internal import Glibc
internal import hpclient

extension Context {
  func ping() throws(Fault) {
    let client = try client()
    let start = Self.microseconds
    _ = try unsafe client.run { connection in unsafe hp_send_ping(connection, nil, nil, 0) }
    let elapsed = Self.microseconds - start
    guard !isQuiet else { return }
    if format.isJSON {
      output.line(
        .object([
          ("ok", .boolean(true)), ("server", .string(client.hello.server)),
          ("microseconds", .number(elapsed)),
        ]))
    } else {
      output.line("\(client.hello.server) answers")
      detail("in \(elapsed) µs")
    }
  }

  /// A clock that only goes forward.
  static var microseconds: Int64 {
    var time = timespec()
    // Safe: a local of this call.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  func info() throws(Fault) {
    let reply = try unsafe client().run { connection in unsafe hp_send_info(connection, nil) }
    guard let pointer = unsafe hp_reply_info(reply.handle) else { throw .unexpectedReply }
    // Safe: everything below belongs to the reply, which lives until the end of this function.
    let info = unsafe pointer.pointee
    var fields = unsafe [
      ("server", JSON.string(String(hp: info.server) ?? "")), ("pid", .integer(info.pid)),
      ("socket", .title(String(hp: info.socket))), ("store", .title(String(hp: info.store))),
      ("epoch", .epoch(info.cursor.epoch)), ("revision", .integer(info.cursor.revision)),
      ("oldest_revision", .integer(info.oldest_revision)),
      ("materialised", .integer(info.materialised)), ("clients", .integer(info.clients)),
      ("subscriptions", .integer(info.subscriptions)), ("memory", .integer(info.memory)),
      ("uptime", .integer(info.uptime)),
      ("durability", .string(Self.name(info.durability))),
    ]
    let limits = unsafe Self.limits(info.limits)
    let counters = unsafe UnsafeBufferPointer(start: info.counters, count: info.counter_count)
      .map { counter in
        unsafe (String(hp: counter.name) ?? "", JSON.number(counter.value))
      }
    let tables = unsafe UnsafeBufferPointer(start: info.tables, count: info.table_count)
      .map { table in unsafe TableInfo(table) }
    withExtendedLifetime(reply) {}
    if format.isJSON {
      fields += [
        ("limits", .object(limits)), ("counters", .object(counters)),
        (
          "tables",
          .array(
            tables.map {
              .object([
                ("id", .integer($0.id)), ("name", .string($0.name)), ("rows", .integer($0.rows)),
              ])
            })
        ),
      ]
      output.line(.object(fields))
      return
    }
    fields += tables.map { ("table \($0.name)", JSON.string("\($0.rows) rows")) }
    fields += counters
    if invocation.has(.verbose) { fields += limits.map { ("limit " + $0.0, $0.1) } }
    var grid = grid([Grid.Column(title: "name"), Grid.Column(title: "value")])
    for (name, value) in fields {
      switch value {
      case .string(let text): grid.add([name, text])
      case .number(let number): grid.add([name, String(number)])
      default: grid.add([name, nil])
      }
    }
    grid.finish()
  }

  private static func name(_ durability: hp_durability) -> String {
    switch durability {
    case HP_DURABILITY_COMMIT: "commit"
    case HP_DURABILITY_INTERVAL: "interval"
    case HP_DURABILITY_NONE: "none"
    default: "unknown"
    }
  }

  private static func limits(_ limits: hp_limits) -> [(String, JSON)] {
    [
      ("frame_up", limits.frame_up), ("frame_down", limits.frame_down), ("text", limits.text),
      ("depth", limits.depth), ("elements", limits.elements), ("row", limits.row),
      ("columns", limits.columns), ("sections", limits.sections), ("title", limits.title),
      ("key", limits.key), ("subscriptions", limits.subscriptions),
      ("requests_in_flight", limits.requests_in_flight), ("clients", limits.clients),
      ("clients_per_uid", limits.clients_per_uid), ("output", limits.output),
      ("filter_nodes", limits.filter_nodes), ("keys_per_uid", limits.keys_per_uid),
      ("history_revisions", limits.history_revisions), ("history_bytes", limits.history_bytes),
      ("history_seconds", limits.history_seconds), ("undo_steps", limits.undo_steps),
      ("undo_bytes", limits.undo_bytes), ("undo_seconds", limits.undo_seconds),
      ("key_seconds", limits.key_seconds),
      ("unmaterialised_operations", limits.unmaterialised_operations),
      ("unmaterialised_bytes", limits.unmaterialised_bytes),
      ("request_seconds", limits.request_seconds), ("upload", limits.upload),
      ("upload_connection", limits.upload_connection), ("upload_uid", limits.upload_uid),
      ("upload_total", limits.upload_total), ("upload_seconds", limits.upload_seconds),
    ].map { ($0.0, JSON.integer($0.1)) }
  }

  func clients() throws(Fault) {
    let reply = try unsafe client().run { connection in
      unsafe hp_send_list_clients(connection, nil)
    }
    guard let list = unsafe hp_reply_clients(reply.handle) else { throw .unexpectedReply }
    // Safe: the list belongs to the reply, which lives until the end of this function.
    let clients = unsafe UnsafeBufferPointer(
      start: list.pointee.clients, count: list.pointee.count)
    var shapes: [[(String, JSON)]] = []
    unsafe clients.forEach { client in
      unsafe shapes.append([
        ("client", .integer(client.client)), ("uid", .integer(client.uid)),
        ("pid", .integer(client.pid)), ("name", .string(String(hp: client.name) ?? "")),
        ("actor", .string(String(hp: client.actor) ?? "")),
        ("subscriptions", .integer(client.subscriptions)), ("queued", .integer(client.queued)),
        ("connected", .integer(client.connected)),
      ])
    }
    withExtendedLifetime(reply) {}
    switch format {
    case .json: output.line(.array(shapes.map { .object($0) }))
    case .ndjson: for shape in shapes { output.line(.object(shape)) }
    default:
      let titles = [
        "client", "uid", "pid", "name", "actor", "subscriptions", "queued", "connected",
      ]
      var grid = grid(
        titles.map { Grid.Column(title: $0, isNumeric: $0 != "name" && $0 != "actor") })
      for shape in shapes {
        grid.add(
          shape.map { field in
            switch field.1 {
            case .number(let number): String(number)
            case .string(let text): text
            default: nil
            }
          })
      }
      grid.finish()
    }
  }

  func killClient() throws(Fault) {
    guard let client = Number.unsigned(invocation.words[0]), client > 0 else {
      throw .usage(
        "\"\(TerminalSafety.shown(invocation.words[0]))\" is no client",
        hint: "hpctl clients shows their numbers")
    }
    try done(
      unsafe self.client().run { connection in
        unsafe hp_send_kill_client(connection, nil, client)
      })
  }

  func setLogLevel() throws(Fault) {
    let text = CText()
    try done(
      unsafe client().run { connection in
        // Safe: the text lives until the call returns.
        unsafe hp_send_set_log_level(connection, nil, text(invocation.words[0]))
      })
  }

  private func done(_ reply: Reply) throws(Fault) {
    if format.isJSON && !isQuiet { output.line(.object([("ok", .boolean(true))])) }
  }

  func barrier() throws(Fault) {
    let client = try client()
    let wait = try seconds() ?? 10
    let end = Self.microseconds + Int64(wait * 1_000_000)
    _ = try unsafe client.run { connection in
      unsafe hp_send_barrier(connection, nil, 0, 1, invocation.has(.sql))
    }
    while true {
      let left = Int32(clamping: max(0, (end - Self.microseconds) / 1_000))
      guard let event = try client.event(milliseconds: left) else {
        throw Fault(.refused, "TIMEOUT", "the barrier was not reached within \(wait.formatted) s")
      }
      // Safe: the event is alive until the end of the turn.
      if let goodbye = Fault(goodbye: event) { throw goodbye }
      guard unsafe event.handle.pointee.kind == HP_EVENT_BARRIER else { continue }
      let cursor = Cursor(
        epoch: client.hello.epoch, revision: unsafe event.handle.pointee.revision)
      guard !isQuiet else { return }
      if format.isJSON {
        output.line(
          .object([("epoch", .epoch(cursor.epoch)), ("revision", .integer(cursor.revision))]))
      } else {
        output.line(cursor.text)
      }
      return
    }
  }

  func version() {
    if format.isJSON {
      output.line(.object([("version", .string(HP_VERSION))]))
    } else {
      output.line("hpctl " + HP_VERSION)
    }
  }

  func help() throws(Fault) {
    if invocation.words.count == 1, !Verb.members(of: invocation.words[0]).isEmpty {
      output.write(Help.text(forGroup: invocation.words[0]))
      return
    }
    if invocation.words.count == 1, let text = Help.text(forHeading: invocation.words[0]) {
      output.write(text)
      return
    }
    guard let verb = try Invocation.verb(invocation.words) else {
      output.write(Help.overview)
      return
    }
    output.write(Help.text(for: verb))
  }
}

extension Fault {
  /// Why the daemon ended the connection, where an event says so.
  init?(goodbye event: Event) {
    // Safe: the event is alive during the call; the message is copied.
    guard unsafe event.handle.pointee.kind == HP_EVENT_GOODBYE,
      let goodbye = unsafe event.handle.pointee.goodbye
    else { return nil }
    let code = unsafe ErrorCode(rawValue: goodbye.pointee.code.rawValue)
    self.init(
      .unreachable, code?.name ?? "GOODBYE",
      "the daemon ended the connection: " + (unsafe String(hp: goodbye.pointee.message) ?? ""))
  }
}
