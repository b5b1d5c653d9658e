internal import hpclient

/// A scene as the daemon has it.
struct SceneState {
  /// A member of a stack.
  struct Controller {
    var id: UInt64
    var kind: String
    var className: String
    var table: UInt64
    var row: UInt64
    var section: UInt64
    var title: String?
    var isEditing: Bool
    var isGone: Bool
    var isViewLoaded: Bool
    /// The view that stands for its title.
    var titleView: String?
    /// Of its own view.
    var nodes: [ViewNode]
    /// Views that stand for its title (button 0) and its buttons.
    var itemViews: [(button: UInt64, nodes: [ViewNode])]

    /// The nodes of all its views.
    var allNodes: [ViewNode] { nodes + itemViews.flatMap(\.nodes) }
  }

  /// A tab.
  struct Stack {
    var title: String?
    var controllers: [Controller]
  }

  /// What stands above the screen.
  struct Bar {
    var title: String?
    var prompt: String?
    var back: SceneButton?
    var left: [SceneButton]
    var right: [SceneButton]
  }

  var name: String
  var language: String?
  var stacks: [Stack]
  /// `nil`: More is selected.
  var selected: Int?
  var visible: UInt64
  var bar: Bar?
  var more: Controller?
  var attached: [String]
  /// Who writes in which column.
  var responders: [(actor: String, column: UInt64)]
  var sequence: UInt64

  /// The one controller that can be seen.
  var top: Controller? {
    guard let selected else { return more }
    return selected < stacks.count ? stacks[selected].controllers.last : nil
  }
}

extension SceneState {
  /// Copies what the C library says of a scene.
  init(_ scene: hp_scene_state) {
    // Safe: the lists belong to the reply, which is alive during the call.
    unsafe self.init(
      name: String(hp: scene.name) ?? "", language: String(hp: scene.language),
      stacks: UnsafeBufferPointer(start: scene.stacks, count: scene.stack_count).map {
        unsafe Stack($0)
      },
      selected: scene.more_selected ? nil : Int(clamping: scene.selected),
      visible: scene.visible,
      bar: scene.bar.map { unsafe Bar($0.pointee) },
      more: scene.more.map { unsafe Controller($0.pointee) },
      attached: UnsafeBufferPointer(start: scene.attached, count: scene.attached_count).map {
        unsafe String(hp: $0.lease == 0 ? $0.actor : $0.lease_name) ?? ""
      },
      responders: UnsafeBufferPointer(start: scene.responders, count: scene.responder_count).map {
        unsafe (String(hp: $0.holder.actor) ?? "", $0.column)
      },
      sequence: scene.sequence)
  }
}

extension SceneState.Stack {
  init(_ stack: hp_navigation_stack) {
    unsafe self.init(
      title: String(hp: stack.tab_title),
      controllers: UnsafeBufferPointer(start: stack.controllers, count: stack.controller_count)
        .map { unsafe SceneState.Controller($0) })
  }
}

extension SceneState.Controller {
  init(_ from: hp_controller) {
    let kind =
      switch unsafe from.kind {
      case HP_CONTROLLER_ITEMS: "items"
      case HP_CONTROLLER_DETAIL: "detail"
      case HP_CONTROLLER_SECTIONS: "sections"
      case HP_CONTROLLER_MORE: "more"
      default: "view"
      }
    unsafe self.init(
      id: from.id, kind: kind, className: String(hp: from.class_name) ?? "", table: from.table,
      row: from.row, section: from.section, title: String(hp: from.item.title),
      isEditing: from.editing, isGone: from.gone, isViewLoaded: from.view_loaded,
      titleView: String(hp: from.item.title_view),
      nodes: UnsafeBufferPointer(start: from.nodes, count: from.node_count).map {
        unsafe ViewNode($0)
      },
      itemViews: UnsafeBufferPointer(start: from.item_views, count: from.item_view_count).map {
        view in
        unsafe (
          view.button,
          UnsafeBufferPointer(start: view.nodes, count: view.node_count).map {
            unsafe ViewNode($0)
          }
        )
      })
  }
}

extension SceneState.Bar {
  init(_ bar: hp_bar) {
    unsafe self.init(
      title: String(hp: bar.title ?? bar.title_view), prompt: String(hp: bar.prompt),
      back: bar.back.map { unsafe SceneButton($0.pointee) },
      left: UnsafeBufferPointer(start: bar.left, count: bar.left_count).map {
        unsafe SceneButton($0)
      },
      right: UnsafeBufferPointer(start: bar.right, count: bar.right_count).map {
        unsafe SceneButton($0)
      })
  }
}

extension SceneButton {
  fileprivate init(_ button: hp_bar_button) {
    unsafe self.init(
      id: button.id, system: String(hp: button.system), title: String(hp: button.title),
      action: String(hp: button.action), isDisabled: button.disabled,
      isEditButton: button.edit_button)
  }
}

extension SceneOutcome {
  /// Copies what the C library says of a step.
  init(_ result: hp_scene_result) {
    func texts(
      _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
    ) -> [String] {
      unsafe UnsafeBufferPointer(start: list, count: count).map { unsafe String(hp: $0) ?? "" }
    }
    // Safe: the lists belong to the reply, which is alive during the call.
    unsafe self.init(
      scenes: UnsafeBufferPointer(start: result.scenes, count: result.scene_count).map {
        unsafe SceneState($0)
      },
      popped: Array(UnsafeBufferPointer(start: result.popped, count: result.popped_count)),
      pushed: result.pushed, resigned: result.has_resigned ? result.resigned : nil,
      performed: texts(result.performed, result.performed_count),
      sent: texts(result.sent, result.sent_count),
      revisions: Array(
        UnsafeBufferPointer(start: result.revisions, count: result.revision_count)),
      inserted: UnsafeBufferPointer(start: result.inserted, count: result.inserted_count)
        .flatMap { $0.first..<$0.first + $0.count },
      rejected: UnsafeBufferPointer(start: result.rejected, count: result.rejected_count).map {
        unsafe ($0.row, $0.column, String(hp: $0.text) ?? "", String(hp: $0.reason) ?? "")
      },
      refused: String(hp: result.refused).map {
        unsafe ($0, String(hp: result.refused_code) ?? "")
      },
      isUnchanged: result.unchanged, editing: result.has_editing ? result.editing : nil,
      sequence: result.sequence)
  }
}
