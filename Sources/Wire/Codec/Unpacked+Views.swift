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
}
