/// How long turns of the loop take (contract F10).
///
/// Waiting for events is no part of a turn. Memory and work stay the same however many there are.
struct TurnMeter {
  /// How long one of the windows is of which the last minute is put together, in microseconds.
  static let window: Int64 = 5_000_000
  /// How many of them a minute has, and the one that is under way.
  private static let windows = 13

  /// The longest turn since the start, in microseconds.
  private(set) var longest: Int64 = 0
  /// The longest of each of the last windows; where a window goes is told by its number.
  private var recent = [Int64](repeating: 0, count: TurnMeter.windows)
  private var newest: Int64 = 0

  /// Notes a turn.
  ///
  /// - Parameters:
  ///   - began: When it began, in microseconds of the monotonic clock.
  ///   - ended: When it ended; not before, and not before the one noted last.
  /// - Complexity: O(1).
  mutating func note(from began: Int64, to ended: Int64) {
    let length = ended - began
    longest = max(longest, length)
    advance(to: ended)
    let place = Int(newest % Int64(TurnMeter.windows))
    recent[place] = max(recent[place], length)
  }

  /// The longest turn that ended in the last minute, or up to five seconds before it.
  ///
  /// - Parameter now: The present moment, in microseconds of the monotonic clock.
  /// - Returns: Its length in microseconds; 0 where there was none.
  /// - Complexity: O(1).
  mutating func longestOfMinute(at now: Int64) -> Int64 {
    advance(to: now)
    return recent.max() ?? 0
  }

  /// Empties the windows between the newest one and that of `now`.
  private mutating func advance(to now: Int64) {
    let current = now / TurnMeter.window
    guard current > newest else { return }
    for number in max(newest + 1, current - Int64(TurnMeter.windows) + 1)...current {
      recent[Int(number % Int64(TurnMeter.windows))] = 0
    }
    newest = current
  }
}
