internal import Coding

/// Appends replies as whole frames: length, `ServerFrame`, `Reply`, result.
///
/// Nothing here is limited in size: callers keep pages below `Limits.frameDown`.
public enum ReplyEncoder {
  /// Results of a reply, by their field number in `hp.v1.Reply`.
  enum Result: UInt32 {
    case error = 16
    case done = 17
    case hello = 18
    case pong = 19
    case info = 20
    case subscribed = 21
    case batch = 22
    case tables = 23
    case table = 24
    case rows = 25
    case location = 26
    case count = 27
    case sum = 28
    case history = 29
    case upload = 31
    case leases = 30
    case clients = 32
    case editing = 33
    case nib = 34
    case header = 36
    case scene = 35
    case editingState = 37
    case policies = 38
  }

  /// Appends all of a frame that stands before its result's content of `size` bytes.
  static func head(_ id: UInt64, _ result: Result, size: Int, into out: inout [UInt8]) {
    let inner =
      FrameWriter.size(1, varint: id) + FrameWriter.size(result.rawValue, content: size)
    FrameWriter.openFrame(1, content: inner, into: &out)
    out.appendField(1, varint: id)
    FrameWriter.open(result.rawValue, content: size, into: &out)
  }

  /// Appends a frame with a result that `write` makes; right for small ones.
  static func append(
    _ id: UInt64, _ result: Result, into out: inout [UInt8], _ write: (inout [UInt8]) -> Void
  ) {
    let start = out.count
    out.append(0)
    out.appendField(1) { reply in
      reply.appendField(1, varint: id)
      reply.appendField(result.rawValue, message: write)
    }
    out.closeLength(at: start)
  }

  /// Appends an error.
  ///
  /// - Parameters:
  ///   - error: What is wrong.
  ///   - id: The request's id; 0 where it could not be read.
  ///   - out: Gets the frame.
  public static func error(_ error: ErrorReply, id: UInt64, into out: inout [UInt8]) {
    append(id, .error, into: &out) { error.encode(into: &$0) }
  }

  /// Appends the answer to a request that has nothing to tell.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - cursor: The state after it.
  ///   - out: Gets the frame.
  public static func done(id: UInt64, cursor: Cursor?, into out: inout [UInt8]) {
    append(id, .done, into: &out) { done in
      if let cursor { done.appendField(1) { cursor.encode(into: &$0) } }
    }
  }

  /// Appends the answer to a hello.
  ///
  /// - Parameters:
  ///   - hello: What it says.
  ///   - id: The request's id.
  ///   - out: Gets the frame.
  public static func hello(_ hello: HelloReply, id: UInt64, into out: inout [UInt8]) {
    append(id, .hello, into: &out) { hello.encode(into: &$0) }
  }

  /// Appends the answer to a ping.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - payload: What the ping carried.
  ///   - out: Gets the frame.
  public static func pong(id: UInt64, payload: [UInt8], into out: inout [UInt8]) {
    append(id, .pong, into: &out) { pong in
      if !payload.isEmpty { pong.appendField(1, bytes: payload) }
    }
  }

  /// Appends what the daemon tells about itself.
  ///
  /// - Parameters:
  ///   - info: What it says.
  ///   - id: The request's id.
  ///   - out: Gets the frame.
  public static func info(_ info: InfoReply, id: UInt64, into out: inout [UInt8]) {
    append(id, .info, into: &out) { info.encode(into: &$0) }
  }

  /// Appends the answer to a subscribe.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - subscription: The number given to it.
  ///   - from: The snapshot's revision, or the cursor it goes on from.
  ///   - snapshot: Whether a snapshot follows.
  ///   - foldable: Whether the events can be folded (contract F1).
  ///   - fingerprint: Of the filter (contract F2); 0: none.
  ///   - pathsByID: Whether changes name sections by their ids.
  ///   - table: The table's id, where it is of one.
  ///   - out: Gets the frame.
  public static func subscribed(
    id: UInt64, subscription: UInt64, from: Cursor?, snapshot: Bool, foldable: Bool = true,
    fingerprint: UInt64 = 0, pathsByID: Bool = false, table: UInt64? = nil,
    into out: inout [UInt8]
  ) {
    append(id, .subscribed, into: &out) { subscribed in
      subscribed.appendField(1, varint: subscription)
      if let from { subscribed.appendField(2) { from.encode(into: &$0) } }
      if snapshot { subscribed.appendField(3, bool: true) }
      if fingerprint != 0 { subscribed.appendField(4, varint: fingerprint) }
      if foldable { subscribed.appendField(5, bool: true) }
      if pathsByID { subscribed.appendField(6, bool: true) }
      if let table { subscribed.appendField(7, varint: table) }
    }
  }

  /// Appends where a row stands.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - path: Its path.
  ///   - section: Its section's id.
  ///   - position: Its position in the whole table.
  ///   - cursor: The state it is of.
  ///   - out: Gets the frame.
  public static func location(
    id: UInt64, path: IndexPath, section: UInt64, position: Int, cursor: Cursor,
    into out: inout [UInt8]
  ) {
    append(id, .location, into: &out) { location in
      location.appendField(1) { path.encode(into: &$0) }
      location.appendField(2, varint: section)
      location.appendField(3, varint: UInt64(position))
      location.appendField(4) { cursor.encode(into: &$0) }
    }
  }

  /// Appends a count of rows.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - rows: The count.
  ///   - cursor: The state it is of.
  ///   - out: Gets the frame.
  public static func count(
    id: UInt64, rows: Int, cursor: Cursor, into out: inout [UInt8]
  ) {
    append(id, .count, into: &out) { count in
      count.appendField(1, varint: UInt64(rows))
      count.appendField(2) { cursor.encode(into: &$0) }
    }
  }

  /// Appends the connections.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - clients: The connections.
  ///   - out: Gets the frame.
  public static func clients(
    id: UInt64, _ clients: [ClientInfo], into out: inout [UInt8]
  ) {
    append(id, .clients, into: &out) { list in
      for client in clients { list.appendField(1) { client.encode(into: &$0) } }
    }
  }

  /// Appends a goodbye, which is no reply but the connection's last frame.
  ///
  /// - Parameters:
  ///   - goodbye: What it says.
  ///   - out: Gets the frame.
  public static func goodbye(_ goodbye: Goodbye, into out: inout [UInt8]) {
    let start = out.count
    out.append(0)
    out.appendField(3) { goodbye.encode(into: &$0) }
    out.closeLength(at: start)
  }
}
