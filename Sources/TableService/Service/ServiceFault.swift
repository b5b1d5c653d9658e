/// Why a service refuses a request.
public enum ServiceFault: Error, Equatable, Sendable {
  /// The table's rules.
  case table(TableFault)
  /// The store can't take or give it.
  case store(StoreFault)
  /// The key was used for another request.
  case keyReused
  /// The time for which the key was promised has passed.
  case keyExpired(now: Int64)
  /// `retry_until` lies more than 24 hours ahead.
  case retryTooLate(now: Int64)
  /// The user has as many keys as are kept.
  case keysFull(limit: Int)
  /// A change that takes long goes on: try again when it is done.
  case held
  /// The history that is asked for is no longer kept.
  case compacted(oldest: UInt64)
}
