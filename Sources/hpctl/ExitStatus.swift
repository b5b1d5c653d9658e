/// How hpctl ends; the same list stands in hpctl(1).
enum ExitStatus: Int32 {
  case ok = 0
  /// The daemon refused or failed.
  case refused = 1
  /// The command line is wrong.
  case usage = 2
  /// The daemon can't be reached, or went away.
  case unreachable = 3
  /// What was named is not there.
  case notFound = 4
  /// Somebody else was faster: stale expectations, keys used before.
  case conflict = 5
  /// A value or a file is wrong.
  case badInput = 6
  /// Ended by SIGINT.
  case interrupted = 130

  /// The status that stands for an error of the daemon.
  ///
  /// - Parameter code: The code as the daemon sent it; one that is newer than this program counts
  ///   as refused.
  init(code: ErrorCode?) {
    guard let code else {
      self = .refused
      return
    }
    switch code {
    case .shuttingDown, .version: self = .unreachable
    case .notFound, .noSuchTable, .noSuchColumn, .noSuchSection, .noSuchRow,
      .noSuchSubscription, .noSuchHandle, .noSuchUpload, .noSuchOutlet:
      self = .notFound
    case .ambiguous, .badText, .badRequest, .badValue, .wrongKind, .required, .readOnly,
      .textTooLong, .rowTooLarge, .overflow, .outOfBounds, .badName, .badFilter,
      .tooManyColumns, .tooManySections, .tooManyRows, .pathsNeedBasis, .duplicateColumn,
      .outOfRange, .deleteAndMove, .reloadAndMove, .insertAndMove, .deleteAndReload,
      .moveCollision, .moveTwiceFrom, .moveIntoInsertedSection, .moveFromDeletedSection,
      .duplicate, .rowsInReloadedSection, .frameTooLarge, .uploadTooLarge, .tooDeep,
      .tooManyElements,
      .legacyXib, .badXib:
      self = .badInput
    case .nameInUse, .stale, .wrongEpoch, .futureRevision, .compacted, .otherFilter, .conflict,
      .rowExists, .countRows, .countSections, .countMatched, .keyReused, .keyExpired,
      .duplicateKey, .snapshotExpired, .heldExclusively, .heldByOthers, .notHolder,
      .leaseExpired:
      self = .conflict
    case .badFrame, .unknownRequest, .unknownField, .unsupported, .helloExpected,
      .tooManyRequests, .tooManyClients, .tooManySubscriptions, .timeout, .tooSlow,
      .outOfMemory, .internal, .notPermitted, .revoked, .keysFull, .nothingToUndo, .nothingToRedo,
      .notOwnStep, .notEditable,
      .notMovable, .styleMismatch, .styleNotDelete, .inEditingMode, .notEditing, .noSwipe,
      .noDrag, .noDraft, .noConfirm, .notSelectable, .draftOpen, .dragOpen, .alreadyOnStack,
      .storeFailed, .outcomeUnknown, .storeFull, .storeBusy,
      .storeChangedOutside, .storeTooNew, .busy:
      self = .refused
    }
  }
}
