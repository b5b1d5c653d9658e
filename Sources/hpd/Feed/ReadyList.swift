/// Subscriptions that can be given more, each once, in turns.
struct ReadyList {
  private var list: [Subscription] = []
  private var first = 0

  var isEmpty: Bool { first == list.count }
  var count: Int { list.count - first }

  mutating func append(_ subscription: Subscription) {
    guard !subscription.isQueued else { return }
    subscription.isQueued = true
    list.append(subscription)
  }

  mutating func popFirst() -> Subscription? {
    guard first < list.count else { return nil }
    let subscription = list[first]
    first += 1
    subscription.isQueued = false
    if first == list.count {
      list.removeAll(keepingCapacity: list.capacity <= 1024)
      first = 0
    } else if first >= 1024 {
      list.removeFirst(first)
      first = 0
    }
    return subscription
  }
}
