import Testing

@testable import hpctl

/// Amounts, dates and encodings of files, as the command line says they are written.
@Suite struct NotationTests {
  static let amounts: [(text: String, decimal: Character?, rounds: Bool, units: Int64)] = [
    ("12.34", nil, false, 1234), ("12.34", ".", false, 1234), ("12,34", ",", false, 1234),
    ("1.000,99", ",", false, 100_099), ("1,000.99", ".", false, 100_099),
    ("1.234", ",", false, 123_400), ("1,234", ".", false, 123_400),
    ("1 234,50", ",", false, 123_450), ("1'234.50", ".", false, 123_450),
    ("$1,234.50", ".", false, 123_450), ("-$99", nil, false, -9_900), ("99 USD", ".", false, 9_900),
    (".5", nil, false, 50), (",5", ",", false, 50), ("-,05", ",", false, -5),
    ("0.005", nil, true, 1), ("0.0049", nil, true, 0), ("-0.005", nil, true, -1),
    ("-0.004", nil, true, 0), ("1.995", ".", true, 200), ("2,344", ",", true, 234),
    ("12.58999999999999999999999", nil, true, 1259), ("1.2", nil, true, 120),
  ]

  @Test(arguments: amounts) func readsAmounts(
    text: String, decimal: Character?, rounds: Bool, units: Int64
  ) throws {
    let notation = DecimalNotation(decimal: decimal, rounds: rounds)
    #expect(try notation.read(text, scale: 2, currency: "USD") == units)
  }

  static let refused: [(text: String, decimal: Character?, refusal: Decimal.Refusal)] = [
    ("12,34", nil, .decimalComma), ("1,234", nil, .thousands), ("1.234", nil, .tooManyDecimals),
    ("1,234.50", nil, .thousands), ("1.000,99", ".", .thousands), ("1,00.99", ".", .thousands),
    ("12,34", ".", .thousands), ("1,2345", ".", .thousands), ("1.234", ".", .tooManyDecimals),
    ("1,2,3", ",", .thousands), ("", ",", .notANumber), ("abc", ".", .notANumber),
    ("1.5E3", ".", .notANumber), ("1e3", nil, .notANumber), ("€5", nil, .otherCurrency("€")),
    ("5 EUR", ",", .otherCurrency("EUR")), ("92233720368547758.08", nil, .overflow),
    ("1.000.99", ",", .thousands), ("12.", nil, .notANumber), ("(12)", nil, .notANumber),
  ]

  @Test(arguments: refused) func refusesWhatCanBeReadInTwoWays(
    text: String, decimal: Character?, refusal: Decimal.Refusal
  ) throws {
    let error = try #require(throws: Decimal.Refusal.self) {
      try DecimalNotation(decimal: decimal).read(text, scale: 2, currency: "USD")
    }
    #expect(error == refusal)
  }

  @Test func roundingStaysInRange() throws {
    let notation = DecimalNotation(decimal: nil, rounds: true)
    #expect(throws: Decimal.Refusal.overflow) {
      try notation.read("92233720368547758.075", scale: 2, currency: nil)
    }
    #expect(try notation.read("92233720368547758.074", scale: 2, currency: nil) == .max)
  }

  static let dates: [(form: String, text: String, iso: String?)] = [
    ("%m/%d/%Y", "10/13/2021", "2021-10-13"), ("%m/%d/%y", "1/23/23", "2023-01-23"),
    ("%d.%m.%Y", "3.4.2023", "2023-04-03"), ("%Y%m%d", "20150223", "2015-02-23"),
    ("%d/%m/%y", "01/02/69", "1969-02-01"), ("%d/%m/%y", "01/02/68", "2068-02-01"),
    ("%d%%%m %Y", "1%2 2000", "2000-02-01"), ("%d.%m.%Y", "30.2.2023", nil),
    ("%m/%d/%Y", "13/10/2021", nil), ("%m/%d/%Y", "1/2/23", nil), ("%m/%d/%Y", "1/2/2023x", nil),
    ("%d.%m.%Y", "", nil), ("%d.%m.%Y", "0.1.2000", nil), ("%d.%m.%Y", "1.1.0000", nil),
  ]

  @Test(arguments: dates) func readsDates(form: String, text: String, iso: String?) throws {
    #expect(try DateFormat(form).read(text).map { Calendar.text(day: $0.day) } == iso)
  }

  @Test func readsTimes() throws {
    let format = try DateFormat("%m/%d/%y %H:%M:%S")
    #expect(format.read("12/31/99 23:59:07")?.seconds == 86_347)
    #expect(format.read("12/31/99 24:00:00") == nil)
  }

  @Test(arguments: ["%d.%m", "%Y", "%d.%m.%Y.%d", "%d.%m.%Y%y", "%q", "%", "iso8601", ""])
  func refusesForms(form: String) {
    #expect(throws: Fault.self) { try DateFormat(form) }
  }

  static let encoded: [(encoding: TextEncoding, bytes: [UInt8], text: String)] = [
    (.cp1252, [0x80, 0x20, 0xfc], "€ ü"), (.latin1, [0xfc, 0x0a, 0xdf], "ü\nß"),
    (.utf16, [0xff, 0xfe, 0xe9, 0x00, 0x0a, 0x00], "é\n"),
    (.utf16, [0xfe, 0xff, 0x20, 0xac, 0xd8, 0x3d, 0xde, 0x00], "€😀"), (.cp1252, [], ""),
  ]

  @Test(arguments: encoded) func decodes(
    encoding: TextEncoding, bytes: [UInt8], text: String
  ) throws {
    #expect(try String(decoding: encoding.decode(bytes), as: UTF8.self) == text)
  }

  static let broken: [(encoding: TextEncoding, bytes: [UInt8], offset: Int, line: Int)] = [
    (.cp1252, [0x61, 0x0a, 0x81], 2, 2), (.utf16, [0xff, 0xfe, 0x61, 0x00, 0x00], 4, 1),
    (.utf16, [0xff, 0xfe, 0x0a, 0x00, 0x00, 0xdc], 4, 2),
  ]

  @Test(arguments: broken) func namesTheOffset(
    encoding: TextEncoding, bytes: [UInt8], offset: Int, line: Int
  ) throws {
    let fault = try #require(throws: Fault.self) { try encoding.decode(bytes) }
    #expect(fault.message.hasSuffix("at offset \(offset)"), "\(fault.message)")
    #expect(fault.line == line)
  }
}
