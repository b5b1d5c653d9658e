internal import Glibc

/// Calendar days and times of the proleptic Gregorian calendar, years 1 to 9999.
enum Calendar {
  /// Days since 1970-01-01 of a civil date.
  ///
  /// - Complexity: O(1).
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The civil date of a day count.
  ///
  /// - Complexity: O(1).
  static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  /// Reads `YYYY-MM-DD`; `nil` for anything else, also for days that do not exist.
  static func readDate(_ text: some StringProtocol) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), year >= 1, (1...12).contains(month), day >= 1
    else { return nil }
    let count = days(year: year, month: month, day: day)
    return civil(count) == (year, month, day) ? count : nil
  }

  /// Reads an RFC 3339 time, or a date as 00:00 UTC; at most six digits of a fraction.
  ///
  /// - Returns: Microseconds since 1970, or `nil` for anything else.
  static func readTimestamp(_ text: some StringProtocol) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, let day = readDate(String(decoding: bytes[0..<10], as: UTF8.self))
    else { return nil }
    if bytes.count == 10 { return day * 86_400_000_000 }
    guard bytes.count >= 20, [UInt8(ascii: "T"), UInt8(ascii: "t"), 0x20].contains(bytes[10]),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), hour < 24, minute < 60, second < 60
    else { return nil }
    var index = 19
    var micros: Int64 = 0
    if bytes[index] == UInt8(ascii: ".") {
      index += 1
      let end = bytes[index...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
      guard (1...6).contains(end - index), let digits = number(bytes[index..<end]) else {
        return nil
      }
      micros = digits
      for _ in (end - index)..<6 { micros *= 10 }
      index = end
    }
    guard let offset = zone(bytes[index...]) else { return nil }
    let seconds = day * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return seconds * 1_000_000 + micros
  }

  /// Seconds east of UTC of `Z` or `+HH:MM`.
  private static func zone(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.count == 1, bytes.first == UInt8(ascii: "Z") || bytes.first == UInt8(ascii: "z") {
      return 0
    }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start + 3] == UInt8(ascii: ":"),
      bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"),
      let hours = number(bytes[start + 1..<start + 3]),
      let minutes = number(bytes[start + 4..<start + 6]), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return bytes[start] == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return digits.isEmpty ? nil : value
  }

  /// `YYYY-MM-DD`.
  static func text(day: Int64) -> String {
    let date = civil(day)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  /// RFC 3339 in UTC; a fraction only where there is one.
  static func text(timestamp: Int64) -> String {
    text(timestamp, offset: 0, separator: "T") + "Z"
  }

  /// The time on this machine's clock, to the second, with its zone:
  /// `2026-11-30 23:52:00 +01:00`.
  static func localText(timestamp: Int64) -> String {
    var seconds = time_t((timestamp - Int64(floorModulo(timestamp, 1_000_000))) / 1_000_000)
    var broken = unsafe tm()
    // Safe: both are locals of this call; localtime_r keeps no pointer to them.
    guard unsafe localtime_r(&seconds, &broken) != nil else { return text(timestamp: timestamp) }
    let offset = Int64(unsafe broken.tm_gmtoff)
    let minutes = abs(offset) / 60
    let zone = (offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2)
    let whole = timestamp - floorModulo(timestamp, 1_000_000)
    return text(whole, offset: offset, separator: " ") + " " + zone
  }

  private static func text(_ timestamp: Int64, offset: Int64, separator: String) -> String {
    let micros = floorModulo(timestamp, 1_000_000)
    let seconds = (timestamp - micros) / 1_000_000 + offset
    let inDay = floorModulo(seconds, 86_400)
    let day = (seconds - inDay) / 86_400
    var text = text(day: day) + separator + padded(inDay / 3_600, 2) + ":"
    text += padded(inDay / 60 % 60, 2) + ":" + padded(inDay % 60, 2)
    if micros != 0 {
      var fraction = padded(micros, 6)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text
  }

  private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (value < 0 ? "-" : "") + zeros + digits
  }
}
