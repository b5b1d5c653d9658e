internal import hpclient

/// What the controllers of a scene show, as far as its events have told.
struct ShownControllers {
  private var shown: [UInt64: (table: UInt64, row: UInt64)] = [:]

  /// Takes the controllers that an event tells of.
  ///
  /// - Parameter event: The event, alive during the call.
  mutating func learn(_ event: hp_scene_event) {
    // Safe: what the event points at lives as long as it.
    if let state = unsafe event.state {
      shown = [:]
      unsafe learn(stacks: state.pointee.stacks, state.pointee.stack_count)
    }
    unsafe learn(stacks: event.stacks, event.stack_count)
    unsafe learn(stacks: event.stack, event.stack == nil ? 0 : 1)
    let popped = unsafe UnsafeBufferPointer(start: event.popped, count: event.popped_count)
    unsafe popped.forEach { id in shown[id] = nil }
  }

  private mutating func learn(stacks: UnsafePointer<hp_navigation_stack>?, _ count: Int) {
    unsafe UnsafeBufferPointer(start: stacks, count: count).forEach { stack in
      let members = unsafe UnsafeBufferPointer(
        start: stack.controllers, count: stack.controller_count)
      unsafe members.forEach { member in
        // One that is known already stands by its id alone.
        guard unsafe member.class_name != nil else { return }
        unsafe shown[member.id] = unsafe (member.table, member.row)
      }
    }
  }

  /// Where somebody writes: the field and its row, or a node; empty where that is not known.
  func place(of responder: hp_responder, _ tables: [TableInfo]) -> String {
    guard unsafe responder.column != 0 else {
      return unsafe responder.node == 0 ? "" : " in #\(responder.node)"
    }
    let controller = unsafe shown[responder.controller]
    let columns = tables.first { $0.id == controller?.table }?.columns ?? []
    let id = unsafe responder.column
    let name = columns.first { $0.id == id }?.name ?? "column \(id)"
    return " \(name)" + (controller.map { " of row \($0.row)" } ?? "")
  }
}
