internal import CHPProto

/// Requests about views.
extension Unpacked {
  static func loadNib(_ pointer: UnsafePointer<Hp__V1__LoadNib>) -> LoadNibRequest {
    let load = unsafe pointer.pointee
    return unsafe LoadNibRequest(
      name: optionalString(load.name), ownerClass: optionalString(load.owner_class),
      language: optionalString(load.language), outlets: strings(load.outlets, load.n_outlets),
      keep: load.keep != 0, controllerClass: optionalString(load.controller_class))
  }

  static func getHeader(_ pointer: UnsafePointer<Hp__V1__GetHeader>) -> GetHeaderRequest {
    let get = unsafe pointer.pointee
    return unsafe GetHeaderRequest(
      table: table(get.table), section: namedSection(get.section), isFooter: get.footer != 0)
  }

  static func setViewNode(_ pointer: UnsafePointer<Hp__V1__SetViewNode>) -> SetViewNodeRequest {
    let set = unsafe pointer.pointee
    var request = unsafe SetViewNodeRequest(
      table: table(set.table), scene: optionalString(set.scene),
      controller: set.has_controller != 0 ? set.controller : nil,
      button: set.has_button != 0 ? set.button : nil, node: set.node,
      title: optionalString(set.title), state: optionalString(set.state),
      isEnabled: set.has_enabled != 0 ? set.enabled != 0 : nil,
      isHidden: set.has_hidden != 0 ? set.hidden != 0 : nil)
    if let frame = unsafe set.frame?.pointee {
      request.frame = unsafe SetViewNodeRequest.Frame(
        x: frame.has_x != 0 ? frame.x : nil, y: frame.has_y != 0 ? frame.y : nil,
        width: frame.has_width != 0 ? frame.width : nil,
        height: frame.has_height != 0 ? frame.height : nil)
    }
    return request
  }
}
