import Testing

@testable import hpctl

/// What `watch` takes of its options before it asks the daemon.
@Suite struct WatchOptionTests {
  private static func table() -> TableInfo {
    func column(_ id: UInt64, _ name: String) -> ColumnInfo {
      ColumnInfo(
        id: id, name: name, kind: .text, scale: 0, currency: nil, required: false, unique: false,
        readOnly: false, defaultValue: nil, fill: nil, defaultsToNow: false)
    }
    return TableInfo(
      id: 1, name: "items", schemaRevision: 1, lastChanged: 1, rows: 0,
      columns: [column(3, "name"), column(5, "value")],
      sections: [
        SectionInfo(id: 2, title: "Kitchen", index: 0, rows: 0),
        SectionInfo(id: 4, title: "a=b", index: 1, rows: 0),
      ])
  }

  @Test func filtersAddUp() throws {
    var filter = try WatchFilter([
      "section=Kitchen", "section=a=b", "section=id:2", "column=VALUE", "row=7", "kind=schema",
    ])
    #expect(filter.namesParts && filter.isNotice && !filter.isColumnsAlone && !filter.isEmpty)
    try filter.resolve(in: Self.table())
    #expect(filter.left(of: Self.table().columns).map(\.name) == ["value"])
    #expect(try WatchFilter([]).isEmpty)
    #expect(try WatchFilter(["column=name"]).isColumnsAlone)
  }

  @Test func everyKindIsRead() throws {
    for kind in WatchFilter.kindNames { #expect(try WatchFilter(["kind=" + kind]).isNotice) }
  }

  static let refused: [(text: String, says: String)] = [
    ("", "NAME=VALUE"), ("section", "NAME=VALUE"), ("section=", "NAME=VALUE"),
    ("=x", "no filter by \"\""), ("rows=1", "no filter by \"rows\""), ("row=0", "no row id"),
    ("row=9007199254740992", "no row id"), ("row=-1", "no row id"), ("kind=any", "no kind"),
    ("section=id:x", "no section id"),
  ]

  @Test(arguments: refused) func sayWhatIsWrong(text: String, says: String) throws {
    let fault = try #require(throws: Fault.self) { try WatchFilter([text]) }
    #expect(fault.status == .usage)
    #expect(fault.message.contains(says))
    #expect(fault.hint != nil)
  }

  @Test func namesThatAreNotThereAreRefused() throws {
    for (text, code) in [("section=Attic", "NO_SUCH_SECTION"), ("column=x", "NO_SUCH_COLUMN")] {
      var filter = try WatchFilter([text])
      let fault = try #require(throws: Fault.self) { try filter.resolve(in: Self.table()) }
      #expect(fault.code == code)
    }
  }

  @Test func windowsHangOnPositionsAndRows() throws {
    #expect(try WatchWindow("0,20").anchor == .position(0))
    #expect(try WatchWindow("12,1").length == 1)
    var window = try WatchWindow("row:7,5")
    #expect(window.anchor == .row(7))
    window.follow(row: 0)
    #expect(window.anchor == .row(7))
    window.follow(row: 9)
    #expect(window.anchor == .row(9))
    var place = try WatchWindow("3,5")
    place.follow(row: 9)
    #expect(place.anchor == .position(3))
  }

  @Test(arguments: ["", "5", "5,", ",5", "5,0", "-1,5", "row:0,5", "row:,5", "row:x,5", "1,2,3"])
  func windowsThatCanNotBeReadAreRefused(text: String) throws {
    let fault = try #require(throws: Fault.self) { try WatchWindow(text) }
    #expect(fault.status == .usage)
  }

  @Test func aStartMayHaveAFingerprint() throws {
    #expect(
      try WatchStart("1f:41:77")
        == WatchStart(cursor: PartialCursor(epoch: 0x1f, revision: 41), fingerprint: 77))
    #expect(try WatchStart("1f:41").fingerprint == 0)
    #expect(try WatchStart("41").cursor == PartialCursor(epoch: nil, revision: 41))
    for text in ["", "1:2:3:4", "1:2:", "1:2:x", "x"] {
      #expect(throws: Fault.self) { try WatchStart(text) }
    }
  }
}
