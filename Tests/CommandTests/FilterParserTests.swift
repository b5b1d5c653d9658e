import HouseSupport
import Testing

@testable import hpctl

@Suite struct FilterParserTests {
  static let columns = [
    ColumnInfo(id: 1, name: "name", kind: .text), ColumnInfo(id: 2, name: "serial", kind: .text),
    ColumnInfo(id: 3, name: "value", kind: .decimal, scale: 2),
    ColumnInfo(id: 4, name: "day", kind: .date), ColumnInfo(id: 5, name: "good", kind: .boolean),
    ColumnInfo(id: 6, name: "two words", kind: .integer),
    ColumnInfo(id: 7, name: "a:desc", kind: .text),
  ]

  /// The filter in words: postfix, with values in brackets.
  static func shown(_ text: String) throws -> String {
    try FilterParser.read(text, columns: columns).nodes.map { node in
      var word = "\(node.operation)"
      if let column = node.column { word = column + "." + word }
      if node.isFolded { word += "*" }
      if !node.values.isEmpty {
        word +=
          "["
          + node.values.map { value in
            switch value {
            case .null: "null"
            case .text(let text): text
            case .integer(let number), .decimal(let number), .date(let number),
              .timestamp(let number):
              "\(number)"
            case .boolean(let flag): "\(flag)"
            }
          }.joined(separator: "|") + "]"
      }
      return word
    }.joined(separator: " ")
  }

  static let read: [(text: String, postfix: String)] = [
    ("", ""), ("  ", ""), ("name = a", "name.equal[a]"),
    ("value>=100", "value.greaterOrEqual[10000]"), ("value<-0.5", "value.less[-50]"),
    ("name == \"a b\"", "name.equal[a b]"), ("name != 'it\\'s'", "name.notEqual[it's]"),
    ("name = 'a\\n\\t\\\\'", "name.equal[a\n\t\\]"), ("name = ''", "name.equal[]"),
    ("name ^= K nocase", "name.prefix*[K]"), ("name ~ bear", "name.contains[bear]"),
    ("name ~ bear nocase", "name.contains[bear]"), ("name = Ä nocase", "name.equal*[Ä]"),
    ("serial is null", "serial.isNull"), ("serial IS NOT NULL", "serial.isNull not"),
    ("day > 1970-01-02", "day.greater[1]"), ("good = yes", "good.equal[true]"),
    ("name in (a, 'b c',d)", "name.oneOf[a|b c|d]"),
    ("name not in (a) and good=no", "name.oneOf[a] not good.equal[false] and"),
    ("\"two words\" <= 7", "two words.lessOrEqual[7]"),
    (
      "value >= 100 and (name ~ \"bear\" or serial is null)",
      "value.greaterOrEqual[10000] name.contains[bear] serial.isNull or and"
    ),
    ("name=a or name=b and name=c", "name.equal[a] name.equal[b] name.equal[c] and or"),
    ("not name=a and name=b", "name.equal[a] not name.equal[b] and"),
    ("not (name=a and not name=b)", "name.equal[a] name.equal[b] not and not"),
    ("name = \"and\"", "name.equal[and]"),
  ]

  @Test(arguments: read) func readsPostfix(text: String, postfix: String) throws {
    #expect(try Self.shown(text) == postfix)
  }

  static let refused: [(text: String, offset: Int, code: String)] = [
    ("name", 4, "USAGE"), ("name =", 6, "USAGE"), ("= a", 0, "USAGE"), ("name = a b", 9, "USAGE"),
    ("name = a and", 12, "USAGE"), ("(name = a", 0, "USAGE"), ("name = a)", 8, "USAGE"),
    ("name = \"a", 7, "USAGE"), ("name = 'a\\q'", 7, "USAGE"), ("nome = a", 0, "NO_SUCH_COLUMN"),
    ("name=a or nome=b", 10, "NO_SUCH_COLUMN"), ("value = abc", 8, "BAD_VALUE"),
    ("value = 1.234", 8, "BAD_VALUE"), ("value = ''", 8, "USAGE"), ("value ~ 1", 6, "USAGE"),
    ("value ^= 1", 6, "USAGE"), ("value = 1 nocase", 10, "USAGE"), ("name is a", 8, "USAGE"),
    ("name not = a", 9, "USAGE"), ("name in a", 8, "USAGE"), ("name in ()", 9, "USAGE"),
    ("name in (a b)", 11, "USAGE"), ("name = null", 7, "USAGE"), ("and", 0, "USAGE"),
    ("name ! a", 5, "USAGE"), ("name ~= a", 5, "USAGE"), ("name ^ a", 5, "USAGE"),
    ("day = 2023-02-30", 6, "BAD_VALUE"), ("()", 1, "USAGE"), ("é\u{301} = 1", 0, "NO_SUCH_COLUMN"),
  ]

  @Test(arguments: refused) func namesTheCharacterAtFault(
    text: String, offset: Int, code: String
  ) throws {
    let fault = try #require(throws: Fault.self) {
      try FilterParser.read(text, columns: Self.columns)
    }
    #expect(fault.offset == offset && fault.code == code, "\(fault.sentence)")
    #expect(fault.message.contains("character \(offset + 1)"))
  }

  @Test func refusesTooMuch() throws {
    let many = Array(repeating: "good=yes", count: 128).joined(separator: " and ")
    #expect(try FilterParser.read(many, columns: Self.columns).nodes.count == 255)
    #expect(try FilterParser.read("not (\(many))", columns: Self.columns).nodes.count == 256)
    #expect(throws: Fault.self) {
      try FilterParser.read("\(many) and good=yes", columns: Self.columns)
    }
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: Fault.self) { try FilterParser.read(deep, columns: Self.columns) }
    let nots = String(repeating: "not ", count: 100_000)
    #expect(throws: Fault.self) { try FilterParser.read(nots, columns: Self.columns) }
  }

  @Test func survivesAnyText() {
    let parts = [
      "name", "value", "=", "~", "(", ")", ",", "and", "or", "not", "in", "is", "null", "nocase",
      "1", "'", "\"", "\\", " ", "é", "^=", "!",
    ]
    var random = SeededRandom(seed: 5)
    for _ in 0..<5000 {
      var text = ""
      for _ in 0..<random.below(12) {
        text += parts[random.below(parts.count)] + (random.below(3) == 0 ? "" : " ")
      }
      _ = try? FilterParser.read(text, columns: Self.columns)
    }
  }

  @Test func readsSortKeys() throws {
    let columns = Self.columns
    #expect(
      try SortKey.list("value:desc,name:nocase", columns: columns) == [
        SortKey(column: "value", isDescending: true), SortKey(column: "name", isFolded: true),
      ])
    #expect(
      try SortKey(text: "name:desc:nocase", columns: columns)
        == SortKey(column: "name", isDescending: true, isFolded: true))
    #expect(try SortKey(text: "a:desc", columns: columns) == SortKey(column: "a:desc"))
    #expect(throws: Fault.self) { try SortKey(text: "name:up", columns: columns) }
    #expect(throws: Fault.self) { try SortKey.list("name,", columns: columns) }
  }
}
