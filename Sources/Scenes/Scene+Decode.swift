internal import Coding

/// Bytes that are no scene: the store is damaged.
public struct SceneDamage: Error, Equatable, Sendable {}

extension Scene {
  /// Reads what is durable of a scene.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - bytes: What `encoded` made.
  /// - Throws: `SceneDamage` where the bytes are no scene, or one that breaks its rules.
  /// - Complexity: O(*n*) in the size of the scene.
  public init(name: String, decoding bytes: [UInt8]) throws(SceneDamage) {
    var language: String?
    var stacks: [NavigationStack] = []
    var next: UInt64 = 0
    var chosen: UInt64 = 0
    var more: UInt64 = 0
    try SceneFields.read(bytes, 0..<bytes.count) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: guard field.value == Scene.format else { throw SceneDamage() }
      case 2: language = try SceneFields.text(bytes, field)
      case 3: next = field.value
      case 4: chosen = field.value
      case 5: stacks.append(try NavigationStack(bytes, field.range))
      case 6: more = field.value
      default: throw SceneDamage()
      }
    }
    self.init(name: name, language: language, decoded: stacks, nextID: next)
    if more != 0 {
      var list = Controller(ControllerSpec(.more), id: more)
      list.item.title = "More"
      self.more = list
    }
    selected = chosen == 0 ? nil : Int(clamping: chosen - 1)
    guard fault() == nil else { throw SceneDamage() }
  }
}

extension NavigationStack {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var id: UInt64 = 0
    var title: String?
    var controllers: [Controller] = []
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: id = field.value
      case 2: title = try SceneFields.text(bytes, field)
      case 3: controllers.append(try Controller(bytes, field.range))
      default: throw SceneDamage()
      }
    }
    self.init(id: id, tabTitle: title, controllers: controllers)
  }
}

extension Controller {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var id: UInt64 = 0
    var spec = ControllerSpec(.view)
    var item = NavigationItem()
    var edit: UInt64 = 0
    var gone = false
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: id = field.value
      case 2:
        guard let kind = ControllerKind(rawValue: field.value) else { throw SceneDamage() }
        spec.kind = kind
      case 3: spec.className = try SceneFields.text(bytes, field)
      case 4: spec.nibName = try SceneFields.text(bytes, field)
      case 5: spec.table = field.value
      case 6: spec.row = field.value
      case 7: spec.section = field.value
      case 8: item = try NavigationItem(bytes, field.range)
      case 9: edit = field.value
      case 10: gone = field.value != 0
      default: throw SceneDamage()
      }
    }
    self.init(spec, id: id)
    self.item = item
    editButton = edit
    isGone = gone
  }
}

extension NavigationItem {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var item = NavigationItem()
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: item.title = try SceneFields.text(bytes, field)
      case 2: item.titleView = try SceneFields.text(bytes, field)
      case 3: item.left.append(try BarButton(bytes, field.range))
      case 4: item.right.append(try BarButton(bytes, field.range))
      case 5: item.back = try BarButton(bytes, field.range)
      case 6: item.prompt = try SceneFields.text(bytes, field)
      case 7: item.hidesBack = field.value != 0
      case 8: item.leftSupplementsBack = field.value != 0
      default: throw SceneDamage()
      }
    }
    self = item
  }
}

extension BarButton {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var button = BarButton()
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: button.id = field.value
      case 2: button.system = try SceneFields.text(bytes, field)
      case 3: button.title = try SceneFields.text(bytes, field)
      case 4: button.isEnabled = field.value == 0
      case 5: button.action = try SceneFields.text(bytes, field)
      case 6: button.isEditButton = field.value != 0
      case 7: button.view = try SceneFields.text(bytes, field)
      default: throw SceneDamage()
      }
    }
    self = button
  }
}

/// Reading of a message's fields one after another.
enum SceneFields {
  static func read(
    _ bytes: [UInt8], _ range: Range<Int>, _ take: (Field) throws(SceneDamage) -> Void
  ) throws(SceneDamage) {
    var reader = FieldReader(range)
    while true {
      let next: Field?
      do throws(CodingFault) {
        next = try reader.next(in: bytes.span)
      } catch { throw SceneDamage() }
      guard let next else { return }
      try take(next)
    }
  }

  static func text(_ bytes: [UInt8], _ field: Field) throws(SceneDamage) -> String {
    guard field.type == .lengthDelimited,
      let text = String(validating: bytes[field.range], as: UTF8.self)
    else { throw SceneDamage() }
    return text
  }
}
