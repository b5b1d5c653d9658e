import Testing

@testable import Wire

/// Steps of scenes as they stand in golden frames.
@Suite struct GoldenSceneTests {
  static let names =
    ["scene_push", "scene_set_item", "scene_select_more", "scene_make"] + steps.map(\.name)

  /// Steps that say little, by what they say beside the scene's name.
  static let steps: [(name: String, step: SceneRequest)] = [
    step("show", .show), step("attach", .attach), step("detach", .detach), step("pop", .pop),
    step("push_instance", .push) { $0.controller = 4 },
    step("pop_to_root", .popToRoot) { $0.animated = false },
    step("pop_to", .popTo) { $0.controller = 2 },
    step("select_tab", .selectTab) { $0.index = 1 },
    step("send_event", .sendEvent) {
      $0.node = 31
      $0.event = "touchDown"
    },
    step("tap", .tapBarButton) { $0.button = 5 }, step("tap_back", .tapBarButton),
    step("end_editing", .endEditing) { $0.force = true }, step("remove", .remove),
    step("respond", .becomeFirstResponder) { $0.column = "name" },
    step("list", .list) { $0.scene = nil },
    step("add_tab", .addTab) {
      $0.roots = [
        SceneController(
          kind: 3, className: nil, nibName: nil, table: .id(1), row: 0, section: 0, title: "All",
          tabTitle: nil)
      ]
    },
    step("remove_tab", .removeTab) { $0.index = 2 },
    step("set_editing", .setEditing) {
      $0.controller = 2
      $0.editing = true
    },
  ]

  private static func step(
    _ name: String, _ step: SceneRequest.Step, _ change: (inout SceneRequest) -> Void = { _ in }
  ) -> (name: String, step: SceneRequest) {
    var request = SceneRequest(scene: "main", step: step)
    change(&request)
    return ("scene_" + name, request)
  }

  @Test(arguments: steps) func stepsDecodeToTheirMeaning(
    name: String, step: SceneRequest
  ) throws {
    let (request, scene) = try decode(name)
    #expect(scene == step && request.lease == (name == "scene_attach" ? 4 : nil))
  }

  @Test func aScene() throws {
    let (_, scene) = try decode("scene_make")
    #expect(scene.scene == "main" && scene.step == .make && scene.language == "fr")
    #expect(
      scene.roots == [
        SceneController(
          kind: 1, className: nil, nibName: nil, table: .name("items"), row: 0, section: 2,
          title: nil, tabTitle: "Items"),
        SceneController(
          kind: 4, className: "PanelController", nibName: "Panel", table: .absent, row: 0,
          section: 0, title: nil, tabTitle: nil),
      ])
  }

  private func decode(_ name: String) throws -> (request: Request, scene: SceneRequest) {
    let golden = try Golden.named(name)
    let request = try RequestDecoder().decode(golden.payload.span)
    guard case .scene(let scene) = request.body else { throw WireFault(.missingID, offset: 0) }
    return (request, scene)
  }

  @Test func aPush() throws {
    let (request, scene) = try decode("scene_push")
    #expect(request.id == 30 && request.key?.text == "k")
    #expect(scene.scene == "main" && scene.step == .push && !scene.isRead)
    #expect(scene.animated == false && scene.controller == nil && scene.index == nil)
    let root = try #require(scene.roots.first)
    #expect(root.kind == 2 && root.table == .name("items") && root.row == 7 && root.section == 0)
    #expect(root.title == "Kettle" && root.className == nil)
  }

  @Test func anItem() throws {
    let (_, scene) = try decode("scene_set_item")
    #expect(scene.step == .setItem && scene.controller == 2)
    let item = try #require(scene.item)
    #expect(item.title == "Homepwner" && item.titleView == nil && item.prompt == "All")
    #expect(item.leftSupplementsBack && !item.hidesBack && item.back == nil)
    #expect(item.left.map(\.isEditButton) == [true] && item.left[0].isEnabled)
    let add = try #require(item.right.first)
    #expect(add.id == 5 && add.system == "add" && !add.isEnabled && add.action == "addNewItem:")
  }

  @Test func moreHasNoIndex() throws {
    let (request, scene) = try decode("scene_select_more")
    #expect(scene.step == .selectTab && scene.index == nil && request.lease == 4)
  }

  /// The steps' numbers are the schema's.
  @Test func everyStepHasItsNumber() {
    #expect(SceneRequest.Step.allCases.map(\.rawValue) == Array(0...19))
    #expect(SceneRequest.Step.make.rawValue == 1 && SceneRequest.Step.list.rawValue == 16)
    #expect(SceneRequest.Step.allCases.filter(\.isRead) == [.show, .list])
  }
}
