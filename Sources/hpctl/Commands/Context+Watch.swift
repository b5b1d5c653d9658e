internal import Glibc
internal import hpclient

extension Context {
  /// Prints a table and every later change, until something ends it.
  func watch() throws(Fault) {
    var watch = try Watch(self)
    try watch.run()
  }
}

/// One run of `hpctl watch`: connections, one after the other with `--reconnect`, and what each
/// of them sends.
struct Watch {
  let context: Context
  private var filter: WatchFilter
  private var window: WatchWindow?
  /// Whether the names of filter and window were looked up.
  private var isResolved = false
  /// When `--timeout` is over.
  private let end: Int64?
  /// The scene whose events are told as well.
  private let scene: String?
  /// Whether that is all, and others see that somebody is there.
  private let isAttached: Bool
  private var feed: FeedPrinter
  private var retry = Retry()
  /// Whether the daemon was there at all.
  private var isReached = false

  /// How a connection was left.
  private enum Leave {
    /// All is done: the change of `--once` came, the time is up, nobody reads.
    case done
    /// It ended, or there was none.
    case lost(Fault)
  }

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - context: The command line.
  ///   - attached: The scene to be attached to; without, the table is watched.
  /// - Throws: Options that contradict each other.
  init(_ context: Context, attachedTo attached: String? = nil) throws(Fault) {
    self.context = context
    scene = attached ?? context.invocation[.scene]
    isAttached = attached != nil
    filter = try WatchFilter(context.invocation.all(.filter))
    window = try context.invocation[.window].map { text throws(Fault) in try WatchWindow(text) }
    end = try context.seconds().map { Context.microseconds + Int64($0 * 1_000_000) }
    feed = FeedPrinter(context)
    try checkOptions()
  }

  /// Whether filter and window go together and with the rest.
  private func checkOptions() throws(Fault) {
    let invocation = context.invocation
    guard window == nil || scene == nil else {
      throw .usage("--window does not go with --scene", hint: "a window is sent as it is now")
    }
    guard !invocation.has(.allTables) || !invocation.has(.table) else {
      throw .usage("--all-tables does not go with --table")
    }
    guard window != nil else {
      guard !invocation.has(.section) else {
        throw .usage(
          "--section goes with --window", hint: "--filter section=TITLE watches one section")
      }
      guard !filter.namesParts || !invocation.has(.allTables) else {
        throw .usage("sections and columns are those of one table, and do not go with --all-tables")
      }
      return
    }
    for option in [OptionName.allTables, .since] where invocation.has(option) {
      throw .usage(
        "--window does not go with --\(option.rawValue)",
        hint: "a window is of one table, and is sent as it is now")
    }
    guard filter.isColumnsAlone else {
      throw .usage(
        "a window is filtered by columns alone",
        hint: "--window FIRST,COUNT --section TITLE shows a section's rows")
    }
  }

  private var output: Output { context.output }
  private var reconnects: Bool { context.invocation.has(.reconnect) }

  /// Watches until something ends it.
  mutating func run() throws(Fault) {
    var since = try start()
    while true {
      let fault: Fault
      switch try connected(since: since) {
      case .done: return
      case .lost(let reason): fault = reason
      }
      guard reconnects else { throw fault }
      feed.connectionLost()
      if window == nil, let cursor = feed.cursor {
        since = WatchStart(cursor: cursor, fingerprint: feed.fingerprint)
      }
      guard !output.isOver, try pause() else {
        guard isReached || output.isOver else { throw fault }
        return
      }
    }
  }

  /// What `--since` says.
  private func start() throws(Fault) -> WatchStart? {
    try context.invocation[.since].map { text throws(Fault) in try WatchStart(text) }
  }

  /// One connection, from its begin to its end.
  ///
  /// - Throws: What ends the watch for good.
  private mutating func connected(since: WatchStart?) throws(Fault) -> Leave {
    let client: Client
    do throws(Fault) {
      client = try context.connect()
    } catch {
      guard error.status == .unreachable else { throw error }
      return lost(error)
    }
    var subscription: UInt64
    do throws(Fault) {
      try learn(client, since: since)
      subscription = try subscribe(client, since: since)
    } catch {
      guard error.status == .unreachable else { throw error }
      return lost(error)
    }
    retry = Retry()
    isReached = true
    while !output.isOver {
      let event: Event?
      do throws(Fault) {
        event = try next(client)
      } catch {
        return lost(error)
      }
      guard let event else { return try timeIsUp() }
      if let goodbye = Fault(goodbye: event) { return lost(goodbye) }
      // Safe: the event is alive until the end of the turn.
      let kind = unsafe event.handle.pointee.kind
      guard unsafe event.handle.pointee.subscription == subscription else { continue }
      if kind == HP_EVENT_ENDED {
        try ended(unsafe event.handle.pointee.reason)
        subscription = try subscribe(client, since: nil)
        continue
      }
      let isChange = try unsafe feed.print(event.handle)
      window?.follow(row: feed.window?.place.anchor ?? 0)
      output.flush()
      if isChange {
        try feed.runCommand()
        if context.invocation.has(.once) { return .done }
      }
    }
    return .done
  }

