internal import CHPSystem
internal import Glibc

/// What stands in front of a log line to say when it was written.
struct LogTime {
  /// Whether the lines go to the journal of systemd, which has its own times.
  private let isJournal: Bool

  /// Looks where standard error leads.
  init() {
    isJournal = LogTime.leadsToJournal(Paths.environment("JOURNAL_STREAM"))
  }

  /// The present moment and a space; nothing where whoever reads the lines keeps their times.
  var stamp: String { isJournal ? "" : LogTime.text(hp_wall_us()) + " " }

  /// A moment in UTC: 2026-12-01T03:47:52.589Z.
  ///
  /// - Parameter microseconds: Since 1970; not before.
  /// - Returns: The text, to the millisecond.
  static func text(_ microseconds: Int64) -> String {
    let day = microseconds / 86_400_000_000
    let seconds = Int(microseconds / 1_000_000 % 86_400)
    // Days since 1 March of the year 0, in eras of 400 years, years and months that begin in March.
    let shifted = Int(day) + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let year =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let numbers = [
      era * 400 + year + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1,
    ]
    let date = numbers.map { padded($0, 2) }.joined(separator: "-")
    let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    let milliseconds = Int(microseconds % 1_000_000 / 1_000)
    return date + "T" + clock.joined(separator: ":") + "." + padded(milliseconds, 3) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Whether `JOURNAL_STREAM` names the file that standard error is: DEVICE:INODE.
  private static func leadsToJournal(_ stream: String?) -> Bool {
    guard let parts = stream?.split(separator: ":"), parts.count == 2,
      let device = UInt64(parts[0]), let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    // Safe: a local that lives for the call.
    guard unsafe fstat(2, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}
