internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was scanned.
extension Unpacked {
  static func feedFilter(_ pointer: UnsafePointer<Hp__V1__FeedFilter>?) -> FeedFilterRequest? {
    guard let filter = unsafe pointer?.pointee else { return nil }
    var request = FeedFilterRequest()
    for index in 0..<(unsafe filter.n_tables) {
      if let table = unsafe filter.tables[index] {
        request.tables.append(unsafe self.table(table))
      }
    }
    request.sections = unsafe Array(
      UnsafeBufferPointer(start: filter.sections, count: filter.n_sections))
    request.columns = unsafe strings(filter.columns, filter.n_columns)
    request.rows = unsafe Array(
      UnsafeBufferPointer(start: filter.notice_rows, count: filter.n_notice_rows))
    for index in 0..<(unsafe filter.n_notice_kinds) {
      request.kinds.append(UInt32(unsafe filter.notice_kinds[index].rawValue))
    }
    return request
  }

  static func window(_ pointer: UnsafePointer<Hp__V1__WindowSpec>?) -> WindowRequest? {
    guard let window = unsafe pointer?.pointee else { return nil }
    let anchor: WindowRequest.Anchor
    switch unsafe window.anchor_case {
    case HP__V1__WINDOW_SPEC__ANCHOR_ROW: anchor = unsafe .row(window.row)
    case HP__V1__WINDOW_SPEC__ANCHOR_POSITION: anchor = unsafe .position(index(window.position))
    default: anchor = .position(0)
    }
    return unsafe WindowRequest(
      anchor: anchor, section: window.has_section != 0 ? window.section : nil,
      length: window.has_length != 0 ? index(window.length) : nil)
  }
}
