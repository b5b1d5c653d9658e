import Testing

@testable import hpd

/// The longest turn (contract F10).
@Suite struct TurnMeterTests {
  @Test func theLongestStays() {
    var meter = TurnMeter()
    #expect(meter.longest == 0 && meter.longestOfMinute(at: 7) == 0)
    meter.note(from: 1_000, to: 41_000)
    meter.note(from: 41_000, to: 42_000)
    #expect(meter.longest == 40_000)
    #expect(meter.longestOfMinute(at: 50_000) == 40_000)
  }

  @Test func aMinuteForgets() {
    let second: Int64 = 1_000_000
    // Wherever the clock stands: a minute is counted whole, and five seconds more at most.
    for start in [0, 3 * second, 1_234_567_891_234] {
      var meter = TurnMeter()
      meter.note(from: start, to: start + 90_000)
      meter.note(from: start + 30 * second, to: start + 30 * second + 20_000)
      #expect(meter.longestOfMinute(at: start + 59 * second) == 90_000)
      #expect(meter.longestOfMinute(at: start + 66 * second) == 20_000)
      #expect(meter.longestOfMinute(at: start + 96 * second) == 0)
      #expect(meter.longest == 90_000)
    }
  }

  @Test func longSleepsAreNoWork() {
    var meter = TurnMeter()
    meter.note(from: 0, to: 90_000)
    #expect(meter.longestOfMinute(at: .max / 2) == 0)
    meter.note(from: .max / 2, to: .max / 2 + 5)
    #expect(meter.longestOfMinute(at: .max / 2 + 5) == 5)
  }
}
