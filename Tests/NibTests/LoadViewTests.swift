import Nib
import Testing

/// The search of loadView (semantics 2.9, X10).
@Suite struct LoadViewTests {
  let folder = TemporaryFolder()

  private var bundle: NibBundle { NibBundle(path: folder.path) }

  private func view(_ owner: String?, _ id: String) -> [UInt8] {
    Array(
      Sample.document(
        """
        <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="\(owner ?? "")">
        <connections><outlet property="view" destination="\(id)" id="c"/></connections>
        </placeholder><view id="\(id)"/>
        """
      ).utf8)
  }

  private func used(_ className: String, _ nibName: String? = nil) throws -> String? {
    let loaded = try bundle.loadView(owner: NibOwner(className: className), nibName: nibName)
    let id = try #require(loaded.outlet("view"))
    return loaded.file == nil ? nil : loaded.nodes[try #require(loaded.index(of: id))].xibID
  }

  @Test func triesNamesInOrder() throws {
    #expect(
      NibBundle.names(forClass: "BNRItemsViewController") == [
        "BNRItemsView", "BNRItemsViewController",
      ])
    #expect(NibBundle.names(forClass: "Controller") == ["Controller"])
    #expect(NibBundle.names(forClass: "Detail") == ["Detail"])

    #expect(try used("BNRItemsViewController") == nil)
    try folder.write("BNRItemsViewController.xib", view("BNRItemsViewController", "class"))
    #expect(try used("BNRItemsViewController") == "class")
    try folder.write("BNRItemsView.xib", view("BNRItemsViewController", "short"))
    #expect(try used("BNRItemsViewController") == "short")
    try folder.write("Named.xib", view("BNRItemsViewController", "named"))
    #expect(try used("BNRItemsViewController", "Named") == "named")
    // A nib that is named and not there is not replaced by another one.
    #expect(try used("BNRItemsViewController", "Gone") == nil)
  }

  @Test func theTraceTellsWhatWasTried() throws {
    try folder.write("Base.lproj/ItemsViewController.xib", view("ItemsViewController", "v"))
    let owner = NibOwner(className: "ItemsViewController")
    let loaded = try bundle.loadView(owner: owner, language: "de")
    #expect(
      loaded.tried == [
        "de.lproj/ItemsView.xib", "Base.lproj/ItemsView.xib", "ItemsView.xib",
        "de.lproj/ItemsViewController.xib", "Base.lproj/ItemsViewController.xib",
      ])
    #expect(loaded.file == "Base.lproj/ItemsViewController.xib")
    let blank = try bundle.loadView(owner: NibOwner(className: "Detail"))
    #expect(blank.tried == ["Base.lproj/Detail.xib", "Detail.xib"])
    #expect(blank.file == nil)
  }

  @Test func aBlankViewHasAnIdOfItsOwn() throws {
    let bundle = bundle
    let owner = NibOwner(className: "Detail")
    let first = try bundle.loadView(owner: owner)
    let list = NibOwner(className: "ItemsTableViewController")
    let second = try bundle.loadView(owner: list)
    #expect(try bundle.findView(owner: list) == nil)
    #expect(NibOwner(className: "HPItemsController").blankClass == "UITableView")
    #expect(NibOwner(className: "HPDetailController").blankClass == "UIView")
    #expect(first.nodes.map(\.className) == ["UIView"])
    #expect(second.nodes.map(\.className) == ["UITableView"])
    #expect(second.nodes[0].outlets.map(\.property) == ["dataSource", "delegate"])
    #expect(second.nodes[0].outlets.map(\.target) == [.owner, .owner])
    #expect(first.outlet("view") != second.outlet("view"))
  }

  /// The trap of semantics 2.9: the class's name without "Controller" names another nib.
  @Test func aNibWithoutItsViewIsAFault() throws {
    try folder.write("HeaderView.xib", Sample.file("HeaderView.xib"))
    let fault = #expect(throws: NibFault.self) {
      try bundle.loadView(owner: NibOwner(className: "HeaderViewController"))
    }
    #expect(fault?.code == .noSuchOutlet)
    #expect(
      fault?.message == "loaded the \"HeaderView\" nib but the view outlet was not set.")
    #expect(fault?.file == "HeaderView.xib")
    #expect(fault?.line == 5)
    #expect(fault?.tried == ["Base.lproj/HeaderView.xib", "HeaderView.xib"])
  }
}
