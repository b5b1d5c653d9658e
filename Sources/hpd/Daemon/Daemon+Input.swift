internal import CHPSystem
internal import Glibc
internal import TableService
internal import Wire

/// Bytes from clients: read, cut into frames, handed on.
extension Daemon {
  private static let readChunk = 64 << 10
  private static let framesPerTurn = 256

  /// Reads what has come.
  ///
  /// - Parameters:
  ///   - session: Whose input it is.
  ///   - isGone: Whether nobody is at the other end, who could take an answer. The kernel says so
  ///     for as long as the descriptor is open, whatever was asked of it.
  func readInput(_ session: Session, isGone: Bool) {
    guard session.state == .awaitingHello || session.state == .ready else {
      discardInput(session)
      return
    }
    if isGone, session.inputEnded || session.isBlocked || isFull(session) {
      close(session, "peer gone")
      return
    }
    // One that does not take its answers is not asked for more requests; at the end of the turn
    // the kernel is asked no more either.
    guard !isFull(session) else {
      markDirty(session)
      return
    }
    let isLent = session.input.count == 0
    if isLent { swap(&session.input, &readBuffer) }
    defer { if isLent { takeBack(session) } }
    let result = receiveSome(session)
    switch result {
    case .done(0):
      session.inputEnded = true
      markDirty(session)
    case .done(let count): turn.bytes += count
    case .wouldBlock: return
    case .peerGone:
      close(session, "peer gone")
      return
    case .failed(let code):
      close(session, errorText(code))
      return
    }
    handleFrames(session)
  }

  /// Ends the loan of the buffer that all sessions without waiting input read into: a client
  /// keeps memory of its own only for what could not be handled at once.
  private func takeBack(_ session: Session) {
    swap(&session.input, &readBuffer)
    if session.state != .closed { session.input.append(readBuffer.bytes) }
    readBuffer.consume(readBuffer.count)
  }

  /// Whether a client has to wait before more is read: it does not take its answers, or a
  /// request that waits holds back those behind it.
  func isFull(_ session: Session) -> Bool {
    isUnread(session) || session.input.count > Limits.frameUp + Daemon.readChunk
  }

  /// Whether so much output waits that no further request is served.
  func isUnread(_ session: Session) -> Bool {
    session.output.count >= options.maximumOutput / 2
  }

  private func receiveSome(_ session: Session) -> SystemResult {
    var result = SystemResult.wouldBlock
    // Safe: the queue lends its free memory for the call.
    _ = unsafe session.input.writeTail(minimum: Daemon.readChunk) { memory in
      result = unsafe receive(
        session.descriptor.raw,
        into: UnsafeMutableRawBufferPointer(rebasing: memory[..<Daemon.readChunk]))
      if case .done(let count) = result { return count }
      return 0
    }
    return result
  }

  /// After a goodbye the rest of the input is read and dropped, so that the peer's own
  /// writes do not fail before it has read why.
  private func discardInput(_ session: Session) {
    let result = receiveSome(session)
    session.input.consume(session.input.count)
    switch result {
    case .done(0), .peerGone, .failed: close(session, "left")
    case .done, .wouldBlock: break
    }
  }

  /// Handles sessions whose input was left over by an earlier turn.
  func handlePending() {
    guard !pending.isEmpty else { return }
    var list = spare
    spare = []
    swap(&list, &pending)
    for session in list {
      session.isPending = false
      guard session.state != .closed else { continue }
      handleFrames(session)
    }
    list.removeAll(keepingCapacity: true)
    spare = list
  }

  /// Handles the whole frames at the front of the input, as far as the turn allows.
  func handleFrames(_ session: Session) {
    let reader = FrameReader(limit: Limits.frameUp)
    var frames = 0
    while session.state == .awaitingHello || session.state == .ready {
      guard !session.isBlocked else { return }
      let result: FrameReader.Result
      do {
        result = try reader.next(in: session.input.bytes)
      } catch {
        sayGoodbye(session, error.error)
        return
      }
      guard case .frame(let range) = result else {
        noteHalfFrame(session)
        return
      }
      guard !isUnread(session) else {
        // Goes on where a flush has made room.
        markDirty(session)
        return
      }
      if frames == Daemon.framesPerTurn
        || turn.isSpent(at: frames & 15 == 15 ? hp_monotonic_us() : now)
      {
        markPending(session)
        return
      }
      frames += 1
      turn.operations += 1
      session.frameBegan = 0
      guard handleFrame(session, range) else { return }
      session.input.consume(range.upperBound)
      if session.interest & UInt32(HP_READABLE) == 0 { markDirty(session) }
    }
  }

  /// A frame that began must be whole in time; at the end of the input it never will be.
  private func noteHalfFrame(_ session: Session) {
    if session.inputEnded {
      // What was asked is still answered; then the connection ends.
      if session.output.count == 0 {
        close(session, session.input.count == 0 ? "end of input" : "end inside a frame")
      } else {
        session.state = .leaving
        release(session)
        markDirty(session)
      }
      return
    }
    guard session.input.count > 0 else { return }
    if session.frameBegan == 0 {
      session.frameBegan = now
      armFrameTimer(session)
    }
  }

  /// Handles one frame.
  ///
  /// - Returns: Whether the frame is done; `false`: it waits, or the session has ended.
  private func handleFrame(_ session: Session, _ range: Range<Int>) -> Bool {
    let request: Request
    do {
      request = try decoder.decode(session.input.bytes.extracting(range))
    } catch {
      counters.errors += 1
      guard session.state == .ready, error.request != 0, !error.endsConnection else {
        sayGoodbye(session, error.error)
        return false
      }
      reply(session, error.request, error.error)
      return true
    }
    counters.requests += 1
    service.noteInput(at: now)
    if session.state == .awaitingHello {
      guard case .hello(let hello) = request.body else {
        sayGoodbye(session, ErrorReply(.helloExpected, "the first frame must be a hello"))
        return false
      }
      return greet(session, request.id, hello)
    }
    return perform(session, request)
  }
}
