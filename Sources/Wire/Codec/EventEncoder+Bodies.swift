internal import Coding

extension EventEncoder {
  /// The start of a body of snapshot rows; append rows with `appendRow`.
  ///
  /// - Parameters:
  ///   - table: The table's id.
  ///   - section: The id of the section that the rows stand in.
  ///   - first: The index of the first of them.
  /// - Returns: An encoded `hp.v1.SnapshotRows` without rows.
  public static func rows(table: UInt64, section: UInt64, first: Int) -> [UInt8] {
    var body: [UInt8] = []
    body.appendField(1, varint: table)
    body.appendField(2, varint: section)
    body.appendField(3, varint: UInt64(first))
    return body
  }

  /// Adds a row to a body of snapshot rows.
  ///
  /// - Parameters:
  ///   - image: The row as an encoded `hp.v1.Row`.
  ///   - body: What `rows` made.
  /// - Complexity: O(*n*) in the size of the image.
  public static func appendRow(_ image: Span<UInt8>, to body: inout [UInt8]) {
    FrameWriter.open(4, content: image.count, into: &body)
    // Safe: the image's span lives for the length of the call.
    unsafe image.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
  }

  /// Adds policies of rows to a body of snapshot rows, behind all of them.
  ///
  /// - Parameters:
  ///   - policies: Encoded `hp.v1.RowPolicy` each.
  ///   - body: What `rows` made.
  public static func append(policies: [[UInt8]], to body: inout [UInt8]) {
    for policy in policies { body.appendField(5, bytes: policy) }
  }

  /// Appends the frame that says a snapshot or the history is whole.
  ///
  /// - Parameters:
  ///   - head: What it says to its subscriber.
  ///   - cursor: The state reached.
  ///   - resumed: Whether history was sent, not a snapshot.
  ///   - out: Gets the frame.
  public static func live(
    _ head: Head, _ cursor: Cursor, resumed: Bool, into out: inout [UInt8]
  ) {
    var body: [UInt8] = []
    body.appendField(1) { cursor.encode(into: &$0) }
    if resumed { body.appendField(2, bool: true) }
    frame(head, .live, body, into: &out)
  }

  /// Appends a progress mark (contract F6).
  ///
  /// - Parameters:
  ///   - head: What it says to its subscriber.
  ///   - revision: Nothing that matches lies between the last event and this revision.
  ///   - out: Gets the frame.
  public static func progress(_ head: Head, revision: UInt64, into out: inout [UInt8]) {
    Self.head(head, .progress, size: FrameWriter.size(1, varint: revision), into: &out)
    out.appendField(1, varint: revision)
  }

  /// Appends the proof that everything up to a revision was delivered (contract K8).
  ///
  /// - Parameters:
  ///   - head: What it says to its subscriber.
  ///   - token: What the request carried.
  ///   - revision: At least the store's when the request was read.
  ///   - out: Gets the frame.
  public static func barrier(
    _ head: Head, token: UInt64, revision: UInt64, into out: inout [UInt8]
  ) {
    let size = FrameWriter.size(1, varint: token) + FrameWriter.size(2, varint: revision)
    Self.head(head, .barrier, size: size, into: &out)
    out.appendField(1, varint: token)
    out.appendField(2, varint: revision)
  }

  /// Appends a subscription's last frame.
  ///
  /// - Parameters:
  ///   - head: What it says to its subscriber.
  ///   - reason: Why it ended.
  ///   - revision: The last whole revision sent.
  ///   - out: Gets the frame.
  public static func ended(
    _ head: Head, reason: EndReason, revision: UInt64, into out: inout [UInt8]
  ) {
    let code = UInt64(reason.rawValue)
    let size = FrameWriter.size(1, varint: code) + FrameWriter.size(2, varint: revision)
    Self.head(head, .ended, size: size, into: &out)
    out.appendField(1, varint: code)
    out.appendField(2, varint: revision)
  }
}
