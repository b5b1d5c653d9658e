import HouseSupport
import Nib
import Testing

/// Files that can't be read: a typed fault with its line, and nothing else.
@Suite struct NibFaultTests {
  /// The last element of each stands on line 5.
  static let refused: [(objects: String, line: Int, value: String?)] = [
    // A connection that leads nowhere.
    (
      """
      <view id="a">
      <connections><outlet property="x" destination="gone" id="c"/></connections></view>
      """, 5, "gone"
    ),
    (
      """
      <button id="a">
      <connections><action selector="x" destination="gone" id="c"/></connections></button>
      """, 5, "gone"
    ),
    (
      """
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1">
      <connections><outlet property="x" destination="b" id="c"/></connections></placeholder>
      """, 5, "b"
    ),
    (
      "<view id=\"a\">\n<connections><outlet property=\"x\" id=\"c\"/></connections></view>", 5, nil
    ),
    ("<view id=\"a\">\n<connections><action destination=\"a\"/></connections></view>", 5, nil),
    (
      """
      <view id="a"><constraints>
      <constraint firstItem="gone" firstAttribute="top" id="k"/></constraints></view>
      """, 5, "gone"
    ),
    // An id that stands twice.
    ("<view id=\"a\"/>\n<view id=\"a\"/>", 5, "a"),
    ("<view id=\"a\"/>\n<gauge id=\"a\"/>", 5, "a"),
    ("<view id=\"a\"><gauge/>\n<nil id=\"a\"/></view>", 5, "a"),
    (
      "<view id=\"a\">\n<connections><outlet property=\"x\" destination=\"a\" id=\"a\"/></connections></view>",
      5, "a"
    ),
    ("<view id=\"a\"/>\n<view id=\"-1\"/>", 5, "-1"),
    ("<placeholder id=\"-1\"/>\n<placeholder id=\"-1\"/>", 5, "-1"),
    ("<placeholder id=\"-2\"/>\n<placeholder id=\"-2\"/>", 5, "-2"),
    // Values.
    ("\n<view id=\"a\"><rect key=\"frame\" x=\"wide\"/></view>", 5, "wide"),
    ("\n<view id=\"a\"><rect key=\"frame\" x=\"nan\"/></view>", 5, "nan"),
    ("\n<view id=\"a\"><rect key=\"frame\" x=\"0x10\"/></view>", 5, "0x10"),
    ("\n<view id=\"a\"><rect key=\"frame\" x=\"1e999\"/></view>", 5, "1e999"),
    ("\n<view id=\"a\"><rect key=\"frame\" x=\"\"/></view>", 5, ""),
    ("\n<view id=\"a\"><color key=\"c\" white=\"inf\"/></view>", 5, "inf"),
    ("\n<view hidden=\"true\" id=\"a\"/>", 5, "true"),
    ("\n<switch enabled=\"yes\" id=\"a\"/>", 5, "yes"),
    ("\n<view id=\"a\"><autoresizingMask widthSizable=\"1\"/></view>", 5, "1"),
    // Not well-formed.
    ("\n<view id=\"a\"></button>", 5, nil),
    ("\n<view id=\"a\" id=\"b\"/>", 5, nil),
    ("\n<view id=a/>", 5, nil),
    ("\n<view id=\"&undefined;\"/>", 5, nil),
    ("\n<view id=\"a\">&#0;</view>", 5, nil),
  ]

