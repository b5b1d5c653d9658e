internal import CHPProto

extension Unpacked {
  static func scene(_ pointer: UnsafePointer<Hp__V1__SceneRequest>) -> SceneRequest {
    let scene = unsafe pointer.pointee
    var request = unsafe SceneRequest(
      scene: optionalString(scene.scene),
      step: SceneRequest.Step(rawValue: scene.step.rawValue) ?? .unspecified)
    for index in 0..<(unsafe scene.n_roots) {
      if let root = unsafe scene.roots[index] { unsafe request.roots.append(controller(root)) }
    }
    if unsafe scene.has_controller != 0 { unsafe request.controller = scene.controller }
    if unsafe scene.has_index != 0 { unsafe request.index = scene.index }
    if unsafe scene.has_button != 0 { unsafe request.button = scene.button }
    if unsafe scene.has_node != 0 { unsafe request.node = scene.node }
    unsafe request.event = optionalString(scene.event)
    unsafe request.force = scene.force != 0
    if unsafe scene.has_animated != 0 { unsafe request.animated = scene.animated != 0 }
    if let item = unsafe scene.item { unsafe request.item = self.item(item) }
    unsafe request.language = optionalString(scene.language)
    unsafe request.column = optionalString(scene.column)
    if unsafe scene.has_editing != 0 { unsafe request.editing = scene.editing != 0 }
    return request
  }

  private static func controller(
    _ pointer: UnsafePointer<Hp__V1__ControllerSpec>
  ) -> SceneController {
    let controller = unsafe pointer.pointee
    return unsafe SceneController(
      kind: controller.kind.rawValue, className: optionalString(controller.class_name),
      nibName: optionalString(controller.nib_name), table: table(controller.table),
      row: controller.row, section: controller.section,
      title: optionalString(controller.title), tabTitle: optionalString(controller.tab_title))
  }

  private static func item(_ pointer: UnsafePointer<Hp__V1__NavigationItem>) -> SceneItem {
    let item = unsafe pointer.pointee
    return unsafe SceneItem(
      title: optionalString(item.title), titleView: optionalString(item.title_view),
      left: buttons(item.left, item.n_left), right: buttons(item.right, item.n_right),
      back: item.back.map { unsafe button($0) }, prompt: optionalString(item.prompt),
      hidesBack: item.hides_back != 0, leftSupplementsBack: item.left_supplements_back != 0)
  }

  private static func buttons(
    _ list: UnsafePointer<UnsafeMutablePointer<Hp__V1__BarButton>?>?, _ count: Int
  ) -> [SceneButton] {
    unsafe UnsafeBufferPointer(start: list, count: count).compactMap {
      guard let pointer = unsafe $0 else { return nil }
      return unsafe button(pointer)
    }
  }

  private static func button(_ pointer: UnsafePointer<Hp__V1__BarButton>) -> SceneButton {
    let button = unsafe pointer.pointee
    return unsafe SceneButton(
      id: button.id, system: optionalString(button.system), title: optionalString(button.title),
      isEnabled: button.enabled != 0, action: optionalString(button.action),
      isEditButton: button.edit_button != 0, view: optionalString(button.view))
  }
}
