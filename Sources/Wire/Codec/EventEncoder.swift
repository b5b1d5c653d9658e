internal import Coding

/// Appends events: a head for one subscriber, then a body that all share (contract K1).
public enum EventEncoder {
  /// What an event tells, by its field number in `hp.v1.Event`.
  public enum Body: UInt32, CaseIterable, Sendable {
    case change = 16
    case snapshot = 17
    case rows = 18
    case live = 19
    case progress = 20
    case barrier = 21
    case ended = 22
    case window = 23
    case liveState = 24
    case scene = 25
  }

  /// What an event says to its subscriber alone.
  public struct Head: Equatable, Sendable {
    /// The subscription; 0: all of the connection.
    public var subscription: UInt64
    /// The subscriber's revision before this event; `nil`: it does not apply.
    public var from: UInt64?
    /// Which part of its revision or snapshot this is, from 0; `nil`: it has one part.
    public var part: UInt32?
    /// Whether it is the last part, with which the whole takes effect (contract K2).
    public var last: Bool

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - subscription: The subscription.
    ///   - from: The subscriber's revision before this event.
    ///   - part: Which part this is.
    ///   - last: Whether it is the last one.
    public init(subscription: UInt64, from: UInt64?, part: UInt32? = nil, last: Bool = true) {
      self.subscription = subscription
      self.from = from
      self.part = part
      self.last = last
    }
  }

  /// Appends all of a frame that stands before its body: the body's bytes have to follow.
  ///
  /// - Parameters:
  ///   - head: What the event says to its subscriber.
  ///   - body: What it tells.
  ///   - size: How many bytes the body has.
  ///   - out: Gets the bytes, at most 64.
  /// - Complexity: O(1)
  public static func head(
    _ head: Head, _ body: Body, size: Int, into out: inout [UInt8]
  ) {
    let inner =
      FrameWriter.size(1, varint: head.subscription) + FrameWriter.size(2, varint: head.from)
      + FrameWriter.size(3, varint: head.part.map(UInt64.init)) + (head.last ? 2 : 0)
      + FrameWriter.size(body.rawValue, content: size)
    FrameWriter.openFrame(2, content: inner, into: &out)
    out.appendField(1, varint: head.subscription)
    if let from = head.from { out.appendField(2, varint: from) }
    if let part = head.part { out.appendField(3, varint: UInt64(part)) }
    if head.last { out.appendField(4, bool: true) }
    FrameWriter.open(body.rawValue, content: size, into: &out)
  }

  /// Appends a whole frame: head and body.
  ///
  /// - Parameters:
  ///   - head: What the event says to its subscriber.
  ///   - body: What it tells.
  ///   - content: The body's bytes.
  ///   - out: Gets the frame.
  /// - Complexity: O(*n*) in the size of the body.
  public static func frame(
    _ head: Head, _ body: Body, _ content: [UInt8], into out: inout [UInt8]
  ) {
    Self.head(head, body, size: content.count, into: &out)
    out.append(contentsOf: content)
  }
}
