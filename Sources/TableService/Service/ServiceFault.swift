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
  /// There is no step to undo, or not that one; `reason` says why.
  case nothingToUndo(step: UInt64?, reason: String)
  /// There is no step to redo, or not that one.
  case nothingToRedo(step: UInt64?, reason: String)
  /// The step is another actor's.
  case notOwnStep(step: UInt64, uid: UInt64, actor: String)
  /// The step is not the one that was expected.
  case otherStep(found: UInt64, expected: UInt64)
  /// The step is older than what is kept for undo.
  case stepExpired(step: UInt64)
  /// A change that takes long goes on: try again when it is done.
  case held
  /// The history that is asked for is no longer kept.
  case compacted(oldest: UInt64)
}
