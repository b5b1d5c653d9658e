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
    var nodes: [NodeState] = []
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
      case 11: nodes.append(try NodeState(bytes, field.range))
      default: throw SceneDamage()
      }
    }
    self.init(spec, id: id)
    self.item = item
    editButton = edit
    isGone = gone
    self.nodes = nodes
  }
}

extension NodeState {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var state = NodeState(slot: .own, name: "")
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      switch field.number {
      case 1: state.slot = ViewSlot(number: field.value)
      case 2: state.name = try SceneFields.text(bytes, field)
      case 3:
        var title = (state: "", title: "")
        try SceneFields.read(bytes, field.range) { (field) throws(SceneDamage) in
          switch field.number {
          case 1: title.state = try SceneFields.text(bytes, field)
          case 2: title.title = try SceneFields.text(bytes, field)
          default: throw SceneDamage()
          }
        }
        state.titles.append(title)
      case 4: state.text = try SceneFields.text(bytes, field)
      case 5: state.isEnabled = field.value != 0
      case 6: state.isHidden = field.value != 0
      case 7: state.frame = try NodeFrame(bytes, field.range)
      default: throw SceneDamage()
      }
    }
    self = state
  }
}

extension NodeFrame {
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(SceneDamage) {
    var numbers: [Double] = []
    try SceneFields.read(bytes, range) { (field) throws(SceneDamage) in
      let number = Double(bitPattern: field.value)
      guard field.type == .fixed64, Int(field.number) == numbers.count + 1, number.isFinite else {
        throw SceneDamage()
      }
      numbers.append(number)
    }
    guard numbers.count == 4 else { throw SceneDamage() }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
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
