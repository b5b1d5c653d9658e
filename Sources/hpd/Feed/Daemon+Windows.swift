internal import TableService
internal import Wire

/// Windows asked for and moved (contract F3).
extension Daemon {
  /// Opens a window; its rows follow as an event.
  func openWindow(
    _ session: Session, _ id: UInt64, _ wish: SubscribeRequest, _ window: WindowRequest
  ) throws(ErrorReply) {
    if wish.since != nil || wish.onlyLive || wish.oldRows {
      throw ErrorReply(
        .badRequest, "a window is sent as it is: it takes no cursor and no old rows")
    }
    if let filter = wish.filter,
      !filter.tables.isEmpty || !filter.sections.isEmpty || !filter.rows.isEmpty
        || !filter.kinds.isEmpty
    {
      throw ErrorReply(.badFilter, "a window is filtered by columns alone")
    }
    let table = try table(wish.table)
    let filter = try self.filter(wish)
    let spec = TableWindow.Spec(window, columns: filter.columns)
    try check(spec, table)
    var scope = FeedScope(filter: ChangeFilter())
    scope.filter.tables = [table.id]
    let subscription = Subscription(
      number: session.nextSubscription, session: session, channel: feed.channel(scope),
      cursor: service.revision, source: .window, resumed: false)
    subscription.window = TableWindow(spec)
    subscription.wantsLiveState = wish.liveState
    add(subscription, to: session, heartbeat: wish.heartbeat)
    reply(session, id) {
      ReplyEncoder.subscribed(
        id: id, subscription: subscription.number, from: nil, snapshot: true, foldable: true,
        table: table.id, into: &$0)
    }
    feed.add(subscription)
  }

  /// Lets a window look at other rows; what it takes follows as an event.
  func moveWindow(
    _ session: Session, _ id: UInt64, _ number: UInt64, _ window: WindowRequest
  ) throws(ErrorReply) {
    guard let subscription = session.subscription(number) else {
      throw ErrorReply(.noSuchSubscription, "no subscription has the number \(number)")
    }
    guard let old = subscription.window, let table = subscription.scope.table else {
      throw ErrorReply(.badRequest, "the subscription \(number) is no window")
    }
    let spec = TableWindow.Spec(window, columns: old.spec.columns)
    try check(spec, try self.table(.id(table)))
    feed.queueMove(subscription, spec)
    reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
  }

  private func check(_ spec: TableWindow.Spec, _ table: Table) throws(ErrorReply) {
    guard (1...TableLimits.window).contains(spec.length) else {
      var error = ErrorReply(.badValue, "a window can't have that length")
      error.value = "\(spec.length)"
      error.expected = "1 to \(TableLimits.window) rows"
      throw error
    }
    // What a window shows is read from the table itself.
    if table.isBusy { throw ErrorReply(ServiceFault.held) }
    do throws(TableFault) { try table.check(spec) } catch { throw ErrorReply(error) }
  }
}

extension TableWindow.Spec {
  init(_ request: WindowRequest, columns: Set<UInt64>?) {
    let anchor: TableWindow.Anchor =
      switch request.anchor {
      case .position(let position): .position(position)
      case .row(let row): .row(row)
      }
    self.init(
      anchor: anchor, section: request.section, length: request.length ?? 0, columns: columns)
  }
}
