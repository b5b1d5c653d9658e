/// The stable error codes of hp.v1, by their numbers in `Proto/hp/v1/error.proto`.
enum ErrorCode: UInt32, CaseIterable {
  case badFrame = 1
  case frameTooLarge
  case badText
  case tooDeep
  case tooManyElements
  case unknownRequest
  case unknownField
  case unsupported
  case version
  case helloExpected
  case tooManyRequests
  case tooManyClients
  case tooManySubscriptions
  case timeout
  case shuttingDown
  case tooSlow
  case outOfMemory
  case `internal`
  case uploadTooLarge

  case notPermitted = 30
  case revoked
  case heldExclusively
  case notHolder
  case leaseExpired
  case heldByOthers

  case notFound = 50
  case noSuchTable
  case noSuchColumn
  case noSuchSection
  case noSuchRow
  case noSuchSubscription
  case noSuchHandle
  case ambiguous
  case nameInUse
  case noSuchUpload

  case stale = 70
  case wrongEpoch
  case futureRevision
  case compacted
  case otherFilter
  case conflict
  case rowExists
  case countRows
  case countSections
  case countMatched
  case keyReused
  case keyExpired
  case keysFull
  case nothingToUndo
  case snapshotExpired
  case nothingToRedo
  case notOwnStep

  case badRequest = 100
  case badValue
  case wrongKind
  case required
  case readOnly
  case textTooLong
  case rowTooLarge
  case overflow
  case outOfBounds
  case duplicateKey
  case badName
  case badFilter
  case tooManyColumns
  case tooManySections
  case tooManyRows
  case pathsNeedBasis
  case duplicateColumn

  case outOfRange = 130
  case deleteAndMove
  case reloadAndMove
  case insertAndMove
  case deleteAndReload
  case moveCollision
  case moveTwiceFrom
  case moveIntoInsertedSection
  case moveFromDeletedSection
  case duplicate
  case rowsInReloadedSection

  case notEditable = 160
  case notMovable
  case styleMismatch
  case styleNotDelete
  case inEditingMode
  case notEditing
  case noSwipe
  case noDrag
  case noDraft
  case alreadyOnStack
  case legacyXib
  case badXib
  case noSuchOutlet
  case noConfirm
  case notSelectable
  case draftOpen
  case dragOpen

  case storeFailed = 190
  case outcomeUnknown
  case storeFull
  case storeBusy
  case storeChangedOutside
  case storeTooNew
  case busy

  /// The code as it is written in the schema and in JSON: `NO_SUCH_ROW`.
  var name: String {
    var name = ""
    for letter in "\(self)" {
      if letter.isUppercase { name.append("_") }
      name.append(contentsOf: letter.uppercased())
    }
    return name
  }
}
