internal import Glibc

/// One reading of the machine's clocks, in microseconds.
public struct Instant: Equatable, Sendable {
  /// Time that the machine has run; only differences mean something.
  public var monotonic: Int64
  /// Time since 1970 as the machine believes; only shown (contract S4).
  public var wall: Int64

  /// A reading made elsewhere.
  ///
  /// - Parameters:
  ///   - monotonic: Time that the machine has run.
  ///   - wall: Time since 1970.
  public init(monotonic: Int64, wall: Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Reads the clocks.
  ///
  /// - Returns: The present moment.
  public static func now() -> Instant {
    Instant(monotonic: read(CLOCK_MONOTONIC), wall: read(CLOCK_REALTIME))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // Safe: the structure is local and filled before the call returns.
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}

/// The store's clock: it counts the time that daemons ran on it (contract S4).
public struct RunningClock: Equatable, Sendable {
  private var base: Int64
  private var started: Int64

  /// Continues a clock.
  ///
  /// Time since `wall`, at most one hour and never less than none, counts as well: the daemon was
  /// stopped then, or ran without anything to write.
  ///
  /// - Parameters:
  ///   - value: What the clock showed when it was last written.
  ///   - wall: The wall clock at that moment.
  ///   - now: The present moment.
  init(continuing value: Int64, writtenAt wall: Int64, now: Instant) {
    let stopped = now.wall.subtractingReportingOverflow(wall)
    let difference = stopped.overflow ? 0 : stopped.partialValue
    base = value + min(max(0, difference), StoreLimits.longestStop)
    started = now.monotonic
  }

  /// What the clock shows.
  ///
  /// - Parameter now: The present moment.
  /// - Returns: Microseconds of running time; it never goes back.
  public func reading(_ now: Instant) -> Int64 { base + max(0, now.monotonic - started) }
}
