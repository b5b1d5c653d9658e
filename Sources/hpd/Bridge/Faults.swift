internal import TableService
internal import Wire

extension ErrorReply {
  /// A refused change as the wire tells it.
  init(_ fault: TableFault) {
    let (code, message) = ErrorReply.told(fault.code)
    // A key's column is named; titles have none.
    let isKey = fault.code == .ambiguous && fault.column != nil
    self.init(code, isKey ? "more than one row has that key" : message)
    if fault.code == .countMatched, let found = fault.value {
      self.message = "\(found) \(found == "1" ? "row is" : "rows are") matched"
    }
    operation = fault.operation.map(UInt64.init)
    path = fault.path.map(IndexPath.init)
    otherPath = fault.otherPath.map(IndexPath.init)
    row = fault.row
    section = fault.section
    column = fault.column
    value = fault.value
    expected = fault.expected
    revision = fault.revision
    if !fault.conflicts.isEmpty { self.message = "later changes stand in the way" }
    conflicts = fault.conflicts.map(Conflict.init)
  }

  /// The code and the words for each fault; a new one does not compile until it has both.
  private static func told(_ code: TableFault.Code) -> (ErrorCode, String) {
    switch code {
    case .badText: (.badText, "a text is not UTF-8 or holds a NUL")
    case .unsupported: (.unsupported, "this version does not serve that")
    case .noSuchColumn: (.noSuchColumn, "no such column")
    case .noSuchSection: (.noSuchSection, "no such section")
    case .noSuchRow: (.noSuchRow, "no such row")
    case .noSuchHandle: (.noSuchHandle, "no earlier operation gave that handle")
    case .ambiguous: (.ambiguous, "more than one section has that title")
    case .nameInUse: (.nameInUse, "that name is in use")
    case .stale: (.stale, "the table has changed since")
    case .wrongEpoch: (.wrongEpoch, "the store has another epoch")
    case .futureRevision: (.futureRevision, "that revision is not there yet")
    case .conflict: (.conflict, "a condition does not hold")
    case .rowExists: (.rowExists, "the row is there")
    case .countRows: (.countRows, "the rows do not add up")
    case .countSections: (.countSections, "the sections do not add up")
    case .badRequest: (.badRequest, "the request can't be understood")
    case .badValue: (.badValue, "that value can't be stored")
    case .wrongKind: (.wrongKind, "a value of another kind than the column's")
    case .required: (.required, "the column must have a value")
    case .readOnly: (.readOnly, "the column can't change after the insert")
    case .textTooLong: (.textTooLong, "the text is too long")
    case .rowTooLarge: (.rowTooLarge, "the row is too large")
    case .badName: (.badName, "that is no name")
    case .tooManyColumns: (.tooManyColumns, "the table has too many columns")
    case .tooManySections: (.tooManySections, "the table has too many sections")
    case .tooManyRows: (.tooManyRows, "the table has too many rows")
    case .pathsNeedBasis: (.pathsNeedBasis, "a path needs a basis: current, or a cursor")
    case .duplicateColumn: (.duplicateColumn, "a column is named twice")
    case .duplicateKey: (.duplicateKey, "another row has that value in a unique column")
    case .outOfRange: (.outOfRange, "that place is not there")
    case .badFilter: (.badFilter, "the filter is no expression")
    case .countMatched: (.countMatched, "another number of rows is matched")
    case .overflow: (.overflow, "the number does not fit 64 bits")
    case .outOfBounds: (.outOfBounds, "the result is out of bounds")
    case .deleteAndMove: (.deleteAndMove, "the same one is deleted and moved")
    case .reloadAndMove: (.reloadAndMove, "the same section is reloaded and moved")
    case .insertAndMove: (.insertAndMove, "one is inserted and another moved to the same place")
    case .deleteAndReload: (.deleteAndReload, "the same one is deleted and reloaded")
    case .moveCollision: (.moveCollision, "two are moved to the same place")
    case .moveTwiceFrom: (.moveTwiceFrom, "the same one is moved twice")
    case .moveIntoInsertedSection:
      (.moveIntoInsertedSection, "a row is moved into a section that the batch makes")
    case .moveFromDeletedSection:
      (.moveFromDeletedSection, "a row is moved out of a section that the batch takes away")
    case .duplicate: (.duplicate, "the same place is named twice")
    case .rowsInReloadedSection:
      (.rowsInReloadedSection, "a row is changed in a section that is reloaded with its rows")
    case .abandoned: (.storeFailed, "the change was given up: the store failed meanwhile")
    }
  }

  /// A failure of the store as the wire tells it.
  init(_ fault: StoreFault) {
    switch fault {
    case .full: self.init(.storeFull, "\(fault)")
    case .busy: self.init(.storeBusy, "\(fault)")
    case .foreignWrite, .gone: self.init(.storeChangedOutside, "\(fault)")
    case .unsettled: self.init(.outcomeUnknown, "\(fault)")
    case .newer: self.init(.storeTooNew, "\(fault)")
    case .closed, .sqlite, .system, .locked, .notAStore, .linked, .network, .damaged, .exhausted:
      self.init(.storeFailed, "\(fault)")
    }
  }
}

extension IndexPath {
  init(_ path: RowPath) {
    self.init(
      section: Int(truncatingIfNeeded: path.section), row: Int(truncatingIfNeeded: path.row))
  }
}

extension ErrorReply {
  /// A refusal of the service as the wire tells it.
  init(_ fault: ServiceFault) {
    switch fault {
    case .table(let fault): self.init(fault)
    case .store(let fault): self.init(fault)
    case .keyReused: self.init(.keyReused, "the key was used for another request")
    case .keyExpired(let now):
      self.init(.keyExpired, "the time for which the key was promised has passed")
      expected = "retry_until after \(now)"
    case .retryTooLate(let now):
      self.init(.badValue, "retry_until lies too far ahead")
      expected = "at most 24 hours after \(now)"
    case .keysFull(let limit):
      self.init(.keysFull, "the user has \(limit) keys, and none is forgotten early")
    case .nothingToUndo(let step, let reason):
      self.init(.nothingToUndo, "nothing to undo: \(reason)")
      revision = step
    case .nothingToRedo(let step, let reason):
      self.init(.nothingToRedo, "nothing to redo: \(reason)")
      revision = step
    case .notOwnStep(let step, let uid, let actor):
      self.init(.notOwnStep, "step \(step) is another actor's")
      revision = step
      conflicts = [Conflict(revision: step, uid: uid, actor: actor)]
    case .otherStep(let found, let expected):
      self.init(.stale, "the step is \(found)")
      self.expected = "step \(expected)"
      revision = found
    case .stepExpired(let step):
      self.init(.compacted, "the old values of step \(step) are no longer kept")
      revision = step
    case .held:
      self.init(.busy, "a long change of the table is under way; try again when it is done")
    case .compacted(let oldest):
      self.init(.compacted, "the history from there on is no longer kept")
      expected = "a revision from \(oldest) on"
    }
  }
}

extension ErrorReply.Conflict {
  init(_ conflict: StepConflict) {
    self.init(
      revision: conflict.revision, uid: conflict.uid, actor: conflict.actor, row: conflict.row)
    section = conflict.section
    column = conflict.column
    isRemoved = conflict.isRemoved
  }
}
