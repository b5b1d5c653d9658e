internal import Coding

/// Collects a page of rows whose images are encoded already, and appends it as a reply.
///
/// The page's memory is reused from one to the next.
public struct RowPageEncoder: Sendable {
  private var page: [UInt8] = []
  private var missing: [UInt8] = []

  /// Makes an encoder without a page.
  public init() {}

  /// Bytes of the page so far; hold it below `Limits.frameDown`.
  public var size: Int { page.count + missing.count }

  /// Adds a row and where it stands.
  ///
  /// - Parameters:
  ///   - image: The row as an encoded `hp.v1.Row`.
  ///   - path: Its path.
  ///   - section: Its section's id.
  /// - Complexity: O(*n*) in the size of the image.
  public mutating func add(_ image: Span<UInt8>, path: IndexPath, section: UInt64) {
    let place = path.size
    let content =
      FrameWriter.size(1, content: image.count) + FrameWriter.size(2, content: place)
      + FrameWriter.size(3, varint: section)
    page.append(addingCapacity: FrameWriter.size(2, content: content)) { room in
      room.openField(2, count: content)
      room.openField(1, count: image.count)
      room.append(copying: image)
      room.openField(2, count: place)
      room.appendField(1, varint: UInt64(path.section))
      room.appendField(2, varint: UInt64(path.row))
      room.appendField(3, varint: section)
    }
  }

  /// Adds an id that was asked for and is not there.
  ///
  /// - Parameter id: The row's id.
  public mutating func add(missing id: UInt64) {
    missing.appendVarint(id)
  }

  /// Appends the page as a reply, and empties it for the next one.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - cursor: The state that the rows are of.
  ///   - next: The flat position to go on from; `nil`: this is the last page.
  ///   - lastChanged: The revision that last changed the table.
  ///   - snapshot: The view that a next page is read from.
  ///   - schemaRevision: The revision of the table's columns.
  ///   - out: Gets the frame.
  /// - Complexity: O(*n*) in the size of the page.
  public mutating func finish(
    id: UInt64, cursor: Cursor, next: Int? = nil, lastChanged: UInt64? = nil,
    snapshot: UInt64? = nil, schemaRevision: UInt64? = nil, into out: inout [UInt8]
  ) {
    let front = 2 + cursor.size
    let size =
      front + page.count + FrameWriter.size(3, varint: next.map(UInt64.init))
      + FrameWriter.size(4, varint: lastChanged) + FrameWriter.size(5, varint: snapshot)
      + (missing.isEmpty ? 0 : FrameWriter.size(6, content: missing.count))
      + FrameWriter.size(7, varint: schemaRevision)
    ReplyEncoder.head(id, .rows, size: size, into: &out)
    out.appendField(1) { cursor.encode(into: &$0) }
    out.append(contentsOf: page)
    if let next { out.appendField(3, varint: UInt64(next)) }
    if let lastChanged { out.appendField(4, varint: lastChanged) }
    if let snapshot { out.appendField(5, varint: snapshot) }
    if !missing.isEmpty { out.appendField(6, bytes: missing) }
    if let schemaRevision { out.appendField(7, varint: schemaRevision) }
    page.removeAll(keepingCapacity: page.capacity <= 16 * Limits.keptMemory)
    missing.removeAll(keepingCapacity: missing.capacity <= Limits.keptMemory)
  }
}
