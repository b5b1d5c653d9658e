import HouseSupport
import Testing

@testable import hpctl

@Suite struct CalendarTests {
  static let dates: [(text: String, day: Int64)] = [
    ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11016), ("2026-11-30", 20787),
    ("0001-01-01", -719_162), ("9999-12-31", 2_932_896),
  ]

  @Test(arguments: dates) func datesComeBack(text: String, day: Int64) {
    #expect(Calendar.readDate(text) == day)
    #expect(Calendar.text(day: day) == text)
  }

  @Test(arguments: [
    "", "2026-11-31", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00",
    "03/04/2023", "2026/11/30", "26-11-30", "2026-11-3", "2026-11-30 ", "0000-01-01", "2026-1١-30",
  ]) func refusesWhatIsNoDay(text: String) {
    #expect(Calendar.readDate(text) == nil)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    for day in stride(from: Int64(-719_162), through: 2_932_896, by: 37) {
      #expect(Calendar.readDate(Calendar.text(day: day)) == day)
    }
  }

  static let times: [(text: String, written: String)] = [
    ("2026-11-30T22:52:00Z", "2026-11-30T22:52:00Z"),
    ("2026-11-30T23:52:00+01:00", "2026-11-30T22:52:00Z"),
    ("2026-11-30 17:22:00.25-05:30", "2026-11-30T22:52:00.25Z"),
    ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
    ("2026-11-30", "2026-11-30T00:00:00Z"), ("2026-11-30t22:52:00z", "2026-11-30T22:52:00Z"),
  ]

  @Test(arguments: times) func timesAreWrittenInUTC(text: String, written: String) throws {
    let time = try #require(Calendar.readTimestamp(text))
    #expect(Calendar.text(timestamp: time) == written)
    #expect(Calendar.readTimestamp(written) == time)
  }

  @Test(arguments: [
    "2026-11-30T22:52", "2026-11-30T24:00:00Z", "2026-11-30T22:60:00Z", "2026-11-30T22:52:00",
    "2026-11-30T22:52:00.Z", "2026-11-30T22:52:00.1234567Z", "2026-11-30T22:52:00+1:00", "now",
    "2026-11-30T22:52:00+01:00x",
  ]) func refusesWhatIsNoTime(text: String) {
    #expect(Calendar.readTimestamp(text) == nil)
  }
}
