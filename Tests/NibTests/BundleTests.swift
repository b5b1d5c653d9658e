import Glibc
import HouseSupport
import Nib
import Testing

/// Loading from a folder (semantics 1.5, 2.9).
@Suite struct BundleTests {
  let folder = TemporaryFolder()

  private var bundle: NibBundle { NibBundle(path: folder.path) }

  /// semantics X1, X8, X9.
  @Test func loadsNewObjectsEachTime() throws {
    try folder.write("HeaderView.xib", Sample.file("HeaderView.xib"))
    let bundle = bundle
    let owner = NibOwner(className: "HPItemsController")
    let first = try bundle.load("HeaderView", owner: owner)
    let second = try bundle.load("HeaderView", owner: owner)
    #expect(first.nodes.count == 3)
    #expect(Set(first.nodes.map(\.id)).isDisjoint(with: second.nodes.map(\.id)))
    for loaded in [first, second] {
      #expect(loaded.outlet("headerView") == loaded.nodes[0].id)
      #expect(loaded.topLevel == [loaded.nodes[0].id])
      #expect(loaded.nodes.dropFirst().map(\.parent) == [loaded.topLevel[0], loaded.topLevel[0]])
      #expect(loaded.nodes.compactMap { $0.title() } == ["Edit", "New"])
      #expect(loaded.dropped.isEmpty)
      #expect(loaded.warnings.isEmpty)
      #expect(loaded.file == "HeaderView.xib")
      #expect(loaded.index(of: loaded.nodes[2].id) == 2)
      #expect(loaded.index(of: 0) == nil)
    }
    #expect(bundle.loads == 2)
  }

