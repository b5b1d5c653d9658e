import Testing

@testable import hpctl

@Suite struct InvocationTests {
  @Test func optionsMayStandAnywhere() throws {
    let invocation = try Invocation([
      "-q", "add", "name=-5", "--at=first", "--section", "Kitchen", "--", "-x=1",
    ])
    #expect(invocation.verb == .add)
    #expect(invocation.words == ["name=-5", "-x=1"])
    #expect(invocation[.at] == "first")
    #expect(invocation[.section] == "Kitchen")
    #expect(invocation.has(.quiet))
  }

  @Test func groupsTakeTheirSecondWord() throws {
    let invocation = try Invocation(["section", "add", "Attic"])
    #expect(invocation.verb == .sectionAdd)
    #expect(invocation.words == ["Attic"])
  }

  static let refused: [(words: [String], says: String, hint: String?)] = [
    ([], "no verb is given", nil), (["lsit"], "unknown verb lsit", "did you mean list?"),
    (["section"], "section needs one of", nil),
    (["section", "lisst"], "unknown verb section lisst", "did you mean section list?"),
    (["list", "--sekcion", "x"], "unknown option --sekcion", nil),
    (["list", "--sectoin", "x"], "unknown option --sectoin", "did you mean --section?"),
    (["list", "--key", "x"], "--key does not go with list", nil),
    (["list", "--section"], "--section needs a value", nil),
    (["list", "--quiet=1"], "--quiet takes no value", nil),
    (["list", "--section", "a", "--section", "b"], "--section is given twice", nil),
    (["list", "x"], "list takes no \"x\"", nil), (["get"], "get needs ID…", nil),
    (["set"], "set needs ID", nil), (["-z", "list"], "unknown option -z", nil),
  ]

  @Test(arguments: refused) func namesTheWordAtFault(
    words: [String], says: String, hint: String?
  ) throws {
    let fault = try #require(throws: Fault.self) { try Invocation(words) }
    #expect(fault.status == .usage)
    #expect(fault.message.contains(says))
    if let hint { #expect(fault.hint == hint) }
  }

  @Test(arguments: Verb.allCases) func everyVerbIsExplainedWithExamplesFirst(verb: Verb) {
    let text = Help.text(for: verb)
    #expect(text.hasPrefix("hpctl ") || text.hasPrefix("jq "))
    #expect(text.contains("usage: hpctl " + verb.rawValue))
    #expect(CommandTable.groups.contains(CommandTable.info(verb).group))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: Verb.allCases) func examplesAreCommandLinesThatAreUnderstood(verb: Verb) throws {
    for example in CommandTable.info(verb).examples where example.line.hasPrefix("hpctl") {
      let words = Self.words(example.line.split(separator: "|")[0]).dropFirst()
      #expect(try Invocation(Array(words)).verb == verb)
    }
  }

  /// Words as a shell sees them, where quotes are single ones.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(separator: " ").map(String.init)
      }
    }
    return words
  }

  static let places: [(text: String, place: PlaceText)] = [
    ("first", .first), ("last", .last), ("0", .index(0)), ("12", .index(12)),
    ("before:3", .before("3")), ("after:id:3", .after("id:3")),
  ]

  @Test(arguments: places) func readsPlaces(text: String, place: PlaceText) throws {
    #expect(try PlaceText(text) == place)
  }

  @Test(arguments: ["", "-1", "before:", "middle", "+1", "1.0"])
  func refusesOtherPlaces(text: String) {
    #expect(throws: Fault.self) { try PlaceText(text) }
  }

  static let cursors: [(text: String, cursor: PartialCursor?)] = [
    ("41", PartialCursor(epoch: nil, revision: 41)),
    ("00000000000000ff:41", PartialCursor(epoch: 255, revision: 41)),
    ("ff:41", PartialCursor(epoch: 255, revision: 41)), (":41", nil), ("ff:", nil), ("x:1", nil),
    ("1:2:3", nil), ("-1", nil), ("", nil), ("-f:1", nil),
  ]

  @Test(arguments: cursors) func readsCursors(text: String, cursor: PartialCursor?) {
    #expect(PartialCursor(text) == cursor)
  }

  @Test func writesCursorsWithSixteenDigits() {
    #expect(Cursor(epoch: 255, revision: 41).text == "00000000000000ff:41")
  }
}
