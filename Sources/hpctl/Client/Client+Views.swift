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

/// What a header or footer shows.
struct ShownHeader {
  var value: JSON?
  var title: String?
  var isPresent: Bool
  var height: Double
  var nib: Nib?
}
