/// Finding the step that an undo or a redo is about (contracts E9, K10).
extension Service {
  /// Reads from the store.
  func reading<Result>(
    _ body: (Store) throws(StoreFault) -> Result
  ) throws(ServiceFault) -> Result {
    do throws(StoreFault) { return try body(store) } catch { throw .store(error) }
  }

  /// The step that is to be undone.
  ///
  /// - Throws: `nothingToUndo`, `notOwnStep`, `stepExpired`; `otherStep`.
  func stepToUndo(_ wish: StepWish, _ requester: Requester) throws(ServiceFault) -> StepLine {
    let found: StepLine?
    if let step = wish.step {
      found = try named(step, wish)
    } else {
      let actor = try reading { store throws(StoreFault) in
        try store.actor(uid: requester.uid, name: requester.actor)
      }
      let isNobody = actor == nil && !wish.includesOthers
      found =
        isNobody
        ? nil
        : try newest(wish, by: \.applied) { (store, table) throws(StoreFault) in
          try store.newestStanding(of: wish.includesOthers ? nil : actor, in: table)
        }
    }
    guard let found else {
      throw .nothingToUndo(step: wish.step, reason: try reason(wish, "to undo"))
    }
    try judgeKind(found)
    if found.undone != 0 {
      throw .nothingToUndo(
        step: found.revision, reason: "revision \(found.undone) has undone it already")
    }
    if !wish.includesOthers, found.uid != requester.uid || found.actor != requester.actor {
      throw .notOwnStep(step: found.revision, uid: found.uid, actor: found.actor)
    }
    try judgeExpected(found, wish)
    try judgeAge(found)
    return found
  }

  /// The step that is to be redone.
  ///
  /// - Throws: `nothingToRedo`, `notOwnStep`, `stepExpired`; `otherStep`.
  func stepToRedo(_ wish: StepWish, _ requester: Requester) throws(ServiceFault) -> StepLine {
    let actor = try reading { store throws(StoreFault) in
      try store.actor(uid: requester.uid, name: requester.actor)
    }
    let found: StepLine?
    if let step = wish.step {
      found = try named(step, wish)
    } else if wish.includesOthers {
      found = try newest(wish, by: \.undone) { (store, table) throws(StoreFault) in
        try store.newestUndone(in: table)
      }
    } else if let actor {
      found = try newest(wish, by: \.undone) { (store, table) throws(StoreFault) in
        try store.newestUndone(by: actor, in: table)
      }
    } else {
      found = nil
    }
    guard let found else {
      throw .nothingToRedo(step: wish.step, reason: try reason(wish, "to redo"))
    }
    guard found.kind == .step, found.undone != 0 else {
      throw .nothingToRedo(step: found.revision, reason: "it is no step that was undone")
    }
    let isOwn =
      found.undoer == actor?.id
      || found.uid == requester.uid && found.actor == requester.actor
    if !wish.includesOthers, !isOwn {
      throw .notOwnStep(step: found.revision, uid: found.uid, actor: found.actor)
    }
    let undoer = try reading { store throws(StoreFault) in try store.actor(id: found.undoer) }
    if let last = undoer?.lastStep, last > found.undone {
      throw .nothingToRedo(
        step: found.revision, reason: "step \(last) came after it was undone")
    }
    try judgeExpected(found, wish)
    return found
  }

  private func named(_ step: UInt64, _ wish: StepWish) throws(ServiceFault) -> StepLine? {
    let lines = try reading { store throws(StoreFault) in try store.step(step) }
    if let found = lines.first(where: { wish.table == nil || $0.table == wish.table }) {
      return found
    }
    if lines.isEmpty, step > 0, step <= store.meta.prunedRevision {
      throw .stepExpired(step: step)
    }
    return nil
  }

  /// The line with the greatest `number` among all tables that are meant.
  private func newest(
    _ wish: StepWish, by number: (StepLine) -> UInt64,
    _ find: (Store, UInt64) throws(StoreFault) -> StepLine?
  ) throws(ServiceFault) -> StepLine? {
    var newest: StepLine?
    for table in tableList where wish.table == nil || wish.table == table.id {
      let found = try reading { store throws(StoreFault) in try find(store, table.id) }
      guard let found else { continue }
      if number(found) > newest.map(number) ?? 0 { newest = found }
    }
    return newest
  }

  private func reason(_ wish: StepWish, _ what: String) throws(ServiceFault) -> String {
    guard let step = wish.step else {
      return wish.includesOthers ? "there is no step \(what)" : "there is no step of yours \(what)"
    }
    return step > revision
      ? "the newest revision is \(revision)" : "that revision is no step of the table"
  }

  private func judgeKind(_ line: StepLine) throws(ServiceFault) {
    switch line.kind {
    case .step: return
    case .undo:
      throw .nothingToUndo(
        step: line.revision, reason: "it is an undo itself: redo step \(line.target)")
    case .redo:
      throw .nothingToUndo(
        step: line.revision, reason: "it is a redo: undo step \(line.target)")
    case .other:
      throw .nothingToUndo(step: line.revision, reason: "a change of that kind is no step")
    }
  }

  private func judgeExpected(_ line: StepLine, _ wish: StepWish) throws(ServiceFault) {
    guard let expected = wish.expectedStep, expected != line.revision else { return }
    throw .otherStep(found: line.revision, expected: expected)
  }

  /// How far back steps can be undone (contract F5).
  var undoBounds: HistoryBounds {
    HistoryBounds(
      entries: retention.undoRevisions, bytes: retention.undoBytes,
      age: retention.undoSeconds * 1_000_000)
  }

  /// An actor's newest step can be undone as long as history has it (contract E9).
  private func judgeAge(_ line: StepLine) throws(ServiceFault) {
    let bounds = undoBounds
    let isExpired = try reading { store throws(StoreFault) in
      try !store.isKept(line, beyond: try store.position(beyond: bounds, now: Instant.now()))
    }
    if isExpired { throw .stepExpired(step: line.revision) }
  }
}
