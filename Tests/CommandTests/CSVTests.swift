import Testing

@testable import hpctl

@Suite struct CSVTests {
  private func read(_ text: String) throws -> CSVReader {
    try CSVReader(Array(text.utf8), delimiter: nil)
  }

  @Test func readsRecordsAndTheirLines() throws {
    let file = try read("name,serial\r\nKettle,007\r\n\"two\r\nlines\",\"\"\rlast,\n")
    #expect(file.header.fields == ["name", "serial"])
    #expect(
      file.records == [
        CSVRecord(number: 1, line: 2, fields: ["Kettle", "007"]),
        CSVRecord(number: 2, line: 3, fields: ["two\r\nlines", ""]),
        CSVRecord(number: 3, line: 5, fields: ["last", nil]),
      ])
  }

  @Test func keepsSpacesAndQuotes() throws {
    let file = try read("name,serial\n  a b ,\" c\"\"d\"\"\"\n")
    #expect(file.records == [CSVRecord(number: 1, line: 2, fields: ["  a b ", " c\"d\""])])
  }

  @Test(arguments: [
    "\u{feff}name;serial\na;b\n", "name\tserial\na\tb\n", "sep=;\nname;serial\na;b\n",
    "sep=;\r\nname;serial\r\na;b", "name,serial\na,b",
  ]) func findsTheSeparator(text: String) throws {
    let file = try read(text)
    #expect(file.header.fields == ["name", "serial"])
    #expect(file.records.map(\.fields) == [["a", "b"]])
  }

  @Test func looksForTheSeparatorOutsideQuotes() throws {
    let file = try read("\"a,b,c\";d\n1;2\n")
    #expect(file.header.fields == ["a,b,c", "d"])
  }

  @Test func skipsAndCountsEmptyRecords() throws {
    let file = try read("name,serial\n,\n\n\"\",\na,b\n")
    #expect(file.records.map(\.fields) == [["", nil], ["a", "b"]])
    #expect(file.blank == 1)
  }

  static let refused: [(bytes: [UInt8], says: String, line: Int?)] = [
    (Array("a,b\n1\n".utf8), "1 field where the header has 2", 2),
    (Array("a,b\n1,2\n3,4,5\n".utf8), "3 fields where the header has 2", 3),
    (Array("a,b\n\"1,2\n3,4\n".utf8), "never closed", 2),
    (Array("a,b\n1\"x,2\n".utf8), "a quote", 2), (Array("a,b\n1,2\n\u{0},4\n".utf8), "NUL", 3),
    ([0x61, 0x0a, 0xff, 0x0a], "not UTF-8", 2), ([0xff, 0xfe, 0x61, 0], "UTF-16", nil),
    ([], "empty", nil),
  ]

  @Test(arguments: refused) func namesTheLineAtFault(
    bytes: [UInt8], says: String, line: Int?
  ) throws {
    let fault = try #require(throws: Fault.self) { try CSVReader(bytes, delimiter: nil) }
    #expect(fault.status == .badInput)
    #expect(fault.message.contains(says), "\(fault.message)")
    #expect(fault.line == line)
  }
}