  @Test(arguments: refused)
  func namesTheLine(objects: String, line: Int, value: String?) throws {
    let fault = try #require(Sample.fault(objects: objects))
    #expect(fault.code == .malformed)
    #expect(fault.line == line, "\(fault)")
    if let value { #expect(fault.value == value) }
    #expect(fault.expected?.isEmpty == false)
    #expect(!fault.message.isEmpty)
  }

  static let roots: [(text: String, code: NibFault.Code)] = [
    ("", .malformed), (" ", .malformed), ("hello", .malformed), ("<", .malformed),
    ("<view/>", .malformed), ("<document/>", .malformed),
    ("<document type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\"/>", .malformed),
    ("<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\"/>", .malformed),
    ("<document type=\"\(NibDocument.type)\"/>", .malformed),
    ("<document type=\"\(NibDocument.type)\"><objects/></document><document/>", .malformed),
    ("<archive type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\" version=\"8.00\"/>", .legacy),
    (
      "<?xml version=\"1.0\"?>\n<archive version=\"7.10\"><data><int key=\"x\">1</int></data>",
      .legacy
    ),
  ]

  @Test(arguments: roots) func refusesOtherFiles(text: String, code: NibFault.Code) throws {
    let fault = try #require(Sample.fault(text))
    #expect(fault.code == code)
    #expect(fault.line != nil, "\(fault)")
    #expect(fault.expected?.isEmpty == false)
  }

  @Test func refusesOtherEncodings() {
    let text = Sample.document("<view id=\"a\"/>")
    let wide = Array(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    #expect(throws: NibFault.self) { try NibDocument(wide) }
    #expect(throws: NibFault.self) { try NibDocument([0xff, 0xfe] + wide) }
    var latin = Array(Sample.document("<label text=\"?\" id=\"a\"/>").utf8)
    let place = latin.lastIndex { $0 == UInt8(ascii: "?") }
    if let place { latin[place] = 0xe9 }
    #expect(throws: NibFault.self) { try NibDocument(latin) }
    // What the file says of itself does not count: the bytes do.
    for name in ["ISO-8859-1", "UTF-7", "UTF-16", "none"] {
      let said = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>".utf8)
      let ascii = said + Array(text.utf8.drop { $0 != UInt8(ascii: "\n") })
      #expect(throws: Never.self) { try NibDocument(ascii) }
      let other = said + latin.drop { $0 != UInt8(ascii: "\n") }
      #expect(throws: NibFault.self) { try NibDocument(Array(other)) }
    }
  }

  static let bombs = [
    """
    <!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
    <document type="&d;"/>
    """,
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><document type=\"&x;\"/>",
    "<!DOCTYPE a SYSTEM \"http://localhost:1/a.dtd\"><document/>",
    "<!DOCTYPE a [<!ENTITY % p SYSTEM \"file:///dev/zero\">%p;]><document/>",
    "<?xml version=\"1.0\" standalone=\"no\"?><!DOCTYPE document PUBLIC \"a\" \"b\"><document/>",
  ]

  @Test(arguments: bombs) func readsNoDocumentType(text: String) throws {
    let fault = try #require(Sample.fault(text))
    #expect(fault.code == .malformed)
    #expect(fault.value == "DOCTYPE")
    #expect(fault.line == 1)
  }

  @Test func boundsDepthAndNumber() throws {
    let levels = 200
    let deep =
      String(repeating: "<view><subviews>", count: levels)
      + String(repeating: "</subviews></view>", count: levels)
    #expect(Sample.fault(objects: deep)?.message.contains("deep") == true)
    let fitting =
      String(repeating: "<view><subviews>", count: 60)
      + String(repeating: "</subviews></view>", count: 60)
    #expect(try Sample.read(fitting).nodes.count == 60)

    let many = Sample.fault(String(decoding: Sample.large(100_000), as: UTF8.self))
    #expect(many?.code == .malformed)
    let views = String(repeating: "<view/>", count: 100_000)
    let count = try #require(Sample.fault(objects: views))
    #expect(count.message.contains("too many objects"))
    #expect(count.line == 4)
  }

  /// No prefix of a file is a file: one that is half written is refused.
  @Test func everyPrefixIsRefused() throws {
    let bytes = try Sample.file("HeaderView.xib")
    let last = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
    for count in 0..<last {
      #expect(throws: NibFault.self) { try NibDocument(Array(bytes.prefix(count))) }
    }
  }

  /// Changed files are read or refused, never anything else.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func mutationsAreReadOrRefused(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let bytes = try Sample.file("HeaderView.xib")
    var refused = 0
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0...random.below(3) {
        let place = random.below(changed.count)
        switch random.below(3) {
        case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: changed.remove(at: place)
        default:
          let from = random.below(changed.count)
          let count = min(random.below(40), changed.count - from)
          changed.insert(contentsOf: changed[from..<from + count], at: place)
        }
      }
      do throws(NibFault) {
        let document = try NibDocument(changed)
        for node in document.nodes {
          #expect(node.parent ?? 0 < node.id, "seed \(seed)")
        }
      } catch {
        refused += 1
        #expect(error.expected != nil, "seed \(seed)")
      }
    }
    #expect(refused > 500)
  }
}
