internal import Coding

/// What a journal record is about (contract K6).
public enum JournalKind: UInt64, Sendable {
  /// A revision: the body is a `hp.v1.Change`.
  case change = 1
  /// Keys alone: an outcome without a change (contract E5).
  case keys = 2
  /// Leases and what they hold across restarts (contract L7).
  case lease = 3
  /// Durable scene state (contract L6).
  case scene = 4
}

/// Who caused a journal record, and when.
///
/// On disk it is a protobuf message whose fields stand once and ascending: kind 1, format 2,
/// time 3 (sint64), uid 4, actor 5, client 6, request 7, key hash 8, undoes 9, redoes 10; what is
/// zero or empty is left out. Readers skip fields they do not know.
public struct JournalHead: Equatable, Sendable {
  /// The first form that holds all that taking a change back needs.
  static let reversible: UInt64 = 2

  /// What the record is about.
  public var kind: JournalKind
  /// The version of the body's meaning.
  public var format = JournalHead.reversible
  /// Microseconds since 1970 by the wall clock; only shown.
  public var time: Int64 = 0
  /// The user whose request it was.
  public var uid: UInt64 = 0
  /// The name that the client gave.
  public var actor: String = ""
  /// The client's id.
  public var client: UInt64 = 0
  /// The id of the request's frame.
  public var request: UInt64 = 0
  /// The hash of the idempotency key's request, empty without a key.
  public var keyHash: [UInt8] = []
  /// The revision that this one takes back, 0 for none.
  public var undoes: UInt64 = 0
  /// The revision that this one makes again, 0 for none.
  public var redoes: UInt64 = 0

  /// A head that says only what the record is about.
  ///
  /// - Parameter kind: What the record is about.
  public init(kind: JournalKind) { self.kind = kind }

  /// The head's bytes on disk.
  ///
  /// - Returns: The message.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the head's bytes on disk.
  func append(to bytes: inout [UInt8]) {
    let actor = actor.utf8Span.span
    bytes.append(addingCapacity: 44 + 11 + actor.count + 22) { room in
      room.appendField(1, varint: kind.rawValue)
      room.appendField(2, varint: format)
      if time != 0 { room.appendField(3, varint: Varint.zigzag(time)) }
      if uid != 0 { room.appendField(4, varint: uid) }
      if !actor.isEmpty {
        room.openField(5, count: actor.count)
        room.append(copying: actor)
      }
      if client != 0 { room.appendField(6, varint: client) }
      if request != 0 { room.appendField(7, varint: request) }
    }
    if !keyHash.isEmpty { bytes.appendField(8, bytes: keyHash) }
    if undoes != 0 { bytes.appendField(9, varint: undoes) }
    if redoes != 0 { bytes.appendField(10, varint: redoes) }
  }

  /// Reads a head.
  ///
  /// - Parameter bytes: The message.
  /// - Throws: `damaged` where the bytes are no head, or of a kind that is not known.
  public init(decoding bytes: [UInt8]) throws(StoreFault) {
    self.init(kind: .change)
    var kind: JournalKind?
    var reader = FieldReader(0..<bytes.count)
    do throws(CodingFault) {
      while let field = try reader.next(in: bytes.span) {
        switch field.number {
        case 1: kind = JournalKind(rawValue: field.value)
        case 2: format = field.value
        case 3: time = field.signed
        case 4: uid = field.value
        case 5:
          guard let text = String(validating: bytes[field.range], as: UTF8.self) else {
            throw .truncated
          }
          actor = text
        case 6: client = field.value
        case 7: request = field.value
        case 8: keyHash = [UInt8](bytes[field.range])
        case 9: undoes = field.value
        case 10: redoes = field.value
        default: break
        }
      }
    } catch { throw .damaged(.reading) }
    guard let kind else { throw .damaged(.reading) }
    self.kind = kind
  }
}
