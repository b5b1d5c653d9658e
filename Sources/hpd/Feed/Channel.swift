/// The live subscriptions with one scope: what a revision tells them is made once.
final class Channel {
  let scope: FeedScope
  /// How many subscriptions it has, live or not.
  var users = 0
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
