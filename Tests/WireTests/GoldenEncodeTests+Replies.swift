import Coding

@testable import Wire

extension GoldenEncodeTests {
  static let replies: [String: Encode] = [
    "reply_error": { out in
      var error = ErrorReply(.stale, "The table has changed.")
      error.operation = 0
      error.path = IndexPath(section: 0, row: 3)
      error.row = 7
      error.column = "value"
      error.value = "39.955"
      error.expected = "at most 2 decimals"
      error.hint = "read again"
      error.revision = 42
      error.otherPath = IndexPath(section: 1, row: 300)
      error.conflicts = [.init(revision: 42, uid: 1000, actor: "ben/ui", row: 7)]
      error.section = 2
      error.field = 4
      error.offset = 130
      ReplyEncoder.error(error, id: 15, into: &out)
    },
    "reply_bad_frame": { out in
      let fault = WireFault(.truncated, offset: 2, field: 50, request: 15)
      ReplyEncoder.error(fault.error, id: fault.request, into: &out)
    },
    "reply_editing": { out in
      let cursor = try content(Golden.named("reply_editing").payload, [1, 33, 1])
      // The cursor stands first, and is not part of what was encoded.
      let whole = try content(Golden.named("reply_editing").payload, [1, 33])
      ReplyEncoder.editing(
        id: 61, cursor: at(42), content: Array(whole.dropFirst(cursor.count + 2)), into: &out)
    },
    "reply_editing_state": { out in
      let state = try content(Golden.named("reply_editing_state").payload, [1, 37])
      ReplyEncoder.editingState(id: 62, content: state, into: &out)
    },
    "reply_leases": { out in
      let leases = try content(Golden.named("reply_leases").payload, [1, 30])
      ReplyEncoder.leases(id: 50, content: leases, into: &out)
    },
    "reply_policies": { out in
      let entry = try content(Golden.named("reply_policies").payload, [1, 38, 1])
      var entries: [UInt8] = []
      entries.appendField(1, bytes: entry)
      ReplyEncoder.policies(id: 63, content: entries, cursor: at(42), into: &out)
    },
    "reply_done": { ReplyEncoder.done(id: 20, cursor: at(43), into: &$0) },
    "reply_hello": { out in
      var hello = HelloReply(
        version: 1, server: "hpd 0.1", cursor: at(41), oldestRevision: 1, client: 12, uid: 1000)
      hello.limits.historyRevisions = 1_000_000
      hello.limits.keySeconds = 86_400
      setConnections(of: &hello.limits)
      hello.features = ["columns"]
      hello.resumeToken = "c12"
      hello.runningClock = 1_234_567
      hello.start = 0x0123_4567_89ab_cdef
      ReplyEncoder.hello(hello, id: 1, into: &out)
    },
    "reply_pong": { ReplyEncoder.pong(id: 2, payload: [0, 1, 255], into: &$0) },
    "reply_subscribed": {
      ReplyEncoder.subscribed(id: 6, subscription: 3, from: at(41), snapshot: true, into: &$0)
    },
    "reply_batch": { out in
      let golden = try content(Golden.named("reply_batch").payload, [1, 22])
      var head = BatchReplyHead(cursor: at(42))
      head.undoable = true
      head.table = 1
      head.lastChanged = 42
      ReplyEncoder.batch(id: 15, head, content: try fields(5...7, of: golden), into: &out)
    },
    "reply_transfer": { out in
      let golden = try content(Golden.named("reply_transfer").payload, [1, 22])
      var head = BatchReplyHead(cursor: at(43))
      head.table = 2
      head.lastChanged = 43
      ReplyEncoder.batch(
        id: 31, head, content: try fields(5...7, of: golden),
        insertedSections: try fields(13...15, of: golden), into: &out)
    },
    "reply_unchanged": { out in
      var head = BatchReplyHead(cursor: at(42))
      head.unchanged = true
      head.replayed = true
      head.table = 1
      head.lastChanged = 42
      ReplyEncoder.batch(id: 16, head, content: [0x2a, 0], into: &out)
    },
    "reply_tables": { out in
      let table = try content(Golden.named("reply_tables").payload, [1, 23, 1])
      ReplyEncoder.tables(id: 9, encoded: [table], cursor: at(42), into: &out)
    },
    "reply_table": { out in
      let table = try content(Golden.named("reply_table").payload, [1, 24])
      ReplyEncoder.table(id: 10, encoded: table, into: &out)
    },
    "reply_scene": { out in
      let scene = try content(Golden.named("reply_scene").payload, [1, 35])
      ReplyEncoder.scene(id: 33, encoded: scene, into: &out)
    },
    "reply_rows": { out in
      var page = RowPageEncoder()
      // A page before it leaves nothing behind.
      var other: [UInt8] = []
      page.add(row(1, 1).span, path: IndexPath(section: 0, row: 0), section: 1)
      page.add(missing: 5)
      page.finish(id: 1, cursor: at(1), into: &other)
      page.add(
        row(7, 40, name: "Kettle", value: 3995).span, path: IndexPath(section: 1, row: 10),
        section: 2)
      page.add(row(300, 42).span, path: IndexPath(section: 1, row: 11), section: 2)
      page.add(missing: 8)
      page.add(missing: 900)
      page.finish(
        id: 12, cursor: at(42), next: 13, lastChanged: 42, snapshot: 6, schemaRevision: 1,
        into: &out)
    },
    "reply_location": {
      ReplyEncoder.location(
        id: 13, path: IndexPath(section: 1, row: 10), section: 2, position: 11, cursor: at(42),
        into: &$0)
    },
    "reply_count": { ReplyEncoder.count(id: 14, rows: 12, cursor: at(42), into: &$0) },
    "reply_sum": {
      ReplyEncoder.sum(id: 28, -3995, rows: 12, nulls: 3, cursor: at(42), into: &$0)
    },
    "reply_undo": { out in
      var head = BatchReplyHead(cursor: at(43))
      head.table = 1
      head.lastChanged = 43
      let whole = try content(Golden.named("reply_undo").payload, [1, 22])
      // The fields counts and stages stand between the cursor and the table, the step at the end.
      let counts = try content(whole, [5])
      let stages = try content(whole, [7])
      var content: [UInt8] = []
      content.appendField(5, bytes: counts)
      content.appendField(7, bytes: stages)
      var step: [UInt8] = []
      step.appendField(16, varint: 42)
      ReplyEncoder.batch(id: 25, head, content: content, insertedSections: step, into: &out)
    },
    "reply_undo_conflict": { out in
      var error = ErrorReply(.conflict, "later changes stand in the way")
      error.row = 7
      error.column = "value"
      error.revision = 43
      var first = ErrorReply.Conflict(revision: 43, uid: 1001, actor: "bert", row: 7)
      first.column = "value"
      var second = ErrorReply.Conflict(revision: 44, uid: 1000, actor: "anna/ui")
      second.section = 2
      second.isRemoved = true
      error.conflicts = [first, second]
      ReplyEncoder.error(error, id: 25, into: &out)
    },
    "reply_history": { out in
      let page = try content(Golden.named("reply_history").payload, [1, 29])
      var entries: [[UInt8]] = []
      var reader = FieldReader(page.indices)
      while let field = try reader.next(in: page.span) {
        if field.number == 1 { entries.append(Array(page[field.range])) }
      }
      ReplyEncoder.history(id: 65, encoded: entries, next: 40, cursor: at(43), into: &out)
    },
    "reply_nib": { out in
      let nib = try content(Golden.named("reply_nib").payload, [1, 34])
      ReplyEncoder.nib(id: 40, encoded: nib, more: false, into: &out)
    },
    "reply_header": { out in
      let header = try content(Golden.named("reply_header").payload, [1, 36])
      ReplyEncoder.header(id: 42, encoded: header, more: false, into: &out)
    },
    "reply_bad_xib": { out in
      var error = ErrorReply(.badXib, "an id stands twice in the file")
      error.value = "a"
      error.expected = "an id of its own"
      error.file = "H.xib"
      error.line = 12
      ReplyEncoder.error(error, id: 40, into: &out)
    },
    "reply_info": { out in
      var info = InfoReply(cursor: at(42))
      info.server = "hpd 0.1"
      info.pid = 4242
      info.socket = "/run/user/1000/hpd/hpd.sock"
      info.store = "/home/anna/hpd.db"
      info.oldestRevision = 1
      info.materialised = 41
      info.clients = 2
      info.subscriptions = 1
      info.memory = 9_000_000
      info.uptime = 3600
      info.durability = .interval
      setConnections(of: &info.limits)
      info.tables = [try content(Golden.named("reply_info").payload, [1, 20, 14])]
      info.counters = [CounterInfo(name: "requests", value: 1000)]
      ReplyEncoder.info(info, id: 3, into: &out)
    },
    "reply_clients": {
      ReplyEncoder.clients(
        id: 22,
        [
          ClientInfo(
            client: 12, uid: 1000, pid: 4300, name: "hpctl 0.1", actor: "anna/hpctl",
            subscriptions: 1, queued: 0, connected: 60)
        ], into: &$0)
    },
    "goodbye": { out in
      var goodbye = Goodbye(.shuttingDown, "hpd stops.")
      goodbye.reached = [
        .init(subscription: 3, revision: 60), .init(subscription: 4, revision: 58),
      ]
      goodbye.resumeToken = "c12"
      ReplyEncoder.goodbye(goodbye, into: &out)
    },
    "goodbye_version": { out in
      var goodbye = Goodbye(.version, "This daemon speaks version 1.")
      goodbye.versions = 1...1
      ReplyEncoder.goodbye(goodbye, into: &out)
    },
    "goodbye_oversized": { out in
      let fault = WireFault(.oversized, offset: 0)
      var goodbye = Goodbye(fault.code, fault.message)
      goodbye.offset = UInt64(fault.offset)
      ReplyEncoder.goodbye(goodbye, into: &out)
    },
  ]

  /// The bytes of the fields of a message whose numbers lie in a range.
  static func fields(_ numbers: ClosedRange<UInt32>, of bytes: [UInt8]) throws -> [UInt8] {
    var reader = FieldReader(0..<bytes.count)
    var chosen: [UInt8] = []
    var start = 0
    while let field = try reader.next(in: bytes.span) {
      if numbers.contains(field.number) { chosen += bytes[start..<reader.offset] }
      start = reader.offset
    }
    return chosen
  }
}
