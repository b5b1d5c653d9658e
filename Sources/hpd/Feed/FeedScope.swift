/// What a subscription sees; subscriptions with equal scopes are sent the same bytes.
struct FeedScope: Hashable {
  /// The tables, by rising id, or `nil` for all.
  var tables: [UInt64]?

  /// The only table it is about, if there is one.
  var table: UInt64? { tables?.count == 1 ? tables?.first : nil }

  /// Whether a revision that changed these tables may concern it.
  func concerns(_ changed: [UInt64]) -> Bool {
    guard let tables else { return true }
    return changed.contains { tables.contains($0) }
  }
}
