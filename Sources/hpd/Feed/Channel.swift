/// The live subscriptions with one scope: what a revision tells them is made once.
final class Channel {
  let scope: FeedScope
  private(set) var live: [Subscription] = []

  init(_ scope: FeedScope) { self.scope = scope }

  func add(_ subscription: Subscription) {
    subscription.place = live.count
    live.append(subscription)
  }

  /// Takes one out; the last one gets its place.
  func remove(_ subscription: Subscription) {
    let last = live.removeLast()
    guard last !== subscription else { return }
    last.place = subscription.place
    live[subscription.place] = last
  }
}
