import Testing

@testable import hpctl

@Suite struct DecimalTests {
  static let read: [(text: String, scale: Int, amount: Int64)] = [
    ("0", 2, 0), ("39.95", 2, 3995), ("39.9", 2, 3990), ("39", 2, 3900), ("-0.05", 2, -5),
    ("+7", 0, 7), (".5", 2, 50), ("-.5", 1, -5), ("$12.58", 2, 1258), ("-$99", 2, -9900),
    ("$-99", 2, -9900), ("12.58 USD", 2, 1258), ("USD 12.58", 2, 1258), ("US$3", 2, 300),
    ("92233720368547758.07", 2, .max), ("-92233720368547758.08", 2, .min),
    ("0.000000001", 9, 1), ("007", 0, 7), ("39.90", 2, 3990),
  ]

  @Test(arguments: read) func readsExactly(text: String, scale: Int, amount: Int64) throws {
    #expect(try Decimal.read(text, scale: scale, currency: "USD") == amount)
  }

  static let refused: [(text: String, refusal: Decimal.Refusal)] = [
    ("", .notANumber), (".", .notANumber), ("5.", .notANumber), ("-", .notANumber),
    ("abc", .notANumber), ("1e3", .notANumber), ("NaN", .notANumber), ("1.2.3", .notANumber),
    ("--1", .notANumber), ("0x10", .notANumber), ("$", .notANumber), ("12,34", .decimalComma),
    ("1,234", .thousands), ("1,234.50", .thousands), ("1.234,50", .thousands),
    ("1 234", .thousands), ("1'234", .thousands), ("1.234", .tooManyDecimals),
    ("0.001", .tooManyDecimals), ("92233720368547758.08", .overflow),
    ("-92233720368547758.09", .overflow), ("99999999999999999999999", .overflow),
    ("€5", .otherCurrency("€")), ("5 EUR", .otherCurrency("EUR")), ("٣", .notANumber),
  ]

  @Test(arguments: refused) func refusesWhatItWouldHaveToGuess(
    text: String, refusal: Decimal.Refusal
  ) {
    #expect(throws: refusal) { try Decimal.read(text, scale: 2, currency: "USD") }
  }

  @Test func refusesASignWhereTheColumnHasNoCurrency() {
    #expect(throws: Decimal.Refusal.otherCurrency("$")) {
      try Decimal.read("$5", scale: 2, currency: nil)
    }
  }

  @Test(arguments: read) func writesWhatReadsBackTheSame(
    text: String, scale: Int, amount: Int64
  ) throws {
    let written = Decimal.text(amount, scale: scale)
    #expect(try Decimal.read(written, scale: scale, currency: nil) == amount)
  }

  @Test func writesLeadingZerosAndSigns() {
    #expect(Decimal.text(-5, scale: 2) == "-0.05")
    #expect(Decimal.text(0, scale: 2) == "0.00")
    #expect(Decimal.text(7, scale: 0) == "7")
    #expect(Decimal.text(.min, scale: 9) == "-9223372036.854775808")
  }
}