  /// The connection is over, or there was none: the first time in a row that is told.
  private func lost(_ fault: Fault) -> Leave {
    if retry.failed == 0 {
      feed.shutdown(fault.message)
      output.flush()
      if reconnects { context.note(fault.message + "; waiting for the daemon") }
    }
    return .lost(fault)
  }

  private func timeIsUp() throws(Fault) -> Leave {
    guard !output.isReaderGone, context.invocation.has(.once) else { return .done }
    throw Fault(.refused, "TIMEOUT", "there was no change in this time")
  }

  /// The subscription is over.
  ///
  /// - Throws: Where another one would be no better.
  private func ended(_ reason: hp_end_reason) throws(Fault) {
    let name = unsafe String(cString: hp_end_reason_name(reason))
    guard
      [HP_END_COMPACTED, HP_END_EXPIRED, HP_END_TOO_SLOW, HP_END_EPOCH_CHANGED].contains(reason)
    else {
      feed.ended(name)
      output.flush()
      throw Fault(
        [HP_END_TABLE_DROPPED, HP_END_SCENE_REMOVED].contains(reason) ? .notFound : .refused,
        name.uppercased(),
        "the feed ended: " + name)
    }
    feed.resync(name)
  }

  /// Looks up the names of filter and window once, and the columns of events that no snapshot
  /// stands before.
  private mutating func learn(_ client: Client, since: WatchStart?) throws(Fault) {
    if isAttached {
      if let scene { feed.tables = try tables(of: scene, client) }
      return
    }
    if !isResolved {
      let section = context.invocation[.section]
      if filter.namesParts || section != nil {
        let table = try client.describe(context.table)
        try filter.resolve(in: table)
        if let section { window?.section = try table.section(SectionName(text: section)).id }
      }
      isResolved = true
    }
    if since != nil || filter.isNotice || window != nil, feed.tables.isEmpty {
      feed.tables = try tablesNow(client)
    }
    if window == nil { filter.follow(feed.tables.first?.columns ?? []) }
  }

  private mutating func subscribe(_ client: Client, since: WatchStart?) throws(Fault) -> UInt64 {
    let text = CText()
    let cursor = since.map { since in
      Cursor(
        epoch: since.cursor.epoch ?? client.hello.epoch, revision: since.cursor.revision)
    }
    var options = unsafe hp_subscribe_options()
    // Safe: the name lives in `text` until the call returns.
    if let scene {
      unsafe options.scene = text(scene)
      unsafe options.scene_only = isAttached
    }
    if !isAttached, !context.invocation.has(.allTables) {
      // A table that was renamed meanwhile is the same one (contract K9).
      unsafe options.table =
        feed.tables.first.map { unsafe hp_table_with_id($0.id) }
        ?? hp_table_named(text(context.table))
    }
    if let cursor, let since {
      unsafe options.has_since = true
      unsafe options.since = hp_cursor(cursor)
      unsafe options.fingerprint = since.fingerprint
      unsafe options.snapshot_if_lost = true
    }
    // Who asks for some rows or kinds of change is told of nothing else.
    unsafe options.live_state = !filter.isNotice && !isAttached
    var place = window?.request ?? hp_window()
    let reply = try unsafe client.run { connection in
      // Safe: the window is a local that outlives the call.
      unsafe withUnsafePointer(to: &place) { place in
        unsafe filter.with(options) { options in
          if window != nil { unsafe options.window = place }
          return unsafe hp_send_subscribe(connection, nil, &options)
        }
      }
    }
    withExtendedLifetime(text) {}
    if isAttached { _ = try client.scene(SceneStep(HP_SCENE_ATTACH, scene)) }
    guard let subscribed = unsafe hp_reply_subscribed(reply.handle) else { throw .unexpectedReply }
    let from = unsafe Cursor(subscribed.pointee.from)
    feed.epoch = window == nil ? from.epoch : client.hello.epoch
    feed.fingerprint = unsafe filter.isEmpty || window != nil ? 0 : subscribed.pointee.fingerprint
    feed.hasPathsByID = unsafe subscribed.pointee.paths_by_id
    if window != nil {
      feed.window = try WindowPrinter(
        context, table: feed.tables.first?.name ?? context.table, epoch: feed.epoch)
    }
    if let cursor, let since {
      // Notices have no snapshot: they go on from now where the cursor is lost.
      if unsafe subscribed.pointee.snapshot || from != cursor {
        let isSame = since.fingerprint == feed.fingerprint
        feed.resync(
          isSame
            ? Self.reason(cursor, now: from) : "that point was reached with another filter")
      } else {
        feed.resumed(cursor)
      }
      output.flush()
    }
    return unsafe subscribed.pointee.subscription
  }

