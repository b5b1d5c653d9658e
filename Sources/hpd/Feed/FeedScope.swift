internal import TableService

/// What a subscription sees; subscriptions with equal scopes are sent the same bytes.
struct FeedScope: Hashable {
  var filter: ChangeFilter
  /// The number of the scene that is seen as well, or 0.
  var scene: UInt64 = 0
  /// Whether changes of tables are seen at all.
  var hasTables = true

  /// The tables by rising id; `nil`: all.
  var tables: [UInt64]? { filter.tables?.sorted() }

  /// The only table it is about, if there is one.
  var table: UInt64? { filter.tables?.count == 1 ? filter.tables?.first : nil }

  /// Whether a revision that changed these tables may concern it.
  func concerns(_ changed: [UInt64]) -> Bool { hasTables && filter.concerns(changed) }

  /// Whether none of its tables is there any more.
  func isGone(_ service: Service) -> Bool {
    guard hasTables, let tables = filter.tables else { return false }
    return tables.allSatisfy { service.table(id: $0) == nil }
  }
}
