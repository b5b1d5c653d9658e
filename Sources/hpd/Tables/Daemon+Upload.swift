internal import TableService
internal import Wire

/// Batches of any size, sent in parts (contract K2).
extension Daemon {
  func take(
    _ session: Session, _ request: Request, _ wish: UploadRequest
  ) throws(ErrorReply) {
    switch wish {
    case .begin(let number, let bytes): try begin(session, request.id, number, bytes)
    case .part(let part): try add(session, request.id, part)
    case .commit: preconditionFailure("performed as a change")
    case .abort(let number):
      drop(try upload(session, number), session)
      let id = request.id
      reply(session, id) { ReplyEncoder.done(id: id, cursor: cursor, into: &$0) }
    }
  }

  private func begin(
    _ session: Session, _ id: UInt64, _ number: UInt64, _ bytes: UInt64
  ) throws(ErrorReply) {
    guard number > 0, number <= Limits.greatestNumber,
      !session.uploads.contains(where: { $0.number == number })
    else {
      throw ErrorReply(.badRequest, "an upload has a number above 0 that no other one has")
    }
    guard session.uploads.count < Upload.perConnection else {
      throw ErrorReply(.tooManyRequests, "at most \(Upload.perConnection) uploads at a time")
    }
    try judge(Int(clamping: bytes), session)
    let upload = Upload(number: number, now: now)
    session.uploads.append(upload)
    armUploadTimer(session)
    tell(upload, session, id)
  }

  private func add(
    _ session: Session, _ id: UInt64, _ part: UploadPart
  ) throws(ErrorReply) {
    let upload = try upload(session, part.upload)
    do throws(ErrorReply) {
      guard part.part == UInt64(upload.parts.count) else {
        var error = ErrorReply(.badRequest, "a part is missing, or came twice")
        error.value = "part \(part.part)"
        error.expected = "part \(upload.parts.count)"
        throw error
      }
      guard part.part == 0 || !part.hasHead else {
        throw ErrorReply(.badRequest, "all but operations stands in the first part")
      }
      try judge(part.bytes.count + Upload.partOverhead, session)
    } catch {
      // What follows a part that is missing can't be applied.
      drop(upload, session)
      throw error
    }
    let before = upload.cost
    upload.append(part.bytes, operations: part.operations, now: now)
    uploads.take(upload.cost - before, of: session.peer.uid)
    tell(upload, session, id)
  }

  private func tell(_ upload: Upload, _ session: Session, _ id: UInt64) {
    reply(session, id) {
      ReplyEncoder.upload(
        id: id, upload: upload.number, parts: UInt64(upload.parts.count),
        bytes: UInt64(upload.bytes), into: &$0)
    }
  }

  private func judge(_ bytes: Int, _ session: Session) throws(ErrorReply) {
    let mine = session.uploads.reduce(0) { $0 + $1.cost }
    guard let limit = uploads.refusal(bytes, of: session.peer.uid, connection: mine) else {
      return
    }
    var error = ErrorReply(.uploadTooLarge, "there is no room for so much at a time")
    error.expected = "at most \(limit)"
    throw error
  }

  func upload(_ session: Session, _ number: UInt64) throws(ErrorReply) -> Upload {
    if let upload = session.uploads.first(where: { $0.number == number }) { return upload }
    var error = ErrorReply(
      .noSuchUpload,
      "the connection has no such upload; one that waited too long, or of which a "
        + "part was refused, is gone")
    error.value = "\(number)"
    throw error
  }

  /// Forgets an upload and gives its room back.
  func drop(_ upload: Upload, _ session: Session) {
    guard let index = session.uploads.firstIndex(where: { $0 === upload }) else { return }
    session.uploads.remove(at: index)
    uploads.give(upload.cost, of: session.peer.uid)
  }

  /// Sees to it that uploads end for which nothing comes any more.
  func armUploadTimer(_ session: Session) {
    guard !session.hasUploadTimer, let first = session.uploads.map(\.touched).min() else { return }
    session.hasUploadTimer = true
    timers.add(.upload, at: first + Timeouts.upload, for: session.token)
  }

  /// Ends the uploads of a connection that waited too long.
  func endUploads(_ session: Session) {
    session.hasUploadTimer = false
    for upload in session.uploads
    where upload.touched + Timeouts.upload <= now && !isCommitting(upload) {
      log.write(
        .info, "upload ended",
        ["client": "\(session.client)", "bytes": "\(upload.bytes)", "reason": "idle"])
      drop(upload, session)
    }
    armUploadTimer(session)
  }
}
