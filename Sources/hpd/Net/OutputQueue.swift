internal import CHPSystem

/// What waits to be sent to one client.
///
/// Small frames stand one after another in a tail that is used again; bodies that many
/// clients share are held by reference, so that they cost their bytes once (contract K1).
/// A gate keeps everything behind it until a turn is durable (contracts S1, F10).
struct OutputQueue {
  /// Small frames are cut into pieces of about this size, so that no array doubles for ever.
  static let piece = 64 << 10

  struct Segment {
    let bytes: [UInt8]
    let start: Int
  }

  /// A frame, or a run of them that others are sent as well.
  struct Frame {
    let end: Int
    let subscription: UInt64
    let revision: UInt64
    var run: FrameRun?
  }

  private struct Gate {
    let offset: Int
    let turn: UInt64
  }

  var segments: [Segment] = []
  var firstSegment = 0
  var tail: [UInt8] = []
  var frames: [Frame] = []
  private var firstFrame = 0
  private var gates: [Gate] = []
  var sealed = 0
  private(set) var sent = 0

  /// Bytes that were appended since the connection began.
  var appended: Int { sealed + tail.count }

  /// Bytes that wait.
  var count: Int { appended - sent }

  /// Appends one frame.
  ///
  /// - Parameters:
  ///   - subscription: The subscription that the frame belongs to, or 0.
  ///   - revision: The revision that is whole once this frame is sent, or 0.
  ///   - write: Appends the frame's bytes.
  mutating func appendFrame(
    subscription: UInt64 = 0, revision: UInt64 = 0, _ write: (inout [UInt8]) -> Void
  ) {
    write(&tail)
    if tail.count >= OutputQueue.piece { seal() }
    frames.append(Frame(end: appended, subscription: subscription, revision: revision))
  }

  /// Appends one frame unless it is too long.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - write: Appends the frame's bytes.
  /// - Returns: Whether it was appended.
  mutating func appendFrame(limit: Int, _ write: (inout [UInt8]) -> Void) -> Bool {
    let start = tail.count
    write(&tail)
    guard tail.count - start <= limit else {
      tail.removeLast(tail.count - start)
      return false
    }
    appendFrame { _ in }
    return true
  }

  /// Appends one frame or nothing.
  ///
  /// - Parameters:
  ///   - size: About how long it will be: room for a long one is taken once, so that it is not
  ///     moved while it grows.
  ///   - write: Appends the frame's bytes, or leaves all as it is and returns `false`.
  /// - Returns: Whether it was appended.
  mutating func appendFrame(about size: Int, orNone write: (inout [UInt8]) -> Bool) -> Bool {
    if size >= OutputQueue.piece / 16, size < OutputQueue.piece / 2,
      tail.capacity - tail.count < size
    {
      // Who asks for one at a time keeps memory for one. What is taken for more is, with what the
      // array itself takes, still so little that it is kept when it is empty.
      let room = tail.isEmpty ? size : OutputQueue.piece - 128
      seal()
      tail.reserveCapacity(room)
    }
    guard write(&tail) else { return false }
    appendFrame { _ in }
    return true
  }

  /// Appends a frame whose body is shared with other clients.
  ///
  /// - Parameters:
  ///   - subscription: The subscription that the frame belongs to.
  ///   - revision: The revision that is whole once this frame is sent, or 0.
  ///   - body: The bytes after the head.
  ///   - head: Appends the frame's head.
  mutating func appendFrame(
    subscription: UInt64, revision: UInt64, body: [UInt8], head: (inout [UInt8]) -> Void
  ) {
    head(&tail)
    if body.count < 512 {
      // A copy costs less than another piece to send.
      tail.append(contentsOf: body)
      if tail.count >= OutputQueue.piece { seal() }
    } else {
      seal()
      segments.append(Segment(bytes: body, start: sealed))
      sealed += body.count
    }
    frames.append(Frame(end: appended, subscription: subscription, revision: revision))
  }

  mutating func seal() {
    guard !tail.isEmpty else { return }
    segments.append(Segment(bytes: tail, start: sealed))
    sealed += tail.count
    tail = []
  }

  /// Keeps what is appended from now on until `turn` is durable.
  mutating func gate(_ turn: UInt64) {
    if let last = gates.last, last.turn >= turn { return }
    gates.append(Gate(offset: appended, turn: turn))
  }

  /// Where the first gate stands that `durable` does not open.
  private func limit(_ durable: UInt64) -> Int {
    for gate in gates where gate.turn > durable { return gate.offset }
    return appended
  }

  /// Bytes that may be sent.
  func sendable(_ durable: UInt64) -> Int { limit(durable) - sent }

  /// Drops what stands behind the first closed gate.
  mutating func dropGated(_ durable: UInt64) {
    let limit = limit(durable)
    gates.removeAll()
    truncate(to: limit)
  }

  /// Drops every frame of which nothing was sent yet; one that was begun stays whole.
  ///
  /// - Returns: The subscription and the revision that are whole once the begun frame is sent.
  mutating func dropUnsent() -> (subscription: UInt64, revision: UInt64)? {
    gates.removeAll()
    guard firstFrame < frames.count else { return nil }
    let frame = frames[firstFrame]
    let start = firstFrame > 0 ? frames[firstFrame - 1].end : frameBase
    if let run = frame.run { return dropUnsent(of: run, frame.subscription, from: start) }
    truncate(to: start == sent ? sent : frame.end)
    guard start != sent, frame.revision != 0 else { return nil }
    return (frame.subscription, frame.revision)
  }

