internal import Coding

extension ReplyEncoder {
  /// Appends a page of history.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - entries: hp.v1.HistoryEntry each.
  ///   - next: Where the next page begins; `nil`: there is none.
  ///   - cursor: The state it is of.
  ///   - out: Where the frame goes.
  public static func history(
    id: UInt64, encoded entries: [[UInt8]], next: UInt64?, cursor: Cursor,
    into out: inout [UInt8]
  ) {
    append(id, .history, into: &out) { page in
      for entry in entries { page.appendField(1, bytes: entry) }
      if let next { page.appendField(2, varint: next) }
      page.appendField(3) { cursor.encode(into: &$0) }
    }
  }
}
