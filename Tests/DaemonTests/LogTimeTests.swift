import Testing

@testable import hpd

@Suite struct LogTimeTests {
  static let moments: [(microseconds: Int64, text: String)] = [
    (0, "1970-01-01T00:00:00.000Z"), (1_000_999, "1970-01-01T00:00:01.000Z"),
    (951_827_696_789_000, "2000-02-29T12:34:56.789Z"),
    (4_102_444_799_999_999, "2099-12-31T23:59:59.999Z"),
  ]

  @Test(arguments: moments) func aMomentIsToldInUTC(microseconds: Int64, text: String) {
    #expect(LogTime.text(microseconds) == text)
  }
}