  private var frameBase = 0

  mutating func truncate(to end: Int) {
    while let last = frames.last, last.end > end { frames.removeLast() }
    if firstFrame > frames.count { firstFrame = frames.count }
    if end >= sealed {
      tail.removeLast(appended - end)
      return
    }
    tail.removeAll(keepingCapacity: true)
    while segments.count > firstSegment, let last = segments.last, last.start >= end {
      sealed = last.start
      segments.removeLast()
    }
    if sealed > end, let last = segments.popLast() {
      segments.append(Segment(bytes: Array(last.bytes[..<(end - last.start)]), start: last.start))
      sealed = end
    }
  }

  /// Sends what may be sent, at most about `cap` bytes.
  ///
  /// - Parameters:
  ///   - descriptor: The client's socket.
  ///   - durable: The newest durable turn.
  ///   - cap: Bytes for this turn.
  ///   - reached: Called with each (subscription, revision) that is whole on its way.
  /// - Returns: `done` with the bytes sent; `wouldBlock` where the socket took none.
  mutating func flush(
    to descriptor: CInt, durable: UInt64, cap: Int, reached: (UInt64, UInt64) -> Void
  ) -> SystemResult {
    while let first = gates.first, first.turn <= durable { gates.removeFirst() }
    let end = min(limit(durable), sent + cap)
    guard end > sent else { return .done(0) }
    let before = sent
    while sent < end {
      let result = sendSome(to: descriptor, end: end)
      guard case .done(let count) = result, count > 0 else {
        retire(reached)
        if sent > before { return .done(sent - before) }
        return result
      }
      sent += count
      passSegments()
    }
    retire(reached)
    return .done(sent - before)
  }

  private mutating func passSegments() {
    while firstSegment < segments.count,
      segments[firstSegment].start + segments[firstSegment].bytes.count <= sent
    {
      firstSegment += 1
    }
  }

  private mutating func retire(_ reached: (UInt64, UInt64) -> Void) {
    while firstFrame < frames.count, frames[firstFrame].end <= sent {
      let frame = frames[firstFrame]
      if frame.subscription != 0, frame.revision != 0 {
        reached(frame.subscription, frame.revision)
      }
      firstFrame += 1
    }
    if firstSegment == segments.count {
      OutputQueue.empty(&segments, keeping: 256)
      firstSegment = 0
      if sent == appended, sent > 0 {
        sealed = sent
        OutputQueue.empty(&tail, keeping: 1 << 16)
      } else if sent - sealed > 1 << 16 {
        // A queue that is never quite empty must not keep what was sent.
        tail.removeFirst(sent - sealed)
        sealed = sent
      }
    } else if firstSegment > 1024 {
      segments.removeFirst(firstSegment)
      firstSegment = 0
    }
    if firstFrame == frames.count {
      frameBase = frames.last?.end ?? frameBase
      OutputQueue.empty(&frames, keeping: 1024)
      firstFrame = 0
    } else if firstFrame > 4096 {
      frameBase = frames[firstFrame - 1].end
      frames.removeFirst(firstFrame)
      firstFrame = 0
    }
  }

  /// Empties a list that keeps its memory up to a bound; mostly it has one element or none.
  @inline(__always)
  private static func empty<Element>(_ list: inout [Element], keeping bound: Int) {
    if list.isEmpty { return }
    if list.count == 1, list.capacity <= bound {
      list.removeLast()
    } else {
      list.removeAll(keepingCapacity: list.capacity <= bound)
    }
  }

  private func sendSome(to descriptor: CInt, end: Int) -> SystemResult {
    let maximum = 32
    // Safe: the pieces are written before they are read, and point into arrays that the nested
    // calls below keep borrowed until the system call is over.
    return unsafe withUnsafeTemporaryAllocation(of: hp_piece.self, capacity: maximum) { pieces in
      unsafe gather(
        into: pieces, count: 0, segment: firstSegment, from: sent, end: end, descriptor)
    }
  }

  private func gather(
    into pieces: UnsafeMutableBufferPointer<hp_piece>, count: Int, segment: Int, from: Int,
    end: Int, _ descriptor: CInt
  ) -> SystemResult {
    guard from < end, count < pieces.count else {
      return unsafe send(
        descriptor, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(pieces)[..<count]))
    }
    let isTail = segment == segments.count
    let start = isTail ? sealed : segments[segment].start
    let bytes = isTail ? tail : segments[segment].bytes
    let stop = min(end, start + bytes.count)
    // Safe: the buffer is borrowed for the rest of the recursion.
    return unsafe bytes.withUnsafeBytes { memory in
      unsafe pieces[count] = hp_piece(
        base: memory.baseAddress.map { unsafe $0 + (from - start) }, length: stop - from)
      if isTail {
        return unsafe send(
          descriptor,
          UnsafeBufferPointer(rebasing: UnsafeBufferPointer(pieces)[..<(count + 1)]))
      }
      return unsafe gather(
        into: pieces, count: count + 1, segment: segment + 1, from: stop, end: end, descriptor)
    }
  }
}
