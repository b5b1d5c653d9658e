import Testing

@testable import hpctl

@Suite struct JSONRowsTests {
  private func read(_ text: String) throws -> JSONRows { try JSONRows(Array(text.utf8)) }

  private func texts(_ record: ImportRecord) -> [String] {
    record.fields.map { field in
      switch field {
      case .absent: "absent"
      case .empty: "null"
      case .text(let text): text
      case .value(let value): String(decoding: value.text, as: UTF8.self)
      }
    }
  }

  @Test(arguments: [
    "[{\"name\":\"a\",\"value\":null},\n {\"value\":\"2\",\"x\":[1]}]",
    "{\"name\":\"a\",\"value\":null}\n{\"value\":\"2\",\"x\":[1]}\n",
    "\u{feff} [ {\"name\":\"a\",\"value\":null} ,\n{\"value\":\"2\",\"x\":[1]} ] \n",
  ]) func readsArraysAndLines(text: String) throws {
    let rows = try read(text)
    #expect(rows.header == ["name", "value", "x"])
    #expect(rows.records.map(texts) == [["a", "null", "absent"], ["absent", "2", "[1]"]])
    #expect(rows.records.map(\.line) == [1, 2])
    #expect(rows.records.map(\.number) == [1, 2])
  }

  @Test func readsRowsOfItsOwn() throws {
    let rows = try read(
      "{\"id\":7,\"path\":[0,3],\"section\":{\"id\":2,\"title\":\"K\",\"index\":1},"
        + "\"revision\":41,\"cells\":{\"name\":\"a\",\"id\":\"cell\"}}")
    #expect(
      rows.header == ["_id", "_section", "_section_index", "_revision", "name", "id"])
    #expect(rows.records.map(texts) == [["7", "K", "1", "41", "a", "cell"]])
  }

  @Test func readsEmptyFiles() throws {
    #expect(try read("[]").records.isEmpty)
    #expect(try read(" [ ] ").records.isEmpty)
  }

  static let refused: [(text: String, line: Int)] = [
    ("[{\"a\":1},\n7]", 2), ("[{\"a\":1}\n{\"a\":2}]", 2), ("[{\"a\":1},\n", 2), ("[{\"a\":1}", 1),
    ("[]\n{}", 2), ("{\"a\":1,\"a\":2}", 1), ("{\"a\":1}\n{\"a\":\"\\u0000\"}", 2),
    ("{\"a\":1.2345678901234567}", 1), ("{\"a\":99999999999999999999}", 1), ("{\"a\":1}\n{", 2),
  ]

  @Test(arguments: refused) func namesTheLineAtFault(text: String, line: Int) throws {
    let fault = try #require(throws: Fault.self) { try read(text) }
    #expect(fault.status == .badInput)
    #expect(fault.line == line, "\(fault.message)")
  }
}
