internal import hpclient

/// What `hpctl view` asks for.
struct LoadRequest {
  var name: String?
  var owner: String?
  var controller: String?
  var language: String?
  var keep = false
}

/// Requests about views.
extension Client {
  /// Loads a nib, or a controller's view.
  func load(_ request: LoadRequest) throws(Fault) -> Nib {
    let text = CText()
    // Safe: the texts live until the request is sent.
    var what = unsafe hp_load_nib()
    unsafe what.name = text(optional: request.name)
    unsafe what.owner_class = text(optional: request.owner)
    unsafe what.language = text(optional: request.language)
    unsafe what.controller_class = text(optional: request.controller)
    unsafe what.keep = request.keep
    let reply = try unsafe run { connection in
      unsafe hp_send_load_nib(connection, nil, &what)
    }
    withExtendedLifetime(text) {}
    guard let nib = unsafe hp_reply_nib(reply.handle) else { throw .unexpectedReply }
    // Safe: the reply lives until everything is copied.
    let copy = unsafe Nib(nib.pointee)
    withExtendedLifetime(reply) {}
    return copy
  }

  /// Asks what a header or footer shows.
  func header(
    _ table: String, section: SectionName?, isFooter: Bool
  ) throws(Fault) -> ShownHeader {
    let text = CText()
    // Safe: the texts live until the request is sent.
    let reply = try unsafe run { connection in
      unsafe hp_send_get_header(
        connection, nil, hp_table_named(text(table)),
        section.map { unsafe hp_section_ref($0, text) } ?? hp_section_none(), isFooter)
    }
    withExtendedLifetime(text) {}
    guard let pointer = unsafe hp_reply_header(reply.handle) else { throw .unexpectedReply }
    // Safe: the reply lives until everything is copied.
    let shown = unsafe ShownHeader(
      value: pointer.pointee.value.map { unsafe JSON.headerFooter($0.pointee) },
      title: pointer.pointee.value.flatMap { unsafe String(hp: $0.pointee.title) },
      isPresent: pointer.pointee.present, height: pointer.pointee.height,
      nib: pointer.pointee.view.map { unsafe Nib($0.pointee) })
    withExtendedLifetime(reply) {}
    return shown
  }
}

/// What is set on a node; `nil` stays.
struct NodeChange {
  var title: String?
  /// Of the title.
  var state: String?
  var isEnabled: Bool?
  var isHidden: Bool?
  /// x, y, width, height.
  var frame: [Double]?
}

/// Whose node is set.
enum NodeOwner {
  /// A header or footer of a table.
  case table(String)
  /// A view of a scene.
  case scene(String)
}

extension Client {
  /// Sets what a node shows.
  ///
  /// - Returns: Whether nothing changed.
  func set(
    _ node: UInt64, of owner: NodeOwner, _ change: NodeChange, _ envelope: Envelope
  ) throws(Fault) -> Bool {
    let text = CText()
    var enabled = change.isEnabled ?? false
    var hidden = change.isHidden ?? false
    var frame = hp_view_frame()
    if let points = change.frame {
      frame = hp_view_frame(x: points[0], y: points[1], width: points[2], height: points[3])
    }
    let reply = try unsafe run { connection in
      unsafe envelope.with { envelope in
        unsafe withUnsafePointer(to: &enabled) { enabled in
          unsafe withUnsafePointer(to: &hidden) { hidden in
            unsafe withUnsafePointer(to: &frame) { frame in
              // Safe: texts live in `text`, the rest on the stack, until the call returns.
              var made = unsafe hp_view_change()
              unsafe made.title = text(optional: change.title)
              unsafe made.state = text(optional: change.state)
              unsafe made.enabled = change.isEnabled == nil ? nil : enabled
              unsafe made.hidden = change.isHidden == nil ? nil : hidden
              unsafe made.frame = change.frame == nil ? nil : frame
              return switch owner {
              case .table(let name):
                unsafe hp_send_set_view_node(
                  connection, envelope, hp_table_named(text(name)), node, &made)
              case .scene(let name):
                unsafe hp_send_set_scene_node(connection, envelope, text(name), 0, node, &made)
              }
            }
          }
        }
      }
    }
    withExtendedLifetime(text) {}
    // Safe: the reply is alive during the call.
    if let scene = unsafe hp_reply_scene(reply.handle) { return unsafe scene.pointee.unchanged }
    guard let result = unsafe hp_reply_editing(reply.handle) else { throw .unexpectedReply }
    return unsafe result.pointee.unchanged
  }

  /// Sets a button of a scene's bar.
  ///
  /// - Returns: Whether nothing changed.
  func setButton(
    _ button: UInt64, ofScene scene: String, title: String?, isEnabled: Bool?,
    _ envelope: Envelope
  ) throws(Fault) -> Bool {
    let text = CText()
    var enabled = isEnabled ?? false
    let reply = try unsafe run { connection in
      unsafe envelope.with { envelope in
        // Safe: texts live in `text`, the flag on the stack, until the call returns.
        unsafe withUnsafePointer(to: &enabled) { enabled in
          unsafe hp_send_set_bar_button(
            connection, envelope, text(scene), 0, button, text(optional: title),
            isEnabled == nil ? nil : enabled)
        }
      }
    }
    withExtendedLifetime(text) {}
    guard let result = unsafe hp_reply_scene(reply.handle) else { throw .unexpectedReply }
    // Safe: the reply is alive during the call.
    return unsafe result.pointee.unchanged
  }
}

/// What a header or footer shows.
struct ShownHeader {
  var value: JSON?
  var title: String?
  var isPresent: Bool
  var height: Double
  var nib: Nib?
}
