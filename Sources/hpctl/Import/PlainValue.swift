/// Numbers and times in the forms that programs write, read from their bytes.
///
/// Each answers `nil` for every other form, be it right or wrong: `ImportValues` judges that.
enum PlainValue {
  /// Digits that fit without a look at overflow.
  private static let digits = 17

  /// `-39.95`: digits before the point, at most `scale` behind it.
  static func decimal(_ bytes: Span<UInt8>, scale: Int) -> Int64? {
    guard bytes.count > 0, bytes.count + scale < digits else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    var value: Int64 = 0
    let first = index
    while index < bytes.count, let digit = digit(bytes[index]) {
      value = value &* 10 &+ digit
      index += 1
    }
    guard index > first else { return nil }
    var left = scale
    if index < bytes.count {
      guard bytes[index] == UInt8(ascii: ".") else { return nil }
      index += 1
      guard index < bytes.count else { return nil }
      while index < bytes.count {
        guard left > 0, let digit = digit(bytes[index]) else { return nil }
        value = value &* 10 &+ digit
        left -= 1
        index += 1
      }
    }
    for _ in 0..<left { value = value &* 10 }
    return isNegative ? -value : value
  }

  /// `2026-11-30`.
  static func date(_ bytes: Span<UInt8>) -> Int64? { bytes.count == 10 ? day(bytes) : nil }

  /// `2026-11-30T22:52:00Z`, in microseconds.
  static func timestamp(_ bytes: Span<UInt8>) -> Int64? {
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"), let day = day(bytes),
      let hour = pair(bytes, 11), let minute = pair(bytes, 14), let second = pair(bytes, 17),
      hour < 24, minute < 60, second < 60
    else { return nil }
    return (day * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000_000
  }

  private static func day(_ bytes: Span<UInt8>) -> Int64? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let century = pair(bytes, 0), let rest = pair(bytes, 2), let month = pair(bytes, 5),
      let day = pair(bytes, 8)
    else { return nil }
    let year = century * 100 + rest
    // Days that not every month has are left to the calendar.
    guard year >= 1, (1...12).contains(month), (1...28).contains(day) else { return nil }
    return Calendar.days(year: year, month: month, day: day)
  }

  @inline(__always)
  private static func pair(_ bytes: Span<UInt8>, _ index: Int) -> Int64? {
    guard let tens = digit(bytes[index]), let ones = digit(bytes[index + 1]) else { return nil }
    return tens * 10 + ones
  }

  @inline(__always)
  private static func digit(_ byte: UInt8) -> Int64? {
    let digit = Int64(byte) - 0x30
    return digit >= 0 && digit < 10 ? digit : nil
  }
}
