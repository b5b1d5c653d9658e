/// Stable codes of everything that can go wrong (`hp.v1.ErrorCode`).
public enum ErrorCode: UInt32, CaseIterable, Sendable {
  // The connection and its frames.
  case badFrame = 1
  case frameTooLarge = 2
  case badText = 3
  case tooDeep = 4
  case tooManyElements = 5
  case unknownRequest = 6
  case unknownField = 7
  case unsupported = 8
  case version = 9
  case helloExpected = 10
  case tooManyRequests = 11
  case tooManyClients = 12
  case tooManySubscriptions = 13
  case timeout = 14
  case shuttingDown = 15
  case tooSlow = 16
  case outOfMemory = 17
  case `internal` = 18
  case uploadTooLarge = 19

  // Who may do what.
  case notPermitted = 30
  case revoked = 31
  case heldExclusively = 32
  case notHolder = 33
  case leaseExpired = 34
  case heldByOthers = 35

  // Things that are not there.
  case notFound = 50
  case noSuchTable = 51
  case noSuchColumn = 52
  case noSuchSection = 53
  case noSuchRow = 54
  case noSuchSubscription = 55
  case noSuchHandle = 56
  case ambiguous = 57
  case nameInUse = 58
  case noSuchUpload = 59

  // Expectations.
  case stale = 70
  case wrongEpoch = 71
  case futureRevision = 72
  case compacted = 73
  case otherFilter = 74
  case conflict = 75
  case rowExists = 76
  case countRows = 77
  case countSections = 78
  case countMatched = 79
  case keyReused = 80
  case keyExpired = 81
  case keysFull = 82
  case nothingToUndo = 83
  case snapshotExpired = 84
  case nothingToRedo = 85
  case notOwnStep = 86

  // Bad input.
  case badRequest = 100
  case badValue = 101
  case wrongKind = 102
  case required = 103
  case readOnly = 104
  case textTooLong = 105
  case rowTooLarge = 106
  case overflow = 107
  case outOfBounds = 108
  case duplicateKey = 109
  case badName = 110
  case badFilter = 111
  case tooManyColumns = 112
  case tooManySections = 113
  case tooManyRows = 114
  case pathsNeedBasis = 115
  case duplicateColumn = 116

  // A transition that contradicts itself (semantics of batch updates).
  case outOfRange = 130
  case deleteAndMove = 131
  case reloadAndMove = 132
  case insertAndMove = 133
  case deleteAndReload = 134
  case moveCollision = 135
  case moveTwiceFrom = 136
  case moveIntoInsertedSection = 137
  case moveFromDeletedSection = 138
  case duplicate = 139
  case rowsInReloadedSection = 140

  // Editing and screens.
  case notEditable = 160
  case notMovable = 161
  case styleMismatch = 162
  case styleNotDelete = 163
  case inEditingMode = 164
  case notEditing = 165
  case noSwipe = 166
  case noDrag = 167
  case noDraft = 168
  case alreadyOnStack = 169
  case legacyXib = 170
  case badXib = 171
  case noSuchOutlet = 172
  case noConfirm = 173
  case notSelectable = 174
  case draftOpen = 175
  case dragOpen = 176

  // The store.
  case storeFailed = 190
  case outcomeUnknown = 191
  case storeFull = 192
  case storeBusy = 193
  case storeChangedOutside = 194
  case storeTooNew = 195
  case busy = 196
}
