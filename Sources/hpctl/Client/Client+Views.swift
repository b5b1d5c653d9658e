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
}
