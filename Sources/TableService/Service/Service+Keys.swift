internal import Coding

/// A user's key.
struct KeyName: Hashable {
  var uid: UInt64
  var key: [UInt8]
}

/// An idempotency key as a request gives it (contract E5).
public struct RequestKey: Sendable {
  /// Whose it is.
  public var uid: UInt64
  /// The key, 1 to 64 bytes.
  public var key: [UInt8]
  /// What stands for the request's bytes.
  public var hash: [UInt8]
  /// Until when a retry is expected, on the running clock in microseconds.
  public var retryUntil: Int64?

  /// Names a key.
  ///
  /// - Parameters:
  ///   - uid: Whose it is.
  ///   - key: The key.
  ///   - hash: What stands for the request's bytes.
  ///   - retryUntil: Until when a retry is expected.
  public init(uid: UInt64, key: [UInt8], hash: [UInt8], retryUntil: Int64?) {
    self.uid = uid
    self.key = key
    self.hash = hash
    self.retryUntil = retryUntil
  }
}

/// What a request came to, as it is kept for a retry.
public struct KeptOutcome: Equatable, Sendable {
  /// The revision of the first outcome.
  public var revision: UInt64
  /// Whether nothing had changed.
  public var isUnchanged: Bool
  /// The table.
  public var table: UInt64
  /// Fields of hp.v1.BatchReply.
  public var reply: [UInt8]

  /// Keeps an outcome.
  ///
  /// - Parameters:
  ///   - revision: Its revision.
  ///   - isUnchanged: Whether nothing changed.
  ///   - table: The table.
  ///   - reply: Fields of hp.v1.BatchReply.
  public init(revision: UInt64, isUnchanged: Bool, table: UInt64, reply: [UInt8]) {
    self.revision = revision
    self.isUnchanged = isUnchanged
    self.table = table
    self.reply = reply
  }

  /// Keeps what came of a change.
  init(_ outcome: borrowing Outcome) {
    self.init(
      revision: outcome.revision, isUnchanged: outcome.isUnchanged, table: outcome.table,
      reply: outcome.reply)
  }

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, varint: revision)
    if isUnchanged { bytes.appendField(2, bool: true) }
    bytes.appendField(3, varint: table)
    bytes.appendField(4, bytes: reply)
    return bytes
  }

  init(decoding bytes: [UInt8]) throws(StoreFault) {
    self.init(revision: 0, isUnchanged: false, table: 0, reply: [])
    var reader = FieldReader(0..<bytes.count)
    do throws(CodingFault) {
      while let field = try reader.next(in: bytes.span) {
        switch field.number {
        case 1: revision = field.value
        case 2: isUnchanged = field.value != 0
        case 3: table = field.value
        case 4: reply = [UInt8](bytes[field.range])
        default: break
        }
      }
    } catch { throw .damaged(.keys) }
  }
}

extension Service {
  /// The longest that `retry_until` may lie ahead, in microseconds.
  static let longestRetry: Int64 = 86_400_000_000
  /// A longer reply is kept cut.
  static let keptReply = 4096

  /// Looks whether a request was carried out before.
  ///
  /// - Parameter key: The request's key.
  /// - Returns: The first outcome, or `nil` where the request is new.
  /// - Throws: `keyReused`, `keyExpired`, `keysFull` or what the store says.
  public func outcome(of key: RequestKey) throws(ServiceFault) -> KeptOutcome? {
    if let other = long?.key, other.uid == key.uid, other.key == key.key { throw .held }
    let now = runningClock
    if let until = key.retryUntil {
      guard until > now else { throw .keyExpired(now: now) }
      guard until - now <= Service.longestRetry else { throw .retryTooLate(now: now) }
    }
    let found: KeyRecord?
    if let record = turn.outcomes[KeyName(uid: key.uid, key: key.key)] {
      found = record
    } else {
      do throws(StoreFault) {
        found = try store.key(of: key.uid, key.key)
      } catch { throw .store(error) }
    }
    if let found, found.expires > now {
      guard found.hash == key.hash else { throw .keyReused }
      let kept: KeptOutcome
      do throws(StoreFault) { kept = try KeptOutcome(decoding: found.outcome) } catch {
        throw .store(error)
      }
      // Of a turn whose commit failed nobody knows yet whether it stays (contract S2).
      if isClosedForWriting, kept.revision > durableRevision { throw .store(.unsettled) }
      return kept
    }
    if found == nil, store.keyCount(of: key.uid) + turn.keys.count >= retention.keysPerUser {
      throw .keysFull(limit: retention.keysPerUser)
    }
    return nil
  }

  /// Keeps an outcome with the turn that it belongs to.
  func keep(_ outcome: KeptOutcome, for key: RequestKey) {
    var outcome = outcome
    if outcome.table != 0 {
      outcome.cut(to: Service.keptReply)
    } else {
      outcome.drop(fieldsOver: Service.keptReply / 4, ofMoreThan: Service.keptReply)
    }
    let expires = key.retryUntil ?? runningClock + retention.keySeconds * 1_000_000
    let record = KeyRecord(
      uid: key.uid, key: key.key, hash: key.hash, outcome: outcome.encoded(), expires: expires)
    turn.keys.append(record)
    turn.outcomes[KeyName(uid: key.uid, key: key.key)] = record
  }
}
