import HouseSupport
import Testing

@testable import Nib

/// What a .xib file says, and how each spelling is read (semantics 4).
@Suite struct NibReaderTests {
  @Test func readsTheHeader() throws {
    let document = try NibDocument(Sample.file("HeaderView.xib"))
    #expect(document.nodes.map(\.className) == ["UIView", "UIButton", "UIButton"])
    #expect(document.nodes.map(\.parent) == [nil, 1, 1])
    #expect(document.topLevel == [1])
    #expect(document.ownerClass == "HPItemsController")
    #expect(document.ownerOutlets.map(\.property) == ["headerView"])
    #expect(document.ownerOutlets.map(\.target) == [.node(1)])
    let view = document.nodes[0]
    #expect(view.frame == ViewFrame(x: 0, y: 0, width: 360, height: 48))
    #expect(view.autoresizing.names == ["widthSizable", "flexibleMaxY"])
    #expect(view.background?.isClear == true)
    #expect(view.xibID == "hdr-01-top")
    #expect(view.setting("contentMode") == "scaleToFill")
    let edit = document.nodes[1]
    #expect(edit.title() == "Edit")
    #expect(
      edit.actions == [
        ViewAction(event: "touchUpInside", selector: "toggleEditingMode:", target: .owner)
      ])
    #expect(document.nodes[2].actions.first?.selector == "addNewItem:")
    #expect(document.nodes[2].line == 17)
    #expect(document.warnings.isEmpty)
  }

  /// semantics X2 of 1.5: an Empty template.
  @Test func takesADocumentOfPlaceholdersOnly() throws {
    let document = try Sample.read(
      """
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1" userLabel="File's Owner"/>
      <placeholder placeholderIdentifier="IBFirstResponder" id="-2" customClass="UIResponder"/>
      """)
    #expect(document.nodes.isEmpty)
    #expect(document.topLevel.isEmpty)
    #expect(document.ownerClass == nil)
  }

  @Test func mapsElementsToClasses() throws {
    let document = try Sample.read(
      """
      <view id="a"><subviews>
        <button id="b"/><label text="Name" id="c"/><textField placeholder="Serial" id="d"/>
        <imageView image="cat" id="e"/><switch on="YES" enabled="NO" id="f"/>
        <view hidden="YES" customClass="Gauge" customModule="Bear"
          customModuleProvider="target" id="g"/>
      </subviews></view>
      <tableView style="grouped" rowHeight="44" sectionHeaderHeight="28" id="h"/>
      <toolbar id="i"><items>
        <barButtonItem systemItem="add" id="j"/><barButtonItem title="Sort" style="plain" id="k"/>
      </items></toolbar>
      <navigationItem title="Homepwner" id="l">
        <barButtonItem key="leftBarButtonItem" systemItem="edit" id="m"/>
        <view key="titleView" id="n"/>
        <rightBarButtonItems><barButtonItem title="One" id="o"/></rightBarButtonItems>
      </navigationItem>
      """)
    #expect(
      document.nodes.map(\.className) == [
        "UIView", "UIButton", "UILabel", "UITextField", "UIImageView", "UISwitch", "Gauge",
        "UITableView", "UIToolbar", "UIBarButtonItem", "UIBarButtonItem", "UINavigationItem",
        "UIBarButtonItem", "UIView", "UIBarButtonItem",
      ])
    #expect(
      document.nodes.map(\.key) == [
        nil, nil, nil, nil, nil, nil, nil, nil, nil, "items", "items", nil, "leftBarButtonItem",
        "titleView", "rightBarButtonItems",
      ])
    #expect(document.topLevel == [1, 8, 9, 12])
    #expect(document.nodes[2].text == "Name")
    #expect(document.nodes[3].placeholder == "Serial")
    #expect(document.nodes[4].setting("image") == "cat")
    #expect(document.nodes[5].isEnabled == false)
    #expect(document.nodes[5].setting("on") == "YES")
    #expect(document.nodes[6].isHidden)
    #expect(document.nodes[6].module == "Bear")
    #expect(document.nodes[7].setting("rowHeight") == "44")
    #expect(document.nodes[10].title() == "Sort")
    #expect(document.nodes[11].title() == "Homepwner")
  }

  @Test func readsTitlesPerState() throws {
    let document = try Sample.read(
      """
      <button id="a">
        <state key="normal" title="Tom &amp; Jerry &lt;3">
          <color key="titleShadowColor" white="0.5" alpha="1" colorSpace="calibratedWhite"/>
        </state>
        <state key="highlighted"><string key="title">two
      lines &#x2014; &#233;</string></state>
        <state key="disabled" title="Off" image="off"/>
        <state key="selected"><string key="title"><![CDATA[<x>]]></string></state>
      </button>
      <label id="b"><string key="text">first
      second</string></label>
      <label id="c"><string key="text" base64-UTF8="YES">YQpi4oKsIA</string></label>
      <button id="d"/>
      """)
    let button = document.nodes[0]
    #expect(button.title() == "Tom & Jerry <3")
    #expect(button.title("highlighted") == "two\nlines — é")
    #expect(button.title("disabled") == "Off")
    #expect(button.title("selected") == "<x>")
    #expect(button.title("focused") == "Tom & Jerry <3")
    #expect(button.titles.map(\.state) == ["normal", "highlighted", "disabled", "selected"])
    #expect(button.setting("disabled.image") == "off")
    #expect(button.colors.map(\.key) == ["titleShadowColor"])
    #expect(button.colors.map(\.state) == ["normal"])
    #expect(document.nodes[1].text == "first\nsecond")
    #expect(document.nodes[2].text == "a\nb€ ")
    #expect(document.nodes[3].title() == nil)
  }

  static let colors: [(spelling: String, red: Double?, blue: Double?, alpha: Double)] = [
    (#"white="0.25" alpha="1" colorSpace="calibratedWhite""#, 0.25, 0.25, 1),
    (
      #"white="0.0" alpha="0.0" colorSpace="custom" customColorSpace="genericGamma22GrayColorSpace""#,
      0, 0, 0
    ),
    (
      #"white="1" alpha="0.0" colorSpace="custom" customColorSpace="calibratedWhite""#, 1, 1, 0
    ),
    (
      #"red="0.1" green="0.2" blue="0.3" alpha="0.5" colorSpace="calibratedRGB""#, 0.1, 0.3, 0.5
    ),
    (
      #"red="1" green="0" blue="0.0" alpha="1" colorSpace="custom" customColorSpace="sRGB""#,
      1, 0, 1
    ),
    (
      #"cyan="1" magenta="0" yellow="0.5" black="0" alpha="1" colorSpace="calibratedCMYK""#, 0, 0.5,
      1
    ),
    (#"name="Accent""#, nil, nil, 1),
    (#"systemColor="systemBackgroundColor""#, nil, nil, 1),
    (#"cocoaTouchSystemColor="groupTableViewBackgroundColor""#, nil, nil, 1),
    (
      #"white="0.33" alpha="1" colorSpace="calibratedWhite" cocoaTouchSystemColor="darkTextColor""#,
      0.33, 0.33, 1
    ),
  ]

  @Test(arguments: colors)
  func readsColors(spelling: String, red: Double?, blue: Double?, alpha: Double) throws {
    let document = try Sample.read(
      """
      <view id="a"><color key="backgroundColor" \(spelling)/>
      <color key="tintColor" \(spelling)/></view>
      """)
    let color = try #require(document.nodes[0].background)
    #expect(color.components?.red == red)
    #expect(color.components?.blue == blue)
    #expect(color.alpha == alpha)
    #expect(color.isClear == (alpha == 0))
    #expect(document.nodes[0].colors.map(\.color) == [color])
    #expect(document.warnings.isEmpty)
    #expect((color.name != nil) == (spelling.contains("name=") || spelling.contains("ystemColor")))
    #expect(color.isSystem == spelling.contains("ystemColor="))
  }

  @Test func aColorWithoutContentIsWarnedOf() throws {
    let document = try Sample.read(#"<view id="a"><color key="backgroundColor" red="1"/></view>"#)
    #expect(document.nodes[0].background == nil)
    #expect(document.warnings.count == 1)
    #expect(document.warnings[0].contains("line 4"))
  }

  @Test func numbersAndFlags() throws {
    let document = try Sample.read(
      """
      <view id="a"><rect key="frame" x="-1.5" y="0.0" width="320" height="1e2"/>
        <rect key="contentStretch" x="0" y="0" width="1" height="1"/>
        <autoresizingMask key="autoresizingMask" flexibleMinX="NO" heightSizable="YES"/></view>
      <view id="b"/>
      """)
    #expect(document.nodes[0].frame == ViewFrame(x: -1.5, y: 0, width: 320, height: 100))
    #expect(document.nodes[0].autoresizing.names == ["heightSizable"])
    #expect(document.nodes[1].frame == nil)
    #expect(document.nodes[1].autoresizing.isEmpty)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func readsNumbersAsSwiftDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var texts = ["0", "0.0", "-0.5", "320", "1e-05", "1E3", "+7", ".5", "5.", "123456789012345678"]
    for _ in 0..<2_000 {
      let whole = random.next() >> UInt64(random.below(64))
      let part = random.next() >> UInt64(random.below(64))
      texts.append(random.below(2) == 0 ? "\(whole).\(part)" : "-\(whole % 100_000).\(part % 1000)")
    }
    for text in texts { #expect(PlainNumber.read(text) == Double(text), "seed \(seed)") }
    for text in [
      "", ".", "-", "1.2.3", "--1", "1-", "e", "1e", "0x10", "inf", "nan", "1e999", " 1",
    ] {
      #expect(PlainNumber.read(text) == nil)
    }
  }

  /// semantics X2 of section 3: several actions of one event, in the file's order.
  @Test func keepsActionsInTheFilesOrder() throws {
    let document = try Sample.read(
      """
      <view id="top"><subviews>
        <button id="new"><connections>
          <action selector="addNewItem:" destination="-1" eventType="touchUpInside" id="c1"/>
          <action selector="toggleEditingMode:" destination="-1" eventType="touchUpInside" id="c2"/>
          <action selector="flash" destination="top" eventType="touchDown" id="c3"/>
          <action selector="copy:event:" destination="-2" eventType="touchUpInside" id="c4"/>
          <action selector="quit:" destination="-3" eventType="allTouch" id="c5"/>
        </connections></button>
      </subviews></view>
      <barButtonItem systemItem="add" id="bar"><connections>
        <action selector="addNewItem:" destination="-1" id="c6"/>
      </connections></barButtonItem>
      """)
    let actions = document.nodes[1].actions
    #expect(
      actions.map(\.selector) == [
        "addNewItem:", "toggleEditingMode:", "flash", "copy:event:", "quit:",
      ])
    #expect(actions.map(\.target) == [.owner, .owner, .node(1), .firstResponder, .application])
    #expect(actions.map(\.target.number) == [-1, -1, 1, -2, -3])
    #expect(actions.map(\.argumentCount) == [1, 1, 0, 2, 1])
    #expect(actions.map(\.event)[2] == "touchDown")
    #expect(document.nodes[2].actions.map(\.event) == [nil])
    #expect(document.warnings.count == 1)
    #expect(document.warnings[0].contains("allTouch"))
  }

  @Test func outletsAndCollections() throws {
    let document = try Sample.read(
      """
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="C"><connections>
        <outlet property="second" destination="b" id="c1"/>
        <outletCollection property="all" destination="b" id="c2"/>
        <outletCollection property="all" destination="a" collectionClass="NSMutableArray" id="c3"/>
      </connections></placeholder>
      <view id="a"><subviews><textField id="b"><connections>
        <outlet property="delegate" destination="-1" id="c4"/>
        <outlet property="next" destination="a" id="c5"/>
      </connections></textField></subviews></view>
      """)
    #expect(document.ownerOutlets.map(\.property) == ["second", "all", "all"])
    #expect(document.ownerOutlets.map(\.target) == [.node(2), .node(2), .node(1)])
    #expect(document.ownerOutlets.map(\.isCollection) == [false, true, true])
    #expect(document.ownerOutlets.map(\.line) == [5, 6, 7])
    #expect(document.nodes[1].outlets.map(\.target) == [.owner, .node(1)])
    #expect(document.nodes[1].outlets.map(\.property) == ["delegate", "next"])
  }

  @Test func constraintsAreKept() throws {
    let document = try Sample.read(
      """
      <view id="a"><subviews><view id="b"><constraints>
          <constraint firstAttribute="width" secondItem="b" secondAttribute="height"
            multiplier="4:3" id="k1"/>
        </constraints></view></subviews>
        <viewLayoutGuide key="safeArea" id="safe"/>
        <constraints>
          <constraint firstItem="b" firstAttribute="leading" secondItem="safe"
            secondAttribute="leading" relation="greaterThanOrEqual" constant="12" priority="750"
            id="k2"/>
        </constraints></view>
      """)
    let inner = document.nodes[1].constraints[0]
    #expect(inner.first == nil)
    #expect(inner.second == .node(2))
    #expect(inner.multiplier == "4:3")
    let outer = document.nodes[0].constraints[0]
    #expect(outer.first == .node(2))
    #expect(outer.second == .guide("safe"))
    #expect(outer.relation == "greaterThanOrEqual")
    #expect(outer.constant == "12")
    #expect(outer.priority == "750")
    #expect(outer.firstAttribute == "leading")
  }

  @Test func skipsWhatItDoesNotKnow() throws {
    let document = try Sample.read(
      """
      <placeholder placeholderIdentifier="IBFilesOwner" id="-1"><connections>
        <outlet property="gauge" destination="x" id="c1"/>
        <segue destination="a" kind="show" id="c2"/>
      </connections></placeholder>
      <view id="a">
        <freeformSimulatedSizeMetrics key="simulatedDestinationMetrics"/>
        <nil key="simulatedStatusBarMetrics"/>
        <point key="canvasLocation" x="139" y="154"/>
        <fontDescription key="fontDescription" type="system" pointSize="17"/>
        <gaugeView id="x"><subviews><button id="y"/></subviews></gaugeView>
      </view>
      """,
      before:
        #"<device id="retina4_7" orientation="portrait"/><dependencies><deployment/></dependencies>"#,
      after: #"<resources><image name="a" id="a" width="16" height="16"/></resources>"#)
    #expect(document.nodes.map(\.className) == ["UIView"])
    #expect(document.ownerOutlets.isEmpty)
    #expect(document.warnings.count == 1)
    #expect(document.warnings[0].contains("gauge"))
  }

  @Test func aByteOrderMarkIsNoText() throws {
    let document = try NibDocument([0xef, 0xbb, 0xbf] + Sample.file("HeaderView.xib"))
    #expect(document.nodes.count == 3)
  }

  @Test func readsTenThousandObjects() throws {
    let document = try NibDocument(Sample.large(10_000))
    #expect(document.nodes.count == 10_000)
    #expect(document.nodes[9_999].title() == "Button 9999")
    #expect(document.nodes[9_999].actions.count == 1)
  }
}