  /// Why history can't go on after a cursor.
  private static func reason(_ since: Cursor, now: Cursor) -> String {
    if since.epoch != now.epoch { return "that point is of another store, or of before a restore" }
    if since.revision > now.revision { return "the store has not come that far" }
    return "history does not reach back that far"
  }

  /// The tables that a scene shows: those who write in a field are told by its name.
  private func tables(of scene: String, _ client: Client) throws(Fault) -> [TableInfo] {
    guard let state = try client.scene(SceneStep(HP_SCENE_SHOW, scene)).scenes.first else {
      return []
    }
    var tables: [TableInfo] = []
    for controller in state.stacks.flatMap(\.controllers)
    where controller.table != 0 && !controller.isGone
      && !tables.contains(where: { $0.id == controller.table })
    {
      do throws(Fault) { tables.append(try client.describe(id: controller.table)) } catch {
        // It has gone meanwhile.
        guard error.code == ErrorCode.noSuchTable.name else { throw error }
      }
    }
    return tables
  }

  /// The columns of the tables that are watched, for events without a snapshot before them.
  private func tablesNow(_ client: Client) throws(Fault) -> [TableInfo] {
    guard context.invocation.has(.allTables) else {
      var table = try client.describe(context.table)
      table.columns = filter.left(of: table.columns)
      return [table]
    }
    let reply = try unsafe client.run { connection in
      unsafe hp_send_list_tables(connection, nil)
    }
    guard let list = unsafe hp_reply_tables(reply.handle) else { throw .unexpectedReply }
    // Safe: the tables belong to the reply, which lives until they are copied.
    let names = unsafe UnsafeBufferPointer(start: list.pointee.tables, count: list.pointee.count)
      .map { table in unsafe TableInfo(table).name }
    withExtendedLifetime(reply) {}
    return try names.map { name throws(Fault) in try client.describe(name) }
  }

  // MARK: Waiting

  /// The next event; `nil` when the time is up or nobody reads stdout any more.
  private func next(_ client: Client) throws(Fault) -> Event? {
    while true {
      if let event = try client.event(milliseconds: 0) { return event }
      let polling = client.polling
      guard
        wait(
          descriptor: polling.descriptor, events: polling.events, milliseconds: polling.timeout)
      else { return nil }
    }
  }

  /// Waits before the next connection.
  ///
  /// - Returns: Whether to go on.
  private mutating func pause() throws(Fault) -> Bool {
    let until = Context.microseconds + retry.next()
    while true {
      let left = until - Context.microseconds
      guard left > 0 else { return true }
      guard wait(descriptor: -1, events: 0, milliseconds: CInt(clamping: left / 1_000 + 1)) else {
        _ = try timeIsUp()
        return false
      }
    }
  }

  /// Polls a descriptor and the reader of stdout, at most until `--timeout` is over.
  ///
  /// - Returns: `false` when the time is up or nobody reads any more.
  private func wait(descriptor: CInt, events: Int16, milliseconds: CInt) -> Bool {
    var timeout = milliseconds
    if let end {
      let left = max(0, (end - Context.microseconds) / 1_000)
      if left == 0 { return false }
      timeout = timeout < 0 ? CInt(clamping: left) : min(timeout, CInt(clamping: left))
    }
    var waiting = [
      pollfd(fd: descriptor, events: events, revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    // Safe: a local list of two; poll keeps no pointer to it.
    _ = unsafe poll(&waiting, 2, timeout)
    if waiting[1].revents & Int16(POLLERR | POLLHUP) != 0 {
      output.readerIsGone()
      return false
    }
    return true
  }
}

/// Pauses between connections: short at first, doubled up to two seconds.
struct Retry {
  private(set) var failed = 0

  /// The next pause, in microseconds.
  mutating func next() -> Int64 {
    failed += 1
    return min(2_000_000, 20_000 << Int64(min(failed, 10)))
  }
}
