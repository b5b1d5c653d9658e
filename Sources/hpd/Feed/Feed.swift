internal import TableService
internal import Wire

/// Subscriptions and what each of them gets (SPEC 5).
///
/// A revision goes to live subscriptions as it is committed; the others catch up from
/// snapshots and from the journal, as fast as their clients read, so that nobody's slowness
/// holds memory (contract K2).
final class Feed {
  private(set) var channels: [Channel] = []
  private var channelOf: [FeedScope: Channel] = [:]
  /// Those that can be given more right now, the one that waited longest first.
  var ready = ReadyList()
  /// Those that wait for a view to take a snapshot from.
  var waitingForView: [Subscription] = []
  /// Live windows by their table.
  var windows: [UInt64: [Subscription]] = [:]
  /// Those whose window is to look at other rows.
  var windowMoves: [Subscription] = []
  /// Windows with live state into which rows came, or which rows left, since that was told.
  var unsettled: [Subscription] = []
  /// How many subscriptions catch up.
  private(set) var pullingCount = 0
  let views = ViewPool()
  private(set) var count = 0
  /// How many subscriptions are told of live state.
  private(set) var liveStateCount = 0
  /// Bytes of all revisions that were told since the start.
  var told = 0
  /// At how many such bytes those who fell behind are looked at next.
  var nextLook = 0
  /// Whether requests that wait for a view should be tried again.
  var viewWasReleased = false

  /// Whether a subscription could be given more right now.
  var hasWork: Bool { !ready.isEmpty || !windowMoves.isEmpty }

  /// The channel of a scope.
  func channel(_ scope: FeedScope) -> Channel {
    if let channel = channelOf[scope] { return channel }
    let channel = Channel(scope)
    channelOf[scope] = channel
    return channel
  }

  func add(_ subscription: Subscription) {
    count += 1
    subscription.channel.users += 1
    if subscription.wantsLiveState { liveStateCount += 1 }
    if subscription.isLive { enlist(subscription) } else { startPulling(subscription) }
  }

  func remove(_ subscription: Subscription, _ service: Service) {
    guard !subscription.isEnded else { return }
    if case .snapshot(let sender) = subscription.source { release(sender.view) }
    if subscription.isLive {
      delist(subscription, service)
    } else {
      stopPulling(subscription)
      waitingForView.removeAll { $0 === subscription }
    }
    subscription.source = .ended
    count -= 1
    if subscription.wantsLiveState { liveStateCount -= 1 }
    subscription.channel.users -= 1
    if subscription.channel.users == 0 { channelOf[subscription.channel.scope] = nil }
  }

  private func enlist(_ subscription: Subscription) {
    if subscription.window != nil, let table = subscription.scope.table {
      windows[table, default: []].append(subscription)
      return
    }
    let channel = subscription.channel
    if channel.live.isEmpty { channels.append(channel) }
    channel.add(subscription)
  }

  private func delist(_ subscription: Subscription, _ service: Service) {
    if let window = subscription.window, let table = subscription.scope.table {
      windows[table]?.removeAll { $0 === subscription }
      if windows[table]?.isEmpty == true { windows[table] = nil }
      service.table(id: table)?.close(window)
      return
    }
    let channel = subscription.channel
    channel.remove(subscription)
    if channel.live.isEmpty { channels.removeAll { $0 === channel } }
  }

  private func startPulling(_ subscription: Subscription) {
    pullingCount += 1
    subscription.session.pullingCount += 1
    (subscription.fellBehind, subscription.pulled) = (told, 0)
    ready.append(subscription)
  }

  private func stopPulling(_ subscription: Subscription) {
    pullingCount -= 1
    subscription.session.pullingCount -= 1
  }

  /// Makes a live subscription read from the journal what it was not told; a window is sent anew.
  func fallBack(_ subscription: Subscription, _ service: Service) {
    delist(subscription, service)
    subscription.isBehind = true
    subscription.source = subscription.window == nil ? .history : .window
    startPulling(subscription)
  }

  /// Makes a subscription that has caught up a live one.
  func goLive(_ subscription: Subscription) {
    stopPulling(subscription)
    subscription.source = .live
    subscription.position = nil
    enlist(subscription)
  }

  /// Says that the snapshot is whole, or that all of history up to now was sent.
  func tellLive(_ subscription: Subscription, _ revision: UInt64, _ daemon: Daemon) {
    let from = subscription.cursor
    subscription.session.output.appendFrame(
      subscription: subscription.number, revision: revision
    ) {
      EventEncoder.live(
        EventEncoder.Head(subscription: subscription.number, from: from),
        Cursor(epoch: daemon.service.epoch, revision: revision), resumed: subscription.resumed,
        into: &$0)
    }
    subscription.toldLive = true
    subscription.cursor = revision
    daemon.markDirty(subscription.session)
  }

  /// Ends a subscription with a word why (contract K8).
  func end(_ subscription: Subscription, _ reason: EndReason, _ daemon: Daemon) {
    let cursor = subscription.cursor
    subscription.session.output.appendFrame(subscription: subscription.number, revision: 0) {
      EventEncoder.ended(
        EventEncoder.Head(subscription: subscription.number, from: cursor), reason: reason,
        revision: cursor, into: &$0)
    }
    daemon.markDirty(subscription.session)
    remove(subscription, daemon.service)
    subscription.session.subscriptions.removeAll { $0 === subscription }
  }
}
