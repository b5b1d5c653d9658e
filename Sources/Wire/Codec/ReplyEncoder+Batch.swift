internal import Coding

/// The head of the reply to a change; the rest of it is bytes that were encoded before.
public struct BatchReplyHead: Equatable, Sendable {
  /// The state after it, or the one judged against.
  public var cursor: Cursor
  /// Whether nothing changed (contract E6).
  public var unchanged = false
  /// Whether this is the first outcome of a key (contract E5).
  public var replayed = false
  /// Whether nothing was to be changed.
  public var dryRun = false
  /// Whether it can be undone; `nil` is left out.
  public var undoable: Bool?
  /// Whether ids and stages were cut at a page (contract K2).
  public var truncated = false
  /// The table's id; 0: none.
  public var table: UInt64 = 0
  /// The revision that last changed the table; 0: left out.
  public var lastChanged: UInt64 = 0

  /// Makes a head.
  ///
  /// - Parameter cursor: The state after it, or the one judged against.
  public init(cursor: Cursor) { self.cursor = cursor }
}

extension ReplyEncoder {
  /// Appends the outcome of a change.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - head: What the outcome is.
  ///   - content: The encoded fields 5 `counts`, 6 `inserted` and 7 `stages` of
  ///     `hp.v1.BatchReply`, as far as they apply, and no others.
  ///   - insertedSections: The encoded fields 12 `inserted_sections` and those above.
  ///   - out: Gets the frame.
  /// - Complexity: O(*n*) in the size of both.
  public static func batch(
    id: UInt64, _ head: BatchReplyHead, content: [UInt8], insertedSections: [UInt8] = [],
    into out: inout [UInt8]
  ) {
    let cursor = head.cursor.size
    var size = 2 + cursor
    if head.unchanged { size += 2 }
    if head.replayed { size += 2 }
    if head.dryRun { size += 2 }
    if head.truncated { size += 2 }
    if head.undoable != nil { size += 2 }
    if head.table != 0 { size += FrameWriter.size(10, varint: head.table) }
    if head.lastChanged != 0 { size += FrameWriter.size(11, varint: head.lastChanged) }
    size += content.count + insertedSections.count
    let inner =
      FrameWriter.size(1, varint: id) + FrameWriter.size(Result.batch.rawValue, content: size)
    let frame = FrameWriter.size(1, content: inner)
    out.append(addingCapacity: Varint.maximumSize + frame) { room in
      room.appendVarint(UInt64(frame))
      room.openField(1, count: inner)
      room.appendField(1, varint: id)
      room.openField(Result.batch.rawValue, count: size)
      room.openField(1, count: cursor)
      room.appendField(1, fixed64: head.cursor.epoch)
      room.appendField(2, varint: head.cursor.revision)
      if head.unchanged { room.appendField(2, varint: 1) }
      if head.replayed { room.appendField(3, varint: 1) }
      if head.dryRun { room.appendField(4, varint: 1) }
      room.append(copying: content.span)
      if head.truncated { room.appendField(8, varint: 1) }
      if let undoable = head.undoable { room.appendField(9, varint: undoable ? 1 : 0) }
      if head.table != 0 { room.appendField(10, varint: head.table) }
      if head.lastChanged != 0 { room.appendField(11, varint: head.lastChanged) }
      room.append(copying: insertedSections.span)
    }
  }
}
