import Testing

@testable import hpctl

@Suite struct OutputTests {
  static let widths: [(text: String, width: Int)] = [
    ("", 0), ("Kettle", 6), ("Poäng", 5), ("Poa\u{308}ng", 5), ("日本語", 6), ("👨‍👩‍👧", 2), ("🇩🇪", 2),
    ("Ω", 1),
  ]

  @Test(arguments: widths) func countsColumnsByGrapheme(text: String, width: Int) {
    #expect(Width.of(text) == width)
  }

  static let cuts: [(text: String, width: Int, cut: String)] = [
    ("Kettle", 6, "Kettle"), ("Kettle", 4, "Ket…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("Kettle", 1, "…"),
  ]

  @Test(arguments: cuts) func cutsAtGraphemes(text: String, width: Int, cut: String) {
    #expect(Width.truncated(text, to: width) == cut)
    #expect(Width.of(Width.truncated(text, to: width)) <= width)
  }

  @Test func showsControlsInsteadOfSendingThem() {
    #expect(
      TerminalSafety.shown("a\u{1b}[31m\r\n\tb\u{7f}\u{9b}\u{202e}c")
        == "a\\x1b[31m\\r\\n\\tb\\x7f\\x9b\\u202ec")
  }

  @Test func jsonEscapesWhatSteersATerminal() {
    let text = String(decoding: JSON.string("ä\u{1b}\u{7f}\u{9b}\u{202e}\"").text, as: UTF8.self)
    #expect(text == "\"ä\\u001B\\u007f\\u009b\\u202e\\\"\"")
  }

  @Test func jsonKeepsTheOrderOfFields() {
    let value = JSON.object([
      ("b", .integer(1)), ("a", .array([.null, .boolean(true), .string("")])),
    ])
    #expect(String(decoding: value.text, as: UTF8.self) == "{\"b\":1,\"a\":[null,true,\"\"]}")
  }

  @Test func plainFieldsStayInTheirLine() {
    #expect(Grid.plain(nil) == "\\N")
    #expect(Grid.plain("a\tb\nc\\d\r") == "a\\tb\\nc\\\\d\\r")
    #expect(Grid.plain("") == "")
  }

  @Test func csvTellsNullFromEmptyText() {
    #expect(
      Grid.separated([nil, "", "a,b", "say \"x\"", "l\nm"], by: ",")
        == ",\"\",\"a,b\",\"say \"\"x\"\"\",\"l\nm\"\n")
  }
}
