import Testing

@testable import Wire

/// Steps of scenes as they stand in golden frames.
@Suite struct GoldenSceneTests {
  static let names = ["scene_push", "scene_set_item", "scene_select_more"]

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
