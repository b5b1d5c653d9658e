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
    Self.head(id, .batch, size: size, into: &out)
    FrameWriter.open(1, content: cursor, into: &out)
    head.cursor.encode(into: &out)
    if head.unchanged { out.appendField(2, bool: true) }
    if head.replayed { out.appendField(3, bool: true) }
    if head.dryRun { out.appendField(4, bool: true) }
    out.append(contentsOf: content)
    if head.truncated { out.appendField(8, bool: true) }
    if let undoable = head.undoable { out.appendField(9, bool: undoable) }
    if head.table != 0 { out.appendField(10, varint: head.table) }
    if head.lastChanged != 0 { out.appendField(11, varint: head.lastChanged) }
    out.append(contentsOf: insertedSections)
  }
}
