internal import Coding

/// Collects a page of rows whose images are encoded already, and appends it as a reply.
///
/// The page's memory is reused from one to the next.
public struct RowPageEncoder: Sendable {
  private var page: [UInt8] = []
  /// Whether `page` is the queue that the page is sent from.
  private var isLent = false
  /// Where the page begins in `page`, and for how long a head there is room before it.
  private var start = 0
  private var room = 0
  private var head: [UInt8] = []
  /// The size of the last frame.
  public private(set) var lastSize = 0
  private var missing: [UInt8] = []

  /// Makes an encoder without a page.
  public init() {}

  /// Bytes of the page so far; hold it below `Limits.frameDown`.
  public var size: Int { page.count - start + missing.count }

  /// Lets the page be written where it is sent from, behind what stands there.
  ///
  /// Its head has as much room as the last one took: mostly that is right, and nothing is moved.
  ///
  /// - Parameter out: Gets the frame; empty until `finish` or `abandon` gives it back.
  public mutating func begin(in out: inout [UInt8]) {
    swap(&page, &out)
    isLent = true
    room = head.count
    page.append(contentsOf: head)
    start = page.count
  }

  /// Gives back what `begin` took, as it was.
  ///
  /// - Parameter out: What `begin` was given.
  public mutating func abandon(in out: inout [UInt8]) {
    page.removeLast(page.count - start + room)
    giveBack(to: &out)
  }

  private mutating func giveBack(to out: inout [UInt8]) {
    swap(&page, &out)
    (isLent, start, room) = (false, 0, 0)
  }

  /// Adds a row and where it stands.
  ///
  /// - Parameters:
  ///   - image: The row as an encoded `hp.v1.Row`.
  ///   - path: Its path.
  ///   - section: Its section's id.
  /// - Returns: The page's size with it.
  /// - Complexity: O(*n*) in the size of the image.
  @discardableResult
  public mutating func add(_ image: Span<UInt8>, path: IndexPath, section: UInt64) -> Int {
    let place = path.size
    let content =
      FrameWriter.size(1, content: image.count) + FrameWriter.size(2, content: place)
      + FrameWriter.size(3, varint: section)
    let size = FrameWriter.size(2, content: content)
    page.append(addingCapacity: size) { room in
      // Safe: as much is written as was measured, and the room for it is looked at first.
      unsafe room.withUnsafeMutableBufferPointer { bytes, count in
        guard let start = bytes.baseAddress, bytes.count - count >= size else {
          preconditionFailure("too little room")
        }
        var pen = unsafe Pen(at: start + count)
        unsafe pen.open(2, content)
        unsafe pen.open(1, image.count)
        unsafe pen.write(image)
        unsafe pen.open(2, place)
        unsafe pen.write(1, UInt64(path.section))
        unsafe pen.write(2, UInt64(path.row))
        unsafe pen.write(3, section)
        count += size
        precondition(unsafe pen.at == start + count, "another size than was measured")
      }
    }
    return self.size
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
    let rows = page.count - start
    let size =
      front + rows + FrameWriter.size(3, varint: next.map(UInt64.init))
      + FrameWriter.size(4, varint: lastChanged) + FrameWriter.size(5, varint: snapshot)
      + (missing.isEmpty ? 0 : FrameWriter.size(6, content: missing.count))
      + FrameWriter.size(7, varint: schemaRevision)
    if isLent {
      head.removeAll(keepingCapacity: true)
      ReplyEncoder.head(id, .rows, size: size, into: &head)
      head.appendField(1) { cursor.encode(into: &$0) }
      page.replaceSubrange(start - room..<start, with: head)
      lastSize = head.count + rows
      giveBack(to: &out)
    } else {
      ReplyEncoder.head(id, .rows, size: size, into: &out)
      out.appendField(1) { cursor.encode(into: &$0) }
      out.append(contentsOf: page)
    }
    if let next { out.appendField(3, varint: UInt64(next)) }
    if let lastChanged { out.appendField(4, varint: lastChanged) }
    if let snapshot { out.appendField(5, varint: snapshot) }
    if !missing.isEmpty { out.appendField(6, bytes: missing) }
    if let schemaRevision { out.appendField(7, varint: schemaRevision) }
    if !page.isEmpty {
      page.removeAll(keepingCapacity: page.capacity <= 16 * Limits.keptMemory)
    }
    if !missing.isEmpty {
      missing.removeAll(keepingCapacity: missing.capacity <= Limits.keptMemory)
    }
  }
}

/// Writes fields with numbers below 16 into memory that was measured for them.
@unsafe private struct Pen {
  var at: UnsafeMutablePointer<UInt8>

  @inline(__always)
  private mutating func write(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      unsafe at.initialize(to: UInt8(truncatingIfNeeded: rest) | 0x80)
      unsafe at += 1
      rest >>= 7
    }
    unsafe at.initialize(to: UInt8(truncatingIfNeeded: rest))
    unsafe at += 1
  }

  @inline(__always)
  mutating func write(_ field: UInt8, _ value: UInt64) {
    unsafe at.initialize(to: field << 3)
    unsafe at += 1
    unsafe write(value)
  }

  @inline(__always)
  mutating func open(_ field: UInt8, _ count: Int) {
    unsafe at.initialize(to: field << 3 | 2)
    unsafe at += 1
    unsafe write(UInt64(count))
  }

  @inline(__always)
  mutating func write(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe at.initialize(from: start, count: source.count)
      unsafe at += source.count
    }
  }
}
