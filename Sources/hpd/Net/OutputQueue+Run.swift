/// Whole frames one behind the other, made once for all who are sent the same ones.
final class FrameRun {
  /// The frames.
  let bytes: [UInt8]
  /// Where each of them ends, and which revision is whole with it, or 0.
  let ends: [(end: Int, revision: UInt64)]

  init(bytes: [UInt8], ends: [(end: Int, revision: UInt64)]) {
    self.bytes = bytes
    self.ends = ends
  }
}

extension OutputQueue {
  /// Appends a run of frames.
  ///
  /// - Parameters:
  ///   - run: The frames.
  ///   - subscription: The subscription that they belong to.
  mutating func append(_ run: FrameRun, subscription: UInt64) {
    if run.bytes.count < 512 {
      tail.append(contentsOf: run.bytes)
      if tail.count >= OutputQueue.piece { seal() }
    } else {
      seal()
      segments.append(Segment(bytes: run.bytes, start: sealed))
      sealed += run.bytes.count
    }
    let revision = run.ends.last?.revision ?? 0
    frames.append(
      Frame(end: appended, subscription: subscription, revision: revision, run: run))
  }

  /// Drops what was not begun of a run that stands first, and all behind it.
  ///
  /// - Returns: The subscription and the last revision that is whole once the begun frame is sent.
  mutating func dropUnsent(
    of run: FrameRun, _ subscription: UInt64, from start: Int
  ) -> (subscription: UInt64, revision: UInt64)? {
    var end = 0
    var whole: UInt64 = 0
    for frame in run.ends {
      guard start + end < sent else { break }
      end = frame.end
      if frame.revision != 0 { whole = frame.revision }
    }
    truncate(to: start + end)
    if end > 0 { frames.append(Frame(end: start + end, subscription: 0, revision: 0)) }
    return whole == 0 ? nil : (subscription, whole)
  }
}
