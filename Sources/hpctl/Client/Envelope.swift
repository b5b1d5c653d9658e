internal import hpclient

/// What a changing request carries beside its operations (contract K5).
struct Envelope {
  var key: String?
  var expect: Cursor?
  /// What the request holds through; 0 is the connection.
  var lease: UInt64 = 0

  /// Lends the C library's form of it.
  func with<Result>(_ body: (UnsafePointer<hp_envelope>) -> Result) -> Result {
    let text = CText()
    var envelope = unsafe hp_envelope()
    // Safe: the text and the struct live until `body` returns; the library copies what it needs.
    unsafe envelope.key = text(optional: key)
    unsafe envelope.lease = lease
    if let expect { unsafe envelope.expect = hp_cursor(expect) }
    let result = unsafe body(&envelope)
    withExtendedLifetime(text) {}
    return result
  }
}

extension hp_cursor {
  init(_ cursor: Cursor) { self.init(epoch: cursor.epoch, revision: cursor.revision) }
}

extension Cursor {
  init(_ cursor: hp_cursor) { self.init(epoch: cursor.epoch, revision: cursor.revision) }
}