  /// semantics X3.
  @Test func anotherOwnerIsWarnedOfAndAMissingOutletIsAFault() throws {
    try folder.write("HeaderView.xib", Sample.file("HeaderView.xib"))
    let other = try bundle.load("HeaderView", owner: NibOwner(className: "Other"))
    #expect(other.warnings == ["the file's owner is a HPItemsController, not a Other"])
    #expect(other.outlet("headerView") != nil)

    let fault = #expect(throws: NibFault.self) {
      try bundle.load("HeaderView", owner: NibOwner(className: "HPItemsController", outlets: []))
    }
    #expect(fault?.code == .noSuchOutlet)
    #expect(fault?.file == "HeaderView.xib")
    #expect(fault?.line == 5)
    #expect(fault?.value == "headerView")
    #expect(fault?.message.contains("key value coding-compliant for the key headerView.") == true)
    #expect(
      throws: NibFault.self,
      performing: {
        try bundle.load("HeaderView", owner: NibOwner(className: "UITableViewController"))
      })
  }

  /// semantics X5.
  @Test func aTreeThatNothingKeepsIsGone() throws {
    let text = Sample.document(
      """
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="C"><connections>
        <outlet property="kept" destination="a" id="c1"/>
        <outlet property="inner" destination="loose-button" id="c2"/>
        <outletCollection property="inners" destination="a-button" id="c3"/>
      </connections></placeholder>
      <view id="a"><subviews><button id="a-button"><connections>
        <outlet property="menu" destination="menu" id="c4"/>
        <outlet property="delegate" destination="weak" id="c5"/>
        <action selector="x:" destination="weak" eventType="touchDown" id="c6"/>
      </connections></button></subviews></view>
      <view id="loose"><subviews><button id="loose-button"/></subviews></view>
      <view id="menu"><connections><outlet property="next" destination="deep" id="c7"/>
      </connections></view>
      <view id="deep"/>
      <view id="weak"/>
      """)
    try folder.write("Many.xib", Array(text.utf8))
    let loaded = try bundle.load("Many", owner: NibOwner(className: "C"))
    #expect(loaded.nodes.map(\.xibID) == ["a", "a-button", "menu", "deep"])
    #expect(loaded.topLevel.count == 5)
    #expect(loaded.dropped == [loaded.topLevel[1], loaded.topLevel[4]])
    #expect(loaded.ownerOutlets.map(\.property) == ["kept", "inners"])
    #expect(loaded.nodes[1].outlets.map(\.property) == ["menu"])
    #expect(loaded.nodes[1].actions.isEmpty)
    #expect(loaded.warnings.count == 1)
    #expect(loaded.index(of: loaded.topLevel[3]) == 3)

    // The list keeps all where nobody else could, or where the caller says so.
    for all in [
      try bundle.load("Many"),
      try bundle.load("Many", owner: NibOwner(className: "C"), keepsAll: true),
    ] {
      #expect(all.nodes.count == 7)
      #expect(all.dropped.count == 2)
      #expect(all.ownerOutlets.count == 3)
    }
  }

  @Test func languageFoldersComeFirst() throws {
    for (file, title) in [
      ("V.xib", "plain"), ("Base.lproj/V.xib", "base"), ("fr.lproj/V.xib", "fr"),
      ("fr-CA.lproj/V.xib", "fr-CA"), ("W.xib", "plain"),
    ] {
      try folder.write(file, Array(Sample.document("<button id=\"b\" title=\"\(title)\"/>").utf8))
    }
    func title(_ name: String, _ language: String?) throws -> String? {
      try bundle.load(name, language: language).nodes[0].title()
    }
    #expect(try title("V", nil) == "base")
    #expect(try title("V", "fr") == "fr")
    #expect(try title("V", "fr-CA") == "fr-CA")
    #expect(try title("V", "fr-CH") == "fr")
    #expect(try title("V", "de") == "base")
    #expect(try title("W", "fr-CA") == "plain")
    let loaded = try bundle.load("W", language: "fr-CA")
    #expect(
      loaded.tried == ["fr-CA.lproj/W.xib", "fr.lproj/W.xib", "Base.lproj/W.xib", "W.xib"])
    #expect(loaded.file == "W.xib")
    for language in ["", "../fr", "fr/..", "f r", "fr\u{0}", String(repeating: "a", count: 300)] {
      #expect(throws: NibFault.self) { try title("V", language) }
    }
  }

  static let tricks = [
    "", ".", "..", "../HeaderView", "/etc/passwd", "a/b", "a\\b", "a\u{0}b", "a\nb", ".hidden",
    "\u{7f}", String(repeating: "a", count: 129),
  ]

  @Test(arguments: tricks) func refusesTricksInNames(name: String) throws {
    try folder.write("HeaderView.xib", Sample.file("HeaderView.xib"))
    let inner = NibBundle(path: folder.path + "/inner")
    for bundle in [bundle, inner] {
      let fault = #expect(throws: NibFault.self) { try bundle.load(name) }
      #expect(fault?.code == .badName)
      #expect(fault?.expected != nil)
      #expect(throws: NibFault.self) {
        try bundle.loadView(owner: NibOwner(className: "C"), nibName: name)
      }
    }
  }

  /// semantics X8.
  @Test func anUnknownNameIsNotFound() throws {
    try folder.write("HeaderView.xib", Sample.file("HeaderView.xib"))
    for name in ["Gone", "HeaderView.xib", "headerview"] {
      let fault = #expect(throws: NibFault.self) { try bundle.load(name) }
      #expect(fault?.code == .notFound)
      #expect(fault?.value == name)
      #expect(fault?.tried == ["Base.lproj/\(name).xib", "\(name).xib"])
    }
    let gone = NibBundle(path: folder.path + "/gone")
    #expect(throws: NibFault.self) { try gone.load("HeaderView") }
  }

  @Test func aFaultNamesItsFile() throws {
    try folder.write("fr.lproj/Bad.xib", Array("<document".utf8))
    let fault = #expect(throws: NibFault.self) { try bundle.load("Bad", language: "fr") }
    #expect(fault?.file == "fr.lproj/Bad.xib")
    #expect(fault?.line == 1)
    #expect(fault?.code == .malformed)
  }

  @Test func noticesThatAFileHasChanged() throws {
    let bundle = bundle
    func title() throws -> String? { try bundle.load("V").nodes[0].title() }
    for turn in 0..<50 {
      // Of the same size, and within one tick of the file system's clock.
      let text = Sample.document("<button id=\"b\" title=\"\(turn % 10)\"/>")
      try folder.write("V.xib", Array(text.utf8), inPlace: turn % 2 == 0)
      #expect(try title() == "\(turn % 10)")
    }
    try folder.write("V.xib", Array("<document".utf8))
    #expect(throws: NibFault.self) { try title() }
    try folder.remove("V.xib")
    let fault = #expect(throws: NibFault.self) { try title() }
    #expect(fault?.code == .notFound)
  }

  @Test func readsAFileOnceWhileItStays() throws {
    try folder.write("V.xib", Array(Sample.document("<button id=\"b\"/>").utf8), settled: true)
    let bundle = bundle
    for _ in 0..<5 { _ = try bundle.load("V") }
    #expect(bundle.reads == 1)
    #expect(bundle.loads == 5)
    // A fault is kept as well.
    try folder.write("W.xib", Array("<document".utf8), settled: true)
    for _ in 0..<5 { #expect(throws: NibFault.self) { try bundle.load("W") } }
    #expect(bundle.reads == 2)
    #expect(bundle.loads == 5)
  }

  @Test func refusesWhatIsNoFile() throws {
    try folder.makeFolder("Folder.xib")
    #expect(mkfifo(folder.path + "/Pipe.xib", 0o600) == 0)
    for name in ["Folder", "Pipe"] {
      let fault = #expect(throws: NibFault.self) { try bundle.load(name) }
      #expect(fault?.code == .unreadable)
      #expect(fault?.file == "\(name).xib")
    }
    let large = [UInt8](repeating: 0x20, count: NibLimits.bytes + 1)
    try folder.write("Large.xib", large)
    #expect(throws: NibFault.self) { try bundle.load("Large") }
  }
}
