/// Values as people write them into cells (contract L5: validation by the column's kind).
enum DraftText {
  /// Why a text is no value of its column.
  struct Refusal: Error {
    var expected: String
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text as typed; but for texts, blanks around it do not count.
  ///   - column: The column.
  /// - Returns: The value; `nil` for an empty text in a column that holds no texts.
  /// - Throws: What was expected.
  static func value(of text: String, in column: Column) throws(Refusal) -> CellValue? {
    if column.kind == .text { return .text(Array(text.utf8)) }
    var bytes = Array(text.utf8)[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    if bytes.isEmpty { return nil }
    switch column.kind {
    case .text: preconditionFailure("handled above")
    case .integer:
      if let number = integer(bytes, scale: 0) { return .integer(number) }
      throw Refusal(expected: "a whole number of 64 bits")
    case .decimal:
      if let number = integer(bytes, scale: Int(column.scale)) { return .decimal(number) }
      throw Refusal(expected: "a number with at most \(column.scale) decimal places")
    case .date:
      if bytes.count == 10, let day = day(bytes) { return .date(day) }
      throw Refusal(expected: "a date: 2026-11-30")
    case .timestamp:
      if let time = timestamp(bytes) { return .timestamp(time) }
      throw Refusal(expected: "a time in UTC: 2026-11-30T22:52:00Z")
    case .boolean:
      switch String(decoding: bytes, as: UTF8.self).lowercased() {
      case "true", "yes", "1": return .boolean(true)
      case "false", "no", "0": return .boolean(false)
      default: throw Refusal(expected: "true or false")
      }
    }
  }

  /// The text that a draft of a value begins with.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` is null.
  ///   - column: The column.
  /// - Returns: A text that `value(of:in:)` reads as that value.
  static func text(of value: CellValue?, in column: Column) -> String {
    switch value {
    case nil: ""
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .integer(let number): String(number)
    case .decimal(let number): decimal(number, scale: Int(column.scale))
    case .date(let day): date(day)
    case .timestamp(let time): timestamp(time)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  // Numbers

  /// A signed number with at most `scale` decimal places, in the smallest unit.
  private static func integer(_ bytes: ArraySlice<UInt8>, scale: Int) -> Int64? {
    var rest = bytes
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var number: Int64 = 0
    var places: Int?
    var digits = 0
    for byte in rest {
      if byte == UInt8(ascii: "."), places == nil, scale > 0 {
        places = 0
        continue
      }
      guard (0x30...0x39).contains(byte) else { return nil }
      digits += 1
      if places != nil { places? += 1 }
      guard places ?? 0 <= scale, let sum = shifted(number, Int64(byte - 0x30), isNegative) else {
        return nil
      }
      number = sum
    }
    guard digits > 0 else { return nil }
    for _ in (places ?? 0)..<scale {
      guard let sum = shifted(number, 0, isNegative) else { return nil }
      number = sum
    }
    return number
  }

  private static func shifted(_ number: Int64, _ digit: Int64, _ isNegative: Bool) -> Int64? {
    let (product, isOver) = number.multipliedReportingOverflow(by: 10)
    let (sum, isPast) = product.addingReportingOverflow(isNegative ? -digit : digit)
    return isOver || isPast ? nil : sum
  }

  private static func decimal(_ number: Int64, scale: Int) -> String {
    guard scale > 0 else { return String(number) }
    var digits = String(number.magnitude)
    while digits.utf8.count <= scale { digits = "0" + digits }
    let point = digits.utf8.index(digits.startIndex, offsetBy: digits.utf8.count - scale)
    return (number < 0 ? "-" : "") + digits[..<point] + "." + digits[point...]
  }

  // Days and times

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte), number < 100_000_000 else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    return bytes.isEmpty ? nil : number
  }

  private static func day(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = number(parts[0]), let month = number(parts[1]), let day = number(parts[2]),
      (1...9999).contains(year), (1...12).contains(month), day >= 1
    else { return nil }
    let count = days(year, month, day)
    // A day past the month's end is another month's.
    guard civil(count) == (year, month, day) else { return nil }
    return count
  }

  private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let bytes = Array(bytes)
    guard bytes.count >= 17, bytes[10] == UInt8(ascii: "T") || bytes[10] == 0x20,
      bytes.last == UInt8(ascii: "Z"), let day = day(bytes[..<10])
    else { return nil }
    let parts = bytes[11..<(bytes.count - 1)].split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].count == 2, parts[1].count == 2,
      let hour = number(parts[0]), let minute = number(parts[1]), hour < 24, minute < 60
    else { return nil }
    var micros: Int64 = 0
    if parts.count == 3 {
      let second = parts[2]
      guard second.count == 2 || second.count > 3, let amount = integer(second, scale: 6),
        second.prefix(2).allSatisfy({ (0x30...0x39).contains($0) }),
        second.count == 2 || second[second.startIndex + 2] == UInt8(ascii: "."),
        amount < 60_000_000
      else { return nil }
      micros = amount
    }
    return day * 86_400_000_000 + (hour * 3600 + minute * 60) * 1_000_000 + micros
  }

  private static func date(_ day: Int64) -> String {
    let (year, month, day) = civil(day)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  private static func timestamp(_ time: Int64) -> String {
    var days = time / 86_400_000_000
    var rest = time % 86_400_000_000
    if rest < 0 { (days, rest) = (days - 1, rest + 86_400_000_000) }
    let seconds = rest / 1_000_000
    var text = date(days) + "T" + padded(seconds / 3600, 2)
    text += ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
    if rest % 1_000_000 != 0 { text += "." + padded(rest % 1_000_000, 6) }
    return text + "Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Days from 1970-01-01 to a day of the Gregorian calendar.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years begin in March, so that the day of a leap year is the last one.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The day of the Gregorian calendar so many days after 1970-01-01; from year 1 on.
  private static func civil(_ count: Int64) -> (Int64, Int64, Int64) {
    let shifted = count + 719_468
    let era = shifted / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    return (era * 400 + year + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
  }
}
